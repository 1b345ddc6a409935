// What an engine reads from a prompt: camera moves, framing and effects, and what it will not do.
import { useEffect, useState } from 'preact/hooks'
import type { Understood } from '../../api-types.ts'
import { useReturns } from '../../retries.ts'
import { useSession } from '../../session.ts'
import { workingWords } from './working-words.ts'

const typingPauseMs = 350

/** Asks the service while the prompt is written; shows nothing where the service cannot say. */
export function LiveUnderstood({ prompt, negative, model }: { prompt: string; negative: string; model: string }) {
  const { api } = useSession()
  const [read, setRead] = useState<Understood | null>(null)
  const returns = useReturns()
  useEffect(() => {
    if (prompt.trim() === '') {
      setRead(null)
      return
    }
    const stop = new AbortController()
    const timer = setTimeout(() => {
      const body = { prompt, model, ...(negative ? { negative_prompt: negative } : {}) }
      api.explainPrompt(body, { signal: stop.signal }).then(setRead, () => stop.signal.aborted || setRead(null))
    }, typingPauseMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [api, prompt, negative, model, returns])
  if (read) return <UnderstoodLine read={read} />
  // Its place, so that the fields below do not move when it comes.
  return prompt.trim() === '' ? null : <p class="understood" />
}

export function UnderstoodLine({ read }: { read: Understood }) {
  const parts = [...read.moves, ...(read.framing ? [read.framing] : []), ...read.effects]
  if (parts.length === 0 && read.notDone.length === 0) {
    // Also where the engine cannot say what it reads.
    return (
      // One line, so that the fields below do not move.
      <p class="understood muted">Nothing recognised. Try {workingWords.join(', ')}.</p>
    )
  }
  return (
    <p class="understood" aria-live="polite">
      {parts.length > 0 && <span class="muted">Understood:</span>}
      {parts.map((part) => (
        <span key={part} class="chip">
          {part}
        </span>
      ))}
      {read.notDone.length > 0 && <span class="muted">Not done:</span>}
      {read.notDone.map((part) => (
        <span key={part} class="chip" data-kind="not-done">
          {part}
        </span>
      ))}
    </p>
  )
}
