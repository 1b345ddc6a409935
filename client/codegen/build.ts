// npm run build:contract: writes client/src/contract.ts.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { contractText } from './contract.ts'

const path = fileURLToPath(new URL('../src/contract.ts', import.meta.url))
writeFileSync(path, contractText())
execFileSync('npx', ['biome', 'format', '--write', path], { stdio: 'inherit' })
