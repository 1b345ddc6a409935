// dailies tasks list, get, watch, cancel, extend, delete, download and share.
import { resolve } from 'node:path'
import {
  type Dailies,
  type ExtendTask,
  isFinal,
  promptOf,
  type TaskRecord,
  videoFileName,
  videoUrlOf,
} from '../../../client/src/public.ts'
import { listedStates } from '../../contract/tasks/states.ts'
import { parseDuration } from '../../platform/durations.ts'
import { OperatorError } from '../../platform/errors.ts'
import { type Command, type CommandResult, choiceFlag, command, limitFlag, timeFlag, UsageError } from '../command.ts'
import { firstOf } from '../connect/client.ts'
import { wholeTaskId } from '../connect/whole-id.ts'
import { onInterrupt } from '../terminal/interrupt.ts'
import { bytesText, harmless, shownList, timeText } from '../terminal/print.ts'
import { createProgressLine, durationText, silentLine } from '../terminal/progress-line.ts'
import { checkPlace, saveVideo } from './video-file.ts'
import { understoodText, videoText } from './words.ts'

const limitDefault = 20
const limitMax = 1000

const list = command({
  name: 'tasks list',
  flags: {
    state: { value: 'STATE', help: listedStates.join(', ') },
    model: { value: 'MODEL', help: 'only tasks of this model' },
    text: {
      value: 'TEXT',
      help: 'only tasks whose prompt, or that of a shot, contains this text, or whose id ends with it',
    },
    since: { value: 'TIME', help: 'only tasks created since: 2h, 7d or a date' },
    until: { value: 'TIME', help: 'only tasks created until: 2h, 7d or a date' },
    limit: { value: 'N', help: `at most this many (${limitDefault})` },
  },
  summary: 'List tasks, newest first',
  examples: ['dailies tasks list --state fail --since 1d'],
  atServer({ flags }) {
    const limit = Math.min(limitFlag(flags.limit, limitDefault), limitMax)
    const wanted = {
      state: choiceFlag('--state', flags.state, listedStates),
      model: flags.model,
      q: flags.text,
      since: timeFlag('--since', flags.since),
      until: timeFlag('--until', flags.until),
      limit: Math.min(limit, 100),
    }
    return async (client) => shownTasks(await firstOf(client.list(wanted), limit))
  },
})

const shownTasks = (items: TaskRecord[]) =>
  shownList(items, 'No tasks.', ['ID', 'STATE', 'TOOK', 'CREDITS', 'CREATED (UTC)', 'PROMPT'], (task) => [
    task.taskId,
    stateOf(task),
    task.state === 'generating' ? `${task.progress} %` : task.costTime === null ? '-' : durationText(task.costTime),
    task.creditsConsumed,
    timeText(task.createTime),
    promptOf(task).replace(/\s+/g, ' '),
  ])

/** A canceled task is a failed one on the wire, but nothing went wrong with it. */
const stateOf = (task: TaskRecord) => (task.failReason === 'canceled' ? 'canceled' : task.state)

const get = command({
  name: 'tasks get',
  args: ['ID'],
  summary: 'Show one task',
  examples: ['dailies tasks get 0199…'],
  atServer:
    ({ args: [id] }) =>
    async (client) => {
      const task = await client.getTask(await wholeTaskId(client, id))
      return { data: task, text: factsOf(task) }
    },
})

