// Regions of the picture that live: clouds drift, foliage sways and water ripples, where the picture has them. The edges of a
// region stay still. It owns where such regions are and how they move; the scene draws them.

import { boxBlur, type Luma, sampleAt } from '../../../video/picture/luma.ts'
import type { Area } from '../../../video/picture/output-size.ts'
import { carried } from '../camera/momentum.ts'
import type { PictureAnalysis } from '../picture-analysis.ts'
import { cutMap } from '../relief/cut-window.ts'
import type { RequestPicture } from '../request-picture.ts'
import type { Drift } from '../scenes/camera-scene.ts'
import { type Named, namesOf } from './all.ts'
import { type EffectWish, strengthOf } from './effect.ts'
import { findClouds, findFoliage, findWater } from './regions.ts'
import { after, type Displacement, firstWaves, ripple, sway, type WavePlace } from './waves.ts'
import { driftedFrom, heldWhereWindComesIn } from './wind.ts'

type LivingEffect = Named<'region'>

interface Region {
  name: LivingEffect
  /** How much of the motion a place takes part in, 0 to 1. */
  share: Luma
  strength: number
  /** How it was on the last frame of the video before: for how many seconds, and how strongly. */
  before?: { seconds: number; strength: number }
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
  /** Where the waves of leaves and water lie for the part. */
  waves?: WavePlace
}

/** What moves by itself in the part of the picture that a shot may show. */
export function livingRegions(
  { analysis, pixels }: RequestPicture,
  part: Area,
  wishes: EffectWish[],
  { seconds, guidance, wind, waves = firstWaves }: LivingOptions,
): Living {
  const missed: LivingEffect[] = []
  const regions: Region[] = []
  for (const name of namesOf('region')) {
    const wish = wishes.find((own) => own.name === name)
    // A wind goes on to blow where an extension does not mention it.
    if (!wish && !(name === 'clouds' && wind.before > 0)) continue
    const found = analysis && regionOf(name, analysis)
    if (found) {
      const strength = wish ? strengthOf(wish, guidance) : wind.before / wind.usual
      const before = wish?.before && {
        seconds: wish.before.seconds,
        strength: strengthOf({ name, amount: wish.before.amount }, guidance),
      }
      regions.push({ name, share: cutMap(found, pixels, part), strength, ...(before && { before }) })
    } else if (wish) missed.push(name)
  }
  if (regions.length === 0) return { drift: null, wind: 0, missed }
  const clouds = regions.find(({ name }) => name === 'clouds')
  const pace = clouds ? clouds.strength * wind.usual : 0
  const faster = wind.before > 0 ? wind.before - pace : 0
  const sky = clouds && heldWhereWindComesIn(clouds.share)
  const sways = regions.filter((region) => region !== clouds).map((region) => swaying(region, waves, part))
  const drift: Drift = {
    seconds,
    move(second) {
      const travel = pace * second + faster * carried(second, seconds)
      const moving = sways.map((at) => at(second))
      const by = new Float64Array(2)
      return (x, y, to) => {
        to[0] = sky ? driftedFrom(sky, x, y, travel) : 0
        to[1] = 0
        for (const move of moving) {
          move(x, y, by)
          to[0]! += by[0]!
          to[1]! += by[1]!
        }
      }
    },
  }
  return { drift, wind: pace, missed }
}

/** How long waves take to be as high as they should be. */
const swellSeconds = 0.8

/** The displacement of the places of a region at each moment. */
function swaying({ name, share, strength, before }: Region, waves: WavePlace, part: Area) {
  const wave = name === 'water' ? ripple : sway
  const at = (second: number, strength: number): Displacement => {
    return (x, y, to) => {
      to.fill(0)
      const amount = strength * sampleAt(share, x * share.width - 0.5, y * share.height - 0.5)
      if (amount < 0.002) return
      wave(waves.x + x * waves.width, waves.y + y * waves.height, second, amount, to)
      to[0]! /= waves.width
      to[1]! /= waves.width
    }
  }
  return (second: number): Displacement => {
    const risen = Math.min(1, second / swellSeconds)
    if (!before) return at(second, strength * risen)
    const now = at(before.seconds + second, before.strength + (strength - before.strength) * risen)
    return after(at(before.seconds, before.strength), now, part.width / part.height)
  }
}

function regionOf(name: LivingEffect, analysis: PictureAnalysis): Luma | null {
  if (name === 'foliage') {
    const found = findFoliage(analysis)
    return found && heldAtEdges(found)
  }
  if (name === 'water') {
    const found = findWater(analysis)
    return found && heldAtEdges(found)
  }
  return findClouds(analysis)
}

/** The inside of a region: its share falls to 0 before its edge. */
function heldAtEdges({ data, width, height }: Luma): Luma {
  const radius = Math.max(2, Math.round(height * 0.03))
  const soft = boxBlur(boxBlur(data, width, height, radius), width, height, radius)
  return { data: soft.map((value) => Math.min(1, Math.max(0, (value - 0.5) * 2.2))), width, height }
}
