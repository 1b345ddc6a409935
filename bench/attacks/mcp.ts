// `dailies mcp --http` in a process of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export async function startMcp(serviceUrl: string): Promise<{ url: string; stop(): void }> {
  const args = [main, 'mcp', '--http', '--port', '0', '--url', serviceUrl, '--json']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { url: (JSON.parse(line) as { url: string }).url, stop: () => void child.kill('SIGTERM') }
}
