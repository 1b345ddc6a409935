// Decides how large the video is and which part of a picture fills it. Pure functions of sizes.

/** The size that a request asks for: a short side and a ratio, or exact pixels. */
export type WantedSize =
  | { shortSide: 720 | 1080 | 2160; ratio: 'auto' | '16:9' | '9:16' | '1:1' }
  | { width: number; height: number }

export interface Size {
  width: number
  height: number
}

export interface Area extends Size {
  x: number
  y: number
}

/** Wider (or taller) pictures are cropped: players and H.264 levels stop being friendly beyond it. */
const ratioMax = 2.4

export function outputSize(wanted: WantedSize, picture: Size): Size {
  if ('width' in wanted) return { width: even(wanted.width), height: even(wanted.height) }
  const ratio = wantedRatio(wanted.ratio, picture)
  return ratio >= 1
    ? { width: even(wanted.shortSide * ratio), height: wanted.shortSide }
    : { width: wanted.shortSide, height: even(wanted.shortSide / ratio) }
}

function wantedRatio(name: 'auto' | '16:9' | '9:16' | '1:1', picture: Size): number {
  if (name === '16:9') return 16 / 9
  if (name === '9:16') return 9 / 16
  if (name === '1:1') return 1
  return Math.min(Math.max(picture.width / picture.height, 1 / ratioMax), ratioMax)
}

/** The ratio to which a picture is cropped if it is too wide or too tall for a video of its own shape; else null. */
export function croppedRatio(wanted: WantedSize, picture: Size): string | null {
  if ('width' in wanted || wanted.ratio !== 'auto') return null
  if (picture.width > ratioMax * picture.height) return `${ratioMax}:1`
  return picture.height > ratioMax * picture.width ? `1:${ratioMax}` : null
}

/** The largest area of the picture with the frame's ratio, as near to the attention point (0..1) as it can lie. */
export function coverArea(picture: Size, frame: Size, attention: { x: number; y: number }): Area {
  const scale = Math.min(picture.width / frame.width, picture.height / frame.height)
  const width = Math.min(picture.width, Math.max(1, Math.round(frame.width * scale)))
  const height = Math.min(picture.height, Math.max(1, Math.round(frame.height * scale)))
  return {
    x: Math.round(clamp(attention.x * picture.width - width / 2, 0, picture.width - width)),
    y: Math.round(clamp(attention.y * picture.height - height / 2, 0, picture.height - height)),
    width,
    height,
  }
}

/**
 * The attention point (0..1) that a subject calls for: its middle where it fits into the frame, else its upper part, for
 * that is where faces are. Bounds are shares of the picture.
 */
export function attentionOf(bounds: Area, picture: Size, frame: Size): { x: number; y: number } {
  const cut = coverArea(picture, frame, { x: 0.5, y: 0.5 })
  const shown = cut.height / picture.height
  const x = bounds.x + bounds.width / 2
  const y = bounds.height <= shown ? bounds.y + bounds.height / 2 : bounds.y + shown * (0.5 - headroom)
  return { x, y }
}

/** Room above a subject that is cut below, as a share of the frame's height. */
const headroom = 0.07

/** 4k at a zoom of 1.2; smaller frames never get there. */
const detailPixelsMax = 12_000_000

/**
 * Detail is kept for at least this zoom. Drawing samples between pixels, which softens a picture of the frame's own size:
 * the first frame of a still shot of a forest had an SSIM of 0.968, and has 0.989 with this.
 */
const detailZoomMin = 1.2

/**
 * The size at which a picture is kept for drawing it into the frame at up to `zoom`: no more than is there, but at least
 * the frame's own size, so that a small picture is enlarged once and well.
 */
export function detailSize(area: Size, frame: Size, zoom: number): Size {
  const scale = Math.min(Math.max(zoom, detailZoomMin), Math.sqrt(detailPixelsMax / (frame.width * frame.height)))
  const side = (there: number, shown: number) => even(Math.max(Math.min(there, shown * scale), shown))
  return { width: side(area.width, frame.width), height: side(area.height, frame.height) }
}

/** The area that two areas share. */
export function overlapArea(one: Area, other: Area): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  return width > 0 && height > 0 ? width * height : 0
}

export function even(value: number): number {
  return Math.max(16, 2 * Math.round(value / 2))
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}
