// Two services in a row: the front one, which clients see, sends every task to the back one, which generates.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppOverrides } from '../../../src/app.ts'
import type { InputFile, Plan } from '../../../src/engines/engine.ts'
import { newId } from '../../../src/platform/ids.ts'
import { reserveFiles } from '../../../src/storage/files.ts'
import { createFolderStorage } from '../../../src/storage/folder.ts'
import type { TaskRow } from '../../../src/tasks/store/task-row.ts'
import { jpeg } from '../files/image-files.ts'
import { configured, engineFile } from './engine-file.ts'
import { startOneService, type TestService, testKey } from './one-service.ts'

export interface Chain {
  front: TestService
  back: TestService
  stop(): Promise<void>
}

/** Settings about generating are for the service that generates; all others are for the one that clients see. */
const ofBoth = ['OTEL_EXPORTER_OTLP_ENDPOINT']
const aboutGenerating = ['TEST_ENGINE', 'DAILIES_UPSTREAM_SILENCE', 'DAILIES_RENDER_SLOTS']

/**
 * Everything that a test replaces is replaced in front, except for the engine; both have the same models. The back is an installation like any
 * other, with a folder inside the front's: both are started again on what they left.
 */
export async function startChain(env: Record<string, string>, overrides: AppOverrides = {}): Promise<Chain> {
  const { engine, fetchInputs, ...others } = overrides
  const ofBack = Object.entries(env).filter(([name]) => [...aboutGenerating, ...ofBoth].includes(name))
  const ofFront = Object.entries(env).filter(([name]) => !aboutGenerating.includes(name))
  const back = await startOneService(
    {
      ...Object.fromEntries(ofBack),
      DAILIES_DATA: join(env.DAILIES_DATA!, 'behind'),
      DAILIES_CREDITS: '1000000000',
      DAILIES_MODERATION: 'off',
    },
    { ...(engine ? { engine } : {}), ...(others.models ? { models: others.models } : {}) },
  )
  const slots = Number(env.DAILIES_RENDER_SLOTS ?? 4)
  const settings = { type: 'upstream', url: back.url, key: testKey, slots, pollEvery: '50ms' }
  const config = await configured(
    engineFile(
      settings,
      {},
      others.models?.map(({ id }) => id),
    ),
  )
  const front: TestService = await startOneService(
    { ...config.env, ...Object.fromEntries(ofFront) },
    fetchInputs ? { ...others, fetchInputs: withPictures(fetchInputs, () => front) } : others,
  )
  return {
    front,
    back,
    async stop() {
      await using ends = new AsyncDisposableStack()
      for (const end of [config.remove, back.stop, front.stop]) ends.defer(end)
    },
  }
}

/** A generator is sent bytes: plans that were made without looking at input files get a real picture in its place. */
function withPictures(
  fetchInputs: NonNullable<AppOverrides['fetchInputs']>,
  service: () => TestService,
): AppOverrides['fetchInputs'] {
  return async (task, held, usual) => {
    const plan = await fetchInputs(task, held, usual)
    const picture = await storePicture(service(), task)
    return replaceInputs(plan, picture)
  }
}

function replaceInputs(plan: Plan, picture: InputFile): Plan {
  return {
    ...plan,
    firstFrame: picture,
    lastFrame: plan.lastFrame && picture,
    elements: plan.elements.map((element) => ({
      ...element,
      material: element.material.map(() => picture),
      audio: [],
    })),
  }
}

const pictureSize = { width: 64, height: 36 }
/** Longer than any test lets its clock leap. */
const pictureTtlMs = 365 * 86_400_000
const pictureBytes = jpeg(pictureSize.width, pictureSize.height)

/** An input of the task like any that is gathered: it goes when the task ends. */
async function storePicture({ app, dataDir, filesDir }: TestService, task: TaskRow): Promise<InputFile> {
  const bytes = await pictureBytes
  const nowMs = app.clock.now()
  const input = { purpose: 'input', name: 'input', mime: 'image/jpeg', bytes: bytes.length } as const
  const whose = { account_id: task.account_id, task_id: task.id, expires_at: nowMs + pictureTtlMs }
  const [row] = await app.db.transaction((tx) => reserveFiles(tx, [{ ...input, ...whose }], nowMs))
  const path = join(dataDir, 'tmp', newId(nowMs))
  await writeFile(path, bytes)
  await createFolderStorage(filesDir).put(row!.storage_key, path)
  return { file: row!.storage_key, kind: 'image', ...pictureSize }
}

export async function uploadImage(service: Pick<TestService, 'api'>, width = 320, height = 180): Promise<string> {
  const base64Data = (await jpeg(width, height)).toString('base64')
  const answer = await service.api.post('/api/v1/files/upload', { base64Data, fileName: 'first.jpg' })
  if (answer.status !== 200) throw new Error(`the upload responded with ${answer.text}`)
  return answer.body.data.downloadUrl
}
