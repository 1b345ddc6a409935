// Which fields of a draft the user has edited.
import { useRef } from 'preact/hooks'
import type { Draft } from './draft.ts'

/** Fields whose value changed since the playground was opened: only their mistakes are shown yet. */
export function useTouched(draft: Draft): Set<string> {
  const before = useRef(draft)
  const touched = useRef(new Set<string>())
  if (before.current !== draft) {
    if (before.current.modelId !== draft.modelId) touched.current = new Set()
    else {
      for (const name of new Set([...Object.keys(before.current.input), ...Object.keys(draft.input)])) {
        if (before.current.input[name] !== draft.input[name]) touched.current.add(name)
      }
      if (before.current.callBackUrl !== draft.callBackUrl) touched.current.add('callBackUrl')
    }
    before.current = draft
  }
  // Shots and subjects start out empty; they are judged when the request is sent.
  const named = new Set(touched.current)
  named.delete('multi_prompt')
  named.delete('elements')
  return named
}
