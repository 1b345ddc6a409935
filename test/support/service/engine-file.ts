// A dailies.config.json of a test's own.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { variantA, variantB } from './api.ts'

/** A file that sends all models to one engine. */
export function engineFile(engine: object, model: object = {}, ids = [variantA, variantB]): object {
  const route = { engines: ['remote'], ...model }
  return { engines: { remote: engine }, models: Object.fromEntries(ids.map((id) => [id, route])) }
}

export interface EngineFile {
  /** Settings that make a service read it. */
  env: Record<string, string>
  remove(): Promise<void>
}

export async function configured(content: object): Promise<EngineFile> {
  const folder = await mkdtemp(join(tmpdir(), 'dailies-config-'))
  const path = join(folder, 'dailies.config.json')
  await writeFile(path, JSON.stringify(content))
  return {
    env: { DAILIES_CONFIG: path, DAILIES_MODERATION: 'off' },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
