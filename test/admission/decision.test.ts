// Who of a batch is accepted, and in which order the accepted will be served: tables of a pure function.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type AdmissionState, type Asked, decideAdmission } from '../../src/admission/decision.ts'

type Changes = {
  balance?: number
  openTasks?: number
  creditLimit?: number | null
  creditUsed?: number
  off?: string[]
  virtualNow?: number
}

function stateOf({
  balance = 100,
  openTasks = 0,
  creditLimit = null,
  creditUsed = 0,
  off = [],
  virtualNow = 0,
}: Changes = {}): AdmissionState {
  return {
    accounts: new Map([
      ['big', { balance, openTasks, virtualFinish: 0 }],
      ['small', { balance: 100, openTasks: 0, virtualFinish: 0 }],
    ]),
    keys: new Map([
      ['key', { creditLimit, creditUsed }],
      ['small key', { creditLimit: null, creditUsed: 0 }],
    ]),
    remembered: new Map(),
    virtualNow,
    requests: { accounts: new Map(), keys: new Map() },
    openMax: 10,
    featureEnabled: (name) => !off.includes(name),
  }
}

const ask = (changes: Partial<Asked> = {}): Asked => ({
  kind: { name: 'task' },
  callBackUrl: null,
  refusal: null,
  id: 't',
  accountId: 'big',
  keyId: 'key',
  price: 42,
  features: ['a model'],
  idempotency: null,
  ...changes,
})

/** The code of a decision. */
function codeOf(changes: Changes, asked: Partial<Asked> = {}): number {
  const decision = decideAdmission(ask(asked), stateOf(changes))
  return decision.kind === 'refused' ? decision.error.code : 200
}

describe('one submission', () => {
  const rows: [what: string, state: Changes, asked: Partial<Asked>, code: number][] = [
    ['with enough credits', {}, {}, 200],
    ['with just enough credits', { balance: 42 }, {}, 200],
    ['with one credit too few', { balance: 41 }, {}, 402],
    ['that costs nothing', { balance: 0 }, { price: 0 }, 200],
    ['within the limit of its key', { creditLimit: 84, creditUsed: 42 }, {}, 200],
    ['one credit over the limit of its key', { creditLimit: 83, creditUsed: 42 }, {}, 433],
    ['over the limit of its key and of its account', { creditLimit: 0, balance: 0 }, {}, 433],
    ['of a model that is switched off', { off: ['a model'] }, {}, 505],
    ['of a model that is switched off, without credits', { off: ['a model'], balance: 0 }, {}, 505],
    ['when another feature is switched off', { off: ['4k'] }, {}, 200],
    ['beside nine open tasks of ten', { openTasks: 9 }, {}, 200],
    ['beside ten open tasks of ten', { openTasks: 10 }, {}, 429],
  ]
  for (const [what, state, asked, code] of rows) {
    test(`${what} is ${code}`, () => assert.equal(codeOf(state, asked), code))
  }

  test('that is refused changes nothing', () => {
    const state = stateOf({ balance: 41 })
    const before = structuredClone({ accounts: state.accounts, keys: state.keys, remembered: state.remembered })
    decideAdmission(ask({ idempotency: { id: 'i', bodyHash: 'h' } }), state)
    assert.deepEqual({ accounts: state.accounts, keys: state.keys, remembered: state.remembered }, before)
  })
})

describe('a repeat', () => {
  const first = { idempotency: { id: 'i', bodyHash: 'h' } }

  test('returns the first task within one batch, whatever is left', () => {
    const state = stateOf({ balance: 42, openTasks: 9, creditLimit: 42 })
    assert.equal(decideAdmission(ask({ ...first, id: 'one' }), state).kind, 'accepted')
    assert.deepEqual(decideAdmission(ask({ ...first, id: 'two' }), state), {
      kind: 'replayed',
      id: 'one',
      credits: { held: 42, left: 0 },
    })
    assert.equal(state.accounts.get('big')!.balance, 0)
  })

  test('with another body is refused, also when the first was long ago', () => {
    const state = stateOf()
    state.remembered.set('i', { bodyHash: 'other', subject: 'one' })
    const decision = decideAdmission(ask(first), state)
    assert.ok(decision.kind === 'refused' && decision.error.code === 422)
  })

  test('comes before switched off features', () => {
    const state = stateOf({ off: ['a model'] })
    state.remembered.set('i', { bodyHash: 'h', subject: 'one' })
    assert.equal(decideAdmission(ask(first), state).kind, 'replayed')
  })
})

test('a batch takes what is there and not a credit more', () => {
  const prices = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 40 })
  fc.assert(
    fc.property(prices, fc.nat(300), fc.option(fc.nat(300)), (asked, balance, creditLimit) => {
      const state = { ...stateOf({ balance, creditLimit }), openMax: 1000 }
      let spent = 0
      for (const price of asked) {
        const fits = spent + price <= balance && (creditLimit === null || spent + price <= creditLimit)
        const decision = decideAdmission(ask({ price }), state)
        assert.equal(decision.kind === 'accepted', fits)
        if (decision.kind !== 'accepted') continue
        spent += price
        assert.equal(decision.balanceAfter, balance - spent)
        assert.equal(decision.virtualFinish, decision.virtualStart + price)
      }
      assert.equal(state.accounts.get('big')!.balance, balance - spent)
      assert.equal(state.keys.get('key')!.creditUsed, spent)
    }),
  )
})

describe('fair order', () => {
  /** Virtual finish times of tasks that all come while nothing is served. */
  function finishes(state: AdmissionState, asks: Partial<Asked>[]): number[] {
    return asks.map((asked) => {
      const decision = decideAdmission(ask(asked), state)
      assert.equal(decision.kind, 'accepted')
      return decision.kind === 'accepted' ? decision.virtualFinish : Number.NaN
    })
  }
  const small = { accountId: 'small', keyId: 'small key', price: 14 }
  const patient = (changes: Changes = {}) => ({ ...stateOf({ balance: 1e6, ...changes }), openMax: 1e6 })

  test('after a thousand large tasks of one account, one small task of another is next', () => {
    const state = patient()
    const large = finishes(
      state,
      Array.from({ length: 1000 }, () => ({ price: 201 })),
    )
    // The first large one is being worked; virtual time stands where the head of the queue began.
    const [next] = finishes({ ...state, virtualNow: large[0]! }, [small])
    assert.ok(next! < large[1]!)
  })

  test('two accounts with tasks alike take turns', () => {
    const state = patient()
    const rows = Array.from({ length: 20 }, (_, i) => (i < 10 ? { price: 10 } : { ...small, price: 10 }))
    const served = finishes(state, rows).map((finish, i) => ({ finish, account: i < 10 ? 'big' : 'small' }))
    served.sort((a, b) => a.finish - b.finish)
    for (let i = 0; i < 20; i += 2) assert.notEqual(served[i]!.account, served[i + 1]!.account)
  })

  test('an account that was away for long gets no credit for it', () => {
    const state = patient({ virtualNow: 5000 })
    const [first, second] = finishes(state, [small, { price: 14 }])
    assert.deepEqual([first, second], [5014, 5014])
  })

  test('one account is served in the order of its tasks, whatever they cost', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { maxLength: 50 }), (prices) => {
        const order = finishes(
          patient(),
          prices.map((price) => ({ price })),
        )
        assert.deepEqual(
          [...order].sort((a, b) => a - b),
          order,
        )
      }),
    )
  })
})
