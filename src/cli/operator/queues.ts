// dailies queue …
import type { Dailies } from '../../../client/src/public.ts'
import { type Command, type CommandResult, command } from '../command.ts'
import { orMissing } from '../connect/not-found.ts'
import { countText, shownList } from '../terminal/print.ts'
import { durationText } from '../terminal/progress-line.ts'

const headers = ['QUEUE', 'STATE', 'WAITING', 'LATER', 'RUNNING', 'OLDEST', 'WORKERS']

const list = command({
  name: 'queue list',
  summary: 'List the queues with what waits, runs and is due later',
  details:
    'LATER counts the waiting jobs that are due at a later time, such as a retry; WORKERS the processes that serve the queue.',
  examples: ['dailies queue list', 'dailies queue list --json'],
  operate: () => async (client) => {
    const { queues } = await client.operator.queues()
    return shownList(queues, 'There are no queues.', headers, ({ queue, paused, oldestMs, ...counts }) => [
      queue,
      paused ? 'paused' : 'active',
      counts.waiting,
      counts.later,
      counts.running,
      oldestMs > 0 ? durationText(oldestMs) : '-',
      counts.workers,
    ])
  },
})

/** A command on one queue. */
function onQueue<T>(
  verb: string,
  summary: string,
  details: string,
  act: (client: Dailies, queue: string) => Promise<T>,
  text: (done: T) => string,
): Command {
  return command({
    name: `queue ${verb}`,
    args: ['NAME'],
    summary,
    details,
    examples: [`dailies queue ${verb} deliver:later`],
    operate:
      ({ args: [name], isRemote }) =>
      async (client): Promise<CommandResult> => {
        const missing = async () => {
          const { queues } = await client.operator.queues()
          return `there is no queue "${name}"; there are ${queues.map(({ queue }) => queue).join(', ')}`
        }
        const data = await orMissing(isRemote, act(client, name), missing)
        return { data, text: text(data) }
      },
  })
}

export const queueCommands: Command[] = [
  list,
  onQueue(
    'pause',
    'Pause a queue: no process claims its jobs',
    'Running jobs finish. Every process follows within a second.',
    (client, name) => client.operator.pauseQueue(name),
    ({ queue }) => `The queue ${queue} is paused.`,
  ),
  onQueue(
    'resume',
    'Resume a paused queue',
    'Every process claims its jobs again within a second.',
    (client, name) => client.operator.resumeQueue(name),
    ({ queue }) => `The queue ${queue} is active.`,
  ),
  onQueue(
    'retry',
    'Retry the jobs of a queue now',
    'Jobs that wait for a later time, such as callbacks to be retried, become due now.',
    (client, name) => client.operator.retryQueue(name),
    ({ queue, retried }) =>
      retried === 0
        ? `No job of the queue ${queue} waits for a later time.`
        : `${countText(retried, 'job')} of the queue ${queue} ${retried === 1 ? 'is' : 'are'} due now.`,
  ),
]
