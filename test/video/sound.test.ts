import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ambience, placeOf } from '../../src/video/sound/ambience.ts'
import { loudness } from '../../src/video/sound/loudness.ts'
import { fitTracks } from '../../src/video/sound/sound.ts'

const rate = 48_000
const peak = (channel: Float32Array) => channel.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
const mean = (channel: Float32Array) => channel.reduce((sum, value) => sum + value, 0) / channel.length
const level = (channel: Float32Array) =>
  Math.sqrt(channel.reduce((sum, value) => sum + value * value, 0) / channel.length)
const largestStep = (channel: Float32Array) => {
  let most = 0
  for (let i = 1; i < channel.length; i++) most = Math.max(most, Math.abs(channel[i]! - channel[i - 1]!))
  return most
}
const sine = (seconds: number, hertz: number, amplitude: number) =>
  Float32Array.from({ length: seconds * rate }, (_, i) => amplitude * Math.sin((2 * Math.PI * hertz * i) / rate))

test('loudness is measured as the standard says', () => {
  const tone = sine(5, 997, 1)
  assert.ok(Math.abs(loudness([tone]) + 3.01) < 0.05, `${loudness([tone])} of one side`)
  assert.ok(Math.abs(loudness([tone, tone])) < 0.05, `${loudness([tone, tone])} of two sides`)
  const halfSilent = tone.map((value, i) => (i > 2.5 * rate ? 0 : value))
  assert.ok(loudness([halfSilent]) > -4, 'pauses do not count')
  assert.equal(loudness([new Float32Array(rate)]), Number.NEGATIVE_INFINITY)
})

test('every place sounds at −18 LUFS, does not clip, and plays to its very ends', () => {
  for (const place of ['surf', 'rain', 'fire', 'crowd', 'birds', 'city', 'wind', 'room'] as const) {
    for (const [seed, seconds] of [
      [1, 3],
      [4_000_000_000, 6],
    ] as const) {
      const channels = ambience(place, seed, seconds)
      assert.equal(channels.length, 2)
      const lufs = loudness(channels)
      assert.ok(Math.abs(lufs + 18) < 0.7, `${place}: ${lufs} LUFS`)
      for (const channel of channels) {
        assert.equal(channel.length, seconds * rate)
        assert.ok(channel.every(Number.isFinite))
        assert.ok(peak(channel) < 0.9, `${place}: peak ${peak(channel)}`)
        assert.ok(Math.abs(mean(channel)) < 3e-3, `${place}: mean ${mean(channel)}`)
        // Joined to the next clip, it leaves no hole.
        const whole = level(channel)
        for (const end of [channel.subarray(0, 0.1 * rate), channel.subarray(-0.1 * rate)]) {
          assert.ok(level(end) > 0.15 * whole, `${place}: ${level(end)} at an end of ${whole}`)
        }
        assert.ok(Math.abs(channel[0]!) < 1e-3 && Math.abs(channel.at(-1)!) < 1e-3)
      }
    }
  }
})

test('a seed makes one ambience, another seed another, and the two sides differ', () => {
  assert.deepEqual(ambience('wind', 7, 2), ambience('wind', 7, 2))
  assert.notDeepEqual(ambience('wind', 7, 2), ambience('wind', 8, 2))
  const [left, right] = ambience('wind', 7, 2)
  assert.notDeepEqual(left, right)
})

test('the place is read from the words', () => {
  const cases = [
    ['Waves roll onto the beach', 'surf'],
    ['Heavy rain on a city street', 'rain'],
    ['a campfire at night', 'fire'],
    ['the stadium cheers', 'crowd'],
    ['A path through the forest', 'birds'],
    ['cars in the street', 'city'],
    ['snow in the mountains', 'wind'],
    ['海边的日落', 'surf'],
    ['ein Wald im Nebel', 'birds'],
    ['slow push in', 'room'],
    ['', 'room'],
  ] as const
  for (const [text, place] of cases) assert.equal(placeOf(text), place, text)
})

test('any tracks are mixed to two channels of exactly the length, without clipping', () => {
  const loud = () => [sine(2, 440, 1), sine(2, 550, 1)]
  for (const tracks of [
    [],
    [[]],
    [[new Float32Array(0)]],
    [loud()],
    [loud(), loud(), loud()],
    [[sine(9, 220, 1)], loud()],
  ]) {
    for (const seconds of [1, 5, 7.5]) {
      const mix = fitTracks(tracks, seconds)
      assert.equal(mix.length, 2)
      for (const channel of mix) {
        assert.equal(channel.length, seconds * rate)
        assert.ok(peak(channel) <= 0.91)
      }
    }
  }
})

test('a longer track is trimmed with a fade, and what is heard stays in step', () => {
  const track = sine(8, 440, 0.5)
  const [left] = fitTracks([[track]], 5)
  for (let i = rate; i < 4 * rate; i += 997) assert.ok(Math.abs(left![i]! - track[i]!) < 1e-6)
  assert.ok(level(left!.subarray(4.7 * rate, 4.75 * rate)) > level(left!.subarray(4.95 * rate)))
  assert.ok(Math.abs(left!.at(-1)!) < 1e-6 && largestStep(left!) < 0.04)
})

test('a sound that goes on is looped without a gap or a click', () => {
  const [left] = fitTracks([[sine(1.3, 440, 0.5)]], 5)
  assert.ok(largestStep(left!) < 0.06, `step ${largestStep(left!)}`)
  for (let at = 0.1; at < 4.4; at += 0.05) {
    assert.ok(level(left!.subarray(at * rate, (at + 0.05) * rate)) > 0.1, `a gap at ${at} s`)
  }
})

test('a phrase that has ended is not said twice', () => {
  const phrase = sine(2, 300, 0.5).map((value, i) => (i > 1.2 * rate ? 0 : value))
  const [left, right] = fitTracks([[phrase]], 5)
  assert.ok(level(left!.subarray(0, rate)) > 0.3)
  assert.equal(peak(left!.subarray(2 * rate)), 0)
  assert.deepEqual(left, right)
})

test('given tracks are not changed, and samples that are no numbers fall silent', () => {
  const track = sine(1, 440, 0.5)
  const before = track.slice()
  fitTracks([[track]], 3)
  assert.deepEqual(track, before)
  const broken = sine(2, 440, 0.5)
  broken[500] = Number.NaN
  broken[900] = Number.POSITIVE_INFINITY
  const [left] = fitTracks([[broken]], 1)
  assert.ok(left!.every(Number.isFinite) && level(left!) > 0.1)
})
