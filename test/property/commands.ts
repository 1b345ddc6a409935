// The steps of a walk: each says what it does to the model and to the service, and the two are compared after it.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { heldWord } from '../support/engines/puppet-engine.ts'
import { taskBody } from '../support/service/api.ts'
import { isFinal, type KeyName, type Model, type ModelTask } from './model.ts'
import { leaseMs, type ServiceUnderTest } from './service-under-test.ts'

export type Step = fc.AsyncCommand<Model, ServiceUnderTest, false>

interface Creation {
  key: KeyName
  held: boolean
  seconds: '5' | '10'
  idempotencyKey: string | null
}

const creation: fc.Arbitrary<Creation> = fc.record({
  key: fc.constantFrom('main', 'main', 'sub'),
  held: fc.boolean(),
  seconds: fc.constantFrom('5', '10'),
  idempotencyKey: fc.constantFrom(null, null, 'a', 'b'),
})
const priceOf = ({ seconds }: Creation) => (seconds === '5' ? 42 : 84)

function step(
  text: string,
  options: { check?(model: Model): boolean; run(model: Model, service: ServiceUnderTest): Promise<void> },
): Step {
  return {
    toString: () => text,
    check: (model) => options.check?.(model) ?? true,
    async run(model, service) {
      await options.run(model, service)
      model.settle()
      await service.agree(model)
    },
  }
}

/** A step about one of the tasks that it applies to. */
function stepOn(
  name: string,
  applies: (task: ModelTask) => boolean,
  run: (task: ModelTask, model: Model, service: ServiceUnderTest) => Promise<void>,
): fc.Arbitrary<Step> {
  const among = (model: Model) => model.tasks.filter((task) => !task.deleted && applies(task))
  return fc.nat(1000).map((pick) =>
    step(`${name}(${pick})`, {
      check: (model) => among(model).length > 0,
      run: (model, service) => run(among(model)[pick % among(model).length]!, model, service),
    }),
  )
}

let prompts = 0
const newPrompt = (held: boolean) => `boat ${++prompts}${held ? ` ${heldWord}` : ''}`

function send(service: ServiceUnderTest, { key, seconds, idempotencyKey }: Creation, prompt: string) {
  const headers: Record<string, string> = idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }
  return service.as(key).post('/api/v1/jobs/createTask', taskBody(prompt, { duration: seconds }), { headers })
}

const create = creation.map((wanted) =>
  step(`create(${JSON.stringify(wanted)})`, {
    async run(model, service) {
      const prompt = newPrompt(wanted.held)
      const price = priceOf(wanted)
      const answer = await send(service, wanted, prompt)
      const name = `${wanted.key}/${wanted.idempotencyKey}`
      if (wanted.idempotencyKey !== null && model.remembered.has(name)) {
        // Another body under a key that is taken.
        assert.equal(answer.status, 422)
        return
      }
      assert.equal(answer.status, model.admits(wanted.key, price), answer.text)
      if (answer.status !== 200) return
      model.accept({ prompt, id: answer.body.data.taskId, key: wanted.key, price, held: wanted.held })
      if (wanted.idempotencyKey !== null) model.remembered.set(name, { prompt, price, at: model.nowMs })
    },
  }),
)

/** The same request again, several times at once: the first task's id, and not a credit more. */
const replay = fc.record({ pick: fc.nat(10), times: fc.integer({ min: 1, max: 4 }) }).map(({ pick, times }) =>
  step(`replay(${pick}, ${times} times)`, {
    check: (model) => model.remembered.size > 0,
    async run(model, service) {
      const [name, { prompt, price }] = [...model.remembered][pick % model.remembered.size]!
      const [key, idempotencyKey] = name.split('/') as [KeyName, string]
      const again: Creation = { key, idempotencyKey, held: false, seconds: price === 42 ? '5' : '10' }
      const first = model.tasks.find((task) => task.prompt === prompt)!
      for (const answer of await Promise.all(Array.from({ length: times }, () => send(service, again, prompt)))) {
        assert.equal(answer.status, 200, answer.text)
        assert.equal(answer.body.data.taskId, first.id)
      }
    },
  }),
)

