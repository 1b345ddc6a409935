// The request of `dailies generate`: a JSON file, overridden by flags, and the local files that it names.
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Dailies } from '../../../client/src/public.ts'
import { sniffFile } from '../../media/sniff.ts'
import { videoModels } from '../../models/catalogue.ts'
import type { VideoModel, WireElement, WireRequest } from '../../models/model.ts'
import { OperatorError } from '../../platform/errors.ts'
import { withoutUndefined } from '../../platform/without-undefined.ts'
import { type Flags, type FlagValues, UsageError } from '../command.ts'

export interface Request {
  model: string
  input: Record<string, unknown>
  callBackUrl: string | undefined
}

export const requestFlags = {
  image: { value: 'FILE', help: 'the first frame, a JPEG or PNG file or a URL' },
  prompt: { value: 'TEXT', help: 'what the video shows' },
  'tail-image': { value: 'FILE', help: 'the last frame' },
  model: {
    value: 'MODEL',
    help: `by default the first that takes the flags: ${videoModels.map(({ id }) => id).join(', ')}`,
  },
  duration: { value: 'SECONDS', help: 'length of the video (5)' },
  resolution: { value: 'SIZE', help: '720p, 1080p or 4k, if the model has several' },
  'aspect-ratio': { value: 'RATIO', help: '16:9, 9:16 or 1:1, with --shot' },
  'negative-prompt': { value: 'TEXT', help: 'what the video should not show, if the model supports it' },
  seed: { value: 'NUMBER', help: 'a whole number; the same request and seed give the same pictures again' },
  audio: { help: 'with a sound track, if the model supports it' },
  shot: { value: 'SECONDS:TEXT', help: 'one shot; repeat the flag for up to six', many: true },
  element: {
    value: 'NAME:TEXT:FILE,FILE',
    help: 'a subject that the prompt names as @NAME; may be repeated',
    many: true,
  },
  callback: { value: 'URL', help: 'URL for the signed callback when the task ends' },
  input: { value: 'FILE.json', help: 'a whole request, or its input, as JSON; flags override it' },
} satisfies Flags

export async function readRequest(
  flags: FlagValues<typeof requestFlags>,
  models: readonly VideoModel[] = videoModels,
): Promise<Request> {
  const base = flags.input === undefined ? {} : await readInputFile(flags.input)
  const fromFile = (base.input ?? {}) as Record<string, unknown>
  const needs = { shots: flags.shot?.map(shotOf), elements: flags.element?.map(elementOf) }
  const named = flags.model ?? base.model
  const takesAll = (model: VideoModel) => unwritten(model, needs).length === 0
  const known = models.find(({ id }) => id === named)
  const model = known ?? models.find(takesAll) ?? models[0]!
  // The frames of a file for a model that only the server knows stay as they are.
  const isKnown = known !== undefined || named === undefined
  const { first, last, others } = isKnown ? framesIn(fromFile, models) : { others: fromFile }
  const asked: WireRequest = {
    ...needs,
    prompt: flags.prompt,
    seconds: flags.duration,
    resolution: flags.resolution,
    ratio: flags['aspect-ratio'],
    negativePrompt: flags['negative-prompt'],
    audio: flags.audio,
    seed: flags.seed === undefined ? undefined : wholeNumber('seed', flags.seed),
    firstFrame: flags.image ?? first,
    lastFrame: flags['tail-image'] ?? last,
  }
  // The server reports what the model does not take as ignored.
  const ignored = unwritten(model, asked).map((name) => [flagFields[name] ?? name, asked[name]])
  const input = { ...others, ...Object.fromEntries(ignored), ...model.toWire(asked) }
  const hasFrame = models.some(({ fields }) => fields.firstFrame.some((name) => input[name] !== undefined))
  if (!hasFrame) throw new UsageError('generate needs --image')
  const words = input[model.fields.prompt]
  if (typeof words !== 'string' || words.trim() === '') throw new UsageError('generate needs --prompt')
  return { model: named ?? model.id, input, callBackUrl: flags.callback ?? base.callBackUrl }
}

/** Under which name the server reports a flag that the model does not take, where it is not the flag's. */
const flagFields: Partial<Record<keyof WireRequest, string>> = {
  ratio: 'aspect_ratio',
  negativePrompt: 'negative_prompt',
  lastFrame: 'tail_image',
}

/** What is asked for and the model has no field for. */
function unwritten(model: VideoModel, asked: WireRequest): (keyof WireRequest)[] {
  const names = Object.keys(withoutUndefined(asked)) as (keyof WireRequest)[]
  return names.filter((name) => Object.keys(model.toWire({ [name]: asked[name] })).length === 0)
}

