// Signs callbacks as the Standard Webhooks specification says. Where secrets are kept is webhooks/secrets.ts.
import { createHmac } from 'node:crypto'

export interface SigningSecrets {
  current: string
  /** The secret before the last rotation, while receivers may still check with it. */
  previous: string | null
}

export interface SignedHeaders {
  'content-type': string
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/** Headers of one try: the id stays, the time is that of the try. One signature for each secret that counts. */
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

// Node's own HMAC and not a package in plain JavaScript: a callback with many vectors has megabytes.
function hmac(secret: string, text: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return createHmac('sha256', key).update(text).digest('base64')
}
