// Attacks by what a client does with its keys: many logins, a sub-key that should free its parent of its rate, a replaced
// secret, forged addresses, MCP without a key. `plain reads` is the same number of requests that do nothing.
import { createApi } from '../service/api.ts'
import { type Attack, jsonOptions, repeat, type Target } from './attacks.ts'
import { requestBytes } from './lanes.ts'

const creditPath = '/api/v1/account/credit'
const atOnce = 32
const addresses = 256

interface Others {
  /** A main key with a rate of its own. */
  limitedKey: string
  /** Of `dailies mcp --http` for the same service. */
  mcpUrl: string
}

export async function keyAttacks(target: Target, { limitedKey, mcpUrl }: Others): Promise<Attack[]> {
  const limited = createApi(target.url, limitedKey)
  const unlimitedSubKey = (await limited.post('/api/v1/keys', { name: 'without a rate' })).body.data.key
  const created = await createApi(target.url, target.key).post('/api/v1/operator/accounts', {
    name: `old ${Date.now()}`,
  })
  const oldSecret = created.body.data.key
  await createApi(target.url, oldSecret).post('/api/v1/keys/self/rotate', { overlap: '1h' })
  const login = jsonOptions({ key: target.key })
  const post = (key: string, path: string, options = jsonOptions({})) =>
    requestBytes({ ...target, key }, 'POST', path, options)
  const get = (key: string, headers = {}) => requestBytes({ ...target, key }, 'GET', creditPath, { headers })
  const forged = Array.from({ length: addresses }, (_, i) =>
    get(`dk_guess${i}`, { 'x-forwarded-for': `192.0.2.${i}, 198.51.100.7` }),
  )
  const nested = { ...jsonOptions({}), raw: '['.repeat(14_000_000) }
  const mcp = requestBytes({ url: mcpUrl, key: 'dk_no-key-at-all' }, 'POST', '/mcp', nested)
  const attack = (name: string, lanes: number, requests: Buffer[], url = target.url): Attack => ({
    name,
    run: repeat(url, lanes, requests),
  })
  return [
    attack('plain reads of the balance', atOnce, [get(target.key)]),
    attack('logins to the console', atOnce, [
      post(target.key, '/console/session', { ...login, headers: { ...login.headers, 'x-dailies-console': '1' } }),
    ]),
    attack('sub-key of a rate-limited key', atOnce, [get(unlimitedSubKey)]),
    attack('replaced secret that rotates', atOnce, [post(oldSecret, '/api/v1/keys/self/rotate')]),
    attack('guessed keys, forged addresses', atOnce, forged),
    attack('MCP calls without a valid key', 4, [mcp], mcpUrl),
  ]
}
