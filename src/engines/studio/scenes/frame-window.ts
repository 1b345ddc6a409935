// Which part of the world a shot's source must hold: everything that its camera will see, in relief too. Pure.

import type { Camera } from '../camera/camera.ts'
import type { Slack } from '../camera/goals.ts'
import { sourcePoint } from '../camera/path.ts'
import type { Bounds } from '../camera/view.ts'

/** Room for bilinear sampling and for parallax that a slope-limited map still adds. */
const spare = 0.004

/** The window that a path sees, never less than the first frame, and never more than `reach` around it. */
export function windowOf(path: (t: number) => Camera, aspect: number, reach: Slack): Bounds {
  const seen: Bounds = { left: -1, top: -1, right: 1, bottom: 1 }
  for (let i = 0; i <= 48; i++) {
    const camera = path(i / 48)
    const across = 1.3 * Math.abs(camera.shiftX) + 0.5 * Math.abs(camera.dolly)
    const down = 1.3 * Math.abs(camera.shiftY) * aspect + 0.5 * Math.abs(camera.dolly)
    for (const u of [-1, 1]) {
      for (const v of [-1, 1]) {
        const { x, y } = sourcePoint(camera, u, v, aspect)
        seen.left = Math.min(seen.left, x - across - spare)
        seen.right = Math.max(seen.right, x + across + spare)
        seen.top = Math.min(seen.top, y - down - spare)
        seen.bottom = Math.max(seen.bottom, y + down + spare)
      }
    }
  }
  return {
    left: Math.max(seen.left, -1 - reach.left),
    top: Math.max(seen.top, -1 - reach.top),
    right: Math.min(seen.right, 1 + reach.right),
    bottom: Math.min(seen.bottom, 1 + reach.bottom),
  }
}
