// What a process and its children use of the machine, as Linux reports it.
import { readFileSync } from 'node:fs'

export interface Usage {
  /** Processor time since the start. */
  cpuMs: number
  childrenCpuMs: number
  /** Resident memory of the children that run. */
  childrenMegabytes: number
}

/** The kernel counts in hundredths of a second. */
const tickMs = 10

export function readUsage(pid: number): Usage {
  const own = readStat(pid)
  const running = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const children = running.map((child) => readStat(Number(child)))
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  return {
    cpuMs: own.cpuMs,
    childrenCpuMs: own.endedChildrenCpuMs + sum(children.map(({ cpuMs }) => cpuMs)),
    childrenMegabytes: sum(children.map(({ megabytes }) => megabytes)),
  }
}

/** The fields have the numbers of proc(5), which counts the name in parentheses as the second. */
function readStat(pid: number) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const field = (number: number) => fields[number - 3]!
  return {
    cpuMs: (field(14) + field(15)) * tickMs,
    endedChildrenCpuMs: (field(16) + field(17)) * tickMs,
    megabytes: (field(24) * 4096) / 1e6,
  }
}
