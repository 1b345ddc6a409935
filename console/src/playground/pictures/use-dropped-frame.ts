// Pictures dropped or pasted anywhere on the page become the first frame.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ModelInfo } from '../../api-types.ts'
import { type Draft, framesOf, withFrames } from '../request/draft.ts'
import { type FileLimits, fileOf, useCanUpload, useUpload } from './uploads.ts'

export function useDroppedFrame(
  model: ModelInfo,
  draft: Draft,
  replace: (draft: Draft) => void,
  limits: FileLimits | null,
) {
  const upload = useUpload(limits)
  const canUpload = useCanUpload()
  const [dragging, setDragging] = useState(false)
  const latest = useRef({ model, draft, replace, canUpload, send: upload.send })
  latest.current = { model, draft, replace, canUpload, send: upload.send }
  useEffect(() => {
    const take = async (file: File) => {
      if (!latest.current.canUpload) return
      const url = await latest.current.send(file)
      const { draft: now, model: its } = latest.current
      if (url)
        latest.current.replace({
          ...now,
          input: withFrames(its.inputSchema, now.input, [url, framesOf(now.input)[1]]),
        })
    }
    const onPaste = (event: ClipboardEvent) => {
      const file = fileOf(event.clipboardData)
      if (!file || event.defaultPrevented) return
      event.preventDefault()
      take(file)
    }
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return
      // Without this the browser would open the file in place of the page.
      event.preventDefault()
      setDragging(latest.current.canUpload)
    }
    const onDragLeave = (event: DragEvent) => event.relatedTarget === null && setDragging(false)
    const onDrop = (event: DragEvent) => {
      setDragging(false)
      const file = fileOf(event.dataTransfer)
      // A field of its own has taken it already.
      if (!file || event.defaultPrevented) return
      event.preventDefault()
      take(file)
    }
    addEventListener('paste', onPaste)
    addEventListener('dragover', onDragOver)
    addEventListener('dragleave', onDragLeave)
    addEventListener('drop', onDrop)
    return () => {
      removeEventListener('paste', onPaste)
      removeEventListener('dragover', onDragOver)
      removeEventListener('dragleave', onDragLeave)
      removeEventListener('drop', onDrop)
    }
  }, [])
  return { dragging, problem: upload.problem }
}
