// Owns the samples of a clip's sound: a quiet ambience from a seed, and the fitting of given tracks to the clip's length.
// All sound here is 48 kHz in floats from −1 to 1; decoding and encoding happen elsewhere.

import { seededRandom } from '../random.ts'

export const sampleRate = 48_000

const ambiencePeak = 0.17
const mixPeakMax = 0.9
const semitone = 2 ** (1 / 12)
/** Open chords in semitones above the root: none sad or tense enough to colour a picture. */
const chords = [
  [0, 7, 12, 16, 19],
  [0, 7, 14, 16, 23],
  [0, 5, 12, 17, 21],
  [0, 7, 12, 14, 19],
]

/** A soft pad with some air around it: two channels, at most −15 dBFS, faded at both ends. */
export function ambience(seed: number, seconds: number): Float32Array[] {
  const random = seededRandom(seed)
  const length = samplesIn(seconds)
  const channels = [new Float32Array(length), new Float32Array(length)]
  const root = 98 * semitone ** Math.floor(random() * 9)
  const chord = chords[Math.floor(random() * chords.length)]!
  for (const [i, interval] of chord.entries()) {
    addTone(
      channels,
      { hertz: root * semitone ** interval, level: 0.9 ** i, brightness: 0.12 + 0.1 * random() },
      random,
    )
  }
  for (const channel of channels) addAir(channel, 0.5 + 0.5 * random(), random)
  for (const channel of channels) blockDc(channel)
  const fadeIn = Math.min(1.2, seconds / 4)
  const fadeOut = Math.min(1.8, seconds / 3)
  for (const channel of channels) fade(channel, samplesIn(fadeIn), samplesIn(fadeOut))
  const peak = peakOf(channels)
  if (peak > 0) for (const channel of channels) scale(channel, ambiencePeak / peak)
  return channels
}

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
  return Math.max(0, Math.round(seconds * sampleRate))
}

interface Tone {
  hertz: number
  level: number
  brightness: number
}

/** A tone a little out of tune between the sides and swelling slowly, so that the chord breathes. */
function addTone(channels: Float32Array[], { hertz, level, brightness }: Tone, random: () => number) {
  const swellHertz = 0.05 + 0.09 * random()
  const swellPhase = 2 * Math.PI * random()
  for (const channel of channels) {
    const detune = 1 + 0.0016 * (random() - 0.5)
    const sideLevel = level * (0.7 + 0.3 * random())
    const tone = rotor(hertz * detune, 2 * Math.PI * random())
    const swell = rotor(swellHertz, swellPhase)
    for (let i = 0; i < channel.length; i++) {
      // The octave comes from sin 2φ = 2 sin φ cos φ.
      const octave = 2 * tone.sin * tone.cos
      channel[i]! += sideLevel * (0.65 + 0.35 * swell.sin) * (tone.sin + brightness * octave)
      turn(tone)
      turn(swell)
    }
  }
}

/** A pointer that turns at an even pace: a sine for four multiplications a sample, true to 1e-10 over a minute. */
interface Rotor {
  sin: number
  cos: number
  stepSin: number
  stepCos: number
}

function rotor(hertz: number, phase: number): Rotor {
  const step = (2 * Math.PI * hertz) / sampleRate
  return { sin: Math.sin(phase), cos: Math.cos(phase), stepSin: Math.sin(step), stepCos: Math.cos(step) }
}

function turn(pointer: Rotor) {
  const { sin, cos, stepSin, stepCos } = pointer
  pointer.sin = sin * stepCos + cos * stepSin
  pointer.cos = cos * stepCos - sin * stepSin
}

/** Noise with its highs taken off twice: wind far away. */
function addAir(channel: Float32Array, level: number, random: () => number) {
  const keep = Math.exp((-2 * Math.PI * 700) / sampleRate)
  const swell = rotor(0.07 + 0.06 * random(), 2 * Math.PI * random())
  let once = 0
  let twice = 0
  for (let i = 0; i < channel.length; i++) {
    once = keep * once + (1 - keep) * (2 * random() - 1)
    twice = keep * twice + (1 - keep) * once
    channel[i]! += 4 * level * twice * (0.6 + 0.4 * swell.sin)
    turn(swell)
  }
}

/** A one-pole high-pass at 20 Hz, below anything heard here. */
function blockDc(channel: Float32Array) {
  const keep = Math.exp((-2 * Math.PI * 20) / sampleRate)
  let before = channel[0] ?? 0
  let output = 0
  for (let i = 0; i < channel.length; i++) {
    const input = channel[i]!
    output = keep * (output + input - before)
    before = input
    channel[i] = output
  }
}

/** Raised-cosine fades; the first and the last sample become silent. */
function fade(channel: Float32Array, inSamples: number, outSamples: number) {
  const { length } = channel
  const opening = Math.min(inSamples, length)
  const closing = Math.min(outSamples, length)
  for (let i = 0; i < opening; i++) channel[i]! *= 0.5 - 0.5 * Math.cos((Math.PI * i) / opening)
  for (let i = 0; i < closing; i++) channel[length - 1 - i]! *= 0.5 - 0.5 * Math.cos((Math.PI * i) / closing)
}

function scale(channel: Float32Array, factor: number) {
  for (let i = 0; i < channel.length; i++) channel[i]! *= factor
}

function peakOf(channels: Float32Array[]): number {
  let peak = 0
  for (const channel of channels) for (const value of channel) peak = Math.max(peak, Math.abs(value))
  return peak
}

/** A spoken phrase or a finished tune ends quietly; a cut-off hum or a loop does not. */
function comesToRest(channel: Float32Array): boolean {
  const tail = channel.subarray(Math.max(0, channel.length - sampleRate / 4))
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
