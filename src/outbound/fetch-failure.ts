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

  constructor(
    kind: FetchFailureKind,
    details: { message?: string; status?: number; bytesMax?: number; cause?: unknown } = {},
  ) {
    super(details.message ?? sentences[kind], { cause: details.cause })
    this.kind = kind
    this.status = details.status ?? null
    this.bytesMax = details.bytesMax ?? null
  }
}

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
  // The parser of undici also asserts what its reader has let through, such as a status below 100.
  const rejected = error instanceof errors.HTTPParserError || code.startsWith('HPE_') || code === 'ERR_ASSERTION'
  const broke = error instanceof errors.UndiciError || code === 'ECONNRESET' || rejected
  return broke || error.syscall !== undefined ? 'reset' : null
}
