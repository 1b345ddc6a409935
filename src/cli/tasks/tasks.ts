// dailies tasks list, get, watch, cancel, extend, delete, download and share.
import { resolve } from 'node:path'
import { type Dailies, type ExtendTask, isFinal, type TaskRecord, videoUrlOf } from '../../../client/src/public.ts'
import { taskStates } from '../../contract/tasks/states.ts'
import { parseDuration } from '../../platform/durations.ts'
import { OperatorError } from '../../platform/errors.ts'
import {
  type Command,
  type CommandInput,
  type CommandResult,
  choiceFlag,
  type Flag,
  textFlag,
  timeFlag,
  UsageError,
  wholeNumberFlag,
} from '../command.ts'
import { serverFlags, withClient } from '../connect/client.ts'
import { onInterrupt } from '../terminal/interrupt.ts'
import { bytesText, shownList, timeText } from '../terminal/print.ts'
import { createProgressLine, durationText, silentLine } from '../terminal/progress-line.ts'
import { checkPlace, defaultName, promptOf, saveVideo } from './video-file.ts'
import { understoodText, videoText } from './words.ts'

const limitDefault = 20
const limitMax = 1000

function command(
  name: string,
  summary: string,
  example: string,
  run: (client: Dailies, input: CommandInput) => Promise<CommandResult>,
  { args = ['ID'], flags = {} }: { args?: string[]; flags?: Record<string, Flag> } = {},
): Command {
  return {
    name: `tasks ${name}`,
    args,
    flags: { ...flags, ...serverFlags },
    summary,
    examples: [`dailies tasks ${name} ${example}`.trim()],
    run: (input) => withClient(input, (client) => run(client, input)),
  }
}

const list = command('list', 'List tasks, newest first', '--state fail --since 1d', listTasks, {
  args: [],
  flags: {
    state: { value: 'STATE', help: taskStates.join(', ') },
    model: { value: 'MODEL', help: 'only tasks of this model' },
    text: { value: 'TEXT', help: 'only tasks whose prompt contains this text' },
    since: { value: 'TIME', help: 'only tasks created since: 2h, 7d or a date' },
    until: { value: 'TIME', help: 'only tasks created until: 2h, 7d or a date' },
    limit: { value: 'N', help: `at most this many (${limitDefault})` },
  },
})

async function listTasks(client: Dailies, { flags }: CommandInput): Promise<CommandResult> {
  const limit = Math.min(wholeNumberFlag('--limit', flags.limit) ?? limitDefault, limitMax)
  const filter = {
    state: choiceFlag('--state', flags.state, taskStates),
    model: textFlag(flags.model),
    q: textFlag(flags.text),
    since: timeFlag('--since', flags.since),
    until: timeFlag('--until', flags.until),
    limit: Math.max(1, Math.min(limit, 100)),
  }
  const items: TaskRecord[] = []
  for await (const task of client.list(filter)) {
    if (items.push(task) >= limit) break
  }
  return shownList(items, 'No tasks.', ['ID', 'STATE', 'TOOK', 'CREDITS', 'CREATED (UTC)', 'PROMPT'], (task) => [
    task.taskId,
    stateOf(task),
    task.state === 'generating' ? `${task.progress} %` : task.costTime === null ? '-' : durationText(task.costTime),
    task.creditsConsumed,
    timeText(task.createTime),
    promptOf(task).replace(/\s+/g, ' '),
  ])
}

/** A canceled task is a failed one on the wire, but nothing went wrong with it. */
const stateOf = (task: TaskRecord) => (task.failReason === 'canceled' ? 'canceled' : task.state)

const get = command('get', 'Show one task', '0199…', async (client, { args }) => {
  const task = await client.getTask(args[0]!)
  return { data: task, text: factsOf(task) }
})

function factsOf(task: TaskRecord): string {
  const url = videoUrlOf(task)
  const lines: [string, string | null][] = [
    ['Task', task.taskId],
    ['State', stateOf(task) + (task.state === 'generating' ? `, ${task.progress} %` : '')],
    ['Queue', task.queuePosition === null ? null : `number ${task.queuePosition}`],
    ['Left', task.timeLeftMs === null ? null : `about ${durationText(task.timeLeftMs)}`],
    ['Model', task.model],
    ['Prompt', promptOf(task)],
    ['Created', `${timeText(task.createTime)} UTC`],
    ['Took', task.costTime === null ? null : durationText(task.costTime)],
    ['Credits', String(task.creditsConsumed)],
    ['Failed', task.state === 'fail' ? `${task.failMsg} (${task.failReason})` : null],
    ['Video', url],
    ['Format', videoText(task).join(', ') || null],
    ['Ignored', task.ignoredFields.length > 0 ? task.ignoredFields.join(', ') : null],
  ]
  return [
    ...lines.filter(([, value]) => value !== null).map(([name, value]) => `${name.padEnd(9)}${value}`),
    ...understoodText(task),
  ].join('\n')
}

