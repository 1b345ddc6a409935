// Looks for damage in SQLite's write-ahead log. SQLite reads it up to the first frame whose checksum is wrong and
// silently drops the rest, including acknowledged transactions.
import { closeSync, constants, copyFileSync, openSync, readSync } from 'node:fs'
import type { Logger } from '../../platform/logger.ts'

interface WalDamage {
  /** The frame where SQLite stops; null when it reads none, because the header is damaged. */
  atFrame: number | null
  /** Complete transactions after it, which are lost. 0: one that was being written when the process ended, or the last. */
  lostCommits: number
}

const headerBytes = 32
const frameHeadBytes = 24
/** The lowest bit says whether checksums read their words with the highest byte first. */
const magic = 0x377f0682

/**
 * Reports damage before the database is opened, while nothing else has it open: opening drops what cannot be read. A copy of
 * the log is kept.
 */
export function reportWalDamage(databasePath: string, log: Logger): void {
  const path = `${databasePath}-wal`
  const damage = findWalDamage(path)
  if (damage === null) return
  const { atFrame, lostCommits } = damage
  if (atFrame !== null && lostCommits === 0) {
    log.warn({ path, atFrame }, 'the last transaction in the write-ahead log is incomplete and is left out')
    return
  }
  const copy = `${path}.damaged-${Date.now()}`
  copyFileSync(path, copy, constants.COPYFILE_EXCL)
  log.error(
    { path, copy, atFrame, lostCommits },
    'THE WRITE-AHEAD LOG OF THE DATABASE IS DAMAGED: transactions after the damage are lost, and with them tasks and credits ' +
      'that were acknowledged since the last checkpoint. Check the disk, and compare with a backup',
  )
}

/** Null for a file that is whole, empty or missing. */
function findWalDamage(path: string): WalDamage | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return null
  }
  try {
    return damageIn((bytes, position) => readSync(file, bytes, 0, bytes.length, position) === bytes.length)
  } finally {
    closeSync(file)
  }
}

/** `read` fills the buffer from the position on; false at the end of the file. */
function damageIn(read: (bytes: Buffer, position: number) => boolean): WalDamage | null {
  const header = Buffer.alloc(headerBytes)
  if (!read(header, 0)) return null
  const isBigEndian = (header.readUInt32BE(0) & 1) === 1
  const pageBytes = header.readUInt32BE(8)
  let sum = checksum([0, 0], header.subarray(0, 24), isBigEndian)
  const isHeader = (header.readUInt32BE(0) & ~1) === magic && hasSum(header, 24, sum)
  if (!isHeader) return { atFrame: null, lostCommits: 0 }

  const frame = Buffer.alloc(frameHeadBytes + pageBytes)
  const salts = header.subarray(16, 24)
  let damagedAt: number | null = null
  let lostCommits = 0
  for (let number = 1; read(frame, headerBytes + (number - 1) * frame.length); number++) {
    // From here on, frames are left from before the log began again.
    if (!frame.subarray(8, 16).equals(salts)) {
      if (damagedAt === null) break
      continue
    }
    const isCommit = frame.readUInt32BE(4) !== 0
    if (damagedAt !== null) {
      if (isCommit) lostCommits++
      continue
    }
    sum = checksum(checksum(sum, frame.subarray(0, 8), isBigEndian), frame.subarray(frameHeadBytes), isBigEndian)
    if (!hasSum(frame, 16, sum)) damagedAt = number
  }
  return damagedAt === null ? null : { atFrame: damagedAt, lostCommits }
}

type Sum = [number, number]

function hasSum(bytes: Buffer, at: number, [first, second]: Sum): boolean {
  return bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second
}

function checksum([first, second]: Sum, bytes: Buffer, isBigEndian: boolean): Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + view.getUint32(at, !isBigEndian) + second) >>> 0
    second = (second + view.getUint32(at + 4, !isBigEndian) + first) >>> 0
  }
  return [first, second]
}
