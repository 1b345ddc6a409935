// The attacker of bench/attacks.ts: `node attacker.ts URL KEY SUB-KEY LIMITED-KEY MCP-URL`.
import {
  type Attack,
  largeBodyAttacks,
  makeAttacks,
  manyStreams,
  unreadLists,
} from '../../test/support/attacks/attacks.ts'
import { formAttacks } from '../../test/support/attacks/forms.ts'
import { keyAttacks } from '../../test/support/attacks/key-attacks.ts'
import { answerMessages } from './child.ts'

const [url, key, subKey, limitedKey, mcpUrl] = process.argv.slice(2) as [string, string, string, string, string]
const target = { url, key }
const attacks: Attack[] = [
  ...(await makeAttacks(target)),
  ...largeBodyAttacks(target),
  ...(await formAttacks(target)),
  await unreadLists(target, 12),
  await manyStreams({ url, key: subKey }, 500),
  ...(await keyAttacks(target, { limitedKey, mcpUrl })),
]

let stop = new AbortController()
let running: Promise<unknown> = Promise.resolve()

answerMessages<{ list?: true; start?: string; stop?: true }>(async (message) => {
  if (message.list) return attacks.map(({ name }) => name)
  if (message.stop) {
    stop.abort()
    await running
  }
  const attack = attacks.find(({ name }) => name === message.start)
  if (!attack) return
  stop = new AbortController()
  running = attack.run(stop.signal)
})
