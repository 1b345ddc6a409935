// The sample picture in use: its preview, and its way to the service when a request needs it.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { CreateTaskBody } from '../../api-types.ts'
import { useSession } from '../../session.ts'
import { drawSample, sampleUrl } from './sample.ts'

export interface Sample {
  preview: string | null
  /** Where it lies on the service, once it does. */
  knownUrl: string | null
  ensure(): Promise<string>
  /** The body with the sample's own URL, uploaded now if it has to be. */
  uploaded(body: CreateTaskBody): Promise<CreateTaskBody>
  /** The body with any URL in its place, for rules that only look at its form. */
  stoodIn(body: CreateTaskBody): CreateTaskBody
  withUrl(body: CreateTaskBody, url: string): CreateTaskBody
}

export function useSample(): Sample {
  const { api } = useSession()
  const [preview, setPreview] = useState<string | null>(null)
  const [knownUrl, setKnownUrl] = useState<string | null>(null)
  const file = useRef<Promise<File> | null>(null)
  const uploading = useRef<Promise<string> | null>(null)
  useEffect(() => {
    let url: string | null = null
    let current = true
    file.current = drawSample()
    file.current.then((drawn) => {
      if (!current) return
      url = URL.createObjectURL(drawn)
      setPreview(url)
    })
    return () => {
      current = false
      if (url) URL.revokeObjectURL(url)
    }
  }, [])
  const ensure = useCallback(() => {
    const send = async () => {
      const drawn = await (file.current ?? drawSample())
      const { downloadUrl } = await api.upload(drawn)
      setKnownUrl(downloadUrl)
      return downloadUrl
    }
    uploading.current ??= send().catch((error) => {
      uploading.current = null
      throw error
    })
    return uploading.current
  }, [api])
  const uploaded = useCallback(
    async (body: CreateTaskBody) => (usesSample(body) ? replaceSample(body, await ensure()) : body),
    [ensure],
  )
  return { preview, knownUrl, ensure, uploaded, stoodIn, withUrl: replaceSample }
}

const stoodIn = (body: CreateTaskBody) => replaceSample(body, 'https://example.com/sample.jpg')

const usesSample = (body: CreateTaskBody) => JSON.stringify(body).includes(JSON.stringify(sampleUrl))

function replaceSample(body: CreateTaskBody, url: string): CreateTaskBody {
  if (!usesSample(body)) return body
  return JSON.parse(JSON.stringify(body), (_name, value) => (value === sampleUrl ? url : value))
}
