// Regions of the picture that live: clouds drift, foliage sways and water ripples, where the picture has them. The edges of a
// region stay still. It owns where such regions are and how they move; the scene draws them.

import { boxBlur, type Luma, sampleAt } from '../../../video/picture/luma.ts'
import type { Area } from '../../../video/picture/output-size.ts'
import { carried } from '../camera/momentum.ts'
import { cutMap } from '../relief/cut-window.ts'
import type { Drift } from '../scenes/camera-scene.ts'
import type { Sight } from '../sight.ts'
import type { Still } from '../still.ts'
import { type EffectWish, type LivingEffect, livingEffects, strengthOf } from './effect.ts'
import { findFoliage, findWater, hasClouds } from './regions.ts'
import { driftedFrom, heldWhereWindComesIn, openSky } from './wind.ts'

interface Region {
  name: LivingEffect
  /** How much of the motion a place takes part in, 0 to 1. */
  share: Luma
  strength: number
}

interface Living {
  drift: Drift | null
  /** The pace of the clouds at the end, in widths of the part per second. */
  wind: number
  /** Effects for which the picture has no region. */
  missed: LivingEffect[]
}

interface LivingOptions {
  seconds: number
  guidance: number
  /** The pace of clouds, and the one with which they come from the video before, in widths of the part per second. */
  wind: { usual: number; before: number }
}

/** What moves by itself in the part of the picture that a shot may show. */
export function livingRegions(
  { sight, pixels }: Still,
  part: Area,
  wishes: EffectWish[],
  { seconds, guidance, wind }: LivingOptions,
): Living {
  const missed: LivingEffect[] = []
  const regions: Region[] = []
  for (const name of livingEffects) {
    const wish = wishes.find((own) => own.name === name)
    // A wind goes on to blow where an extension does not mention it.
    if (!wish && !(name === 'clouds' && wind.before > 0)) continue
    const found = sight && regionOf(name, sight)
    if (found) {
      const strength = wish ? strengthOf(wish, guidance) : wind.before / wind.usual
      regions.push({ name, share: cutMap(found, pixels, part), strength })
    } else if (wish) missed.push(name)
  }
  if (regions.length === 0) return { drift: null, wind: 0, missed }
  const clouds = regions.find(({ name }) => name === 'clouds')
  const pace = clouds ? clouds.strength * wind.usual : 0
  const faster = wind.before > 0 ? wind.before - pace : 0
  const sky = clouds && heldWhereWindComesIn(clouds.share)
  const others = regions.filter((region) => region !== clouds)
  const drift: Drift = {
    seconds,
    move(second) {
      const level = Math.min(1, second / 0.8)
      const travel = pace * second + faster * carried(second, seconds)
      return (x, y, to) => {
        to[0] = sky ? driftedFrom(sky, x, y, travel) : 0
        to[1] = 0
        for (const { name, share, strength } of others) {
          const amount = strength * level * sampleAt(share, x * share.width - 0.5, y * share.height - 0.5)
          if (amount < 0.002) continue
          if (name === 'water') ripple(x, y, second, amount, to)
          else sway(x, y, second, amount, to)
        }
      }
    },
  }
  return { drift, wind: pace, missed }
}

/** Gusts that run through leaves and grass. */
function sway(x: number, y: number, second: number, amount: number, to: Float64Array): void {
  const gust = 0.6 + 0.4 * Math.sin(0.9 * second - 5 * x)
  const bend = Math.sin(2.3 * second + 11 * x + 7 * y) + 0.5 * Math.sin(3.7 * second + 23 * x - 9 * y)
  to[0]! += amount * 0.0034 * gust * bend
  to[1]! += amount * 0.0014 * gust * Math.sin(2.9 * second + 15 * y + 6 * x)
}

/** Waves that come towards the camera: long and slow in front, short and small far away. */
function ripple(x: number, y: number, second: number, amount: number, to: Float64Array): void {
  // Seen at a slant, waves crowd together towards the top of the picture.
  const away = 1 / (0.25 + y)
  const crest = Math.sin(24 * away * 1.6 + 2.4 * second + 3 * Math.sin(5 * x + 0.7 * second))
  const cross = Math.sin(17 * x * away - 1.7 * second + 9 * away)
  const size = amount * (0.3 + 0.9 * y)
  to[0]! += size * 0.0034 * (cross + 0.5 * Math.sin(31 * x * away + 2.6 * second))
  to[1]! += size * 0.0042 * crest
}

function regionOf(name: LivingEffect, sight: Sight): Luma | null {
  if (name === 'foliage') {
    const found = findFoliage(sight)
    return found && heldAtEdges(found)
  }
  if (name === 'water') {
    const found = findWater(sight)
    return found && heldAtEdges(found)
  }
  const open = sight.sky && openSky(sight.sky)
  return open && hasClouds(sight, open) ? open : null
}

/** The inside of a region: its share falls to 0 before its edge. */
function heldAtEdges({ data, width, height }: Luma): Luma {
  const radius = Math.max(2, Math.round(height * 0.03))
  const soft = boxBlur(boxBlur(data, width, height, radius), width, height, radius)
  return { data: soft.map((value) => Math.min(1, Math.max(0, (value - 0.5) * 2.2))), width, height }
}
