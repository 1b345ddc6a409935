// How loud sound is to the ear, after ITU-R BS.1770: weighted by frequency, in blocks of 400 ms, pauses left out. Pure.
import { samplesPerSecond } from '../av/timing.ts'

const block = 0.4 * samplesPerSecond
const hop = block / 4

/** The two filters of the standard at 48 kHz: the head's shelf, and the ear's loss of lows. */
const filters = [
  { b: [1.53512485958697, -2.69169618940638, 1.19839281085285], a: [-1.69065929318241, 0.73248077421585] },
  { b: [1, -2, 1], a: [-1.99004745483398, 0.99007225036621] },
] as const

/** Integrated loudness in LUFS; −∞ for silence. Channels have 48 kHz. */
export function loudness(channels: Float32Array[]): number {
  const weighted = channels.map(weigh)
  const length = weighted[0]?.length ?? 0
  const powers: number[] = []
  for (let start = 0; start === 0 || start + block <= length; start += hop) {
    const end = Math.min(length, start + block)
    let sum = 0
    for (const channel of weighted) for (let i = start; i < end; i++) sum += channel[i]! ** 2
    powers.push(sum / Math.max(1, end - start))
  }
  const audible = powers.filter((power) => inLufs(power) > -70)
  const gate = inLufs(mean(audible)) - 10
  return inLufs(mean(audible.filter((power) => inLufs(power) > gate)))
}

function weigh(channel: Float32Array): Float32Array {
  let signal = channel
  for (const { b, a } of filters) {
    const out = new Float32Array(signal.length)
    let [x1, x2, y1, y2] = [0, 0, 0, 0]
    for (let i = 0; i < signal.length; i++) {
      const x = signal[i]!
      const y = b[0] * x + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2
      x2 = x1
      x1 = x
      y2 = y1
      y1 = y
      out[i] = y
    }
    signal = out
  }
  return signal
}

function inLufs(power: number): number {
  return -0.691 + 10 * Math.log10(power)
}

function mean(values: number[]): number {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : 0
}
