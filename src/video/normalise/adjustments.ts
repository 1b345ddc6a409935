// What was changed about delivered clips to make them the wanted video, in short phrases for the task's record. Pure.
import { framesPerSecond } from '../av/timing.ts'
import type { Size } from '../picture/output-size.ts'
import { seconds } from './check-clip.ts'
import type { TimeFit } from './fit-time.ts'

interface AdjustedClip {
  clip: Size & { seconds: number; fps: number; hasSound: boolean }
  fit: TimeFit
}

export function adjustments(clips: AdjustedClip[], size: Size, wantsSound: boolean): string[] {
  const phrases = clips.flatMap(({ clip, fit }) => [
    ...(clip.width === size.width && clip.height === size.height ? [] : [`scaled from ${clip.width}x${clip.height}`]),
    ...(Math.abs(clip.fps - framesPerSecond) < 0.1 ? [] : [`frame rate changed from ${Number(clip.fps.toFixed(2))}`]),
    ...timePhrases(clip.seconds, fit),
  ])
  const hasSound = clips.some(({ clip }) => clip.hasSound)
  return [
    ...(clips.length > 1 ? [`joined from ${clips.length} clips`] : []),
    ...new Set(phrases),
    ...(wantsSound && !hasSound ? ['sound added'] : []),
    ...(!wantsSound && hasSound ? ['sound removed'] : []),
  ]
}

function timePhrases(ownSeconds: number, { seconds: shown, speed }: TimeFit): string[] {
  const percent = Math.round(Math.abs(speed - 1) * 100)
  if (speed !== 1) return [`played ${percent} % ${speed > 1 ? 'faster' : 'slower'} to last ${seconds(shown)}`]
  return ownSeconds - shown > 1 / framesPerSecond ? [`cut from ${seconds(ownSeconds)}`] : []
}
