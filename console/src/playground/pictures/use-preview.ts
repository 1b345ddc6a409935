// What a picture's URL looks like: files of this service and the sample directly, pictures elsewhere as a small copy that
// the service fetches under its own rules, because this page contacts no other origin.
import { useEffect, useState } from 'preact/hooks'
import type { Api } from '../../api.ts'
import { localFileUrl } from '../../format.ts'
import { toProblem } from '../../hooks.ts'
import { useSession } from '../../session.ts'
import { samplePicture, sampleUrl } from './sample.ts'

interface Preview {
  src: string | null
  /** Why a picture elsewhere cannot be shown. */
  problem: string | null
}

const nothing: Preview = { src: null, problem: null }
const notPictures = /\.(mp4|mov|webm|mkv|mp3|wav|m4a|ogg|flac|aac)$/i
const copiesMax = 24
/** By URL: a picture is shown in its field and on the stage, and should be fetched once. */
const copies = new Map<string, Promise<string>>()

export function usePreview(url: string | undefined): Preview {
  const { api } = useSession()
  const local = url === undefined ? null : localFileUrl(url)
  const remote = url !== undefined && local === null && isPictureElsewhere(url) ? url : null
  const [copy, setCopy] = useState<Preview>(nothing)
  useEffect(() => {
    setCopy(nothing)
    if (remote === null) return
    let current = true
    copyOf(api, remote).then(
      (src) => current && setCopy({ src, problem: null }),
      (error) => current && setCopy({ src: null, problem: toProblem(error).message.replace(/^url: /, '') }),
    )
    return () => {
      current = false
    }
  }, [api, remote])
  if (url === sampleUrl) return { src: samplePicture, problem: null }
  if (remote !== null) return copy
  return { src: local !== null && !notPictures.test(local) ? local : null, problem: null }
}

function isPictureElsewhere(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && !notPictures.test(parsed.pathname)
}

function copyOf(api: Api, url: string): Promise<string> {
  const known = copies.get(url)
  if (known) return known
  const copy = api.preview(url).then((blob) => URL.createObjectURL(blob))
  copies.set(url, copy)
  copy.catch(() => copies.delete(url))
  const [oldest] = copies.keys()
  if (copies.size > copiesMax && oldest !== undefined) {
    copies.get(oldest)?.then(URL.revokeObjectURL, () => {})
    copies.delete(oldest)
  }
  return copy
}
