// What passes between the service and its probing child. Types only: importing it loads no native code.

export interface ProbeQuestion {
  path: string
  /** FFmpeg's name of the only format that the file may be. */
  demuxer: string
}

/** A `failure` is the file's fault, or taken for it when the child dies on a file; `broken` is our own. */
export type ProbeAnswer = { probed: Probed } | { failure: string } | { broken: string }

export interface Probed {
  /** The whole file's length by its header, if it says anything. */
  claimedSeconds: number | null
  /** The whole file's length by the packets of all its streams. */
  heldSeconds: number
  video: ({ width: number; height: number } & ProbedLength) | null
  audio: ProbedLength | null
}

export interface ProbedLength {
  /** What the header says of this stream, if anything. */
  claimedSeconds: number | null
  /** What its packets add up to. */
  seconds: number
}
