// Everything that stands between a client's URL and our storage, built together: the guarded fetch, its lanes, the
// inspectors and moderation.

import type { Embed } from '../moderation/meaning.ts'
import {
  createModerator,
  type ModerationMode,
  type ModerationThresholds,
  type Moderator,
} from '../moderation/moderation.ts'
import type { AddressPolicy } from '../outbound/address-rules.ts'
import { createFetchLanes, type FetchLanes } from '../outbound/fetch-lanes.ts'
import { createGuardedFetch, type GuardedFetch } from '../outbound/guarded-fetch.ts'
import { type AvInspector, createAvInspector } from './inspect-av.ts'
import { createMaterialInspector, type MaterialInspector } from './inspect-material.ts'

export interface MaterialDoor extends MaterialInspector {
  fetch: GuardedFetch
  lanes: FetchLanes
  moderator: Moderator
  av: AvInspector
  close(): Promise<void>
}

/** 64 fetches in all; one account takes at most a quarter, one of its hosts half of that. */
const laneLimits = { total: 64, perAccount: 16, perHost: 8, perTask: 4 }

export interface MaterialDoorOptions {
  policy: AddressPolicy
  moderation: ModerationMode
  thresholds: ModerationThresholds
  /** Lets prompts be judged by their meaning too. */
  embed: Embed
}

export function createMaterialDoor(options: MaterialDoorOptions): MaterialDoor {
  const fetch = createGuardedFetch({ policy: options.policy })
  const av = createAvInspector()
  const moderator = createModerator({
    mode: options.moderation,
    thresholds: options.thresholds,
    embed: options.embed,
  })
  return {
    fetch,
    lanes: createFetchLanes(laneLimits),
    moderator,
    av,
    ...createMaterialInspector({ av }),
    async close() {
      await Promise.all([fetch.close(), av.close(), moderator.close()])
    },
  }
}
