// Brings the elements of a shot onto its picture: loads their files once per render, places them, and draws them.

import { readFile } from 'node:fs/promises'
import { readVideo } from '../../../video/av/media-reader.ts'
import { InputError, readingInput } from '../../../video/input-error.ts'
import type { Kernel } from '../../../video/kernel/kernel.ts'
import { openPicture } from '../../../video/picture/decode-picture.ts'
import type { Grid } from '../../../video/picture/grid.ts'
import type { Luma } from '../../../video/picture/luma.ts'
import { type Area, even, overlapArea, type Size } from '../../../video/picture/output-size.ts'
import type { Pixels } from '../../../video/picture/source-picture.ts'
import type { Colour } from '../air/mood.ts'
import type { ElementFiles, LocalFile } from '../render-plan.ts'
import { subjectOf } from '../subject/subject.ts'
import { anchorAt } from './anchor.ts'
import { type Art, cardMask, cutOut, lightArt, resizeArt } from './element-art.ts'
import { allocateLayerCanvas, type ElementLayer, elementLayer, placeShare } from './element-layer.ts'
import { placeElements, standOn } from './element-layout.ts'
import { isCleanMatte, keyedMatte } from './matte.ts'

/** One element's look, before it has a size. */
interface Look {
  aspect: number
  stands?: Art['stands']
  art(size: Size): Promise<Art>
  video: { path: string; startMs: number; endMs: number | null } | null
}

/** What elements come into. */
export interface Stage {
  /** Where the picture's own subject and heads are in the frame. */
  taken: Area[]
  /** The scene's mean light, linear. */
  light: Colour | null
  /** The nearness of what the frame shows at first, where it is known. */
  near: Luma | null
  /** What the scene is drawn by, where that is one picture. */
  grid: Grid | undefined
}

interface CastLayers {
  layers: ElementLayer[]
  leftOut: string[]
}

export interface Cast {
  /** Layers for the named elements of one shot, and which of them are left out, each with the reason. */
  layers(names: string[], shotIndex: number, frame: Size, stage: Stage): Promise<CastLayers>
}

export function createCast(kernel: Kernel, elements: ElementFiles[], frame: Size, seed: number, depth: boolean): Cast {
  const looks = new Map<string, Promise<Look | null>>()

  function lookOf(name: string, shotIndex: number): Promise<Look | null> {
    const element = elements.find((candidate) => candidate.name === name)!
    const usable = element.files.filter((file) => file.kind !== 'audio')
    const video = usable.find((file) => file.kind === 'video')
    // Each shot shows another image of a subject that has several.
    const file = video ?? usable[shotIndex % usable.length]
    if (!file) throw new InputError(`the element ${name} has no picture`)
    let look = looks.get(file.path)
    if (!look) {
      look = readingInput(`the element ${name}`, () => {
        return file.kind === 'video' ? videoLook(file, element) : imageLook(kernel, file, frame, depth)
      })
      looks.set(file.path, look)
    }
    return look
  }

  return {
    async layers(names, shotIndex, size, { taken, light, near, grid }) {
      const found = await Promise.all(names.map(async (name) => ({ name, look: await lookOf(name, shotIndex) })))
      const leftOut = found.flatMap(({ name, look }) => (look ? [] : [`${name} (no clear outline to cut it out by)`]))
      const named = found.filter(({ look }) => look)
      const cast = named.map(({ look }) => look!)
      const places = placeElements(
        cast.map((look) => look.aspect),
        size,
        taken[0] ?? null,
      )
      const canvas = allocateLayerCanvas(kernel, size)
      const layers: ElementLayer[] = []
      for (const [i, look] of cast.entries()) {
        const others = [...taken, ...places.filter((_, other) => other !== i)]
        if (look.stands) places[i] = standOn(places[i]!, look.stands, size, others, near)
        const place = places[i]!
        if (look.stands && isTaken(place, taken)) {
          leftOut.push(`${named[i]!.name} (no free place in the picture)`)
          continue
        }
        const inner = innerSize(place, look.aspect)
        const { video } = look
        const moving = video && {
          ...video,
          open: (startMs: number) => readVideo(video.path, startMs, () => inner),
        }
        const phase = ((seed % 997) / 997 + i / cast.length) * 2 * Math.PI
        const art = await look.art(inner)
        const lit = light && look.stands ? lightArt(art, light) : art
        const base = { x: place.x + place.width / 2, y: place.y + place.height }
        const follow = grid && look.stands ? anchorAt(kernel, grid, base.x, base.y) : null
        layers.push(await elementLayer(kernel, canvas, place, lit, phase, moving, follow))
      }
      return { layers, leftOut }
    },
  }
}

/** Over how much of its place an element may hide what the picture is of, and how much of a head. */
const takenMax = 0.5
const headHiddenMax = 0.2

/** Whether a place hides the picture's subject, which comes first, or a head. */
function isTaken(place: Area, [subject, ...heads]: Area[]): boolean {
  const hides = (other: Area) => overlapArea(place, other)
  return (
    (subject !== undefined && hides(subject) > takenMax * place.width * place.height) ||
    heads.some((head) => hides(head) > headHiddenMax * head.width * head.height)
  )
}

/** The largest size of the element's shape within the inner part of its place. */
function innerSize(place: Size, aspect: number): Size {
  const width = Math.min(place.width, place.height * aspect) * placeShare
  return { width: even(width), height: even(width / aspect) }
}

/** Null where the picture's subject cannot be cut out cleanly. Without analysis, a picture is a card. */
async function imageLook(kernel: Kernel, file: LocalFile, frame: Size, depth: boolean): Promise<Look | null> {
  const pixels = await openPicture(await readFile(file.path), frame)
  const whole = depth ? await outlined(kernel, pixels) : { ...pixels, mask: new Uint8Array(0) }
  return (
    whole && {
      aspect: whole.width / whole.height,
      ...(whole.stands ? { stands: whole.stands } : {}),
      async art(size) {
        if (whole.mask.length > 0) return resizeArt(whole, size)
        const opaque = new Uint8Array(whole.width * whole.height).fill(255)
        return { ...(await resizeArt({ ...whole, mask: opaque }, size)), mask: cardMask(size) }
      },
      video: null,
    }
  )
}

/** A background of one colour gives the sharpest outline. */
async function outlined(kernel: Kernel, pixels: Pixels): Promise<Art | null> {
  const keyed = keyedMatte(pixels)
  if (keyed && isCleanMatte(keyed, pixels)) return cutOut(pixels, keyed)
  const subject = await subjectOf(kernel, pixels, 'fine')
  return subject && isCleanMatte(subject.mask, subject) ? cutOut(pixels, subject.maskAt(pixels)) : null
}

async function videoLook(file: LocalFile, element: ElementFiles): Promise<Look> {
  let own: Size | null = null
  const images = readVideo(file.path, element.startMs, (size) => {
    own = size
    return { width: 16, height: 16 }
  })
  const first = await images.next()
  await images.return()
  if (first.done || !own) throw new Error(`the video of ${element.name} shows nothing from ${element.startMs} ms on`)
  const { width, height } = own as Size
  return {
    aspect: width / height,
    // The video brings its own pixels; the art lends the shape.
    art: async (size) => ({ ...size, rgb: new Uint8Array(size.width * size.height * 3), mask: cardMask(size) }),
    video: { path: file.path, startMs: element.startMs, endMs: element.endMs },
  }
}
