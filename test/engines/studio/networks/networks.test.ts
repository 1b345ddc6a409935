// The networks in the tree are the ones that the script records, and each comes with its licence.

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { cutNetwork } from '../../../../src/engines/studio/networks/cut-network.ts'
import { sha256Of, sources } from '../../../../src/engines/studio/networks/take.ts'

const folder = new URL('../../../../src/engines/studio/networks/', import.meta.url)

test('every network is what its source says, and has a licence', async () => {
  const files = await readdir(folder)
  assert.deepEqual(files.filter((file) => file.endsWith('.onnx')).toSorted(), Object.keys(sources).toSorted())
  for (const [file, { sha256, package: name }] of Object.entries(sources)) {
    assert.equal(sha256Of(await readFile(new URL(file, folder))), sha256, `${file} is stale: run take.ts`)
    assert.match(name, /@\d/, 'the version is exact')
    assert.ok(files.includes(file.replace('.onnx', '.LICENSE')), `${file} has no licence`)
  }
})

test('a cut network holds only what its last node needs', async () => {
  const network = await readFile(new URL('u2netp.onnx', folder))
  assert.ok(network.includes('side2.weight') && !network.includes('side1.weight'))
  const again = Buffer.from(cutNetwork(network, 'side2.weight', 'side3.weight'))
  assert.ok(again.equals(network), 'cutting twice changes nothing')
  const shorter = cutNetwork(network, 'side3.weight')
  assert.ok(Buffer.from(shorter).includes('side3.weight') && !Buffer.from(shorter).includes('side2.weight'))
  assert.throws(() => cutNetwork(network, 'side9.weight'), /no node with the weights side9.weight/)
  assert.throws(() => cutNetwork(Uint8Array.of(0x0f, 1, 2), 'side2.weight'), /damaged at byte 0/)
})
