// Settings that can be read but may not be meant: names that nothing reads, and values that contradict each other. Pure.

import { availableParallelism } from 'node:os'
import { formatDuration } from '../platform/durations.ts'
import { isLoopbackHost } from '../platform/networks.ts'
import { nearest } from '../schema/nearest.ts'

/** Variables that the command line and the client read, and the service does not. */
const ofClients = ['DAILIES_URL', 'DAILIES_KEY']

const isOurs = (name: string) => name.startsWith('DAILIES_') && !ofClients.includes(name)

/** `known`: every name that was looked up. */
export function unknownSettings(env: Record<string, string | undefined>, known: ReadonlySet<string>): string[] {
  const names = [...known].filter(isOurs)
  return Object.keys(env)
    .filter((name) => isOurs(name) && env[name] !== undefined && !known.has(name))
    .map((name) => {
      const meant = nearest(name, names)
      return `${name} is not a setting${meant === null ? '' : `; did you mean ${meant}?`}`
    })
}

interface Doubtful {
  host: string
  publicUrl: string | null
  videoTtlMs: number
  recordTtlMs: number
  renderSlots: number
}

const slotsPerProcessor = 4

export function doubts({ host, publicUrl, videoTtlMs, recordTtlMs, renderSlots }: Doubtful): string[] {
  const found: string[] = []
  if (publicUrl !== null && isLoopbackHost(new URL(publicUrl).hostname) && !isLoopbackHost(host)) {
    found.push(`DAILIES_PUBLIC_URL is ${publicUrl}, which only this machine reaches, but DAILIES_HOST is ${host}`)
  }
  if (recordTtlMs < videoTtlMs) {
    const [records, videos] = [formatDuration(recordTtlMs), formatDuration(videoTtlMs)]
    found.push(
      `DAILIES_RECORD_TTL (${records}) is shorter than DAILIES_VIDEO_TTL (${videos}): videos outlive their records`,
    )
  }
  const processors = availableParallelism()
  if (renderSlots > slotsPerProcessor * processors) {
    found.push(
      `DAILIES_RENDER_SLOTS is ${renderSlots} on a machine with ${processors} processors: renders will time out`,
    )
  }
  if (process.platform !== 'linux') {
    found.push(
      `${process.platform} is not tested: render processes have no limit on memory, and priorities may not apply`,
    )
  }
  return found
}
