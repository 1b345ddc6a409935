// The observer of bench/attacks.ts: `node observer.ts URL KEY`.
import { observe } from '../../test/support/attacks/observe.ts'
import { answerMessages } from './child.ts'

const [url, key] = process.argv.slice(2) as [string, string]

answerMessages<{ seconds: number }>(async ({ seconds }) => {
  const endsAt = performance.now() + seconds * 1000
  return observe({ url, key }, 1, () => performance.now() > endsAt)
})
