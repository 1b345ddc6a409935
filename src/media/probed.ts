// What passes between the service and its probing child. Types only: importing it loads no native code.

export interface ProbeQuestion {
  path: string
  /** FFmpeg's name of the only format that the file may be. */
  demuxer: string
}

export type ProbeAnswer = { probed: Probed } | { failure: string }

export interface Probed {
  video: ({ width: number; height: number } & ProbedLength) | null
  audio: ProbedLength | null
}

export interface ProbedLength {
  /** What the file's header says, if it says anything. */
  claimedSeconds: number | null
  /** What its packets add up to. */
  seconds: number
}
