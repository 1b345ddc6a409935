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

const pathOfWork = (work: (path: string) => Promise<unknown> = async () => {}) =>
  folder.withFolder(async (path) => {
    assert.deepEqual(await readdir(path), [])
    await work(path)
    return path
  })

test('work at the same time has folders of its own', async () => {
  const paths = await Promise.all([pathOfWork(), pathOfWork(), pathOfWork()])
  assert.equal(new Set(paths).size, 3)
})

test('an empty folder is used again', async () => {
  assert.equal(await pathOfWork(), await pathOfWork())
})

test('a folder with files left in it is deleted', async () => {
  const left = await pathOfWork((path) => writeFile(join(path, 'left.txt'), 'left'))
  assert.ok(!existsSync(left))
})

test('a folder of failed work is deleted and never used again', async () => {
  let failed = ''
  const work = async (path: string) => {
    failed = path
    throw new Error('failed')
  }
  await assert.rejects(folder.withFolder(work), /failed/)
  assert.ok(!existsSync(failed))
  const later = await Promise.all(Array.from({ length: 8 }, () => pathOfWork()))
  assert.ok(!later.includes(failed))
})
