// npm run build:docs: writes docs/site/dist, which is kept in the repository so that starting the service needs no build.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { buildOpenApi } from '../../src/http/openapi/openapi.ts'
import { siteFiles } from './site.ts'

const dist = fileURLToPath(new URL('dist/', import.meta.url))
const data = mkdtempSync(join(tmpdir(), 'dailies-docs-'))
const app = await createApp(loadConfig({ DAILIES_DATA: data }))
try {
  const files = siteFiles(buildOpenApi(app.routes, ''))
  rmSync(dist, { recursive: true, force: true })
  for (const [name, text] of files) {
    mkdirSync(dirname(join(dist, name)), { recursive: true })
    writeFileSync(join(dist, name), text)
  }
} finally {
  await app.stop()
  rmSync(data, { recursive: true })
}
