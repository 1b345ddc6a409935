// The request of `dailies generate`: a JSON file, overridden by flags, and the local files that it names.
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Dailies, omniModel, turboModel } from '../../../client/src/public.ts'
import { sniffFile } from '../../media/sniff.ts'
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
  model: { value: 'MODEL', help: `${turboModel} (default) or ${omniModel}` },
  duration: { value: 'SECONDS', help: 'length of the video (5)' },
  resolution: { value: 'SIZE', help: '720p, 1080p or 4k, if the model has several' },
  'aspect-ratio': { value: 'RATIO', help: '16:9, 9:16 or 1:1, with --shot' },
  'negative-prompt': { value: 'TEXT', help: 'what the video should not show, if the model supports it' },
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

export async function readRequest(flags: FlagValues<typeof requestFlags>): Promise<Request> {
  const base = flags.input === undefined ? {} : await readInputFile(flags.input)
  const fromFile = (base.input ?? {}) as Record<string, unknown>
  const shots = (flags.shot ?? []).map(shotOf)
  const elements = (flags.element ?? []).map(elementOf)
  const needsOmni = shots.length > 0 || elements.length > 0
  const model = flags.model ?? base.model ?? (needsOmni ? omniModel : turboModel)
  const input = {
    ...fromFile,
    ...withoutUndefined({
      prompt: flags.prompt,
      duration: flags.duration,
      resolution: flags.resolution,
      aspect_ratio: flags['aspect-ratio'],
      negative_prompt: flags['negative-prompt'],
      audio: flags.audio,
      ...(shots.length > 0 ? { customize_multi_shots: true, multi_prompt: shots } : {}),
      ...(elements.length > 0 ? { elements } : {}),
    }),
    ...framesOf(model, fromFile, flags.image, flags['tail-image']),
  }
  if (input.image_url === undefined && fromFile.image_urls === undefined) throw new UsageError('generate needs --image')
  if (typeof input.prompt !== 'string' || input.prompt.trim() === '') throw new UsageError('generate needs --prompt')
  const callBackUrl = flags.callback ?? base.callBackUrl
  return { model, input, callBackUrl }
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

function shotOf(text: string): { duration: number; prompt: string } {
  const [, seconds, prompt] = /^(\d+(?:\.\d+)?)s?:([\s\S]+)$/.exec(text) ?? []
  if (!seconds || !prompt)
    throw new UsageError(`--shot must be SECONDS:TEXT such as "3:wide, slow pan left", not "${text}"`)
  return { duration: Number(seconds), prompt: prompt.trim() }
}

function elementOf(text: string) {
  const [, name, description, files] = /^([^:]+):([^:]*):([\s\S]+)$/.exec(text) ?? []
  if (!name || !files) {
    throw new UsageError(`--element must be NAME:TEXT:FILE,FILE such as "dog:a brown dog:a.jpg,b.jpg", not "${text}"`)
  }
  return { name, description: description || name, element_input_urls: files.split(',') }
}

function framesOf(model: string, fromFile: Record<string, unknown>, first?: string, last?: string) {
  if (model !== omniModel) return withoutUndefined({ image_url: first, tail_image_url: last })
  const { image_url: given = fromFile.image_urls ?? [], tail_image_url: tail } = fromFile
  // A file may be written for a model that takes the frames as two fields.
  const [firstBefore, lastBefore = tail] = [given].flat()
  const frames = [first ?? firstBefore, last ?? lastBefore].filter((frame) => frame !== undefined)
  return frames.length === 0 ? {} : { image_url: frames, tail_image_url: undefined }
}

const isUrl = (text: string) => /^https?:\/\//.test(text)

/** The request's input with `replace` applied to every local file that it names, and to nothing else. */
function mapLocalFiles(input: Request['input'], replace: (path: string, isFrame: boolean) => string): Request['input'] {
  const fileOf = (isFrame: boolean) => (value: unknown) =>
    typeof value === 'string' && value !== '' && !isUrl(value) ? replace(value, isFrame) : value
  const element = (value: unknown) => mapFields(value, elementFileFields, fileOf(false))
  const framed = mapFields(input, frameFields, fileOf(true)) as Request['input']
  return mapFields(framed, ['elements'], element) as Request['input']
}

const frameFields = ['image_url', 'image_urls', 'tail_image_url']
const elementFileFields = ['element_input_urls', 'element_input_audio_urls']

/** The fields hold one value or a list. What is not an object stays as it is: the server validates it. */
function mapFields(owner: unknown, fields: string[], map: (value: unknown) => unknown): unknown {
  if (typeof owner !== 'object' || owner === null) return owner
  const changed = Object.entries(owner)
    .filter(([name]) => fields.includes(name))
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(map) : map(value)])
  return { ...owner, ...Object.fromEntries(changed) }
}

/** Local files of the request, in the order in which they are uploaded. */
function localFiles({ input }: Request): { path: string; isFrame: boolean }[] {
  const files: { path: string; isFrame: boolean }[] = []
  mapLocalFiles(input, (path, isFrame) => {
    files.push({ path, isFrame })
    return path
  })
  return files
}

/** Reports problems before the server is called. */
export async function checkFiles(request: Request): Promise<void> {
  for (const { path, isFrame } of localFiles(request)) {
    const found = await stat(path).catch(() => null)
    if (!found) throw new OperatorError(`there is no file ${path}`)
    if (!found.isFile()) throw new OperatorError(`${path} is not a file`)
    const { format, name } = await sniffFile(path)
    if (isFrame && format !== 'jpeg' && format !== 'png')
      throw new OperatorError(`${path} is ${name}; it must be a JPEG or PNG image`)
  }
}

/** The request with every local file uploaded and replaced by its URL. */
export async function uploadFiles(client: Dailies, request: Request, signal: AbortSignal): Promise<Request> {
  const urls = new Map<string, string>()
  for (const { path } of localFiles(request)) {
    if (urls.has(path)) continue
    const { downloadUrl } = await client.upload(await readFile(path), { fileName: basename(path), signal })
    urls.set(path, downloadUrl)
  }
  return { ...request, input: mapLocalFiles(request.input, (path) => urls.get(path)!) }
}
