// Bolts in the sky, with branches, and what they light.

import { seededRandom } from '../../../../video/random.ts'
import { type Air, type AirDrawing, drawing, type EffectScene } from '../../air/effect-scene.ts'
import { shade } from '../../air/fields.ts'
import { drawSprites } from '../../air/passes.ts'
import type { AirEffect } from '../declaration.ts'

export const lightning: AirEffect = {
  kind: 'air',
  label: 'lightning',
  words: {
    en: 'lightning, thunder/thunders/thunderbolt, thunderstorm/thunderstorms, lightning ~ flash*/strike*/strik*/bolt*/crack*, thunder ~ rumbl*/roll*/crack*/boom*, lightning bolt/bolts',
    de: 'blitz/blitze/blitzt/blitzen, gewitter*, donner, blitze ~ zucken',
    fr: 'eclair/eclairs, orage*, foudre, tonnerre',
    es: 'relampago/relampagos, rayos, truenos, tormenta electrica',
    it: 'fulmine/fulmini, lampi, tuoni',
    pt: 'raios, relampago/relampagos, trovoes',
    zh: '闪电, 閃電, 雷电, 雷電, 雷雨, 雷声',
    ja: '稲妻, 雷, 雷雨',
    ko: '번개, 천둥, 벼락',
    ru: 'молни*, гроза/грозы, гром',
    ar: 'برق, رعد',
  },
  sample: { prompt: 'lightning', picture: 'rocket' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: ['sky'],
  sound: 'rain',
  draw,
}

/** A line of points, in shares of the frame's sides, and how strongly it shines. */
interface Channel {
  points: { x: number; y: number }[]
  thickness: number
}

interface Strike {
  at: number
  channels: Channel[]
}

/** Clouds light up this much around a bolt. */
const cloudLight = 0.142

function draw(scene: EffectScene): AirDrawing {
  const { seed, strength, air, seconds } = scene
  const random = seededRandom(seed ^ 0x117)
  // The first within the first third, then every two seconds or so.
  const strikes: Strike[] = []
  for (let at = 0.9 + 0.5 * random(); at < seconds - 0.2; at += 1.5 + 1.4 * random()) {
    strikes.push({ at, channels: makeBolt(random, air.width / air.height) })
  }
  const clouds = shade(air, {
    layer: 'glow',
    lights: [
      {
        light: (away) => cloudLight * Math.exp(-18 * away * away),
        by: { map: air.sky, share: (sky) => sky * sky, unknown: 0 },
      },
    ],
    unit: [air.height / air.width, 1e6],
  })
  let flash = 0
  const bolts = (second: number, level: number) => {
    flash = 0
    for (const { at, channels } of strikes) {
      const age = second - at
      if (age < 0 || age > 0.7) continue
      // Two strokes, the second weaker, then an afterglow.
      const stroke = Math.exp(-age * 16) + 0.6 * Math.exp(-Math.abs(age - 0.17) * 26) + 0.12 * Math.exp(-age * 4)
      flash = Math.max(flash, stroke * Math.min(1.3, strength) * level)
      if (age >= 0.34) continue
      const main = channels[0]!.points
      const lit = Math.min(1, stroke) * level
      clouds(
        (down) => main[Math.min(main.length - 1, Math.round(down * (main.length - 1)))]!,
        (down) => (lit * (1 - 0.5 * down)) ** 2,
      )
      for (const channel of channels) drawChannel(air, channel, 255 * Math.min(1, 1.3 * stroke) * level)
    }
  }
  return drawing(scene, {
    passes: [bolts],
    light(level) {
      const bright = 1 - 0.42 * level + 1.2 * flash
      return { gain: [bright * 0.92, bright * 0.97, bright * 1.08], glow: [1.15, 1.2, 1.5] }
    },
  })
}

/** A main channel from the upper edge down, and branches that leave it. */
function makeBolt(random: () => number, aspect: number): Channel[] {
  const top = { x: 0.15 + 0.7 * random(), y: -0.02 }
  const foot = { x: top.x + (0.3 * (random() - 0.5)) / aspect, y: 0.95 }
  const main = fractal(top, foot, 7, random)
  const channels: Channel[] = [{ points: main, thickness: 1 }]
  for (let i = 0; i < 5; i++) {
    const from = Math.floor((0.06 + 0.5 * random()) * main.length)
    const start = main[from]!
    const side = random() < 0.5 ? -1 : 1
    const length = 0.12 + 0.22 * random()
    const end = { x: start.x + (side * length * (0.5 + 0.5 * random())) / aspect, y: start.y + length }
    channels.push({ points: fractal(start, end, 5, random), thickness: 0.34 + 0.2 * random() })
  }
  return channels
}

/** A line broken again and again, each time by half as much. */
function fractal(from: { x: number; y: number }, to: { x: number; y: number }, depth: number, random: () => number) {
  let points = [from, to]
  let bend = 0.17 * Math.hypot(to.x - from.x, to.y - from.y)
  for (let level = 0; level < depth; level++, bend *= 0.53) {
    points = points.flatMap((point, i) => {
      const next = points[i + 1]
      if (!next) return [point]
      const middle = {
        x: (point.x + next.x) / 2 + bend * (random() - 0.5) * 2,
        y: (point.y + next.y) / 2 + bend * (random() - 0.5) * 0.7,
      }
      return [point, middle]
    })
  }
  return points
}

function drawChannel(air: Air, { points, thickness }: Channel, level: number): void {
  const [discs, halos]: [number[], number[]] = [[], []]
  trace: for (const [i, point] of points.entries()) {
    const next = points[i + 1]
    if (!next) break
    const [x, y] = [point.x * air.width, point.y * air.height]
    const [dx, dy] = [next.x * air.width - x, next.y * air.height - y]
    const count = Math.max(1, Math.ceil(Math.hypot(dx, dy) / (0.8 * air.scale)))
    // It thins and fades towards its end.
    const rest = thickness * (1 - 0.55 * (i / points.length))
    for (let step = 0; step < count; step++) {
      const [px, py] = [x + (dx * step) / count, y + (dy * step) / count]
      // It strikes behind everything but the sky.
      const open = air.sky.at(px, Math.max(0, py)) ?? 0
      if (open < 0.5) break trace
      discs.push(px, py, (0.9 + 1.5 * rest) * air.scale, level * open * (0.3 + 0.7 * rest), 0.2)
    }
    if (i % 3 === 0) halos.push(x, y, 34 * air.scale * rest, level * 0.16 * rest)
  }
  drawSprites(air, 'glow', 'discs', discs)
  drawSprites(air, 'glow', 'halos', halos)
}
