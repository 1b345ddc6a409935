// How many connections the process may hold, from the operating system's limit on open files.
import { readFileSync } from 'node:fs'

export interface ConnectionLimits {
  total: number
  perAddress: number
}

const totalMax = 10_000
/** The default of Linux. */
const usualDescriptors = 1024

/** The limit of this process. Node raises the soft limit to the hard one when it starts. */
export function descriptorLimit(): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === undefined ? usualDescriptors : Number(soft)
  } catch {
    return usualDescriptors
  }
}

/** Half of the descriptors stay free for files, the database, children and connections that the service opens itself. */
export function connectionLimits(connectionsMax: number | null, descriptors: number): ConnectionLimits {
  const room = Math.max(16, Math.floor(descriptors / 2))
  const total = Math.min(connectionsMax ?? totalMax, room)
  return { total, perAddress: Math.ceil(total / 4) }
}
