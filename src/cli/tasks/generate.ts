// dailies generate: a local image to a local video, through the client that everybody uses.
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import {
  type CreateTask,
  Dailies,
  DailiesError,
  InvalidRequest,
  NoAnswer,
  NotAuthenticated,
  omniModel,
  TaskFailed,
  type TaskRecord,
  turboModel,
  videoUrlOf,
} from '../../../client/src/public.ts'
import { sniffFile } from '../../media/sniff.ts'
import { OperatorError } from '../../platform/errors.ts'
import { type Command, type CommandInput, type CommandResult, textFlag, UsageError } from '../command.ts'
import { type Interrupt, onInterrupt } from '../terminal/interrupt.ts'
import { bytesText } from '../terminal/print.ts'
import { createProgressLine, durationText, type ProgressLine } from '../terminal/progress-line.ts'
import { type FoundServer, findServer } from './server.ts'

export const generate: Command = {
  name: 'generate',
  args: [],
  flags: {
    image: { value: 'FILE', help: 'the first frame, a JPEG or PNG image' },
    prompt: { value: 'TEXT', help: 'what the video shows' },
    out: { value: 'FILE', help: 'where the mp4 goes' },
    'tail-image': { value: 'FILE', help: 'the last frame' },
    model: { value: 'MODEL', help: `${turboModel} (default) or ${omniModel}` },
    duration: { value: 'SECONDS', help: 'length of the video (5)' },
    resolution: { value: 'SIZE', help: '720p, 1080p or 4k, where the model has a choice' },
    audio: { help: 'with a sound track, where the model has a choice' },
    url: { value: 'URL', help: 'of the server; else the one that runs here, or one just for this command' },
    key: { value: 'KEY', help: 'API key; else one is made in the local database, good for an hour' },
  },
  summary: 'Make a video of an image',
  examples: ['dailies generate --image boat.jpg --prompt "slow push in, waves roll" --out boat.mp4'],
  run,
}

interface Wanted {
  imagePath: string
  tailPath: string | null
  outPath: string
  input: Record<string, unknown>
  model: string
}

async function run(command: CommandInput): Promise<CommandResult> {
  const { flags, json } = command
  const wanted = readFlags(flags)
  await checkFiles(wanted)
  const interrupt = onInterrupt()
  const server = await findServer({ url: textFlag(flags.url), key: textFlag(flags.key) }, () => command.config)
  try {
    if (server.firstKey) {
      const words = `A first API key was made: ${server.firstKey}   (shown this once; it is stored only as a hash)`
      ;(json ? console.error : console.log)(words)
    }
    const silent: ProgressLine = { show() {}, end() {} }
    return await make(server, wanted, interrupt, json ? silent : createProgressLine(process.stderr))
  } catch (error) {
    throw inWords(error, server.url)
  } finally {
    await server.close()
    interrupt.stop()
  }
}

function readFlags(flags: CommandInput['flags']): Wanted {
  const need = (name: string) => {
    const value = textFlag(flags[name])
    if (value === undefined || value.trim() === '') throw new UsageError(`generate needs --${name}`)
    return value
  }
  const tail = textFlag(flags['tail-image'])
  const duration = textFlag(flags.duration)
  const resolution = textFlag(flags.resolution)
  return {
    imagePath: need('image'),
    tailPath: tail ?? null,
    outPath: resolve(need('out')),
    model: textFlag(flags.model) ?? turboModel,
    input: {
      prompt: need('prompt'),
      ...(duration === undefined ? {} : { duration }),
      ...(resolution === undefined ? {} : { resolution }),
      ...(flags.audio ? { audio: true } : {}),
    },
  }
}

/** What is wrong here is better said before a server is asked. */
async function checkFiles({ imagePath, tailPath, outPath }: Wanted): Promise<void> {
  for (const path of tailPath === null ? [imagePath] : [imagePath, tailPath]) {
    const found = await stat(path).catch(() => null)
    if (!found) throw new OperatorError(`there is no file ${path}`)
    if (!found.isFile()) throw new OperatorError(`${path} is not a file`)
    const { format, name } = await sniffFile(path)
    if (format !== 'jpeg' && format !== 'png')
      throw new OperatorError(`${path} is ${name}; it must be a JPEG or PNG image`)
  }
  const folder = await stat(dirname(outPath)).catch(() => null)
  if (!folder?.isDirectory()) throw new OperatorError(`there is no folder ${dirname(outPath)} for --out`)
  if ((await stat(outPath).catch(() => null))?.isDirectory()) throw new OperatorError(`--out ${outPath} is a folder`)
}

