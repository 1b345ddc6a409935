// The sample picture on its way to the service, when a request needs it.
import { useCallback, useRef, useState } from 'preact/hooks'
import type { CreateTaskBody } from '../../api-types.ts'
import { useSession } from '../../session.ts'
import { samplePicture, sampleUrl } from './sample.ts'

export interface Sample {
  /** Its URL on the service, once it has been uploaded. */
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
  const [knownUrl, setKnownUrl] = useState<string | null>(null)
  const uploading = useRef<Promise<string> | null>(null)
  const ensure = useCallback(() => {
    const send = async () => {
      const response = await fetch(samplePicture)
      if (!response.ok) throw new Error('The sample could not be read.')
      const { downloadUrl } = await api.upload(await response.blob(), { fileName: 'dusk-over-the-lake.jpg' })
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
  return { knownUrl, ensure, uploaded, stoodIn, withUrl: replaceSample }
}

const stoodIn = (body: CreateTaskBody) => replaceSample(body, 'https://example.com/sample.jpg')

const usesSample = (body: CreateTaskBody) => JSON.stringify(body).includes(JSON.stringify(sampleUrl))

function replaceSample(body: CreateTaskBody, url: string): CreateTaskBody {
  if (!usesSample(body)) return body
  return JSON.parse(JSON.stringify(body), (_name, value) => (value === sampleUrl ? url : value))
}
