// Reading a task's record, whose request and result are JSON texts. Pure, and tolerant of malformed texts. Its shape is
// the contract's.
import type { TaskRecord, TaskState } from './contract.ts'

export function isFinal(record: { state: TaskState }): boolean {
  return record.state === 'success' || record.state === 'fail'
}

/** The video of a successful task; null for every other. */
export function videoUrlOf(record: Pick<TaskRecord, 'resultJson'>): string | null {
  const urls = parseObject(record.resultJson).resultUrls
  const url = Array.isArray(urls) ? urls[0] : null
  return typeof url === 'string' ? url : null
}

/** What a task or an extension shows, in the words of its request: its prompt, or those of its custom shots. */
export function promptOf(record: Pick<TaskRecord, 'param'>): string {
  const body = parseObject(record.param)
  const input = isObject(body.input) ? body.input : body
  // The studio does not use the prompt beside custom shots.
  const shots = input.customize_multi_shots === true && Array.isArray(input.multi_prompt) ? input.multi_prompt : []
  const ofShots = shots.map((shot) => (isObject(shot) ? String(shot.prompt ?? '') : '')).filter(Boolean)
  if (ofShots.length > 0) return ofShots.join(' / ')
  return typeof input.prompt === 'string' ? input.prompt : ''
}

const slugCharactersMax = 48

/** A name for the video's file, from its prompt and id: `slow-push-in-on-the-boat-1a2b3c4d.mp4`. */
export function videoFileName(record: Pick<TaskRecord, 'taskId' | 'param'>): string {
  const words = promptOf(record)
    .normalize('NFKD')
    .toLowerCase()
    // Accents of Latin letters; other scripts spell with their marks.
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  const slug = [...words].slice(0, slugCharactersMax).join('').replace(/^-|-$/g, '')
  return `${slug || 'video'}-${record.taskId.slice(-8)}.mp4`
}

export function parseObject(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
