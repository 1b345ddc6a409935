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

/** The path of the folder that the work got. */
const folderOf = (work: (path: string) => Promise<unknown> = async () => {}) =>
  folder.withFolder(async (path) => {
    assert.deepEqual(await readdir(path), [])
    await work(path)
    return path
  })

const many = (count: number) => Promise.all(Array.from({ length: count }, () => folderOf()))

test('work at the same time has folders of its own', async () => {
  assert.equal(new Set(await many(3)).size, 3)
})

test('an empty folder is used again', async () => {
  assert.equal(await folderOf(), await folderOf())
  await many(3)
  assert.equal((await readdir(root)).length, 3)
})

test('files left in a folder are deleted', async () => {
  const path = await folderOf((own) => writeFile(join(own, 'left.txt'), 'left'))
  assert.ok(!existsSync(join(path, 'left.txt')))
  assert.equal(await folderOf(), path)
})

test('work goes on after everything was deleted', async () => {
  await many(2)
  await rm(root, { recursive: true })
  assert.equal(new Set(await many(3)).size, 3)
})

test('the folder of failed work is deleted and never used again', async () => {
  let failed = ''
  const work = async (path: string) => {
    failed = path
    throw new Error('failed')
  }
  await assert.rejects(folder.withFolder(work), /failed/)
  assert.ok(!existsSync(failed))
  assert.ok(!(await many(8)).includes(failed))
})
