// …/webhooks/secret and …/keys/:id/webhook-secret: the secrets that sign the callbacks of an account, and of one key.
import { rotatedSecret, signingSecret } from '../../../contract/deliveries.ts'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { SecretBox } from '../../../secrets/secret-box.ts'
import { readSecret, rotateSecret } from '../../../webhooks/secrets.ts'
import { type Route, route } from '../../route.ts'
import { requestActor } from '../../server/guard.ts'
import { needOwnKey } from '../account/keys.ts'

export interface SecretRouteDeps {
  db: Db
  clock: Clock
  secretBox: SecretBox
}

const webhooks = { tag: 'Webhooks', access: 'main-key', scope: 'webhooks' } as const

export function secretRoutes({ db, clock, secretBox }: SecretRouteDeps): Route[] {
  return [
    route({
      endpoint: 'GET /api/v1/webhooks/secret',
      operationId: 'getWebhookSecret',
      summary: 'Read the secret that signs the callbacks of main keys',
      description: 'Verify callbacks with it, according to Standard Webhooks. Each sub-key has its own secret.',
      ...webhooks,
      answer: signingSecret,
      handler: ({ caller }) => readSecret(db, { ...caller, keyId: null }, clock.now(), secretBox),
    }),
    route({
      endpoint: 'POST /api/v1/webhooks/secret/rotate',
      operationId: 'rotateWebhookSecret',
      summary: 'Replace the secret that signs the callbacks of main keys',
      description: 'For 24 hours callbacks are signed with both the new and the previous secret.',
      ...webhooks,
      sharesLoop: true,
      actsOnKeys: true,
      answer: rotatedSecret,
      handler: ({ caller, request }) =>
        db.transaction((tx) =>
          rotateSecret(tx, requestActor(request), { ...caller, keyId: null }, clock.now(), secretBox),
        ),
    }),
    route({
      endpoint: 'GET /api/v1/keys/:id/webhook-secret',
      operationId: 'getKeyWebhookSecret',
      summary: 'Read the secret that signs the callbacks of a key',
      description:
        'Of a sub-key of the calling key, or of that key itself (`self`). Callbacks of a sub-key are never signed with the secret of the account.',
      ...webhooks,
      answer: signingSecret,
      async handler({ caller, params }) {
        const nowMs = clock.now()
        const { id: keyId } = await needOwnKey(db, caller, params.id!, nowMs)
        return readSecret(db, { ...caller, keyId }, nowMs, secretBox)
      },
    }),
    route({
      endpoint: 'POST /api/v1/keys/:id/webhook-secret/rotate',
      operationId: 'rotateKeyWebhookSecret',
      summary: 'Replace the secret that signs the callbacks of a key',
      description:
        'For 24 hours its callbacks are signed with both the new and the previous secret. Gives a main key a secret of its own, instead of that of the account.',
      ...webhooks,
      sharesLoop: true,
      actsOnKeys: true,
      answer: rotatedSecret,
      handler: ({ caller, params, request }) =>
        db.transaction(async (tx) => {
          const nowMs = clock.now()
          const { id: keyId } = await needOwnKey(tx, caller, params.id!, nowMs)
          return rotateSecret(tx, requestActor(request), { ...caller, keyId }, nowMs, secretBox)
        }),
    }),
  ]
}
