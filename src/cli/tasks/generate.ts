// dailies generate: images to a video in a local file, through the public client.
import { resolve } from 'node:path'
import {
  type CreateTask,
  Dailies,
  InvalidRequest,
  type TaskRecord,
  videoFileName,
  videoUrlOf,
} from '../../../client/src/public.ts'
import { type CommandInput, type CommandResult, command, type Flags, serverFlags, UsageError } from '../command.ts'
import { explained } from '../connect/client.ts'
import { findOrStartServer, findServer } from '../connect/server.ts'
import { type Interrupt, onInterrupt } from '../terminal/interrupt.ts'
import { bytesText } from '../terminal/print.ts'
import { createProgressLine, durationText, type ProgressLine, silentLine } from '../terminal/progress-line.ts'
import { checkFiles, type Request, readRequest, requestFlags, uploadFiles } from './request.ts'
import { checkPlace, openFile, saveVideo } from './video-file.ts'
import { understoodText, videoText } from './words.ts'

const flags = {
  ...requestFlags,
  out: { value: 'FILE', help: 'where to save the video; by default a name from the prompt' },
  open: { help: 'open the video when it is finished' },
  detach: { help: 'print the task id and do not wait; needs a running server' },
  ...serverFlags,
} satisfies Flags

export const generate = command({
  name: 'generate',
  flags,
  summary: 'Turn an image into a video',
  details:
    'Without a running server, it starts one for as long as the task takes. Ctrl+C cancels the task. Local files named in --input are uploaded.',
  examples: [
    'dailies generate --image boat.jpg --prompt "slow push in, waves roll" --out boat.mp4',
    'dailies generate --image boat.jpg --prompt "a day at sea" --shot "3:wide, pan left" --shot "4:push in" --audio',
    'dailies generate --input request.json --detach',
  ],
  run,
})

async function run(input: CommandInput<readonly [], typeof flags>): Promise<CommandResult> {
  const { json } = input
  const { out, open, detach } = input.flags
  const request = await readRequest(input.flags)
  await checkFiles(request)
  if (out?.trim() === '') throw new UsageError('--out must not be empty')
  if (out !== undefined) await checkPlace(resolve(out))
  const interrupt = onInterrupt()
  const server = await (detach ? findServer(input) : findOrStartServer(input))
  try {
    if (server.firstKey) {
      const words = `A first API key was made: ${server.firstKey}   (shown only once; it is stored only as a hash)`
      ;(json ? console.error : console.log)(words)
    }
    const client = new Dailies({ baseUrl: server.url, apiKey: server.key })
    if (detach) return await detached(client, request, interrupt.signal)
    const line = json ? silentLine : createProgressLine(process.stderr)
    const made = await make(client, request, interrupt, line, out)
    if (open && made.saved) openFile(made.saved)
    return made.result
  } catch (error) {
    throw explained(error, server.url)
  } finally {
    await server.close?.()
    interrupt.stop()
  }
}

async function detached(client: Dailies, request: Request, signal: AbortSignal): Promise<CommandResult> {
  const taskId = await create(client, request, signal)
  return { data: { taskId }, text: `${taskId}\nFollow it with: dailies tasks watch ${taskId}` }
}

async function create(client: Dailies, request: Request, signal: AbortSignal): Promise<string> {
  const uploaded = await uploadFiles(client, request, signal)
  // Not aborted: a task whose id is unknown could not be canceled. The server validates the fields.
  return client.createTask(uploaded as unknown as CreateTask)
}

async function make(
  client: Dailies,
  request: Request,
  interrupt: Interrupt,
  line: ProgressLine,
  out: string | undefined,
): Promise<{ result: CommandResult; saved: string | null }> {
  const { signal } = interrupt
  let taskId: string | null = null
  try {
    taskId = await create(client, request, signal)
    const record = await client.wait(taskId, { onProgress: line.show, signal })
    const video = await client.download(videoUrlOf(record)!, { signal })
    const path = resolve(out ?? videoFileName(record))
    await saveVideo(video, path)
    line.end()
    return { result: finished(record, path, video.size), saved: path }
  } catch (error) {
    line.end()
    if (!signal.aborted) throw error
    return { result: await interrupted(client, taskId, interrupt.exitCode()), saved: null }
  }
}

function finished(record: TaskRecord, outPath: string, bytes: number): CommandResult {
  const { taskId, model, state, creditsConsumed, costTime, ignoredFields, understood, video } = record
  const facts = [...videoText(record), bytesText(bytes), `made in ${durationText(costTime ?? 0)}`]
  const ignored = ignoredFields.length > 0 ? [`The model does not know, and ignored: ${ignoredFields.join(', ')}`] : []
  const lines = [
    `Saved ${outPath} (${facts.join(', ')}, ${creditsConsumed} credits).`,
    ...understoodText(record),
    ...ignored,
  ]
  return {
    data: { taskId, model, state, out: outPath, bytes, creditsConsumed, costTime, ignoredFields, understood, video },
    text: lines.join('\n'),
  }
}

async function interrupted(client: Dailies, taskId: string | null, exitCode: number): Promise<CommandResult> {
  if (taskId === null) return { data: { taskId, state: null }, text: 'Stopped; no task was created.', exitCode }
  try {
    await client.cancel(taskId)
    return { data: { taskId, state: 'fail' }, text: 'Canceled; nothing was charged.', exitCode }
  } catch (error) {
    // The task ended at the same moment.
    if (!(error instanceof InvalidRequest)) throw error
    const { state } = await client.getTask(taskId)
    return { data: { taskId, state }, text: `Stopped; the task had ended already: ${state}.`, exitCode }
  }
}
