// The upload of one file: checked as far as the page can, sent with progress, aborted on demand.
import { createContext } from 'preact'
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { UploadProgress } from '../../../../client/src/tasks/upload.ts'
import { formatBytes } from '../../format.ts'
import { toProblem } from '../../hooks.ts'
import { useSession } from '../../session.ts'
import { asFrame, isPicture } from './as-frame.ts'

export interface FileLimits {
  bytesMax: number
  ratio: { min: number; max: number } | null
}

export interface Upload {
  /** 0 to 1 while a file is on its way. */
  share: number | null
  fileName: string
  problem: string | null
  send(file: File): Promise<string | null>
  stop(): void
}

/** How many uploads of the form are under way: until they end, its request still has the pictures that they replace. */
export const UploadsContext = createContext<{ underWay: number; change(by: 1 | -1): void }>({
  underWay: 0,
  change() {},
})

/** Whether files can be sent: an operator may have switched uploads off, and the key may lack the right. */
export function useCanUpload(): boolean {
  const { disabledFeatures, may } = useSession()
  return may('files:write') && !disabledFeatures.includes('uploads')
}

export function useUpload(limits: FileLimits | null): Upload {
  const { api } = useSession()
  const { change } = useContext(UploadsContext)
  const [state, setState] = useState<{ share: number | null; fileName: string; problem: string | null }>({
    share: null,
    fileName: '',
    problem: null,
  })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const send = useCallback(
    async (chosen: File) => {
      running.current?.abort()
      const stop = new AbortController()
      running.current = stop
      change(1)
      try {
        const file = limits || isPicture(chosen) ? await asFrame(chosen) : chosen
        const refused = typeof file === 'string' ? file : await problemOf(file, limits)
        if (typeof file === 'string' || refused) {
          setState({ share: null, fileName: chosen.name, problem: refused })
          return null
        }
        setState({ share: 0, fileName: file.name, problem: null })
        const onProgress = ({ sentBytes, totalBytes }: UploadProgress) =>
          setState({ share: totalBytes === 0 ? 1 : sentBytes / totalBytes, fileName: file.name, problem: null })
        const { downloadUrl } = await api.upload(file, { onProgress, signal: stop.signal })
        setState({ share: null, fileName: file.name, problem: null })
        return downloadUrl
      } catch (error) {
        const stopped = stop.signal.aborted
        setState({
          share: null,
          fileName: chosen.name,
          problem: stopped ? null : toProblem(error).message.replace(/^file: /, ''),
        })
        return null
      } finally {
        change(-1)
      }
    },
    [api, limits, change],
  )
  return { ...state, send, stop: () => running.current?.abort() }
}

async function problemOf(file: File, limits: FileLimits | null): Promise<string | null> {
  if (!limits) return null
  if (file.size > limits.bytesMax) {
    return `${file.name} has ${formatBytes(file.size)}; at most ${formatBytes(limits.bytesMax)} are taken`
  }
  if (!limits.ratio) return null
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return `${file.name} cannot be read as a picture`
  const ratio = picture.width / picture.height
  picture.close()
  if (ratio >= limits.ratio.min && ratio <= limits.ratio.max) return null
  return `${file.name} has an aspect ratio of ${ratio.toFixed(2)}; from ${limits.ratio.min} to ${limits.ratio.max} is taken`
}

/** The first file of a drop or a paste. */
export function fileOf(data: DataTransfer | null): File | null {
  return data?.files[0] ?? null
}
