// Loads the rules after the first paint; until then, and for models without rules, only the service validates.
import { useEffect, useState } from 'preact/hooks'
import { config } from 'zod/v4/core'
import { useSession } from '../../session.ts'
import type { Rules } from './rules.ts'

export function useRules(): Rules | null {
  const { models } = useSession()
  const [rules, setRules] = useState<Rules | null>(null)
  useEffect(() => {
    let current = true
    // Compiling checks to code at run time is what the page's policy forbids; schemas look when they are made.
    config({ jitless: true })
    import('./rules.ts').then(
      ({ createRules }) => current && setRules(createRules(models)),
      () => {},
    )
    return () => {
      current = false
    }
  }, [models])
  return rules
}
