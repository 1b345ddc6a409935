import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EngineError } from '../../src/engines/engine.ts'
import { afterFailure, attemptsMax, outOfAttempts, unavailableMax } from '../../src/tasks/attempt/after-failure.ts'

const passing = new EngineError('It was busy.', { retryable: true })
const broken = new EngineError('It has no such model.', { retryable: false, blame: 'engine' })
const refused = new EngineError('It refuses the prompt.', { retryable: false, reason: 'prompt_moderated' })
const away = new EngineError('It cannot be reached.', { retryable: true, unavailable: true })
const last = attemptsMax - 1

const cases: {
  what: string
  error: EngineError | null
  failures?: number
  failedOn?: string[]
  unavailable?: number
  successor?: string
  next: ReturnType<typeof afterFailure>
}[] = [
  { what: 'an unexpected error is retried', error: null, next: { retry: true } },
  { what: 'an error that may pass is retried', error: passing, next: { retry: true } },
  { what: 'retried even where another engine is free', error: passing, successor: 'b', next: { retry: true } },
  { what: 'the last unexpected error fails the task', error: null, failures: last, next: { fail: outOfAttempts } },
  {
    what: 'the last error that was expected says why',
    error: passing,
    failures: last,
    next: { fail: { reason: 'engine_failed', message: 'It was busy.' } },
  },
  {
    what: 'attempts of earlier jobs count',
    error: null,
    failedOn: ['a', 'b'],
    next: { fail: outOfAttempts },
  },
  {
    what: 'a broken engine is replaced',
    error: broken,
    successor: 'b',
    next: { handOverTo: 'b' },
  },
  {
    what: 'a broken engine without a successor fails the task',
    error: broken,
    next: { fail: { reason: 'engine_failed', message: 'It has no such model.' } },
  },
  {
    what: 'no engine takes over after the last attempt',
    error: broken,
    failures: last,
    successor: 'b',
    next: { fail: { reason: 'engine_failed', message: 'It has no such model.' } },
  },
  {
    what: 'a task that is itself at fault fails at once, with its reason',
    error: refused,
    successor: 'b',
    next: { fail: { reason: 'prompt_moderated', message: 'It refuses the prompt.' } },
  },
  {
    what: 'an engine that cannot be reached costs no attempt',
    error: away,
    failures: last,
    next: { waitForEngine: true },
  },
  {
    what: 'one that is never reached counts as failing',
    error: away,
    unavailable: unavailableMax,
    next: { retry: true },
  },
]

for (const { what, error, failures = 0, failedOn = [], unavailable = 0, successor = null, next } of cases) {
  test(what, () => {
    const history = { failedOn, unavailable, crashes: 0 }
    assert.deepEqual(afterFailure({ error, failures, history, successor: () => successor }), next)
  })
}