/** A whole body, or only the input. */
async function readInputFile(path: string): Promise<Partial<Request>> {
  let content: unknown
  try {
    content = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw new OperatorError(`--input ${path}: ${(error as Error).message}`)
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new OperatorError(`--input ${path}: must hold a JSON object`)
  }
  return 'input' in content ? (content as Partial<Request>) : { input: content as Record<string, unknown> }
}

function wholeNumber(flag: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${flag} must be a whole number, not "${text}"`)
  return Number(text)
}

function shotOf(text: string): { seconds: string; prompt: string } {
  const [, seconds, prompt] = /^(\d+(?:\.\d+)?)s?:([\s\S]+)$/.exec(text) ?? []
  if (!seconds || !prompt)
    throw new UsageError(`--shot must be SECONDS:TEXT such as "3:wide, slow pan left", not "${text}"`)
  return { seconds, prompt: prompt.trim() }
}

function elementOf(text: string): WireElement {
  const [, name, description, files] = /^([^:]+):([^:]*):([\s\S]+)$/.exec(text) ?? []
  if (!name || !files) {
    throw new UsageError(`--element must be NAME:TEXT:FILE,FILE such as "dog:a brown dog:a.jpg,b.jpg", not "${text}"`)
  }
  return { name, description: description || name, urls: files.split(',') }
}

/** The frames of an input that may have been written for another model, and its other fields. */
function framesIn(input: Record<string, unknown>, models: readonly VideoModel[]) {
  const find = (names: string[]) => names.map((name) => input[name]).find((value) => value !== undefined)
  const firsts = models.flatMap(({ fields }) => fields.firstFrame)
  const lasts = models.flatMap(({ fields }) => fields.lastFrame ?? [])
  const [first, last = find(lasts)] = [find(firsts)].flat() as string[]
  const others = Object.entries(input).filter(([name]) => ![...firsts, ...lasts].includes(name))
  return { first, last: last as string | undefined, others: Object.fromEntries(others) }
}

const isUrl = (text: string) => /^https?:\/\//.test(text)

/** The request's input with `replace` applied to every local file that it names, and to nothing else. */
function mapLocalFiles(
  input: Request['input'],
  models: readonly VideoModel[],
  replace: (path: string, isFrame: boolean) => string,
): Request['input'] {
  const fileOf = (isFrame: boolean) => (value: unknown) =>
    typeof value === 'string' && value !== '' && !isUrl(value) ? replace(value, isFrame) : value
  const frames = models.flatMap(({ fields }) => [...fields.firstFrame, ...(fields.lastFrame ? [fields.lastFrame] : [])])
  const lists = models.flatMap(({ fields }) => fields.elements ?? [])
  return lists.reduce(
    (mapped, { list, urls }) => mapFields(mapped, [list], (entry) => mapFields(entry, urls, fileOf(false))),
    mapFields(input, frames, fileOf(true)),
  ) as Request['input']
}

/** The fields hold one value or a list. What is not an object stays as it is: the server validates it. */
function mapFields(owner: unknown, fields: readonly string[], map: (value: unknown) => unknown): unknown {
  if (typeof owner !== 'object' || owner === null) return owner
  const changed = Object.entries(owner)
    .filter(([name]) => fields.includes(name))
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(map) : map(value)])
  return { ...owner, ...Object.fromEntries(changed) }
}

/** Local files of the request, in the order in which they are uploaded. */
function localFiles({ input }: Request, models: readonly VideoModel[]): { path: string; isFrame: boolean }[] {
  const files: { path: string; isFrame: boolean }[] = []
  mapLocalFiles(input, models, (path, isFrame) => {
    files.push({ path, isFrame })
    return path
  })
  return files
}

/** Reports problems before the server is called. */
export async function checkFiles(request: Request, models = videoModels): Promise<void> {
  for (const { path, isFrame } of localFiles(request, models)) {
    const found = await stat(path).catch(() => null)
    if (!found) throw new OperatorError(`there is no file ${path}`)
    if (!found.isFile()) throw new OperatorError(`${path} is not a file`)
    const { format, name } = await sniffFile(path)
    if (isFrame && format !== 'jpeg' && format !== 'png')
      throw new OperatorError(`${path} is ${name}; it must be a JPEG or PNG image`)
  }
}

/** The request with every local file uploaded and replaced by its URL. */
export async function uploadFiles(
  client: Dailies,
  request: Request,
  signal: AbortSignal,
  models = videoModels,
): Promise<Request> {
  const urls = new Map<string, string>()
  for (const { path } of localFiles(request, models)) {
    if (urls.has(path)) continue
    const { downloadUrl } = await client.upload(await readFile(path), { fileName: basename(path), signal })
    urls.set(path, downloadUrl)
  }
  return { ...request, input: mapLocalFiles(request.input, models, (path) => urls.get(path)!) }
}
