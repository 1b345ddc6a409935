// A server for as long as one command takes, on a free port of this machine.
import { type AppOverrides, createApp } from '../../app.ts'
import type { Config } from '../../config.ts'
import { createLogger } from '../../platform/logger.ts'
import { commandLineKey } from './command-line-key.ts'
import { removeServerAddress } from './server-address.ts'

export interface FoundServer {
  url: string
  key: string
  /** The key that was made for a new installation, to be shown once. */
  firstKey?: string | null
  /** Stops a server that was started for this command. */
  close?(): Promise<void>
}

export async function startOwnServer(
  config: Config,
  overrides: AppOverrides,
  key: string | undefined,
): Promise<FoundServer> {
  const log = createLogger(config.logLevel === 'info' ? 'error' : config.logLevel)
  const app = await createApp({ ...config, host: '127.0.0.1', port: 0, publicUrl: null }, { log, ...overrides })
  try {
    // Other commands must not depend on a server that ends with this one.
    removeServerAddress(config.dataDir)
    const url = await app.start()
    return {
      url,
      key: key ?? (await commandLineKey(config.dataDir, app.db, app.clock)),
      firstKey: app.firstKey,
      close: () => app.stop(),
    }
  } catch (error) {
    await app.stop()
    throw error
  }
}
