// An unguessable id for Idempotency-Key headers. `crypto.randomUUID` is missing on pages that are not served securely.

export function randomId(): string {
  const bytes = new Uint8Array(16)
  // Node 18 has no global `crypto`; an id that only has to be unique may then come from Math.random.
  if (globalThis.crypto) globalThis.crypto.getRandomValues(bytes)
  else for (let index = 0; index < bytes.length; index++) bytes[index] = Math.floor(Math.random() * 256)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
