// Starts the image server in its own process; see `image-server-child.ts` for what it serves.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface ImageServer {
  origin: string
  photoBytes: number
  heavyBytes: number
  close(): Promise<void>
}

export async function startImageServer(): Promise<ImageServer> {
  const child = fork(fileURLToPath(new URL('./image-server-child.ts', import.meta.url)), { execArgv: [] })
  const [{ port, photoBytes, heavyBytes }] = await once(child, 'message')
  return {
    origin: `http://127.0.0.1:${port}`,
    photoBytes,
    heavyBytes,
    async close() {
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    },
  }
}
