// The sound of a place where no recording is given: surf, rain, wind, fire, a crowd, birds, a city or a quiet room, made of
// filtered noise and small events, always equally loud. It has no fades, so that joined clips sound on.

import { samplesPerSecond } from '../av/timing.ts'
import { seededRandom } from '../random.ts'
import { loudness } from './loudness.ts'
import { fade, samplesIn, scale } from './sound.ts'

const places = ['surf', 'rain', 'fire', 'crowd', 'birds', 'city', 'wind', 'room'] as const
export type Place = (typeof places)[number]

const words: Record<Exclude<Place, 'room'>, RegExp> = {
  surf: /\b(?:sea|ocean|surf|waves?|beach|coast|shore|meer|strand|wellen|mer|plage|vagues|mar|playa|olas)\b|[海浪]|море|волн/iu,
  rain: /\b(?:rain\w*|drizzl\w*|storm\w*|thunder\w*|regen|gewitter|pluie|orage|lluvia|tormenta|chuva)\b|[雨]|비가|дожд/iu,
  fire: /\b(?:fire|flames?|campfire|bonfire|embers?|candles?|burn\w*|feuer|flammen|feu|fuego|fogo)\b|[火焰炎]|огонь|костёр/iu,
  crowd:
    /\b(?:crowd\w*|stadium|audience|party|market|festival|concert|cheer\w*|menge|publikum|foule|multitud)\b|人群|観客|관중|толп/iu,
  birds:
    /\b(?:birds?|forest|woods?|garden|park|meadow|spring|morning|wald|vögel|forêt|oiseaux|bosque|pájaros)\b|[森林鳥鸟]|숲|лес|птиц/iu,
  city: /\b(?:city|street|traffic|cars?|downtown|urban|stadt|straße|ville|rue|ciudad|calle)\b|[街城]|도시|город|улиц/iu,
  wind: /\b(?:wind\w*|breeze|mountains?|desert|snow\w*|blizzard|fog\w*|mist\w*|clouds?|schnee|vent|neige|viento|nieve)\b|[风風雪山]|바람|ветер|снег/iu,
}

/** The place that a text mentions or that is heard besides; of several, the most audible one. */
export function placeOf(text: string, heard: Place[] = []): Place {
  return places.find((place) => place !== 'room' && (heard.includes(place) || words[place].test(text))) ?? 'room'
}

const wantedLufs = -18
const peakMax = 0.85
const edgeSamples = samplesIn(0.004)

/** Two channels at −18 LUFS. */
export function ambience(place: Place, seed: number, seconds: number): Float32Array[] {
  const random = seededRandom(seed)
  const channels = [0, 1].map(() => new Float32Array(samplesIn(seconds)))
  for (const bed of beds[place]) addBed(channels, bed, random)
  events[place]?.(channels, random)
  // Limiting takes a little of the loudness away, so it is set twice.
  for (let round = 0; round < 2; round++) {
    const gain = 10 ** ((wantedLufs - loudness(channels)) / 20)
    if (!Number.isFinite(gain)) break
    for (const channel of channels) {
      scale(channel, gain)
      for (let i = 0; i < channel.length; i++) channel[i] = limited(channel[i]!)
    }
  }
  for (const channel of channels) fade(channel, edgeSamples, edgeSamples)
  return channels
}

/** Straight up to half of the peak, then bent. */
function limited(value: number): number {
  const size = Math.abs(value)
  const knee = peakMax / 2
  return size <= knee ? value : Math.sign(value) * (knee + knee * Math.tanh((size - knee) / knee))
}

/** Noise between two frequencies that swells and falls. */
interface Bed {
  low: number
  high: number
  level: number
  /** Swells per second, and how much of the level they take away, 0 to 1. */
  pace?: number
  depth?: number
  /** Above 1 swells are short and the quiet between them long. */
  shape?: number
}

const beds: Record<Place, Bed[]> = {
  surf: [
    { low: 60, high: 500, level: 1, pace: 0.13, depth: 0.5 },
    { low: 400, high: 3500, level: 1.1, pace: 0.16, depth: 0.85, shape: 2 },
  ],
  rain: [
    { low: 900, high: 7000, level: 1, pace: 0.1, depth: 0.15 },
    { low: 120, high: 900, level: 0.35 },
  ],
  wind: [
    { low: 70, high: 420, level: 1, pace: 0.17, depth: 0.6 },
    { low: 300, high: 1100, level: 0.5, pace: 0.27, depth: 0.85, shape: 1.6 },
  ],
  fire: [
    { low: 50, high: 300, level: 0.8, pace: 1.7, depth: 0.35 },
    { low: 400, high: 2500, level: 0.18, pace: 2.9, depth: 0.5 },
  ],
  crowd: [
    { low: 180, high: 500, level: 0.8, pace: 0.3, depth: 0.2 },
    { low: 380, high: 900, level: 0.7, pace: 3.3, depth: 0.35 },
    { low: 700, high: 1700, level: 0.45, pace: 4.1, depth: 0.45 },
  ],
  birds: [
    { low: 120, high: 700, level: 0.5, pace: 0.12, depth: 0.4 },
    { low: 1500, high: 5000, level: 0.1, pace: 0.2, depth: 0.5 },
  ],
  city: [
    { low: 40, high: 220, level: 1, pace: 0.11, depth: 0.35 },
    { low: 200, high: 1300, level: 0.45, pace: 0.14, depth: 0.75, shape: 1.8 },
  ],
  room: [
    { low: 60, high: 320, level: 1, pace: 0.08, depth: 0.12 },
    { low: 300, high: 2200, level: 0.16 },
  ],
}

