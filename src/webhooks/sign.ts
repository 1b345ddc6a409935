// Signs callbacks according to the Standard Webhooks specification. Secrets are stored by webhooks/secrets.ts.
import { createHmac } from 'node:crypto'

export interface SigningSecrets {
  current: string
  /** The secret before the last rotation, while receivers may still verify with it. */
  previous: string | null
}

interface SignedHeaders {
  'content-type': string
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/** Headers of one attempt: the id is stable, the timestamp is the attempt's. One signature per valid secret. */
export function signedHeaders(id: string, body: string, secrets: SigningSecrets, nowMs: number): SignedHeaders {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signed = `${id}.${timestamp}.${body}`
  const signatures = [secrets.current, ...(secrets.previous === null ? [] : [secrets.previous])].map(
    (secret) => `v1,${hmac(secret, signed)}`,
  )
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

// Uses Node's HMAC instead of a JavaScript package, because a callback with many vectors is megabytes long.
function hmac(secret: string, text: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return createHmac('sha256', key).update(text).digest('base64')
}
