// Builds everything that stands between a client's URL and the storage: the guarded fetch and its lanes, the inspectors,
// and moderation.
import type { Embed } from '../moderation/meaning.ts'
import { createModerator, type ModerationMode, type Moderator } from '../moderation/moderation.ts'
import type { ModerationThresholds } from '../moderation/thresholds.ts'
import type { AddressPolicy } from '../outbound/address-rules.ts'
import { createFetchLanes, type FetchLanes } from '../outbound/fetch-lanes.ts'
import { createGuardedFetch, type GuardedFetch } from '../outbound/guarded-fetch.ts'
import { createAvInspector } from './inspect-av.ts'
import { createInputInspector, type InputInspector } from './inspect-input.ts'
import { createMediaChildren, type MediaChildren } from './media-children.ts'

export interface Media extends InputInspector, Pick<MediaChildren, 'writePreview'> {
  fetch: GuardedFetch
  lanes: FetchLanes
  moderator: Moderator
  close(): Promise<void>
}

/** One key takes at most a quarter of all fetches and leaves a third of its account's to the other keys. */
const laneLimits = { total: 64, perAccount: 24, perKey: 16, perHost: 8, perTask: 4 }

interface MediaOptions {
  policy: AddressPolicy
  moderation: ModerationMode
  thresholds: ModerationThresholds
  /** Lets prompts be judged by their meaning too. */
  embed: Embed
}

export function openMedia(options: MediaOptions): Media {
  const fetch = createGuardedFetch({ policy: options.policy })
  const children = createMediaChildren()
  const av = createAvInspector(children)
  const moderator = createModerator({ ...options, mode: options.moderation })
  return {
    fetch,
    lanes: createFetchLanes(laneLimits),
    moderator,
    writePreview: children.writePreview,
    ...createInputInspector({ av, children }),
    async close() {
      await Promise.all([fetch.close(), children.close(), moderator.close()])
    },
  }
}