const watch = command(
  'watch',
  'Follow a task to its end; exit code 1 when it fails',
  '0199…',
  async (client, { args, json }) => {
    const interrupt = onInterrupt()
    const line = json ? silentLine : createProgressLine(process.stderr)
    try {
      const record = await client.wait(args[0]!, { onProgress: line.show, signal: interrupt.signal })
      line.end()
      return { data: record, text: factsOf(record) }
    } catch (error) {
      line.end()
      if (!interrupt.signal.aborted) throw error
      const record = await client.getTask(args[0]!)
      return { data: record, text: 'Stopped watching; the task goes on.', exitCode: interrupt.exitCode() }
    } finally {
      interrupt.stop()
    }
  },
)

const cancel = command(
  'cancel',
  'Cancel a task that has not ended; nothing is charged',
  '0199…',
  async (client, { args }) => {
    const data = await client.cancel(args[0]!)
    return { data, text: `The task ${data.taskId} is canceled.` }
  },
)

const extend = command(
  'extend',
  'Make a video that continues from the last frame of another',
  '0199… --prompt "it sails on"',
  async (client, { args, flags }) => {
    const prompt = textFlag(flags.prompt)
    if (!prompt) throw new UsageError('tasks extend needs --prompt')
    const duration = textFlag(flags.duration) as ExtendTask['duration']
    const taskId = await client.extend({ taskId: args[0]!, prompt, duration, callBackUrl: textFlag(flags.callback) })
    return { data: { taskId }, text: `${taskId}\nFollow it with: dailies tasks watch ${taskId}` }
  },
  {
    flags: {
      prompt: { value: 'TEXT', help: 'what happens next' },
      duration: { value: 'SECONDS', help: 'length of the new part' },
      callback: { value: 'URL', help: 'URL for the signed callback when the task ends' },
    },
  },
)

const remove = command(
  'delete',
  'Delete the record and files of a task that has ended',
  '0199…',
  async (client, { args }) => {
    const data = await client.deleteTask(args[0]!)
    return { data, text: `The task ${data.taskId} is deleted.` }
  },
)

const share = command('share', 'Make a link that plays the video without a key', '0199… --for 1d', shareTask, {
  flags: {
    for: { value: 'DURATION', help: 'how long the link works (7d); never longer than the video' },
    list: { help: 'list the links of the task' },
    revoke: { value: 'LINK', help: 'revoke the link with this id' },
  },
})

async function shareTask(client: Dailies, { args, flags }: CommandInput): Promise<CommandResult> {
  const taskId = args[0]!
  const revoked = textFlag(flags.revoke)
  if (revoked !== undefined) {
    const data = await client.shares.revoke(taskId, revoked)
    return { data, text: `The link ${data.id} is revoked.` }
  }
  if (flags.list === true) {
    const items = await client.shares.list(taskId)
    return shownList(items, 'No links.', ['ID', 'CREATED (UTC)', 'EXPIRES (UTC)'], (link) => [
      link.id,
      timeText(link.createdAt),
      timeText(link.expiresAt),
    ])
  }
  const text = textFlag(flags.for)
  const forMs = text === undefined ? undefined : parseDuration(text)
  if (forMs === null) throw new UsageError(`--for must be a duration such as 12h or 7d, not "${text}"`)
  const link = await client.shares.create(taskId, forMs === undefined ? {} : { expiresAt: Date.now() + forMs })
  return { data: link, text: `${link.url}\nIt works until ${timeText(link.expiresAt)} UTC.` }
}

const download = command(
  'download',
  'Save the video of a finished task',
  '0199… --out boat.mp4',
  async (client, { args, flags }) => {
    const task = await client.getTask(args[0]!)
    const url = videoUrlOf(task)
    if (!url)
      throw new OperatorError(
        isFinal(task) ? 'the task has no video' : 'the task has not ended yet; dailies tasks watch follows it',
      )
    const path = resolve(textFlag(flags.out) ?? defaultName(task))
    await checkPlace(path)
    const video = await client.download(url)
    await saveVideo(video, path)
    return {
      data: { taskId: task.taskId, out: path, bytes: video.size },
      text: `Saved ${path} (${[...videoText(task), bytesText(video.size)].join(', ')}).`,
    }
  },
  { flags: { out: { value: 'FILE', help: 'where to save the video; by default a name from the prompt' } } },
)

export const taskCommands: Command[] = [list, get, watch, cancel, extend, remove, download, share]
