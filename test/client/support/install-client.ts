// Packs the client as it would be published and installs it into a folder, without any network.
import { execFile } from 'node:child_process'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const run = promisify(execFile)
export const tools = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url))
const client = fileURLToPath(new URL('../../../client', import.meta.url))

/** Makes `folder` a project of its own that has the client. */
export async function installClient(folder: string): Promise<void> {
  // From a copy, so that two tests at once do not build over each other and the project stays as it is.
  const copy = join(folder, 'pack')
  await mkdir(copy, { recursive: true })
  for (const part of ['package.json', 'tsconfig.json', 'README.md', 'LICENSE', 'src']) {
    await cp(join(client, part), join(copy, part), { recursive: true })
  }
  const env = { ...process.env, PATH: `${tools}${delimiter}${process.env.PATH}` }
  await run('npm', ['pack', '--pack-destination', copy], { cwd: copy, env })
  const { version } = JSON.parse((await run('npm', ['pkg', 'get', '--json'], { cwd: copy, env })).stdout)
  await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}')
  const tarball = join(copy, `dailies-client-${version}.tgz`)
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder })
}
