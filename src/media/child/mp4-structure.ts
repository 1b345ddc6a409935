// Looks at the index of an MP4 or QuickTime file before FFmpeg does. FFmpeg keeps an entry for every sample that the
// index claims, and a constant sample size lets four bytes claim billions. Anything else that is wrong with the boxes
// is left for FFmpeg to find.
import type { FileCursor } from './file-cursor.ts'

/** Over all tracks: nine hours of video at 60 frames per second. FFmpeg needs about 50 MB for them. */
const samplesMax = 2_000_000
/** FFmpeg reads uncompressed audio in pieces of this many samples, with one entry for each. */
const pcmSamplesPerEntry = 1_024
const boxesMax = 100_000
const tracksMax = 32
/** Parts of the time line that a track plays. */
const editsMax = 1_000
const depthMax = 12

const containers = new Set('moov trak mdia minf stbl edts mvex moof traf udta dinf sinf schi wave'.split(' '))

interface Track {
  sampleBytes: number
  samples: number
  /** Runs of the time table, with the samples they cover; whether it is the single run `duration 1` of raw audio. */
  timed: number
  isPcmTimed: boolean
  offsets: number
  chunks: number
  chunkRuns: { first: number; samples: number }[]
}

const newTrack = (): Track => ({
  sampleBytes: 0,
  samples: 0,
  timed: 0,
  isPcmTimed: false,
  offsets: 0,
  chunks: 0,
  chunkRuns: [],
})

/** Says what is excessive about the file, or null. */
export function excessInMp4(file: FileCursor): string | null {
  const tracks: Track[] = []
  let track = newTrack()
  let fragmentSamples = 0
  let boxes = 0
  let excess: string | null = null

  function walk(end: number, depth: number): void {
    while (excess === null && file.position + 8 <= end) {
      const start = file.position
      const header = file.take(8)!
      const type = header.toString('latin1', 4, 8)
      const boxEnd = Math.min(end, start + boxBytes(file, header.readUInt32BE(0), end - start))
      if (boxEnd <= start) return
      if (++boxes > boxesMax) excess = `more than ${boxesMax} boxes`
      if (type === 'trak') tracks.push((track = newTrack()))
      if (tracks.length > tracksMax) excess = `more than ${tracksMax} tracks`
      if (containers.has(type) && depth < depthMax) walk(boxEnd, depth + 1)
      else readTable(type, boxEnd)
      file.position = boxEnd
    }
  }

  function readTable(type: string, end: number): void {
    if (type === 'stsz') {
      const head = file.take(12)
      if (head) [track.sampleBytes, track.samples] = [head.readUInt32BE(4), head.readUInt32BE(8)]
    } else if (type === 'stz2') {
      const head = file.take(12)
      if (head) track.samples = head.readUInt32BE(8)
    } else if (type === 'stts') {
      const runs = rows(file, end, 8)
      for (const row of runs) {
        track.isPcmTimed = track.timed === 0 && row.readUInt32BE(4) === 1
        track.timed += row.readUInt32BE(0)
      }
    } else if (type === 'ctts') for (const row of rows(file, end, 8)) track.offsets += row.readUInt32BE(0)
    else if (type === 'stsc') {
      for (const row of rows(file, end, 12)) {
        if (track.chunkRuns.length <= samplesMax) {
          track.chunkRuns.push({ first: row.readUInt32BE(0), samples: row.readUInt32BE(4) })
        }
      }
    } else if (type === 'stco' || type === 'co64') track.chunks = countIn(file, end, type === 'stco' ? 4 : 8)
    else if (type === 'elst') {
      if (countIn(file, end, 12) > editsMax) excess = `more than ${editsMax} edits`
    } else if (type === 'trun') fragmentSamples += file.take(8)?.readUInt32BE(4) ?? 0
  }

  walk(file.bytes, 0)
  const entries = tracks.reduce((sum, each) => sum + entriesOf(each, file.bytes), fragmentSamples)
  return excess ?? (entries > samplesMax ? `an index of ${entries} samples` : null)
}

/** How many entries FFmpeg would make for a track. */
function entriesOf(track: Track, fileBytes: number): number {
  const isPcm = track.isPcmTimed && track.sampleBytes > 0 && track.sampleBytes * track.samples <= fileBytes
  const inChunks = samplesInChunks(track)
  if (isPcm) return track.chunks + Math.ceil(Math.max(track.samples, inChunks) / pcmSamplesPerEntry)
  return Math.max(track.samples, track.timed, track.offsets, inChunks)
}

/** A run says how many samples each chunk has from its first chunk on, up to the next run. */
function samplesInChunks({ chunkRuns, chunks }: Track): number {
  return chunkRuns.reduce((sum, { first, samples }, i) => {
    const next = chunkRuns[i + 1]?.first ?? chunks + 1
    return sum + Math.max(0, Math.min(next, chunks + 1) - first) * samples
  }, 0)
}

/** The box's whole length; `rest` where it goes on to the end of its parent. */
function boxBytes(file: FileCursor, size: number, rest: number): number {
  if (size === 0) return rest
  if (size !== 1) return size < 8 ? 0 : size
  const large = file.take(8)
  return large === null ? 0 : Number(large.readBigUInt64BE(0))
}

/** Version, flags and a count precede the rows of a table. The count may not claim more than the box holds. */
function countIn(file: FileCursor, end: number, rowBytes: number): number {
  const head = file.take(8)
  return head === null ? 0 : Math.min(head.readUInt32BE(4), Math.floor((end - file.position) / rowBytes))
}

function* rows(file: FileCursor, end: number, rowBytes: number): Generator<Buffer> {
  for (let left = countIn(file, end, rowBytes); left > 0; left--) {
    const row = file.take(rowBytes)
    if (row === null) return
    yield row
  }
}
