// Moving cuts on a timeline of shots. Pure.

export interface Shot {
  prompt: string
  duration: number
}

export const shotSeconds = { min: 1, max: 15 }
/** A video is at most this long, and at least three seconds. */
export const totalSecondsMax = 15
const stepSeconds = 0.5

export const totalOf = (shots: readonly Shot[]) =>
  shots.reduce((sum, shot) => sum + (Number.isFinite(shot.duration) ? shot.duration : 0), 0)

const toStep = (seconds: number) => Math.round(seconds / stepSeconds) * stepSeconds

/** Moves the end of a shot by `seconds`: the next shot gives or takes the time; after the last one the video grows. */
export function moveCut(shots: readonly Shot[], index: number, seconds: number): Shot[] {
  const shot = shots[index]!
  const next = shots[index + 1]
  const room = next
    ? Math.min(next.duration - shotSeconds.min, shotSeconds.max - shot.duration)
    : Math.min(totalSecondsMax - totalOf(shots), shotSeconds.max - shot.duration)
  const give = next
    ? Math.max(shotSeconds.min - shot.duration, next.duration - shotSeconds.max)
    : shotSeconds.min - shot.duration
  const change = Math.min(Math.max(toStep(seconds), give), Math.max(room, 0))
  return shots.map((entry, position) => {
    if (position === index) return { ...entry, duration: entry.duration + change }
    if (next && position === index + 1) return { ...entry, duration: entry.duration - change }
    return entry
  })
}

/** A new shot at the end, taking time from the longest when the video is full. */
export function addShot(shots: readonly Shot[]): Shot[] {
  const free = totalSecondsMax - totalOf(shots)
  if (free >= shotSeconds.min) return [...shots, { prompt: '', duration: Math.min(3, free) }]
  const longest = shots.reduce((best, shot, index) => (shot.duration > shots[best]!.duration ? index : best), 0)
  const given = Math.max(shotSeconds.min, toStep(shots[longest]!.duration / 2))
  return [
    ...shots.map((shot, index) => (index === longest ? { ...shot, duration: shot.duration - given } : shot)),
    { prompt: '', duration: given },
  ]
}
