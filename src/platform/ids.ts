// Identifiers and secrets. Ids are UUIDv7: they sort by time, so database indexes only append.
import { hash, randomBytes, randomFillSync } from 'node:crypto'

/** Random bytes are drawn in bulk: a call for each id costs more than the rest of the id. */
const drawn = Buffer.alloc(4096)
let drawnUsed = drawn.length

/** Random bytes that are valid until the next call. */
function nextRandom(length: number): Buffer {
  if (drawnUsed + length > drawn.length) {
    randomFillSync(drawn)
    drawnUsed = 0
  }
  return drawn.subarray(drawnUsed, (drawnUsed += length))
}

let lastMs = 0
let sequence = 0

/** A UUIDv7, strictly increasing within the process, even within one millisecond. */
export function newId(nowMs: number): string {
  if (nowMs > lastMs) {
    lastMs = nowMs
    sequence = 0
  } else if (++sequence > 0xfff) {
    // After 4096 ids in one millisecond, use the next millisecond rather than break the order.
    lastMs += 1
    sequence = 0
  }
  const random = nextRandom(8)
  const time = lastMs.toString(16).padStart(12, '0')
  const variant = ((random[0]! & 0x3f) | 0x80).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}-${variant}${random.toString('hex', 1, 2)}-${random.toString('hex', 2, 8)}`
}

/**
 * Whether the clock was set back and ids are ahead of it: until it catches up, they do not show how old something is.
 */
export const idsAreAhead = (nowMs: number): boolean => lastMs > nowMs

/** Sorts before every id created at this time or later. */
export function firstIdAt(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

/** Sorts after every id. */
export const afterAllIds = 'g'

/** Whether a client's text can be an id. PostgreSQL fails on some texts that cannot. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

const shownCharacters = 8

/** The end of an id, as pages show it, in lower case; null where a text cannot be one. It needs no escapes in a `like`. */
export function endOfId(text: string): string | null {
  const end = text.trim().toLowerCase()
  return end.length >= shownCharacters && end.length <= 36 && /^[0-9a-f-]*[0-9a-f]$/.test(end) ? end : null
}

/** An unguessable token for URLs: 160 random bits, behind the cell where there is one. */
export function newToken(cell: string | null = null): string {
  const random = nextRandom(20).toString('base64url')
  return cell === null ? random : `${cell}-${random}`
}

/** How the keys of a cell begin, or of a service without cells. */
export const keyPrefix = (cell: string | null) => (cell === null ? 'dk_' : `dk_${cell}_`)

/** `dk_test_` begins keys of no cell. */
export const isCellName = (text: string) => /^[a-z0-9]{1,8}$/.test(text) && text !== 'test'

/** The cell that a key names; null for one that names none, such as a key chosen by an operator. */
export function cellOfKey(key: string): string | null {
  const [, name] = /^dk_([^_]+)_/.exec(key) ?? []
  return name !== undefined && isCellName(name) ? name : null
}

/** `<prefix><random><checksum>`: the checksum lets secret scanners and clients recognise a key. */
export function newSecretKey(cell: string | null): string {
  const prefix = keyPrefix(cell)
  const secret = randomBytes(24).toString('base64url').replace(/[-_]/g, 'x')
  return `${prefix}${secret}${sha256Hex(prefix + secret).slice(0, 6)}`
}

export function sha256Hex(content: string | Uint8Array): string {
  return hash('sha256', content)
}
