// Two services in a row: the front one sends every task to the back one, which does what the prompt's script says.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { variantA, variantB } from './api.ts'
import { jpeg } from './image-files.ts'
import { startService, type TestService, testKey } from './service.ts'

/** A file that sends both models to one engine. */
export function engineFile(engine: object, model: object = {}): object {
  const route = { engines: ['peer'], ...model }
  return { engines: { peer: engine }, models: { [variantA]: route, [variantB]: route } }
}

/** Writes the file and answers the settings that make a service read it. */
export async function configured(content: object): Promise<{ env: Record<string, string>; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'dailies-config-'))
  const path = join(folder, 'dailies.config.json')
  await writeFile(path, JSON.stringify(content))
  return {
    env: { DAILIES_CONFIG: path, DAILIES_MODERATION: 'off' },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

export interface Chain {
  front: TestService
  back: TestService
  /** An image that the front service has in its own storage. */
  imageUrl: string
  stop(): Promise<void>
}

export async function startChain(options: { engine?: object; back?: Record<string, string> } = {}): Promise<Chain> {
  const back = await startService(options.back ?? {})
  const settings = { type: 'upstream', url: back.url, key: testKey, slots: 4, pollEvery: '50ms', ...options.engine }
  const config = await configured(engineFile(settings))
  const front = await startService(config.env)
  return {
    front,
    back,
    imageUrl: await uploadImage(front),
    async stop() {
      await front.stop()
      await back.stop()
      await config.remove()
    },
  }
}

export async function uploadImage(service: Pick<TestService, 'api'>, width = 320, height = 180): Promise<string> {
  const base64Data = (await jpeg(width, height)).toString('base64')
  const answer = await service.api.post('/api/v1/files/upload', { base64Data, fileName: 'first.jpg' })
  if (answer.status !== 200) throw new Error(`the upload answered ${answer.text}`)
  return answer.body.data.downloadUrl
}
