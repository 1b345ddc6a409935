// Encrypts secrets that are stored, with AES-256-GCM and a key of the operator. A stored text names the key that it was
// encrypted with, so that keys can be replaced. Without a key, texts are stored and read as they are.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { OperatorError } from '../platform/errors.ts'
import { sha256Hex } from '../platform/ids.ts'

export interface SecretBox {
  /** Whether new secrets are encrypted. */
  readonly encrypts: boolean
  seal(text: string): string
  /** Returns a text that was never encrypted unchanged. */
  open(stored: string): string
  /** Whether `open` has the key that it needs. */
  canOpen(stored: string): boolean
  /** Whether `seal` would store this text as it is: encrypted with the newest key, or plain without one. */
  isCurrent(stored: string): boolean
}

/** `sealed:v1:<key id>:<base64 of nonce, tag and ciphertext>` */
const pattern = /^sealed:v1:([0-9a-f]{8}):([A-Za-z0-9+/]+=*)$/
const nonceBytes = 12
const tagBytes = 16

const isSealed = (stored: string) => pattern.test(stored)

/** The first key encrypts; all decrypt. Without a first key, nothing is encrypted any more. */
export function createSecretBox(keys: readonly (Buffer | null)[]): SecretBox {
  const [current = null] = keys
  const known = new Map(keys.flatMap((key) => (key ? [[idOf(key), key]] : [])))
  return {
    encrypts: current !== null,
    seal(text) {
      if (!current) return text
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', current, nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `sealed:v1:${idOf(current)}:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')}`
    },
    open(stored) {
      const match = pattern.exec(stored)
      if (!match) return stored
      const key = known.get(match[1]!)
      if (!key) {
        throw new OperatorError(
          `a stored secret is encrypted with the key ${match[1]}, which is not among those of DAILIES_SECRET_KEY`,
        )
      }
      const bytes = Buffer.from(match[2]!, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
    },
    canOpen(stored) {
      const keyId = pattern.exec(stored)?.[1]
      return keyId === undefined || known.has(keyId)
    },
    isCurrent: (stored) => (current ? pattern.exec(stored)?.[1] === idOf(current) : !isSealed(stored)),
  }
}

/** Identifies a key without revealing anything about it. */
const idOf = (key: Buffer) => sha256Hex(`dailies secret key ${key.toString('hex')}`).slice(0, 8)

/** 32 bytes in base64 or hex; null when the text is neither. */
export function parseSecretKey(text: string): Buffer | null {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(text)
  return key.length === 32 && (isBase64 || text.length === 64) ? key : null
}