const poll = stepOn(
  'poll',
  () => true,
  async (task, model, service) => {
    const api = service.as(task.key)
    const record = await api.record(task.id)
    assert.equal(record.state, task.state)
    assert.equal(record.progress, task.progress)
    assert.equal(record.failReason, task.failReason ?? '')
    assert.equal(record.creditsConsumed, task.state === 'fail' ? 0 : task.price)
    assert.equal(record.completeTime, task.completedAt)
    const earlier = model.tasks.slice(0, model.tasks.indexOf(task))
    const ahead = earlier.filter((other) => other.state === 'queueing' && !other.leased && !other.deleted)
    assert.equal(record.queuePosition, task.state === 'queueing' ? 1 + ahead.length : null)
    const video = (await api.get(`/api/v1/video/recordInfo?taskId=${task.id}`)).body.data
    assert.equal(video.state, task.state)
    assert.equal(video.videoInfo !== null, task.state === 'success')
    assert.equal(video.failCode !== null, task.state === 'fail')
    assert.equal(video.expireFlag, model.expired(task) ? 1 : 0)
    // A sub-key sees only its own.
    const other = await service.as('sub').get(`/api/v1/jobs/recordInfo?taskId=${task.id}`)
    assert.equal(other.status, task.key === 'sub' ? 200 : 404)
  },
)

const arrive = stepOn(
  'arrive',
  (task) => task.state === 'wait',
  async (task, _model, service) => {
    task.held = false
    service.puppets.arrive(task.prompt, 'found')
  },
)

const missing = stepOn(
  'missing',
  (task) => task.state === 'wait',
  async (task, model, service) => {
    model.fail(task, 'image_fetch_failed')
    service.puppets.arrive(task.prompt, 'missing')
  },
)

const isFollowed = (task: ModelTask) => task.state === 'generating' && !task.orphan

const progress = fc.integer({ min: 0, max: 120 }).chain((percent) =>
  stepOn(`progress ${percent}`, isFollowed, async (task, _model, service) => {
    task.progress = Math.max(task.progress, Math.min(99, percent))
    service.puppets.followed.get(task.prompt)!.progress(percent)
  }),
)

const succeed = stepOn('succeed', isFollowed, async (task, model, service) => {
  await service.puppets.followed.get(task.prompt)!.succeed()
  model.succeed(task)
})

const fail = stepOn('fail', isFollowed, async (task, model, service) => {
  service.puppets.followed.get(task.prompt)!.fail('no such boat')
  model.fail(task, 'engine_failed')
})

const stumble = stepOn('stumble', isFollowed, async (task, model, service) => {
  service.puppets.followed.get(task.prompt)!.crash()
  model.stumble(task)
})

const cancel = stepOn(
  'cancel',
  () => true,
  async (task, model, service) => {
    const answer = await service.as(task.key).post('/api/v1/jobs/cancelTask', { taskId: task.id })
    assert.equal(answer.status, isFinal(task) ? 422 : 200, answer.text)
    if (!isFinal(task)) model.fail(task, 'canceled')
  },
)

const remove = stepOn(
  'delete',
  () => true,
  async (task, _model, service) => {
    const answer = await service.as(task.key).delete(`/api/v1/jobs/${task.id}`)
    assert.equal(answer.status, isFinal(task) ? 200 : 422, answer.text)
    if (isFinal(task)) task.deleted = true
  },
)

const grant = fc.integer({ min: 1, max: 300 }).map((credits) =>
  step(`grant(${credits})`, {
    async run(model, service) {
      const answer = await service.as('main').post('/api/v1/operator/accounts/default/credit', { credits })
      model.balance += credits
      assert.equal(answer.body.data.balance, model.balance)
    },
  }),
)

/** Tasks that wait for another attempt: which of them comes first when time leaps is not specified. */
const isDelayed = (model: Model) => model.open().some((task) => task.state === 'queueing' && task.runAt > model.nowMs)

const dayMs = 86_400_000
const advance = fc.constantFrom(1000, dayMs + 1, 14 * dayMs, 40 * dayMs).map((ms) =>
  step(`advance(${ms} ms)`, {
    check: (model) => ms === 1000 || !isDelayed(model),
    async run(model, service) {
      service.advance(ms)
      model.nowMs += ms
      await service.upkeep()
      model.upkeep()
      await service.wake()
    },
  }),
)

const canCrash = (model: Model) => model.rules.local || !isDelayed(model)

async function recover(model: Model, service: ServiceUnderTest): Promise<void> {
  await service.start()
  model.crash()
  model.settle()
  await service.agree(model)
  if (model.rules.local) return
  service.advance(leaseMs + 1)
  model.nowMs += leaseMs + 1
  model.noticeDead()
}

