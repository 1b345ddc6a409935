// An unguessable id for Idempotency-Key headers. `crypto.randomUUID` is missing on pages without a secure context.

export function randomId(): string {
  const bytes = new Uint8Array(16)
  // Node 18 has no global `crypto`. The id only has to be unique, so Math.random is enough there.
  if (globalThis.crypto) globalThis.crypto.getRandomValues(bytes)
  else for (let index = 0; index < bytes.length; index++) bytes[index] = Math.floor(Math.random() * 256)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
