// Who acts on the command line, for the audit log.
import { userInfo } from 'node:os'
import type { Actor } from '../../audit/audit.ts'

export function commandLineActor(): Actor {
  return { actor: `command line:${userName()}`, address: null }
}

/** A container may run as a user id that has no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
