// What an effect in the air is drawn from and onto: the air before the picture, what is known about the shot, and the light
// that it leaves behind. The air itself is in air.ts.

import type { Plane } from '../../../video/kernel/kernel.ts'
import type { Luma } from '../../../video/picture/luma.ts'
import type { Picture } from '../../../video/picture/picture-planes.ts'
import type { Sight } from '../sight.ts'
import { type Colour, type Mood, plain } from './mood.ts'
import type { Place, PlumeOrigin, Sun } from './picture-light.ts'
import type { Point } from './points.ts'

export interface Air {
  width: number
  height: number
  /** Half the frame's size: what smooth effects are drawn at. */
  half: { width: number; height: number }
  /** Nearness and sky of what the frame shows now, 0..255, at half size; null where nothing is known. */
  readonly near: Uint8Array | null
  readonly sky: Uint8Array | null
  /** The nearness, up to four pixels behind the camera: enough to know what is in front of what. */
  readonly nearAbout: Uint8Array | null
  /** How much light what the frame shows sends out: bright and far. */
  readonly bright: Uint8Array | null
  /** A map of the picture, cut to the part of it that frames are drawn from. */
  ofSource(map: Luma): Luma | null
  /** Draws a map of half size as the veil or the glow of the frame; a null map clears it. */
  setVeil(map: Uint8Array | null): void
  setGlow(map: Uint8Array | null): void
  /** Draws a veil that grows with distance, up to a level of 0 to 255. */
  setMist(most: number): void
  /** A plane of the source's size with points of light, and its drawing as the glow of what the frame shows now. */
  pointPlane(points: Point[]): Plane | null
  setGlowFrom(plane: Plane | null): void
  /** The planes themselves, for what is finer than half size; rows are `stride` bytes apart. */
  veil(): Uint8Array
  glow(): Uint8Array
  stride: number
  /** Where a place of the first frame is in the frame now, in shares of its sides: the camera moves it. */
  now(place: Place): Place
  /** Looks at what the scene has just drawn. */
  follow(): void
  apply(frame: Picture, mood: Mood): void
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
  /** Where steam and smoke rise in the first frame. */
  origin(): PlumeOrigin
  /** The same for each thing that may steam or smoke; none where only people are there to steam. */
  origins(plume: 'smoke' | 'steam'): PlumeOrigin[]
  /** What is seen in the picture; null where nothing was looked for. */
  sight: Sight | null
  /** Whether the picture is dark, or will be. */
  night(): boolean
  /** Whether its light may settle in the picture: nothing else lies between them. */
  settles: boolean
  /** Whether flickering light is a lamp's, not a flame's. */
  electric?: boolean
}

/** Draws an effect as it is at one moment, at a level from 0 to 1, and returns how it lights the frame. */
export type AirDrawing = (second: number, level: number) => Mood

/** An effect whose light no longer changes once it has fully risen: rain, snow, a tint. */
interface Steady {
  mood(level: number): Mood
  /** The mist at the farthest, 0 to 255. */
  mist?(level: number): number
  /** Draws what moves in it. */
  draw?(second: number, level: number, veil: Uint8Array): void
}

/** Lights every frame while the effect rises; then the picture itself, so that frames only need what moves. */
export function steady({ air, settles }: EffectScene, { mood, mist, draw }: Steady): AirDrawing {
  let settled = false
  return (second, level) => {
    const own = mood(level)
    const most = mist?.(level) ?? 0
    if (mist && !settled) air.setMist(most)
    else air.setVeil(null)
    air.setGlow(null)
    if (draw) draw(second, level, air.veil())
    if (settled) return { ...own, gain: plain.gain }
    settled = settles && level === 1
    if (settled) air.settle(own, most)
    return own
  }
}