function addBed(
  channels: Float32Array[],
  { low, high, level, pace = 0, depth = 0, shape = 1 }: Bed,
  random: () => number,
) {
  const lows = Math.exp((-2 * Math.PI * low) / samplesPerSecond)
  const highs = Math.exp((-2 * Math.PI * high) / samplesPerSecond)
  const phase = 2 * Math.PI * random()
  // Narrow noise would be faint otherwise.
  const gain = level / Math.sqrt((high - low) / samplesPerSecond)
  for (const [side, channel] of channels.entries()) {
    let [once, twice, before, out] = [0, 0, 0, 0]
    let swell = 1
    for (let i = 0; i < channel.length; i++) {
      if (i % 64 === 0) {
        const angle = phase + 0.5 * side + (2 * Math.PI * pace * i) / samplesPerSecond
        const wave = 0.7 * Math.sin(angle) + 0.3 * Math.sin(2.37 * angle + 1)
        swell = 1 - depth + depth * (0.5 + 0.5 * wave) ** shape
      }
      once = highs * once + (1 - highs) * (2 * random() - 1)
      twice = highs * twice + (1 - highs) * once
      out = lows * (out + twice - before)
      before = twice
      channel[i]! += gain * swell * out
    }
  }
}

const events: Partial<Record<Place, (channels: Float32Array[], random: () => number) => void>> = {
  rain: (channels, random) => strew(channels, 60, random, (at, level) => drop(channels, at, 0.5 * level, random)),
  fire: (channels, random) => strew(channels, 9, random, (at, level) => crackle(channels, at, 3 * level, random)),
  birds: (channels, random) => strew(channels, 1.1, random, (at, level) => song(channels, at, 0.8 * level, random)),
}

/** So many per second, at random moments, most of them faint. */
function strew(
  channels: Float32Array[],
  perSecond: number,
  random: () => number,
  event: (at: number, level: number) => void,
) {
  const { length } = channels[0]!
  for (let count = Math.round((perSecond * length) / samplesPerSecond); count > 0; count--) {
    event(Math.floor(random() * length), 0.15 + 0.85 * random() ** 3)
  }
}

function drop(channels: Float32Array[], at: number, level: number, random: () => number) {
  ring(channels, at, { seconds: 0.012, level, hertz: 1800 + 3200 * random(), bend: 0.4, pan: random() })
}

/** A short burst of noise that fades. */
function crackle(channels: Float32Array[], at: number, level: number, random: () => number) {
  const count = samplesIn(0.004 + 0.012 * random())
  const pan = random()
  let soft = 0
  for (let i = 0; i < count * 3 && at + i < channels[0]!.length; i++) {
    soft = 0.6 * soft + 0.4 * (2 * random() - 1)
    const value = level * soft * Math.min(1, i / 24) * Math.exp((-3 * i) / count)
    channels[0]![at + i]! += value * (1 - pan)
    channels[1]![at + i]! += value * pan
  }
}

/** Two to six chirps. */
function song(channels: Float32Array[], at: number, level: number, random: () => number) {
  const pan = 0.15 + 0.7 * random()
  const hertz = 2600 + 2200 * random()
  const bend = random() - 0.4
  const every = 0.11 + 0.1 * random()
  for (let i = 2 + Math.floor(5 * random()); i > 0; i--) {
    const start = at + samplesIn(i * every)
    ring(channels, start, { seconds: 0.06 + 0.05 * random(), level, hertz: hertz * (0.95 + 0.1 * random()), bend, pan })
  }
}

interface Ring {
  seconds: number
  level: number
  hertz: number
  /** By how much of its pitch it rises. */
  bend: number
  pan: number
}

/** A tone that swells, fades and glides. */
function ring(channels: Float32Array[], at: number, { seconds, level, hertz, bend, pan }: Ring) {
  const count = samplesIn(seconds)
  let angle = 0
  for (let i = 0; i < count && at + i < channels[0]!.length; i++) {
    const share = i / count
    angle += (2 * Math.PI * hertz * (1 + bend * share)) / samplesPerSecond
    const value = level * Math.sin(Math.PI * share) ** 2 * Math.sin(angle)
    channels[0]![at + i]! += value * (1 - pan)
    channels[1]![at + i]! += value * pan
  }
}
