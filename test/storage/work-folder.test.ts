// Folders for unfinished files: each piece of work finds an empty one, whatever was in it before.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openWorkFolder, type WorkFolder } from '../../src/storage/work-folder.ts'

let root: string
let folder: WorkFolder

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'dailies-work-'))
  folder = await openWorkFolder(root, { shared: false })
})

after(() => rm(root, { recursive: true }))

/** The path of the folder that the work gets. */
const useFolder = (work: (path: string) => Promise<unknown> = async () => {}) =>
  folder.withFolder(async (path) => {
    assert.deepEqual(await readdir(path), [])
    await work(path)
    return path
  })

test('work at the same time has folders of its own', async () => {
  const paths = await Promise.all([useFolder(), useFolder(), useFolder()])
  assert.equal(new Set(paths).size, 3)
})

test('an empty folder is used again', async () => {
  const first = await useFolder()
  assert.equal(await useFolder(), first)
})

test('files left in a folder are gone with it', async () => {
  const path = await useFolder((own) => writeFile(join(own, 'left.txt'), 'left'))
  assert.ok(!existsSync(path))
  await useFolder()
})

test('the folder of failed work is deleted and never used again', async () => {
  let failed = ''
  const work = async (path: string) => {
    failed = path
    throw new Error('failed')
  }
  await assert.rejects(folder.withFolder(work), /failed/)
  assert.ok(!existsSync(failed))
  const later = await Promise.all(Array.from({ length: 8 }, () => useFolder()))
  assert.ok(!later.includes(failed))
})
