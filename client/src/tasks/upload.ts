// Uploads of input files. Progress comes from XMLHttpRequest in browsers, whose fetch does not report
// it, and elsewhere from counting the bytes that are read.
import type { UploadedFile } from '../contract.ts'
import { type Answer, toAnswer } from '../transport/answers.ts'
import type { Connection, PreparedRequest } from '../transport/connection.ts'

export type Bytes = Blob | Uint8Array | ArrayBuffer

export interface UploadOptions {
  fileName?: string | undefined
  onProgress?: ((progress: UploadProgress) => void) | undefined
  signal?: AbortSignal | undefined
}

export interface UploadProgress {
  sentBytes: number
  totalBytes: number
}

const path = '/api/v1/files/upload'
/** 100 MB at 2 Mbit/s. */
const uploadMs = 420_000

/** A file that is sent twice is stored twice and deleted after three days, so an upload may be repeated. */
export function uploadBytes(connection: Connection, bytes: Bytes, options: UploadOptions): Promise<UploadedFile> {
  const blob = bytes instanceof Blob ? bytes : new Blob([bytes as ArrayBuffer])
  const fileName = options.fileName || (blob as { name?: string }).name || 'upload'
  const { onProgress } = options
  /** Aborted by an error of `onProgress`: it is the caller's, and no reason for another attempt. */
  const broken = new AbortController()
  const report = (sentBytes: number) => {
    try {
      onProgress?.({ sentBytes: Math.min(sentBytes, blob.size), totalBytes: blob.size })
    } catch (error) {
      broken.abort(error)
    }
  }
  return connection.call({
    method: 'POST',
    path,
    timeoutMs: uploadMs,
    signal: options.signal ? AbortSignal.any([options.signal, broken.signal]) : broken.signal,
    send(request, signal) {
      const form = new FormData()
      form.append('file', blob, fileName)
      if (!onProgress) return sendForm(connection, request, form, signal)
      const Xhr = (globalThis as { XMLHttpRequest?: new () => Xhr }).XMLHttpRequest
      return Xhr
        ? sendByXhr(new Xhr(), request, form, report, signal)
        : sendCounting(connection, request, form, report, signal)
    },
  })
}

/** The service fetches the file itself. */
export function uploadFromUrl(connection: Connection, fileUrl: string, options: UploadOptions): Promise<UploadedFile> {
  const { fileName, signal } = options
  return connection.call({ method: 'POST', path, json: { fileUrl, fileName }, timeoutMs: uploadMs, signal })
}

async function sendForm(connection: Connection, request: PreparedRequest, form: FormData, signal: AbortSignal) {
  const { url, method, headers } = request
  return toAnswer(await connection.fetch(url, { method, headers, body: form, signal }))
}

async function sendCounting(
  connection: Connection,
  request: PreparedRequest,
  form: FormData,
  report: (sentBytes: number) => void,
  signal: AbortSignal,
): Promise<Answer> {
  // The platform can encode a form: a response made of it has the bytes and their content type.
  const encoded = new Response(form)
  let sentBytes = 0
  const counted = encoded.body!.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        sentBytes += chunk.byteLength
        controller.enqueue(chunk)
        report(sentBytes)
      },
    }),
  )
  const headers = { ...request.headers, 'content-type': encoded.headers.get('content-type')! }
  const { url, method } = request
  return toAnswer(await connection.fetch(url, { method, headers, body: counted, signal, duplex: 'half' }))
}

/** The part of XMLHttpRequest that is used. */
interface Xhr {
  upload: { onprogress: ((event: { loaded: number }) => void) | null }
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  status: number
  responseText: string
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getResponseHeader(name: string): string | null
  send(body: FormData): void
  abort(): void
}

function sendByXhr(
  xhr: Xhr,
  request: PreparedRequest,
  form: FormData,
  report: (sentBytes: number) => void,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onAbort = () => xhr.abort()
    const done = (settle: () => void) => () => {
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    xhr.open(request.method, request.url)
    for (const [name, value] of Object.entries(request.headers)) xhr.setRequestHeader(name, value)
    xhr.upload.onprogress = (event) => report(event.loaded)
    xhr.onload = done(() =>
      resolve({ status: xhr.status, header: (name) => xhr.getResponseHeader(name), text: xhr.responseText }),
    )
    xhr.onerror = done(() => reject(new Error('the connection broke')))
    xhr.onabort = done(() => reject(signal.reason))
    xhr.send(form)
  })
}