const crash = fc.constant(
  step('crash', {
    check: canCrash,
    async run(model, service) {
      await service.kill()
      await recover(model, service)
    },
  }),
)

/** Killed after some statements of a creation: all of it is there, or nothing. What was answered is there. */
const crashInCreate = fc.record({ wanted: creation, statements: fc.nat(40) }).map(({ wanted, statements }) =>
  step(`crash after ${statements} statements of create(${JSON.stringify(wanted)})`, {
    check: (model) => canCrash(model) && !model.remembered.has(`${wanted.key}/${wanted.idempotencyKey}`),
    async run(model, service) {
      const prompt = newPrompt(wanted.held)
      const price = priceOf(wanted)
      const expected = model.admits(wanted.key, price)
      const severed = service.severAfter(statements)
      const answered = send(service, wanted, prompt).then(
        (answer) => answer,
        () => null,
      )
      await Promise.race([severed, answered])
      await service.kill()
      const answer = await answered
      if (answer) assert.equal(answer.status, expected, answer.text)
      const left = await service.autopsy()
      const stored = left.find((row) => !model.tasks.some((task) => task.id === row.id))
      if (answer?.status === 200) assert.equal(stored?.id, answer.body.data.taskId)
      if (stored) {
        assert.equal(expected, 200)
        const task = model.accept({ prompt, id: stored.id, key: wanted.key, price, held: wanted.held })
        adopt(task, stored)
        if (wanted.idempotencyKey !== null) {
          model.remembered.set(`${wanted.key}/${wanted.idempotencyKey}`, { prompt, price, at: model.nowMs })
        }
      }
      await recover(model, service)
    },
  }),
)

/** Killed after some statements of an end: either it happened, with its credits, or it did not. */
const crashInEnd = fc
  .record({ how: fc.constantFrom('succeed', 'fail', 'cancel'), statements: fc.nat(25), pick: fc.nat(1000) })
  .map(({ how, statements, pick }) =>
    step(`crash after ${statements} statements of ${how}(${pick})`, {
      check: (model) => canCrash(model) && model.tasks.some(isFollowed),
      async run(model, service) {
        const among = model.tasks.filter(isFollowed)
        const task = among[pick % among.length]!
        const severed = service.severAfter(statements)
        const puppet = service.puppets.followed.get(task.prompt)!
        const ended =
          how === 'cancel'
            ? service.as(task.key).post('/api/v1/jobs/cancelTask', { taskId: task.id })
            : service.as(task.key).until(task.id, ['success', 'fail'])
        if (how === 'succeed') await puppet.succeed()
        if (how === 'fail') puppet.fail('no such boat')
        const seen = ended.then(
          () => true,
          () => false,
        )
        await Promise.race([severed, seen])
        await service.kill()
        const wasSeen = await seen
        const left = (await service.autopsy()).find((row) => row.id === task.id)!
        if (wasSeen) assert.ok(left.state === 'success' || left.state === 'fail', `${how} was answered, then lost`)
        if (left.state === 'success') model.succeed(task)
        else if (left.state === 'fail') model.fail(task, how === 'cancel' ? 'canceled' : 'engine_failed')
        else adopt(task, left)
        // The next task in the queue may have started before the end.
        for (const other of await service.autopsy()) {
          const known = model.tasks.find((candidate) => candidate.id === other.id)!
          const cameForward = known.state !== other.state || known.leased !== (other.alive_until !== null)
          if (known !== task && !isFinal(known) && cameForward) adopt(known, other)
        }
        await recover(model, service)
      },
    }),
  )

/** A task that was killed in the middle of something: where it got to is read, what follows from there is not. */
function adopt(
  task: ModelTask,
  row: { state: ModelTask['state']; failures: number | null; crashes: number | null; alive_until: number | null },
) {
  task.state = row.state
  task.failures = row.failures!
  task.crashes = row.crashes!
  task.leased = row.alive_until !== null
  task.starts = null
}

export const steps: fc.Arbitrary<Step>[] = [
  create,
  create,
  create,
  replay,
  poll,
  arrive,
  arrive,
  missing,
  progress,
  succeed,
  fail,
  stumble,
  cancel,
  remove,
  grant,
  advance,
  crash,
  crashInCreate,
  crashInEnd,
]
