// Builds everything that stands between a client's URL and the storage: the guarded fetch and its slots, the inspectors,
// and moderation.
import { createSlots, type Slots } from '../limits/slots.ts'
import { slots } from '../limits/table.ts'
import type { Embed } from '../moderation/meaning.ts'
import { createModerator, type ModerationMode, type Moderator } from '../moderation/moderation.ts'
import type { ModerationThresholds } from '../moderation/thresholds.ts'
import type { AddressPolicy } from '../outbound/address-rules.ts'
import { createGuardedFetch, type GuardedFetch } from '../outbound/guarded-fetch.ts'
import { createAvInspector } from './inspect-av.ts'
import { createInputInspector, type InputInspector } from './inspect-input.ts'
import { createMediaChildren, type MediaChildren } from './media-children.ts'

export interface Media extends InputInspector, Pick<MediaChildren, 'writePreview'> {
  fetch: GuardedFetch
  /** For fetches of clients' URLs: in all, per account, key, host and task. */
  fetchSlots: Slots
  moderator: Moderator
  close(): Promise<void>
}

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
    fetchSlots: createSlots(slots.fetches.of),
    moderator,
    writePreview: children.writePreview,
    ...createInputInspector({ av, children }),
    async close() {
      await Promise.all([fetch.close(), children.close(), moderator.close()])
    },
  }
}
