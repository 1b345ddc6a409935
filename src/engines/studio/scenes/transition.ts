// A shot from one picture to another: a morph where both show the same things, else a dissolve under a moving camera.

import type { Kernel } from '../../../video/kernel/kernel.ts'
import { type Luma, lumaOf } from '../../../video/picture/luma.ts'
import { detailSize, type Size } from '../../../video/picture/output-size.ts'
import type { Picture } from '../../../video/picture/picture-planes.ts'
import { cutPixels, toPicture } from '../../../video/picture/source-picture.ts'
import { shotPath } from '../camera/shot-path.ts'
import { effects } from '../effects/all.ts'
import { aimAt, focusOf } from '../framing.ts'
import type { RequestPicture } from '../request-picture.ts'
import type { ShotRequest, ShotScene } from '../scene-builder.ts'
import { eyesOf, faceFlow } from './face-flow.ts'
import { measureFlow } from './flow.ts'
import { agreementMin, dissolveScene, morphScene } from './morph-scene.ts'
import { seenPart } from './seen-part.ts'

export function transition(
  kernel: Kernel,
  frame: Picture,
  first: RequestPicture,
  last: RequestPicture,
  request: ShotRequest,
): ShotScene {
  // Between two pictures no region of its own can move, and black is not the picture that it ends in.
  const names = request.shot.reading.effects.map(({ name }) => name)
  const missed: string[] = names.filter(
    (name) => ['region', 'focus'].includes(effects[name].kind) || name === 'fadeOut',
  )
  const [small, smallLast] = [smallLuma(kernel, first, frame), smallLuma(kernel, last, frame)]
  const [eyes, eyesLast] = [eyesOf(first, small), eyesOf(last, small)]
  const measured = measureFlow(small, smallLast)
  // Of two portraits even a good likeness leaves the eyes beside each other.
  const ofFaces = eyes && eyesLast && measured.agreement < sameMin ? faceFlow(eyes, eyesLast, small) : null
  const flow = ofFaces ?? measured
  if (flow.agreement >= agreementMin) {
    const whole = ({ pixels, area }: RequestPicture) =>
      toPicture(kernel, cutPixels(kernel, pixels, area, detailSize(area, frame, 1)), frame)
    return { ...morphScene(kernel, frame, whole(first), whole(last), flow), area: first.area, missed }
  }
  const look = (still: RequestPicture, anchor: 'start' | 'end') => {
    const { analysis, area, pixels } = still
    const { target, zoomMax } = aimAt(analysis && focusOf(analysis, area, pixels), area, pixels)
    const path = shotPath(request, frame, { anchor, target, zoomMax })
    return { path, ...seenPart(kernel, frame, still, area, path, target, request.before?.near) }
  }
  const [from, to] = [look(first, 'start'), look(last, 'end')]
  // A face over another one is not shown for long.
  const lasts = eyes || eyesLast ? briefly : usually
  return { ...dissolveScene(kernel, frame, from, to, lasts), area: first.area, missed, path: to.path }
}

function smallLuma(kernel: Kernel, still: RequestPicture, frame: Size): Luma {
  const scale = flowLongSide / Math.max(frame.width, frame.height)
  const width = Math.max(16, Math.round(frame.width * scale))
  const height = Math.max(16, Math.round(frame.height * scale))
  const { rgb } = cutPixels(kernel, still.pixels, still.area, { width, height })
  return { data: lumaOf(rgb), width, height }
}

const flowLongSide = 320
/** From this agreement on, pictures show one scene, and what was measured is better than what faces say. */
const sameMin = 0.6
/** How long a dissolve lasts, as a share of the shot. */
const usually = 0.5
const briefly = 0.2
