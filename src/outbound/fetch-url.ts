// Parses a client's URL: whether it may be fetched at all, and which literal address its host spells.
// `address-rules.ts` decides whether that address is allowed.
import { isIP } from 'node:net'
import { urlCharactersMax } from '../schema/wire-types.ts'
import { FetchFailure } from './fetch-failure.ts'

/** The URL in its one normal form; throws a FetchFailure of kind `url` for anything that is never fetched. */
export function parseFetchUrl(text: string, base?: URL): URL {
  if (text.length > urlCharactersMax) throw new FetchFailure('url')
  const url = URL.parse(text, base)
  if (url === null) throw new FetchFailure('url')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchFailure('url')
  if (url.username !== '' || url.password !== '') throw new FetchFailure('url')
  return url
}

/**
 * The plain address that a host name spells, or null for a name to resolve. The URL parser has already turned
 * decimal, octal, hexadecimal, short, full-width and percent-encoded spellings into dotted form; what remains are
 * brackets and the dots that end a fully qualified name.
 */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '')
  return isIP(bare) === 0 ? null : bare
}
