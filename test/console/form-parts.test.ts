// The decisions behind the console's forms and tables, as tables.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { promptOf, videoFileName, videoUrlOf } from '../../client/src/records.ts'
import { choicesOf, plainSchema, rangeOf } from '../../console/src/json-schema.ts'
import { addShot, moveCut, shotSeconds, totalOf, totalSecondsMax } from '../../console/src/playground/request/shots.ts'
import { parentOf, problemsByPath } from '../../console/src/task-facts.ts'
import { toCsv } from '../../console/src/usage/csv.ts'

const shots = (...lengths: number[]) => lengths.map((duration) => ({ prompt: '', duration }))
const lengthsOf = (list: { duration: number }[]) => list.map(({ duration }) => duration)

describe('shots on a timeline', () => {
  for (const { name, from, cut, by, to } of [
    { name: 'time goes from a shot to the next', from: [3, 3], cut: 0, by: -1, to: [2, 4] },
    { name: 'half seconds are the smallest step', from: [3, 3], cut: 0, by: 0.6, to: [3.5, 2.5] },
    { name: 'a shot keeps its last second', from: [3, 3], cut: 0, by: 9, to: [5, 1] },
    { name: 'the first does too', from: [3, 3], cut: 0, by: -9, to: [1, 5] },
    { name: 'after the last shot the video grows', from: [3, 3], cut: 1, by: 2, to: [3, 5] },
    { name: 'but not beyond its limit', from: [3, 3], cut: 1, by: 60, to: [3, 12] },
  ]) {
    test(name, () => assert.deepEqual(lengthsOf(moveCut(shots(...from), cut, by)), to))
  }

  test('a new shot takes from what is free, else from the longest', () => {
    assert.deepEqual(lengthsOf(addShot(shots(3))), [3, 3])
    assert.deepEqual(lengthsOf(addShot(shots(5, 10))), [5, 5, 5])
  })

  test('no move breaks a bound', () => {
    const lengths = fc.array(
      fc.integer({ min: 2, max: 10 }).map((half) => half / 2),
      { minLength: 1, maxLength: 3 },
    )
    fc.assert(
      fc.property(lengths, fc.nat(), fc.double({ min: -20, max: 20, noNaN: true }), (list, position, by) => {
        const before = shots(...list)
        const after = moveCut(before, position % list.length, by)
        assert.ok(after.every(({ duration }) => duration >= shotSeconds.min && duration <= shotSeconds.max))
        assert.ok(totalOf(after) <= totalSecondsMax)
        if (position % list.length < list.length - 1) assert.equal(totalOf(after), totalOf(before))
      }),
    )
  })
})

test('sentences of the service are separated by their fields', () => {
  const message =
    'input.prompt: must not be empty; input.multi_prompt[1].duration: is 3; not 2; callBackUrl: is required'
  assert.deepEqual(
    [...problemsByPath(message)],
    [
      ['input.prompt', 'must not be empty'],
      ['input.multi_prompt[1].duration', 'is 3; not 2'],
      ['callBackUrl', 'is required'],
    ],
  )
  assert.equal(problemsByPath('There is no task with this id.').size, 0)
})

test('records are read even if their texts are malformed', () => {
  assert.equal(promptOf({ param: '{"input":{"prompt":"a boat"}}' }), 'a boat')
  assert.equal(promptOf({ param: '{"taskId":"t","prompt":"on and on"}' }), 'on and on')
  const shots = [{ prompt: 'a boat' }, { prompt: 'A pier, très loin!' }]
  const param = JSON.stringify({ input: { prompt: 'not used', customize_multi_shots: true, multi_prompt: shots } })
  assert.equal(promptOf({ param }), 'a boat / A pier, très loin!')
  assert.equal(videoFileName({ taskId: '0199a3c2-5d2c1b0a9e8d', param }), 'a-boat-a-pier-tres-loin-1b0a9e8d.mp4')
  assert.equal(parentOf({ param: '{"taskId":"t","prompt":"on and on"}' }), 't')
  assert.equal(parentOf({ param: '{"taskId":"t","input":{}}' }), null)
  assert.equal(videoUrlOf({ resultJson: '{"resultUrls":["https://example.com/v.mp4"]}' }), 'https://example.com/v.mp4')
  for (const broken of ['', 'null', '[]', '{"input":7}', '{"resultUrls":{}}', '{']) {
    assert.equal(promptOf({ param: broken }), '')
    assert.equal(videoUrlOf({ resultJson: broken }), null)
  }
})

test('optional fields show their schema, numeric choices their range', () => {
  const optional = {
    description: 'd',
    default: '5',
    anyOf: [{ enum: ['3', '4', '5', '6', 3, 4, 5, 6] }, { type: 'null' }],
  }
  assert.deepEqual(plainSchema(optional), { description: 'd', default: '5', enum: ['3', '4', '5', '6', 3, 4, 5, 6] })
  assert.deepEqual(choicesOf(plainSchema(optional)), ['3', '4', '5', '6'])
  assert.deepEqual(rangeOf(['3', '4', '5', '6']), { min: 3, max: 6 })
  assert.equal(rangeOf(['5', '10']), null)
  assert.equal(rangeOf(['720p', '1080p', '4k', '8k']), null)
})

test('tables keep commas, quotes and formulas as texts', () => {
  const csv = toCsv(
    ['a', 'b'],
    [
      ['x,"y"', -7],
      ['=1+1', null],
      ['-lead', 1],
    ],
  )
  assert.equal(csv, `a,b\r\n"x,""y""",-7\r\n'=1+1,\r\n'-lead,1`)
})
