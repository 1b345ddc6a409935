// dailies login and logout.
import { createInterface } from 'node:readline/promises'
import { text as readAll } from 'node:stream/consumers'
import { Dailies } from '../../../client/src/public.ts'
import { ownUrl, readEnvironment } from '../../config.ts'
import { OperatorError } from '../../platform/errors.ts'
import { type Command, command, UsageError } from '../command.ts'
import { explained } from '../connect/client.ts'
import { forgetLogin, loginPath, saveLogin } from '../connect/saved-login.ts'

const login = command({
  name: 'login',
  args: ['[URL]'],
  flags: {
    key: { value: 'KEY', help: 'the API key; by default DAILIES_KEY, or it is asked for, or read from a pipe' },
  },
  summary: 'Save a server and a key for later commands',
  details:
    'The server is that of DAILIES_URL where no URL is given. The key is checked first. It is saved in a file that only you can read; dailies logout removes it.',
  examples: ['dailies login https://dailies.example.com', 'pass dailies | dailies login http://127.0.0.1:8080'],
  async run({ args, flags, config }) {
    const env = readEnvironment()
    const url = (args[0] ?? (env.DAILIES_URL?.trim() || config.publicUrl || ownUrl(config))).replace(/\/+$/, '')
    if (!/^https?:\/\/./.test(url) || !URL.canParse(url))
      throw new UsageError(`URL must be http or https, not "${url}"`)
    const key = (flags.key ?? (env.DAILIES_KEY?.trim() || (await askForKey(url)))).trim()
    if (key === '') throw new OperatorError('no key was given')
    const client = new Dailies({ baseUrl: url, apiKey: key, retries: 1 })
    const credits = await client.credit().catch((error) => {
      throw explained(error, url)
    })
    saveLogin({ url, key })
    return {
      data: { url, credits, savedTo: loginPath() },
      text: `Logged in at ${url} (${credits} credits). Saved to ${loginPath()}.`,
    }
  },
})

async function askForKey(url: string): Promise<string> {
  if (!process.stdin.isTTY) {
    return (await readAll(process.stdin)).split('\n')[0]!
  }
  process.stderr.write(`API key for ${url}: `)
  // What is typed is not shown: nothing but the question is written to the terminal.
  const silent = Object.assign(Object.create(process.stderr), { write: () => true })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

const logout = command({
  name: 'logout',
  summary: 'Forget the saved server and key',
  examples: ['dailies logout'],
  async run() {
    forgetLogin()
    return { data: { removed: loginPath() }, text: `Removed ${loginPath()}.` }
  },
})

export const loginCommands: Command[] = [login, logout]
