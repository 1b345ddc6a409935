// Wear of video tape and of broken transmissions: rows that slip, colour that runs, noise, blocks out of place.

import { framesPerSecond } from '../../../video/av/timing.ts'
import { seededRandom } from '../../../video/random.ts'
import type { Film, Look, LookSetup } from './film.ts'
import { makeGrain } from './grain.ts'

/** A home recording: colour runs to the right, lines tremble, a band of noise wanders up. */
export function vhs({ seed }: LookSetup): Look {
  const noise = makeGrain(seed)
  return (film, { second, level, strength }) => {
    const { y, u, v, width, height, stride, chromaStride } = film
    const amount = level * Math.min(1.3, strength)
    const frame = Math.round(second * framesPerSecond)
    const scale = height / 720
    const band = height * (1.15 - ((second * 0.16) % 1.3))
    for (let row = 0; row < height; row++) {
      const inBand = Math.max(0, 1 - Math.abs(row - band) / (26 * scale))
      const tremble = 1.1 * Math.sin(row * 0.09 + frame * 1.7) + 14 * inBand * Math.sin(row * 0.8 + frame)
      const line = y.subarray(row * stride, row * stride + width)
      soften(line, amount)
      slip(line, Math.round(tremble * amount * scale))
      const grain = ((row + frame * 131) & 511) * 512
      const rough = amount * (9 + 60 * inBand)
      const dark = row & 2 ? 1 - 0.06 * amount : 1
      for (let column = 0; column < width; column++) {
        const sum = 16 + (line[column]! - 16) * dark + (noise[grain + ((column + frame * 67) & 511)]! * rough) / 100
        line[column] = Math.min(235, Math.max(16, sum))
      }
    }
    const run = Math.round(5 * amount * scale)
    for (const plane of [u, v]) {
      for (let row = 0; row < height / 2; row++) {
        const line = plane.subarray(row * chromaStride, row * chromaStride + width / 2)
        let carried = line[0]!
        for (let column = 0; column < line.length; column++) {
          carried += (line[column]! - carried) * (1 - 0.72 * amount)
          line[column] = Math.round(carried)
        }
        slip(line, plane === v ? run : Math.round(run * 0.4))
      }
    }
  }
}

/** Tape has a third of the detail. */
function soften(line: Uint8Array, amount: number): void {
  let before = line[0]!
  for (let column = 1; column < line.length - 1; column++) {
    const own = line[column]!
    line[column] = own + ((before + line[column + 1]! - 2 * own) * 0.3 * Math.min(1, amount) + 0.5)
    before = own
  }
}

/** Moves a row to the right, or to the left below 0; its end is repeated. */
function slip(line: Uint8Array, by: number): void {
  const room = Math.min(Math.abs(by), line.length - 1)
  if (by > 0) {
    line.copyWithin(room, 0, line.length - room)
    line.fill(line[room]!, 0, room)
  } else if (by < 0) {
    line.copyWithin(0, room)
    line.fill(line[line.length - room - 1]!, line.length - room)
  }
}

/** Bursts of a fraction of a second in which slices of the frame jump aside and their colours separate. */
export function glitch({ seed, seconds }: LookSetup): Look {
  const random = seededRandom(seed ^ 0x911c)
  const bursts: { at: number; seconds: number }[] = []
  for (let at = 0.5 + 0.4 * random(); at < seconds - 0.2; at += 0.5 + 0.9 * random()) {
    bursts.push({ at, seconds: 0.12 + 0.2 * random() })
  }
  return (film, { second, level, strength }) => {
    const burst = bursts.find(({ at, seconds: length }) => second >= at && second < at + length)
    if (!burst) return
    // The picture holds each error for two frames.
    const own = seededRandom(seed + Math.floor((second * framesPerSecond) / 2))
    const { width, height } = film
    const reach = 0.07 * width * level * Math.min(1.4, strength)
    for (let slice = 0; slice < 7; slice++) {
      const top = Math.floor((own() * height) / 2) * 2
      const rows = Math.min(height - top, 2 * Math.ceil(height * 0.05 * own() ** 2 + 2))
      moveRows(film, top, rows, Math.round((own() - 0.5) * 2 * reach))
    }
    const apart = Math.round(reach * 0.14)
    for (let row = 0; row < height / 2; row++) {
      slip(film.u.subarray(row * film.chromaStride, row * film.chromaStride + width / 2), apart)
      slip(film.v.subarray(row * film.chromaStride, row * film.chromaStride + width / 2), -apart)
    }
  }
}

function moveRows({ y, u, v, width, stride, chromaStride }: Film, top: number, rows: number, by: number): void {
  for (let row = top; row < top + rows; row++) slip(y.subarray(row * stride, row * stride + width), by)
  for (let row = top / 2; row < (top + rows) / 2; row++) {
    const half = Math.round(by / 2)
    for (const plane of [u, v]) slip(plane.subarray(row * chromaStride, row * chromaStride + width / 2), half)
  }
}
