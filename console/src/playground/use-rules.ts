// Fetches the rules once the page stands; until then, and for models without rules, the service alone judges.
import { useEffect, useState } from 'preact/hooks'
import { config } from 'zod/v4/core'
import type { Rules } from './rules.ts'

export function useRules(): Rules | null {
  const [rules, setRules] = useState<Rules | null>(null)
  useEffect(() => {
    let current = true
    // Compiling checks to code at run time is what the page's policy forbids; schemas look when they are made.
    config({ jitless: true })
    import('./rules.ts').then(
      ({ createRules }) => current && setRules(createRules()),
      () => {},
    )
    return () => {
      current = false
    }
  }, [])
  return rules
}
