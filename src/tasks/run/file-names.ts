// What the files of a result are called when they are saved: words of the prompt and the end of the task's id, as the
// client names them too (client/src/records.ts). Their URLs name neither. Pure.
import { requestOf, type TaskRow } from '../store/task-row.ts'

const wordCharactersMax = 48

/** `slow-push-in-on-the-boat-1a2b3c4d`, to which each file adds its kind. */
export function fileNameOf(task: Pick<TaskRow, 'id' | 'request'>): string {
  const { prompt, shots } = requestOf(task)
  const shown = shots.length > 0 ? shots.map((shot) => shot.prompt).join(' / ') : prompt
  const words = shown
    .normalize('NFKD')
    .toLowerCase()
    // Accents of Latin letters; other scripts spell with their marks.
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  const slug = [...words].slice(0, wordCharactersMax).join('').replace(/^-|-$/g, '')
  return `${slug || 'video'}-${task.id.slice(-8)}`
}
