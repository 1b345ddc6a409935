// What an effect in the air is drawn from and onto: the air before the picture, what is known about the shot, and the light
// that it leaves behind. The air itself is in air.ts, what can be drawn into it in passes.ts and fields.ts.

import type { Kernel, Plane } from '../../../video/kernel/kernel.ts'
import type { Luma } from '../../../video/picture/luma.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import type { PictureAnalysis } from '../picture-analysis.ts'
import { type Colour, type Mood, plain } from './mood.ts'
import type { Place, PlumeOrigin, Sun } from './picture-light.ts'
import type { Point } from './points.ts'

/** One of the two planes of the air, in the frame's size. */
export interface Layer {
  /** The plane, for what is finer than half its size. */
  open(): Plane
  clear(): void
  /** Draws all of it at half its size, where what is drawn is smooth. */
  drawHalf(draw: (half: Plane) => void): void
}

/** A map of the picture as the frame shows it now, at half the frame's size. */
export interface View {
  /** Null where nothing is known. */
  now(): Plane | null
  /** Its level, 0 to 1, at a pixel of the frame. It may be a few pixels behind the camera. */
  at(x: number, y: number): number | null
}

export interface Air extends Size {
  kernel: Kernel
  /** Half the frame's size: what smooth effects are drawn at. */
  half: Size
  /** Pixels per pixel of a frame of 720 lines. */
  scale: number
  veil: Layer
  glow: Layer
  near: View
  sky: View
  /** How much light what the frame shows sends out: bright and far. */
  bright: View
  /** Whom the air spares: 1 is a face, below `face` the rest of a person, and less than half the subject of a picture without. */
  people: View
  clear(): void
  /** Draws a veil that grows with distance, up to a level of 0 to 255. */
  setMist(most: number): void
  /** A map of the picture, cut to the part of it that frames are drawn from. */
  ofSource(map: Luma): Luma | null
  /** A plane of the source's size with points of light, and its drawing as the glow of what the frame shows now. */
  pointPlane(points: Point[]): Plane | null
  setGlowFrom(plane: Plane | null): void
  /** Where a place of the first frame is in the frame now, in shares of its sides: the camera moves it. */
  now(place: Place): Place
  /** Gives the picture that the scene is drawn from the light that a mood and a mist give the frame, permanently. */
  settle(mood: Mood, mist: number): void
}

/** What an effect may know of its shot. Most effects ask for little of it, and looking costs. */
export interface EffectScene {
  air: Air
  seed: number
  strength: number
  /** How long it plays, with what it has `played` in the video before. */
  seconds: number
  played: number
  /** The picture's own light, linear. */
  ambient: Colour
  /** The light of its brightest places. */
  highlight: Colour
  /** The mean of all its light. */
  mean: Colour
  sun(): Sun
  /** Where steam and smoke rise in the first frame, from each thing that may; none where only people are there to steam. */
  origins(plume: 'smoke' | 'steam'): PlumeOrigin[]
  /** What is seen in the picture; null where nothing was looked for. */
  analysis: PictureAnalysis | null
  /** Whether the picture is dark, or will be. */
  night(): boolean
  /** Whether its light may settle in the picture: nothing else lies between them. */
  settles: boolean
  /** Whether flickering light is a lamp's, not a flame's. */
  electric?: boolean
}

/** Draws an effect as it is at one moment, at a level from 0 to 1, and returns how it lights the frame. */
export type AirDrawing = (second: number, level: number) => Mood

/** Draws into the air. */
export type Pass = (second: number, level: number) => void

interface Drawn {
  passes?: Pass[]
  light(level: number, second: number): Partial<Mood>
}

/** An effect that is drawn anew for every frame. */
export function drawing({ air }: EffectScene, { passes = [], light }: Drawn): AirDrawing {
  return (second, level) => {
    air.clear()
    for (const pass of passes) pass(second, level)
    return { ...plain, ...light(level, second) }
  }
}

/** An effect whose light no longer changes once it has fully risen: rain, snow, a tint. */
interface Steady extends Drawn {
  /** The mist at the farthest, 0 to 255. */
  mist?(level: number): number
}

/** Lights every frame while the effect rises; then the picture itself, so that frames only need what moves. */
export function steady({ air, settles }: EffectScene, { light, mist, passes = [] }: Steady): AirDrawing {
  let settled = false
  return (second, level) => {
    const own = { ...plain, ...light(level, second) }
    const most = mist?.(level) ?? 0
    air.clear()
    for (const pass of passes) pass(second, level)
    if (mist && !settled) air.setMist(most)
    if (settled) return { ...own, gain: plain.gain }
    settled = settles && level === 1
    if (settled) air.settle(own, most)
    return own
  }
}
