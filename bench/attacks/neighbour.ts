// A process that keeps a share of one core busy and does not talk to the service: what an attacker's own use of the
// processor costs on a machine that it shares with the service.
import { answerMessages } from './child.ts'

const periodMs = 10
let timer: NodeJS.Timeout | undefined

answerMessages<{ share: number }>(async ({ share }) => {
  clearInterval(timer)
  if (share > 0) timer = setInterval(() => burn(Math.min(share, 1) * periodMs), periodMs)
})

function burn(ms: number): void {
  for (const endsAt = performance.now() + ms; performance.now() < endsAt; ) {}
}
