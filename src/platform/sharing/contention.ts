// Whether several accounts use something at about the same time: limits that exist for the sake of others need not slow
// down an account that has the service to itself.

const recentMs = 1000

export function createContention(nowMs = () => performance.now()) {
  let latest = ''
  let latestAt = Number.NEGATIVE_INFINITY
  /** When an account other than the latest was noted last. */
  let othersAt = Number.NEGATIVE_INFINITY
  return {
    /** The account uses it now. */
    note(account: string) {
      if (account !== latest) othersAt = latestAt
      latest = account
      latestAt = nowMs()
    },
    /** Whether another account has used it within the last second. */
    hasOthers: (account: string) => nowMs() - (account === latest ? othersAt : latestAt) < recentMs,
  }
}
