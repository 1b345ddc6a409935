// Storage in an S3-compatible bucket. Files are uploaded in parts, read by range, and cached in a local folder for
// programs that need a path. There are no presigned URLs: the service delivers the files itself, so that every response
// has its headers and ends when the file expires.
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { withErrorListener } from '../platform/errors.ts'
import { createFileCache } from './file-cache.ts'
import type { S3Location } from './s3-url.ts'
import { checkStorageKey, type Storage } from './storage.ts'

const cacheBytesMax = 2 * 2 ** 30

const partBytes = 8 * 2 ** 20
/** A stream to a slow reader occupies a connection. */
const connectionsMax = 512
const connectWithinMs = 5_000
/** For a connection on which nothing moves. A part may take much longer over a slow line. */
const defaultSilenceMs = 30_000
const transferWithinMs = 600_000
const tidyWithinMs = 5_000
/** Waits between attempts. They are long, because a finished video is worth waiting for a storage that is down. */
const retryDelaysMs = [500, 1000, 2000, 4000, 8000]

interface S3Options {
  location: S3Location
  /** The folder for local copies. */
  cacheDir: string
  silenceMs?: number
}

export function createS3Storage({ location, cacheDir, silenceMs = defaultSilenceMs }: S3Options): Storage {
  const { bucket, prefix } = location
  const agent = { keepAlive: true, maxSockets: connectionsMax }
  const client = new S3Client({
    region: location.region,
    forcePathStyle: location.pathStyle,
    ...(location.endpoint === null ? {} : { endpoint: location.endpoint }),
    ...(location.credentials === null ? {} : { credentials: location.credentials }),
    // Not every S3-compatible storage supports checksums in trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectWithinMs,
      socketTimeout: silenceMs,
      requestTimeout: transferWithinMs,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  })
  const place = (key: string) => ({ Bucket: bucket, Key: prefix + checkStorageKey(key) })

  async function open(
    key: string,
    range?: { start: number; end: number },
    abortSignal?: AbortSignal,
  ): Promise<Readable> {
    try {
      const response = await client.send(
        new GetObjectCommand({ ...place(key), ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) }),
        abortSignal ? { abortSignal } : {},
      )
      return withErrorListener(response.Body as Readable)
    } catch (error) {
      if (statusOf(error) !== 404) throw error
      throw Object.assign(new Error(`there is no file ${key}`, { cause: error }), { code: 'ENOENT' })
    }
  }

  async function upload(key: string, localPath: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const { promise: unreadable, reject } = Promise.withResolvers<never>()
    // A missing file ends the upload, which may not have begun to read.
    const Body = withErrorListener(createReadStream(localPath), reject)
    const params = { ...place(key), Body }
    const inParts = new Upload({ client: abortable(client, signal), params, partSize: partBytes, queueSize: 2 })
    await Promise.race([inParts.done(), unreadable]).finally(() => Body.destroy())
  }

  const cache = createFileCache({
    dir: cacheDir,
    bytesMax: cacheBytesMax,
    fetchTo: (key, path) =>
      withRetries(async () => {
        const signal = AbortSignal.timeout(transferWithinMs)
        await pipeline(await open(key, undefined, signal), createWriteStream(path), { signal })
      }),
  })

  return {
    async put(key, localPath, signal) {
      await withRetries(() => upload(key, localPath, signal), signal)
      await rm(localPath, { force: true })
    },
    localPath: (key) => cache.path(checkStorageKey(key)),
    async read(key, range) {
      return range && range.end < range.start ? withErrorListener(Readable.from([])) : open(key, range)
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand(place(key)))
      await cache.drop(key)
    },
    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket }))
    },
    async close() {
      client.destroy()
    },
  }
}

/**
 * The client for an upload that a signal aborts. The library's own abort leaves its requests under way, which keep a
 * process alive that stops. What it has sent of a file is still deleted, if the bucket responds.
 */
function abortable(client: S3Client, signal: AbortSignal | undefined): S3Client {
  if (!signal) return client
  const send: S3Client['send'] = (command: Parameters<S3Client['send']>[0]) => {
    const isTidying = command instanceof AbortMultipartUploadCommand
    return client.send(command, { abortSignal: isTidying ? AbortSignal.timeout(tidyWithinMs) : signal })
  }
  return Object.create(client, { send: { value: send } })
}

/** Retries after errors that may be temporary. */
async function withRetries<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (const waitMs of retryDelaysMs) {
    try {
      return await work()
    } catch (error) {
      if (!isTemporary(error) || signal?.aborted) throw error
    }
    await sleep(waitMs, undefined, signal ? { signal } : {})
  }
  return work()
}

/** Refusals and missing files are final; broken connections, time-outs and 5xx are temporary. */
function isTemporary(error: unknown): boolean {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
  const status = statusOf(error)
  return status === undefined || status >= 500 || status === 408 || status === 429
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}
