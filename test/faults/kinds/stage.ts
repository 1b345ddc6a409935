// What a fault is given, and how it picks a process.
import type { FaultCluster } from '../cluster-processes.ts'
import type { Load } from '../load.ts'
import type { Pictures } from '../pictures.ts'
import type { SupervisedProcess } from '../supervised-process.ts'

export interface Stage {
  cluster: FaultCluster
  load: Load
  pictures: Pictures
  random: () => number
}

export type Fault = (stage: Stage) => Promise<void>

/** One that is up, or the first to be. */
export async function some({ cluster, random }: Stage, role: SupervisedProcess['role']): Promise<SupervisedProcess> {
  const processes = cluster.processes.filter((each) => each.role === role)
  const first = Math.floor(random() * processes.length)
  const inTurn = [...processes.slice(first), ...processes.slice(0, first)]
  return Promise.race(inTurn.map((each) => each.up.then(() => each)))
}
