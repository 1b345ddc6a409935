// Regions of the picture that live: clouds drift, foliage sways and water ripples, where the picture has them. The edges of a
// region stay still. It owns where such regions are and how they move; the scene draws them.

import { boxBlur, type Luma, sampleAt } from '../../../video/picture/luma.ts'
import type { Area } from '../../../video/picture/output-size.ts'
import { cutMap } from '../relief/cut-window.ts'
import type { Drift } from '../scenes/camera-scene.ts'
import type { Sight } from '../sight.ts'
import type { Still } from '../still.ts'
import { type EffectWish, type LivingEffect, livingEffects, strengthOf } from './effect.ts'
import { findFoliage, findWater, hasClouds } from './regions.ts'
import { drifted, heldWhereWindComesIn, openSky } from './wind.ts'

interface Region {
  name: LivingEffect
  /** How much of the motion a place takes part in, 0 to 1. */
  share: Luma
  strength: number
}

interface Living {
  drift: Drift | null
  /** Effects for which the picture has no region. */
  missed: LivingEffect[]
}

/** What moves by itself in the part of the picture that a shot may show. */
export function livingRegions(
  { sight, pixels }: Still,
  part: Area,
  wishes: EffectWish[],
  { seconds, guidance }: { seconds: number; guidance: number },
): Living {
  const missed: LivingEffect[] = []
  const regions: Region[] = []
  for (const wish of wishes) {
    const name = livingEffects.find((living) => living === wish.name)
    if (!name) continue
    const found = sight && regionOf(name, sight)
    if (!found) {
      missed.push(name)
      continue
    }
    const share = cutMap(found, pixels, part)
    regions.push({
      name,
      share: name === 'clouds' ? heldWhereWindComesIn(share) : share,
      strength: strengthOf(wish, guidance),
    })
  }
  if (regions.length === 0) return { drift: null, missed }
  const drift: Drift = {
    seconds,
    move(second) {
      const level = Math.min(1, second / 0.8)
      return (x, y, to) => {
        to[0] = 0
        to[1] = 0
        for (const { name, share, strength } of regions) {
          if (name === 'clouds') {
            to[0]! += drifted(share, x, y, strength * second)
            continue
          }
          const amount = strength * level * sampleAt(share, x * share.width - 0.5, y * share.height - 0.5)
          if (amount < 0.002) continue
          if (name === 'water') ripple(x, y, second, amount, to)
          else sway(x, y, second, amount, to)
        }
      }
    },
  }
  return { drift, missed }
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
