// Shots that a request specifies: their wire shape, and how they share the length of the video.

import { z } from 'zod'
import { list, numberBetween, requiredText } from '../schema/wire-types.ts'
import type { WireRequest } from './model.ts'

export const shotsMax = 6
const shotSecondsMin = 1
const shotSecondsMax = 15

export const shotList = list(
  z.object({
    prompt: requiredText(512).meta({ description: 'What the shot shows. Up to 512 characters.' }),
    duration: numberBetween(shotSecondsMin, shotSecondsMax).meta({ description: 'Seconds, 1 to 15.' }),
  }),
  0,
  shotsMax,
  'shots',
)

interface FittedShot {
  prompt: string
  seconds: number
}

/** The total length of the shots, to the millisecond, limited to the bounds of a video. */
export function lengthOfShots(shots: readonly { duration: number }[], bounds: { min: number; max: number }): number {
  return Math.min(bounds.max, Math.max(bounds.min, sumOfShots(shots)))
}

/** To the millisecond. */
export function sumOfShots(shots: readonly { duration: number }[]): number {
  const sum = shots.reduce((total, shot) => total + shot.duration, 0)
  return Math.round(sum * 1000) / 1000
}

/** Why the shots cannot be shrunk to `seconds`; null where they can. */
export function tooShort(shots: readonly { duration: number }[], seconds: number): string | null {
  const sum = sumOfShots(shots)
  if (seconds >= sum) return null
  const index = shots.findIndex(({ duration }) => Math.round((duration / sum) * seconds * 1000) < shotSecondsMin * 1000)
  if (index < 0) return null
  const left = Number(((shots[index]!.duration / sum) * seconds).toFixed(2))
  return `the shots add up to ${sum} s and the video has ${seconds} s: shot ${index + 1} would last ${left} s, and a shot lasts at least ${shotSecondsMin} s`
}

/** Stretches or shrinks the shots to fill `seconds`, keeping their proportions. Cuts fall on whole milliseconds. */
export function fitShots(shots: readonly { prompt: string; duration: number }[], seconds: number): FittedShot[] {
  const sum = shots.reduce((total, shot) => total + shot.duration, 0)
  let passed = 0
  let lastCutMs = 0
  return shots.map((shot) => {
    passed += shot.duration
    // Rounding the cuts, not the lengths, keeps the sum exact.
    const cutMs = Math.round((passed / sum) * seconds * 1000)
    const lengthMs = cutMs - lastCutMs
    lastCutMs = cutMs
    return { prompt: shot.prompt, seconds: lengthMs / 1000 }
  })
}

/** Shots that were shortened to fit may be shorter than a client may ask for; within the bounds, they keep their proportions. */
export function wireShot({ prompt, seconds }: NonNullable<WireRequest['shots']>[number]) {
  const duration =
    typeof seconds === 'number' ? Math.min(shotSecondsMax, Math.max(shotSecondsMin, seconds)) : Number(seconds)
  return { prompt, duration }
}
