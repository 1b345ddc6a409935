// Settings that all engines in `dailies.config.json` share, and the types of their values.
import { z } from 'zod'
import { mebibytes } from '../../contract/limits.ts'
import { parseDuration, parseRate } from '../../platform/durations.ts'

export const httpUrl = z
  .string()
  .refine(isHttpUrl, 'must be an http or https URL without a query, such as http://127.0.0.1:1234')
  .transform((url) => url.replace(/\/+$/, ''))

const duration = z
  .string()
  .refine((text) => (parseDuration(text) ?? 0) > 0, 'must be a duration such as 250ms, 5s or 10m')
  .transform((text) => parseDuration(text)!)

/** A number per duration, such as `30/1m`. */
const rate = z
  .string()
  .refine((text) => parseRate(text) !== null, 'must be a rate such as 30/1m')
  .transform((text) => parseRate(text)!)

export const commonSettings = {
  url: httpUrl,
  /** Sent as a bearer token. */
  key: z.string().min(1).optional(),
  /** How many tasks run there at once. */
  slots: z.int().min(1).max(1000).default(1),
  /** How many tasks this process may start there per duration. */
  rate: rate.optional(),
  /** How many credits, by this service's prices, the tasks that go there may cost per duration. */
  creditsMax: rate.optional(),
  /** Whether a shot starts from the last frame of the one before, or each from the first frame. */
  shotsFrom: z.enum(['previous', 'first']).default('previous'),
  /** The longest time for one clip. */
  jobTime: duration.default(3_600_000),
  /** How often a job's state is polled. */
  pollEvery: duration.default(1000),
  /** The largest video that is accepted. */
  videoMegabytesMax: z.int().min(1).max(10_000).default(500),
}

export const videoBytesMax = (settings: { videoMegabytesMax: number }) => mebibytes(settings.videoMegabytesMax)

function isHttpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === ''
}
