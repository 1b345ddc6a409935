// Owns the samples of a clip's sound: the fitting of given tracks to the clip's length.
// All sound here is 48 kHz in floats from −1 to 1; decoding and encoding happen elsewhere.
import { samplesPerSecond } from '../av/timing.ts'

const mixPeakMax = 0.9

/** Mixes tracks of one or more channels into two, each fitted to the clip: a longer one is faded out at its end; a
 * shorter one is followed by silence if it has come to rest, else it goes round. The mix is turned down where it
 * would clip. */
export function fitTracks(tracks: Float32Array[][], seconds: number): Float32Array[] {
  const length = samplesIn(seconds)
  const mix = [new Float32Array(length), new Float32Array(length)]
  const sounding = tracks.filter((track) => track.length > 0 && track[0]!.length > 0)
  for (const track of sounding) {
    const pair = [track[0]!, track[1] ?? track[0]!]
    const rests = pair.every(comesToRest)
    for (const [c, channel] of pair.entries()) {
      const fitted = fit(channel, length, rests)
      const target = mix[c]!
      for (let i = 0; i < length; i++) target[i]! += fitted[i]! / Math.sqrt(sounding.length)
    }
  }
  const peak = peakOf(mix)
  if (peak > mixPeakMax) for (const channel of mix) scale(channel, mixPeakMax / peak)
  return mix
}

export function samplesIn(seconds: number): number {
  return Math.max(0, Math.round(seconds * samplesPerSecond))
}

/** Raised-cosine fades; the first and the last sample become silent. */
export function fade(channel: Float32Array, inSamples: number, outSamples: number) {
  const { length } = channel
  const opening = Math.min(inSamples, length)
  const closing = Math.min(outSamples, length)
  for (let i = 0; i < opening; i++) channel[i]! *= 0.5 - 0.5 * Math.cos((Math.PI * i) / opening)
  for (let i = 0; i < closing; i++) channel[length - 1 - i]! *= 0.5 - 0.5 * Math.cos((Math.PI * i) / closing)
}

export function scale(channel: Float32Array, factor: number) {
  for (let i = 0; i < channel.length; i++) channel[i]! *= factor
}

function peakOf(channels: Float32Array[]): number {
  let peak = 0
  for (const channel of channels) for (const value of channel) peak = Math.max(peak, Math.abs(value))
  return peak
}

/** A spoken phrase or a finished tune ends quietly; a cut-off hum or a loop does not. */
function comesToRest(channel: Float32Array): boolean {
  const tail = channel.subarray(Math.max(0, channel.length - samplesPerSecond / 4))
  return power(tail) < 0.01 * power(channel)
}

function power(samples: Float32Array): number {
  let sum = 0
  for (const value of samples) sum += value * value
  return samples.length ? sum / samples.length : 0
}

const edgeSamples = samplesIn(0.008)
const endFadeSamples = samplesIn(0.4)
const crossfadeSamples = samplesIn(0.12)

function fit(channel: Float32Array, length: number, rests: boolean): Float32Array {
  const fitted = new Float32Array(length)
  if (channel.length >= length) {
    fitted.set(channel.subarray(0, length))
    fade(fitted, edgeSamples, channel.length > length ? endFadeSamples : edgeSamples)
  } else if (rests || channel.length < 4 * crossfadeSamples) {
    const once = channel.slice()
    fade(once, edgeSamples, edgeSamples)
    fitted.set(once)
  } else {
    goRound(channel, fitted)
    fade(fitted, edgeSamples, endFadeSamples)
  }
  for (let i = 0; i < length; i++) if (!Number.isFinite(fitted[i]!)) fitted[i] = 0
  return fitted
}

/** Repeats a sound, each round fading over the end of the one before at equal power. */
function goRound(channel: Float32Array, fitted: Float32Array) {
  const stride = channel.length - crossfadeSamples
  for (let start = 0; start < fitted.length; start += stride) {
    const count = Math.min(channel.length, fitted.length - start)
    for (let i = 0; i < count; i++) {
      const opening = start > 0 && i < crossfadeSamples ? Math.sin((Math.PI / 2) * (i / crossfadeSamples)) : 1
      const closing = i >= stride ? Math.cos((Math.PI / 2) * ((i - stride) / crossfadeSamples)) : 1
      fitted[start + i]! += channel[i]! * opening * closing
    }
  }
}
