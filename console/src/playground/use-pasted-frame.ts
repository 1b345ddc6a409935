// Pictures from the clipboard.
import type { ModelInfo } from '../api-types.ts'
import { type Draft, framesOf, withFrames } from './draft.ts'
import { type FileLimits, fileOf, useUpload } from './uploads.ts'

/** A picture pasted anywhere on the bench becomes the first frame. */
export function usePastedFrame(
  model: ModelInfo,
  draft: Draft,
  replace: (draft: Draft) => void,
  limits: FileLimits | null,
) {
  const upload = useUpload(limits)
  const onPaste = async (event: ClipboardEvent) => {
    const file = fileOf(event.clipboardData)
    if (!file) return
    event.preventDefault()
    const url = await upload.send(file)
    if (url)
      replace({ ...draft, input: withFrames(model.inputSchema, draft.input, [url, ...framesOf(draft.input).slice(1)]) })
  }
  return { onPaste, problem: upload.problem }
}
