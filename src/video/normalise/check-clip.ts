// Whether a delivered clip is the wanted video: long enough, with enough pictures, and moving. A still, a
// preview or a frozen clip is refused here, before it is sold.
import { InputError } from '../input-error.ts'
import type { Size } from '../picture/output-size.ts'
import type { Clip } from './read-clip.ts'

/** A clip that lacks up to a tenth of its length is played that much slower; a shorter one is refused. */
const lengthShareMin = 0.9
/** The slowest generators make 6 pictures per second; fewer than this is a slide show. */
const picturesPerSecondMin = 2
/** Pictures are compared at this size: each pixel stands for a block, so that compression noise averages out. */
const comparedLongSide = 160
/** How far a block's brightness, 0 to 255, must change to count as motion. Recompressed stills stay below 4. */
const changeMin = 6

/** `mayStandStill`: a picture that never changes can be what was asked for. */
export async function checkClip(clip: Clip, wantedSeconds: number, mayStandStill: boolean): Promise<void> {
  if (clip.frames < 2) throw new InputError('it is a still image, not a video')
  if (clip.seconds < wantedSeconds * lengthShareMin) {
    throw new InputError(`it lasts ${seconds(clip.seconds)} instead of ${seconds(wantedSeconds)}`)
  }
  if (clip.frames < clip.seconds * picturesPerSecondMin) {
    throw new InputError(`it has only ${clip.frames} pictures in ${seconds(clip.seconds)}`)
  }
  if (!mayStandStill && !(await moves(clip))) throw new InputError('it is frozen: its picture never changes')
}

/** Reads pictures until one differs from the first, which in most videos is within a second. */
async function moves(clip: Clip): Promise<boolean> {
  let first: Uint8Array | null = null
  for await (const { y } of clip.pictures(comparedSize(clip))) {
    if (first === null) first = Uint8Array.from(y)
    else if (differs(first, y)) return true
  }
  return false
}

function differs(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (Math.abs(a[i]! - b[i]!) >= changeMin) return true
  return false
}

function comparedSize({ width, height }: Size): Size {
  const scale = Math.min(1, comparedLongSide / Math.max(width, height))
  const side = (length: number) => Math.max(2, 2 * Math.round((length * scale) / 2))
  return { width: side(width), height: side(height) }
}

export const seconds = (value: number) => `${Number(value.toFixed(2))} s`
