// The one error of the guarded fetch, and how errors of sockets, TLS and the HTTP parser become it.
// Messages are safe to show: they never contain an address, a port or a system message; those stay in `cause`.
import { errors } from 'undici'

const sentences = {
  address: 'address not allowed',
  dns: 'the host name could not be resolved',
  connect: 'the server could not be reached',
  timeout: 'the server took too long',
  status: 'the server did not respond with success',
  too_large: 'the response is too large',
  encoding: 'the response is compressed, although no encoding was accepted',
  redirect: 'the server redirects too often or to an invalid address',
  reset: 'the connection broke, or the response was not valid HTTP',
  tls: "the server's TLS certificate or handshake is not valid",
  url: 'the URL is not an absolute http or https URL without credentials',
}
export type FetchFailureKind = keyof typeof sentences

export class FetchFailure extends Error {
  override readonly name = 'FetchFailure'
  readonly kind: FetchFailureKind
  /** The HTTP status, where the kind is `status`. */
  readonly status: number | null
  /** The limit that was passed, where the kind is `too_large`. */
  readonly bytesMax: number | null
  /** The server's `Retry-After`, where it sent one. */
  readonly retryAfterMs: number | null

  constructor(
    kind: FetchFailureKind,
    details: {
      message?: string
      status?: number
      bytesMax?: number
      retryAfterMs?: number | null
      cause?: unknown
    } = {},
  ) {
    super(details.message ?? sentences[kind], { cause: details.cause })
    this.kind = kind
    this.status = details.status ?? null
    this.bytesMax = details.bytesMax ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
  }

  /** Whether the server responded, whatever its response was: the network of this machine works then. */
  get reachedServer(): boolean {
    return kindsOfResponses.has(this.kind)
  }

  /** Whether the same request may succeed a little later. */
  get isPassing(): boolean {
    if (this.kind === 'connect' || this.kind === 'timeout') return true
    if (this.kind === 'reset') return !isInvalidHttp(this.cause)
    if (this.kind === 'dns') return passingDnsCodes.has(codeOf(this.cause))
    return this.kind === 'status' && isPassingStatus(this.status ?? 0)
  }
}

const kindsOfResponses = new Set<FetchFailureKind>(['status', 'too_large', 'encoding', 'redirect', 'tls'])

/** No name server responded, or it could not find out. That a name does not exist is final. */
const passingDnsCodes = new Set(['EAI_AGAIN', 'ESERVFAIL', 'ETIMEOUT', 'EREFUSED', 'ECONNREFUSED', 'ECANCELLED'])

const isPassingStatus = (status: number) => status >= 500 || [408, 425, 429].includes(status)

const codeOf = (error: unknown) => String((error as NodeJS.ErrnoException | undefined)?.code ?? '')

const timeoutCodes = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']
const connectCodes = [
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'EINVAL',
]
const tlsCodes = [
  'EPROTO',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
]
const tlsCodePrefixes = ['ERR_TLS_', 'ERR_SSL_', 'CERT_', 'UNABLE_TO_', 'CRL_']

/**
 * What an error raised while talking to a server means; null for an error that did not come from there. Never used
 * for errors of the local disk.
 */
export function asFetchFailure(error: unknown): FetchFailure | null {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth++) {
    if (inner instanceof FetchFailure) return inner
    const kind = kindOf(inner)
    if (kind !== null) return new FetchFailure(kind, { cause: error })
  }
  return null
}

function kindOf(error: NodeJS.ErrnoException): FetchFailureKind | null {
  const code = String(error.code ?? '')
  if (timeoutCodes.includes(code)) return 'timeout'
  if (connectCodes.includes(code)) return 'connect'
  if (tlsCodes.includes(code) || tlsCodePrefixes.some((prefix) => code.startsWith(prefix))) return 'tls'
  if (error instanceof errors.InvalidArgumentError) return null
  // The remaining errors are connections that ended early and responses that the parser rejected.
  const broke = error instanceof errors.UndiciError || code === 'ECONNRESET' || isHttpError(error)
  return broke || error.syscall !== undefined ? 'reset' : null
}

/** Errors of HTTP parsers. That of undici also asserts what its reader has let through, such as a status below 100. */
function isHttpError(error: unknown): boolean {
  const code = codeOf(error)
  return error instanceof errors.HTTPParserError || code.startsWith('HPE_') || code === 'ERR_ASSERTION'
}

/** A connection that ended in the middle of a response does not make the response invalid. */
const isInvalidHttp = (error: unknown) => isHttpError(error) && codeOf(error) !== 'HPE_INVALID_EOF_STATE'
