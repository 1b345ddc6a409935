// What is asked of the normaliser: plain values that cross the process boundary.
import type { WantedSize } from '../picture/output-size.ts'

export interface NormalisePlan {
  prompt: string
  size: WantedSize
  /** Whether the video carries a sound track. */
  audio: boolean
  workDir: string
  /** Joined in this order. */
  clips: ClipFile[]
  /** The size of the first frame's image, which `auto` follows; null: the first clip's own. */
  picture: { width: number; height: number } | null
  /** The last picture must show: a clip that is too long is played faster, not cut. */
  keepsEnd: boolean
  /** Sound to use where the clips have none. */
  soundPaths: string[]
  /** `copy` leaves one clip as it is if every player shows it; `stills` makes no video, only its two images. */
  mode: 'encode' | 'copy' | 'stills'
}

/** A video, an animated image, or single images in order. Untrusted. */
export interface ClipFile {
  paths: string[]
  /** For single images: how many are shown per second. */
  fps: number
  /** How long it should last. */
  seconds: number
}

export interface NormaliseJob {
  plan: NormalisePlan
  /** Encoder threads. */
  threads: number
}
