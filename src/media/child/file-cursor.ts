// Reads a file forwards in small steps, a block at a time. Synchronous: the process that uses it has nothing else to do.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const blockBytes = 65_536

export class FileCursor implements Disposable {
  readonly bytes: number
  position = 0
  readonly #file: number
  readonly #block = Buffer.alloc(blockBytes)
  #blockAt = 0
  #blockLength = 0

  constructor(path: string) {
    this.#file = openSync(path, 'r')
    this.bytes = fstatSync(this.#file).size
  }

  get atEnd(): boolean {
    return this.position >= this.bytes
  }

  /** The next byte, or -1 at the end. */
  byte(): number {
    return this.take(1)?.[0] ?? -1
  }

  /** The next `length` bytes, at most a block; null when the file ends before. */
  take(length: number): Buffer | null {
    const block = this.#load(length)
    if (block === null) return null
    this.position += length
    return block.subarray(0, length)
  }

  /** Moves to the next place where this byte stands, or to the end. */
  find(value: number): void {
    for (let block = this.#load(1); block !== null; block = this.#load(1)) {
      const place = block.indexOf(value)
      if (place >= 0) {
        this.position += place
        return
      }
      this.position += block.length
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }

  /** What has been read from the position on, at least `length` bytes of it. */
  #load(length: number): Buffer | null {
    if (this.position + length > this.bytes) return null
    const start = this.position - this.#blockAt
    if (start < 0 || start + length > this.#blockLength) {
      this.#blockAt = this.position
      this.#blockLength = readSync(this.#file, this.#block, 0, blockBytes, this.position)
      if (this.#blockLength < length) return null
      return this.#block.subarray(0, this.#blockLength)
    }
    return this.#block.subarray(start, this.#blockLength)
  }
}