function factsOf(task: TaskRecord): string {
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
    ['Video', videoUrlOf(task)],
    ['Format', videoText(task).join(', ') || null],
    ['Ignored', task.ignoredFields.length > 0 ? task.ignoredFields.join(', ') : null],
  ]
  return [
    ...lines.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(9)}${harmless(value)}`])),
    ...understoodText(task),
  ].join('\n')
}

const watch = command({
  name: 'tasks watch',
  args: ['ID'],
  summary: 'Follow a task to its end; exit code 1 when it fails',
  examples: ['dailies tasks watch 0199…'],
  atServer:
    ({ args: [id], json }) =>
    async (client) => {
      const taskId = await wholeTaskId(client, id)
      const interrupt = onInterrupt()
      const line = json ? silentLine : createProgressLine(process.stderr)
      try {
        const record = await client.wait(taskId, { onProgress: line.show, signal: interrupt.signal })
        line.end()
        return { data: record, text: factsOf(record) }
      } catch (error) {
        line.end()
        if (!interrupt.signal.aborted) throw error
        const record = await client.getTask(taskId)
        return { data: record, text: 'Stopped watching; the task goes on.', exitCode: interrupt.exitCode() }
      } finally {
        interrupt.stop()
      }
    },
})

const cancel = command({
  name: 'tasks cancel',
  args: ['ID'],
  summary: 'Cancel a task that has not ended; nothing is charged',
  examples: ['dailies tasks cancel 0199…'],
  atServer:
    ({ args: [id] }) =>
    async (client) => {
      const data = await client.cancel(await wholeTaskId(client, id))
      return { data, text: `The task ${data.taskId} is canceled.` }
    },
})

const extend = command({
  name: 'tasks extend',
  args: ['ID'],
  flags: {
    prompt: { value: 'TEXT', help: 'what happens next' },
    duration: { value: 'SECONDS', help: 'length of the new part' },
    callback: { value: 'URL', help: 'URL for the signed callback when the task ends' },
  },
  summary: 'Make a video that continues from the last frame of another',
  examples: ['dailies tasks extend 0199… --prompt "it sails on"'],
  atServer({ args: [id], flags: { prompt, duration, callback } }) {
    if (!prompt) throw new UsageError('tasks extend needs --prompt')
    return async (client) => {
      const taskId = await client.extend({
        taskId: await wholeTaskId(client, id),
        prompt,
        callBackUrl: callback,
        // The server validates it.
        duration: duration as ExtendTask['duration'],
      })
      return { data: { taskId }, text: `${taskId}\nFollow it with: dailies tasks watch ${taskId}` }
    }
  },
})

const remove = command({
  name: 'tasks delete',
  args: ['ID'],
  summary: 'Delete the record and files of a task that has ended',
  examples: ['dailies tasks delete 0199…'],
  atServer:
    ({ args: [id] }) =>
    async (client) => {
      const data = await client.deleteTask(await wholeTaskId(client, id))
      return { data, text: `The task ${data.taskId} is deleted.` }
    },
})

const download = command({
  name: 'tasks download',
  args: ['ID'],
  flags: { out: { value: 'FILE', help: 'where to save the video; by default a name from the prompt' } },
  summary: 'Save the video of a finished task',
  examples: ['dailies tasks download 0199… --out boat.mp4'],
  atServer:
    ({ args: [id], flags }) =>
    async (client) => {
      const task = await client.getTask(await wholeTaskId(client, id))
      const url = videoUrlOf(task)
      if (!url)
        throw new OperatorError(
          isFinal(task) ? 'the task has no video' : 'the task has not ended yet; dailies tasks watch follows it',
        )
      const path = resolve(flags.out ?? videoFileName(task))
      await checkPlace(path)
      const video = await client.download(url)
      await saveVideo(video, path)
      return {
        data: { taskId: task.taskId, out: path, bytes: video.size },
        text: `Saved ${path} (${[...videoText(task), bytesText(video.size)].join(', ')}).`,
      }
    },
})

const share = command({
  name: 'tasks share',
  args: ['ID'],
  flags: {
    for: { value: 'DURATION', help: 'how long the link works (7d); never longer than the video' },
    list: { help: 'list the links of the task' },
    revoke: { value: 'LINK', help: 'revoke the link with this id' },
  },
  summary: 'Make a link that plays the video without a key',
  examples: ['dailies tasks share 0199… --for 1d'],
  atServer({ args: [id], flags }) {
    const forMs = flags.for === undefined ? undefined : parseDuration(flags.for)
    if (forMs === null) throw new UsageError(`--for must be a duration such as 12h or 7d, not "${flags.for}"`)
    return async (client) => shareTask(client, await wholeTaskId(client, id), { ...flags, forMs })
  },
})

async function shareTask(
  client: Dailies,
  taskId: string,
  flags: { revoke?: string; list?: true; forMs: number | undefined },
): Promise<CommandResult> {
  if (flags.revoke !== undefined) {
    const data = await client.shares.revoke(taskId, flags.revoke)
    return { data, text: `The link ${data.id} is revoked.` }
  }
  if (flags.list) {
    const items = await client.shares.list(taskId)
    return shownList(items, 'No links.', ['ID', 'CREATED (UTC)', 'EXPIRES (UTC)'], (link) => [
      link.id,
      timeText(link.createdAt),
      timeText(link.expiresAt),
    ])
  }
  const { forMs } = flags
  const link = await client.shares.create(taskId, forMs === undefined ? {} : { expiresAt: Date.now() + forMs })
  return { data: link, text: `${link.url}\nIt works until ${timeText(link.expiresAt)} UTC.` }
}

export const taskCommands: Command[] = [list, get, watch, cancel, extend, remove, download, share]
