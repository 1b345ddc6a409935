// What the runs of a request cost, beside what the key can spend.
import { useEffect } from 'preact/hooks'
import { formatCount } from '../../format.ts'
import { mayRepeat } from '../../retries.ts'
import { useSession } from '../../session.ts'

/** Credits may be added elsewhere while there are too few. */
const balanceMs = 10_000

/** Whether there are too few credits. Otherwise the first of several runs would be made, and the last refused. */
export function useShortage(credits: number): boolean {
  const { balance, refreshBalance } = useSession()
  const isShort = balance !== null && credits > balance
  useEffect(() => {
    if (!isShort) return
    const timer = setInterval(() => mayRepeat() && refreshBalance(), balanceMs)
    return () => clearInterval(timer)
  }, [isShort, refreshBalance])
  return isShort
}

export function costNote(price: number | null, balance: number | null, runs: number): string {
  if (balance === null) return 'of – credits'
  if (price !== null && price * runs > balance) {
    const enough = Math.floor(balance / price)
    const sum = runs > 1 ? `each, ${formatCount(price * runs)} in all. ` : ''
    return `${sum}You have ${formatCount(balance)}${enough > 0 ? `: enough for ${enough}` : ''}`
  }
  return `${runs > 1 && price !== null ? `each, ${formatCount(price * runs)} in all, ` : ''}of ${formatCount(balance)}`
}
