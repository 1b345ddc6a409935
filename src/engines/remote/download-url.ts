// Downloads a video from a URL that a remote server names. A URL of the server itself is as trusted as its address;
// any other goes through the same guard as clients' URLs.
import { FetchFailure } from '../../outbound/fetch-failure.ts'
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts'
import { type DownloadOptions, type RemoteHttp, RemoteMisbehaved } from './http.ts'

export async function downloadUrl(
  url: string,
  { http, fetch, ...options }: { http: RemoteHttp; fetch: GuardedFetch } & DownloadOptions,
): Promise<void> {
  if (!URL.canParse(url)) throw new RemoteMisbehaved('it names no video')
  if (new URL(url).origin === http.origin) return http.download(url, options)
  try {
    await fetch.download(url, options)
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    throw new RemoteMisbehaved(`its video could not be fetched: ${error.message}`, { cause: error })
  }
}