async function make(
  server: FoundServer,
  wanted: Wanted,
  interrupt: Interrupt,
  line: ProgressLine,
): Promise<CommandResult> {
  const client = new Dailies({ baseUrl: server.url, apiKey: server.key })
  const { signal } = interrupt
  let taskId: string | null = null
  try {
    const upload = async (path: string) =>
      (await client.upload(await readFile(path), { fileName: basename(path), signal })).downloadUrl
    const first = await upload(wanted.imagePath)
    const last = wanted.tailPath === null ? null : await upload(wanted.tailPath)
    // Not cut short: a task whose id is not known could not be cancelled.
    taskId = await client.createTask(taskOf(wanted, first, last))
    const record = await client.wait(taskId, { onProgress: line.show, signal })
    const video = await client.download(videoUrlOf(record)!, { signal })
    await save(video, wanted.outPath)
    line.end()
    return finished(record, wanted.outPath, video.size)
  } catch (error) {
    line.end()
    if (!signal.aborted) throw error
    return await interrupted(client, taskId, interrupt.exitCode())
  }
}

function taskOf({ model, input }: Wanted, first: string, last: string | null): CreateTask {
  const frames =
    model === omniModel
      ? { image_url: last === null ? [first] : [first, last] }
      : { image_url: first, ...(last === null ? {} : { tail_image_url: last }) }
  // The server has the last word on what a model takes.
  return { model, input: { ...input, ...frames } } as unknown as CreateTask
}

/** A file that is there is whole. */
async function save(video: Blob, path: string): Promise<void> {
  const partPath = `${path}.part`
  try {
    await writeFile(partPath, video.stream())
    await rename(partPath, path)
  } catch (error) {
    await rm(partPath, { force: true })
    throw new OperatorError(`cannot write ${path}: ${(error as Error).message}`, { cause: error })
  }
}

function finished(record: TaskRecord, outPath: string, bytes: number): CommandResult {
  const { taskId, model, state, creditsConsumed, costTime, ignoredFields } = record
  const ignored = ignoredFields.length > 0 ? `\nThe model does not know, and ignored: ${ignoredFields.join(', ')}` : ''
  return {
    data: { taskId, model, state, out: outPath, bytes, creditsConsumed, costTime, ignoredFields },
    text: `Saved ${outPath} (${bytesText(bytes)}, ${durationText(costTime ?? 0)}, ${creditsConsumed} credits).${ignored}`,
  }
}

async function interrupted(client: Dailies, taskId: string | null, exitCode: number): Promise<CommandResult> {
  if (taskId === null) return { data: { taskId, state: null }, text: 'Stopped; no task was created.', exitCode }
  try {
    await client.cancel(taskId)
    return { data: { taskId, state: 'fail' }, text: 'Cancelled; nothing was charged.', exitCode }
  } catch (error) {
    // It ended in the same moment.
    if (!(error instanceof InvalidRequest)) throw error
    const { state } = await client.getTask(taskId)
    return { data: { taskId, state }, text: `Stopped; the task had ended already: ${state}.`, exitCode }
  }
}

function inWords(error: unknown, url: string): unknown {
  if (!(error instanceof DailiesError)) return error
  const options = { cause: error }
  if (error instanceof TaskFailed)
    return new OperatorError(`the task failed: ${error.message} (${error.taskId})`, options)
  if (error instanceof NoAnswer) return new OperatorError(`the server at ${url} is gone: ${error.message}`, options)
  if (error instanceof NotAuthenticated) {
    return new OperatorError(`the server at ${url} does not know this key; give one of its keys with --key`, options)
  }
  return new OperatorError(`the server refused (${error.code}): ${error.message}`, options)
}
