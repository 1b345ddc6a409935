// Folders for unfinished files: each piece of work finds an empty one, whatever was in it before.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type FileHandle, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
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

/** The number of the folder's inode. */
const inodeOf = (name: string, work: (path: string) => Promise<unknown> = async () => {}) =>
  folder.withFolder(name, async (path) => {
    assert.equal(path, join(root, name))
    assert.deepEqual(await readdir(path), [])
    const { ino } = await stat(path)
    await work(path)
    return ino
  })

test('work at the same time has folders of its own', async () => {
  const inodes = await Promise.all(['a', 'b', 'c'].map((name) => inodeOf(name)))
  assert.equal(new Set(inodes).size, 3)
})

test('an empty folder is used again under another name', async () => {
  const inodes = [await inodeOf('first'), await inodeOf('second'), await inodeOf('third'), await inodeOf('fourth')]
  assert.equal(inodes[3], inodes[0])
  assert.equal((await readdir(root)).length, 3)
})

test('a name can be used again while other folders are free', async () => {
  await Promise.all(['again', 'other'].map((name) => inodeOf(name)))
  await Promise.all(['again', 'another'].map((name) => inodeOf(name)))
})

test('files left in a folder are deleted with it', async () => {
  await inodeOf('left', (path) => writeFile(join(path, 'left.txt'), 'left'))
  assert.ok(!existsSync(join(root, 'left')))
  await inodeOf('left')
})

test('work goes on after everything was deleted', async () => {
  await Promise.all(['one', 'two'].map((name) => inodeOf(name)))
  await rm(root, { recursive: true })
  await Promise.all(['one', 'three', 'four'].map((name) => inodeOf(name)))
})

test('the folder of failed work is deleted and never used again', async () => {
  // Still open, so that its inode cannot be that of a new folder.
  let failed: FileHandle | undefined
  const work = async (path: string) => {
    failed = await open(path)
    throw new Error('failed')
  }
  await assert.rejects(folder.withFolder('failed', work), /failed/)
  assert.ok(!existsSync(join(root, 'failed')))
  const later = await Promise.all(Array.from({ length: 8 }, (_, i) => inodeOf(`later-${i}`)))
  assert.ok(!later.includes((await failed!.stat()).ino))
  await failed!.close()
})

test('work whose name is in use has a folder of its own', async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const stale = folder.withFolder('claimed-twice', async (path) => {
    await writeFile(join(path, 'stale.txt'), 'stale')
    await isOver
    throw new Error('its lease was lost')
  })
  await folder.withFolder('claimed-twice', async (path) => {
    assert.deepEqual(await readdir(path), [])
    await writeFile(join(path, 'own.txt'), 'own')
    end()
    await assert.rejects(stale, /lease/)
    assert.deepEqual(await readdir(path), ['own.txt'])
  })
})

test('work that ends in a folder that was deleted has succeeded', async () => {
  const result = await folder.withFolder('deleted', async (path) => {
    await rm(path, { recursive: true })
    return 'done'
  })
  assert.equal(result, 'done')
})
