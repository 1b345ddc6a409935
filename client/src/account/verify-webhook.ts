// Verifies that a callback comes from the service, according to Standard Webhooks: an HMAC-SHA256 over id, time and body.
import type { TaskCallback } from '../contract.ts'
import type { InferenceAnswer } from '../tasks/inference.ts'

export type CallbackPayload = TaskCallback | InferenceAnswer

export class WebhookNotVerified extends Error {
  override readonly name = 'WebhookNotVerified'
}

export interface VerifyOptions {
  /** How far the callback's time may be from the current time; 300 seconds by default. */
  toleranceS?: number
  /** The current time in epoch milliseconds; the system clock by default. */
  nowMs?: number
}

export type WebhookHeaders = { get(name: string): string | null } | Record<string, string | string[] | undefined>

/**
 * The callback's payload if one of the secrets (`whsec_…`) has signed exactly these bytes recently; otherwise throws a
 * WebhookNotVerified. Pass the raw body: parsing and serialising it again changes its bytes.
 */
export async function verifyWebhook<Payload = CallbackPayload>(
  secrets: string | string[],
  headers: WebhookHeaders,
  rawBody: string | Uint8Array | ArrayBuffer,
  options: VerifyOptions = {},
): Promise<Payload> {
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature')
  checkTime(timestamp, options)
  const body = typeof rawBody === 'string' ? encode(rawBody) : new Uint8Array(rawBody as ArrayBuffer)
  const signed = join(encode(`${id}.${timestamp}.`), body)
  const subtle = await webCrypto()
  for (const secret of [secrets].flat()) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const key = await subtle.importKey('raw', secretBytes(secret), algorithm, false, ['verify'])
    for (const entry of signatures.split(' ')) {
      const [version, text] = entry.split(',', 2)
      const signature = version === 'v1' ? decodeBase64(text ?? '') : null
      // `verify` compares in constant time.
      if (signature && (await subtle.verify('HMAC', key, signature, signed))) {
        return JSON.parse(new TextDecoder().decode(body)) as Payload
      }
    }
  }
  throw new WebhookNotVerified('no signature matches')
}

function header(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
  if (typeof value !== 'string' || value === '') throw new WebhookNotVerified(`the header ${name} is missing`)
  return value
}

function checkTime(timestamp: string, { toleranceS = 300, nowMs = Date.now() }: VerifyOptions): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookNotVerified('webhook-timestamp is not a number')
  const awayS = Math.abs(nowMs / 1000 - Number(timestamp))
  if (awayS > toleranceS) throw new WebhookNotVerified('webhook-timestamp is too far from now')
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''))
  if (!bytes || bytes.length === 0) throw new TypeError('the secret must be whsec_ followed by base64')
  return bytes
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

function join(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
}

async function webCrypto(): Promise<SubtleCrypto> {
  if (globalThis.crypto?.subtle) return globalThis.crypto.subtle
  // Node 18 has it only in a module, whose name is hidden from bundlers, because they would try to resolve it.
  const moduleName = 'node:crypto'
  return ((await import(moduleName)) as { webcrypto: Crypto }).webcrypto.subtle
}
