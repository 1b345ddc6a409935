// How a task's progress is shown while a command waits: one line that is drawn over on a terminal, else a line for each
// step worth one. What the progress is comes from the client.
import type { TaskProgress } from '../../../client/src/public.ts'

export interface ProgressLine {
  show(progress: ShownProgress): void
  /** Leaves the terminal on a line of its own. */
  end(): void
}

/** For --json, and wherever nothing may be drawn. */
export const silentLine: ProgressLine = { show() {}, end() {} }

type ShownProgress = Pick<TaskProgress, 'state' | 'progress' | 'queuePosition' | 'timeLeftMs'>

interface Screen {
  isTTY?: boolean
  write(text: string): unknown
}

const barCells = 24
/** Steps of progress that get a line of their own where lines cannot be drawn over. */
const linePercents = 10

export function createProgressLine(screen: Screen): ProgressLine {
  if (screen.isTTY) {
    return {
      show: (progress) => screen.write(`\r${barText(progress)}\x1b[K`),
      end: () => screen.write('\r\x1b[K'),
    }
  }
  let shown = ''
  return {
    show(progress) {
      const step = Math.floor(progress.progress / linePercents)
      const now = JSON.stringify([progress.state, progress.queuePosition, step])
      if (now === shown) return
      shown = now
      screen.write(`${lineText(progress)}\n`)
    },
    end() {},
  }
}

const words: Record<ShownProgress['state'], string> = {
  wait: 'Checking the image',
  queueing: 'Queueing',
  generating: 'Generating',
  success: 'Done',
  fail: 'Failed',
}

/** `Generating  [██████████              ]  42 %  8 s left` */
export function barText(progress: ShownProgress): string {
  const full = Math.round((progress.progress / 100) * barCells)
  const bar = '█'.repeat(full) + ' '.repeat(barCells - full)
  return `${words[progress.state].padEnd(18)}  [${bar}]  ${factsOf(progress).join('  ')}`
}

/** `Generating: 42 %, 8 s left` */
export function lineText(progress: ShownProgress): string {
  const facts = progress.state === 'generating' || progress.queuePosition !== null ? factsOf(progress) : []
  return words[progress.state] + (facts.length > 0 ? `: ${facts.join(', ')}` : '')
}

function factsOf({ state, progress, queuePosition, timeLeftMs }: ShownProgress): string[] {
  if (queuePosition !== null) {
    const left = timeLeftMs === null ? [] : [`about ${durationText(timeLeftMs)} left`]
    return [queuePosition === 1 ? 'next in line' : `number ${queuePosition} in line`, ...left]
  }
  const left = state === 'generating' && timeLeftMs !== null ? [`${durationText(timeLeftMs)} left`] : []
  return [`${progress} %`, ...left]
}

export function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}
