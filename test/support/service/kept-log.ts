// The log of every service that tests start, at every level: when a service stops, no key, secret, prompt or name of a
// file may be in it. What the tests' own client sends and receives of these is remembered here.
import assert from 'node:assert/strict'
import { createLogger, type Logger } from '../../../src/platform/logger.ts'

/** Shorter texts may be in a log by coincidence. */
const charactersMin = 10
/** The latest ones; enough for a test, and cheap to look for. */
const rememberedMax = 200
/** A whole text is not needed to find it. */
const charactersMax = 60

const hidden = new Set<string>()

/** Anything that looks like a key or a signing secret. */
const secrets = /\bdk_[\w-]{20,}|whsec_[\w+/-]{20,}/

export function hide(text: unknown): void {
  if (typeof text !== 'string' || text.length < charactersMin) return
  const shown = text.slice(0, charactersMax)
  hidden.delete(shown)
  hidden.add(shown)
  if (hidden.size > rememberedMax) hidden.delete(hidden.values().next().value!)
}

/** Looks into the body of a request for what must not be logged. */
export function hideRequest(body: unknown): void {
  if (typeof body !== 'object' || body === null) return
  const { prompt, inputs, input, fileName } = body as Record<string, unknown>
  for (const text of [prompt, fileName, ...(Array.isArray(inputs) ? inputs.slice(0, 3) : [])]) hide(text)
  if (typeof input === 'object') hideRequest(input)
  else hide(input)
}

/**
 * Lines that differ only in numbers and ids are alike. A service logs thousands of requests, but few kinds of lines, and
 * each kind is looked at once.
 */
const kindOf = (text: string) => text.replace(/[0-9a-f]*[0-9][0-9a-f]*/gi, '#')

interface KeptLog {
  log: Logger
  /** Adds lines that another process has logged. */
  add(lines: string): void
  /** Fails when a line holds something that must not be logged. */
  check(): void
}

export function createKeptLog(): KeptLog {
  const kinds = new Map<string, string>()
  let withSecret: string | undefined
  const write = (line: string) => {
    if (secrets.test(line)) withSecret ??= line
    const kind = kindOf(line)
    if (!kinds.has(kind)) kinds.set(kind, line)
  }
  return {
    log: createLogger('debug', { write }),
    add: (lines) => lines.split('\n').forEach(write),
    check() {
      assert.equal(withSecret, undefined, 'the log holds a key or secret')
      const texts = [...hidden]
        .map((text) => ({ text, logged: kindOf(JSON.stringify(text).slice(1, -1)) }))
        .filter(({ logged }) => logged.length >= charactersMin)
      for (const [kind, line] of kinds) {
        const found = texts.find(({ logged }) => kind.includes(logged))
        assert.ok(!found, `the log holds "${found?.text}": ${line}`)
      }
    },
  }
}
