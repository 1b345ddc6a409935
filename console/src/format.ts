// How numbers, times and names are written. Pure; the page's language is English, its times those of the reader.

const whole = new Intl.NumberFormat('en')
const dayOfYear = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const dayAndTime = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const dayTimeSeconds = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const timeOnly = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** With a real minus sign, which is as wide as a figure. */
export const formatCount = (count: number) => whole.format(count).replace('-', '−')
/** `1 task`, `2 tasks`. */
export const formatCounted = (count: number, noun: string) => `${formatCount(count)} ${count === 1 ? noun : `${noun}s`}`
export const formatCredits = (credits: number) => formatCounted(credits, 'credit')
/** `97 %`; 100 % and 0 % only where it is all or none. */
export function formatShare(part: number, all: number): string {
  const percent = Math.round((part / all) * 100)
  if (percent === 100 && part < all) return '> 99 %'
  if (percent === 0 && part > 0) return '< 1 %'
  return `${percent} %`
}
export const formatDate = (ms: number) => dayOfYear.format(ms)
export const formatTime = (ms: number) => dayAndTime.format(ms)
export const formatExactTime = (ms: number) => dayTimeSeconds.format(ms)
export const formatClock = (ms: number) => timeOnly.format(ms)

/** `420 ms`, `3.4 s`, `2 min 5 s`, `3 h 20 min`, `13 d 4 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`
  const s = Math.round(ms / 1000)
  if (s < 60) return `${s} s`
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`
  if (s < 86_400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`
  return `${Math.floor(s / 86_400)} d ${Math.floor((s % 86_400) / 3600)} h`
}

/** Of a time ahead, in whole seconds, at least one: `3 s`, `2 min 5 s`. */
export function formatRoughly(ms: number): string {
  const s = Math.max(1, Math.ceil(ms / 1000))
  return s < 10 ? `${s} s` : formatDuration(s * 1000)
}

/** `just now`, `5 min ago`, `3 h ago`, else the day. */
export function formatAgo(ms: number, nowMs: number): string {
  const s = Math.max(0, Math.round((nowMs - ms) / 1000))
  if (s < 10) return 'just now'
  if (s < 60) return `${s} s ago`
  if (s < 3600) return `${Math.floor(s / 60)} min ago`
  if (s < 86_400) return `${Math.floor(s / 3600)} h ago`
  return formatTime(ms)
}

export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1000))} kB`
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** The last part of an id, enough to distinguish tasks at a glance. */
export const shortId = (id: string) => id.slice(-8)

/** `cfg_scale` → `Cfg scale`, unless it has a better name. */
export function fieldLabel(name: string): string {
  const words = name.replaceAll('_', ' ')
  return labels[name] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

const labels: Record<string, string> = {
  image_url: 'First frame',
  tail_image_url: 'Last frame',
  cfg_scale: 'Prompt strength',
  customize_multi_shots: 'My own shots',
  prefer_multi_shots: 'Shots planned for me',
  multi_prompt: 'Shots',
  elements: 'Subjects',
  audio: 'Sound',
  duration: 'Length',
  start_time: 'Capture from (ms)',
  end_time: 'Capture to (ms)',
  callBackUrl: 'Callback URL',
}

/** What a field does, where the description for programs names other fields as they are on the wire. */
export function fieldHint(name: string, description: string | undefined): string | undefined {
  return hints[name] ?? description
}

const hints: Record<string, string> = {
  customize_multi_shots: 'You write each shot and set its length.',
  prefer_multi_shots: 'The service divides the video into shots.',
  audio: 'Adds a sound track.',
}

/** A file of this service, relative to the page: read from where the page came from, whatever the public address is. */
export function localFileUrl(url: string): string | null {
  try {
    const { pathname, search } = new URL(url)
    const path = /\/(files\/[^/]+\/?[^/]*)$/.exec(pathname)?.[1]
    return path ? path + search : null
  } catch {
    return null
  }
}
