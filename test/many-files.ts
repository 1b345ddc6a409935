// Runs many test files in one process, which loads the service once instead of once per file. Each file is a suite, so
// that its hooks stay its own. Several such processes share one list: each claims the next file when it has ended one.
// The list and the claims are in the folder TEST_CLAIMS.
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, describe } from 'node:test'
import { pathToFileURL } from 'node:url'

const fileTimeoutMs = 600_000
const folder = process.env.TEST_CLAIMS!
const files: string[] = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8'))

for (const [i, file] of files.entries()) {
  if (!claim(i)) continue
  await new Promise<void>((done) => {
    describe(file, { timeout: fileTimeoutMs }, async () => {
      after(() => done())
      await import(pathToFileURL(resolve(file)).href)
    })
  })
}

function claim(i: number): boolean {
  try {
    closeSync(openSync(join(folder, String(i)), 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
