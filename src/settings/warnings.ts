// Settings that can be read but may not be meant: names that nothing reads, and values that contradict each other. Pure.

import { availableParallelism } from 'node:os'
import { formatDuration } from '../platform/durations.ts'
import { isLoopbackHost } from '../platform/networks.ts'
import { nearest } from '../schema/nearest.ts'
import { type Environment, type Settings, settings } from './settings.ts'

/** Variables that the command line and the client read, and the service does not. */
const ofClients = ['DAILIES_URL', 'DAILIES_KEY']

/** What has become of settings that were variables once. */
const moved: Record<string, string> = {
  DAILIES_AUDIT_RETENTION: 'it is audit.retention in dailies.config.json',
  DAILIES_CONNECTIONS_PER_ADDRESS: 'it is a quarter of DAILIES_CONNECTIONS',
  DAILIES_DEPTH_MODEL: 'it is studio.depthModel in dailies.config.json',
  DAILIES_EMBEDDING_PRICE: 'it is embeddings.usdPerMillionTokens in dailies.config.json',
  DAILIES_LEASE: 'it is always 15s',
  DAILIES_MODERATION_IMAGES: 'it is moderation.images in dailies.config.json',
  DAILIES_MODERATION_PROMPTS: 'it is moderation.prompts in dailies.config.json',
  DAILIES_PENDING_DELIVERIES: 'DAILIES_OPEN_TASKS limits them too',
  DAILIES_PRICES: 'prices are set in dailies.config.json, under models',
  DAILIES_SECRET_KEY_OLD: 'the previous key stands in DAILIES_SECRET_KEY, after the new one and a comma',
  DAILIES_TRACE_SHARE: 'OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG decide it',
}

/** `read`: other names that something reads, such as those that `dailies.config.json` names. */
export function unknownSettings(env: Environment, read: ReadonlySet<string>): string[] {
  const names = Object.values(settings).map(({ name }) => name)
  const known = new Set([...names, ...ofClients, ...read])
  return Object.keys(env)
    .filter((name) => name.startsWith('DAILIES_') && env[name] !== undefined && !known.has(name))
    .map((name) => {
      const where = Object.hasOwn(moved, name) ? moved[name] : null
      const meant = where ? null : nearest(name, names)
      return `${name} is not a setting${where ? ` any more: ${where}` : meant ? `; did you mean ${meant}?` : ''}`
    })
}

const slotsPerProcessor = 4

type Doubtful = Pick<Settings, 'host' | 'publicUrl' | 'videoTtlMs' | 'recordTtlMs' | 'renderSlots'>

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
