// Sample receivers that check a callback's signature, with nothing but their language's own library.

export type VerifierLanguage = 'TypeScript' | 'Python'
export const verifierLanguages: readonly VerifierLanguage[] = ['TypeScript', 'Python']

export const verifierCode: Record<VerifierLanguage, string> = {
  TypeScript: `import { createHmac, timingSafeEqual } from 'node:crypto'

/** \`body\` is the raw text as it came; throws when it is not from Dailies. */
export function verify(secret: string, headers: Record<string, string>, body: string) {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) throw new Error('too old')
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest()
  const matches = headers['webhook-signature'].split(' ').some((part) => {
    const given = Buffer.from(part.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!matches) throw new Error('wrong signature')
  return JSON.parse(body)
}`,
  Python: `import base64, hashlib, hmac, json, time

def verify(secret, headers, body):
    """body is the raw bytes as they came; raises when they are not from Dailies."""
    message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("too old")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = [part.removeprefix("v1,") for part in headers["webhook-signature"].split(" ")]
    if not any(hmac.compare_digest(part, expected) for part in given):
        raise ValueError("wrong signature")
    return json.loads(body)`,
}
