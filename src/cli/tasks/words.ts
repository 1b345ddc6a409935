// Describes in text what a task's record says about its prompt and its video. Pure.
import type { TaskRecord } from '../../../client/src/public.ts'

/** Lines such as `Understood: push in; rain. Not done: dancing.`; none while no engine has read the prompt. */
export function understoodText({ understood, video }: TaskRecord): string[] {
  const lines: string[] = []
  if (understood) {
    const done = [...understood.moves, ...(understood.framing ? [understood.framing] : []), ...understood.effects]
    if (done.length > 0) lines.push(`Understood: ${done.join(', ')}.`)
    if (understood.notDone.length > 0) lines.push(`Not done: ${understood.notDone.join(', ')}.`)
  }
  if (video && video.adjusted.length > 0) lines.push(`Adjusted: ${video.adjusted.join(', ')}.`)
  return lines
}

/** Facts such as `5 s of video`, `1280×720`. */
export function videoText({ video }: TaskRecord): string[] {
  return video ? [`${Math.round(video.seconds * 10) / 10} s of video`, `${video.width}×${video.height}`] : []
}
