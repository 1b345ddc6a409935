// How the air lights a frame: what is left of the picture, and the colours of veil and glow.

export type Colour = readonly [r: number, g: number, b: number]

/** Linear light. */
export interface Mood {
  gain: Colour
  veil: Colour
  glow: Colour
}

export const plain: Mood = { gain: [1, 1, 1], veil: [1, 1, 1], glow: [1, 1, 1] }
