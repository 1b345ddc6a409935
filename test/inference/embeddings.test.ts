// The embedder with the real model: meaning, bit-equality, batching, odd inputs, abort, crash and close.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { ChildError } from '../../src/children/child-error.ts'
import { paddedLength, passCellsMax, planPasses, tokensReadMax } from '../../src/inference/embeddings/batch-plan.ts'
import * as embeddings from '../../src/inference/embeddings/embedder.ts'
import { related, unrelated } from './fixtures/sentence-pairs.ts'

const crashingModule = new URL('./fixtures/crashing-embeddings-main.ts', import.meta.url)
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * b[index]!, 0)
const hasCode = (code: string) => (error: unknown) => error instanceof ChildError && error.code === code

/** An embedder for one caller. */
function createEmbedder(options: embeddings.EmbedderOptions = {}) {
  const embedder = embeddings.createEmbedder(options)
  const caller = { account: 'test', key: 'test' }
  return {
    embed: (texts: string[], rest: Partial<embeddings.EmbedRequest> = {}) => embedder.embed(texts, { caller, ...rest }),
    close: embedder.close,
  }
}

describe('planPasses', () => {
  it('pads to multiples of four inside the window', () => {
    const table = [
      [0, 4],
      [1, 4],
      [4, 4],
      [5, 8],
      [127, 128],
      [5000, tokensReadMax],
    ]
    for (const [tokens, padded] of table) assert.equal(paddedLength(tokens!), padded)
  })

  it('puts every row in exactly one pass and bounds each pass', () => {
    const counts = Array.from({ length: 200 }, (_, index) => (index * 37) % 300)
    const passes = planPasses(counts)
    assert.deepEqual(
      passes.flatMap((pass) => pass.rows).sort((a, b) => a - b),
      counts.map((_, index) => index),
    )
    for (const pass of passes) {
      assert.ok(pass.rows.length * pass.paddedLength <= passCellsMax)
      for (const row of pass.rows) assert.ok(Math.min(counts[row]!, tokensReadMax) <= pass.paddedLength)
    }
  })
})

describe('embedder', () => {
  const embedder = createEmbedder()
  after(() => embedder.close())

  it('scores related sentences well above unrelated ones', async () => {
    const score = async (pairs: [string, string][]) => {
      const { vectors } = await embedder.embed(pairs.flat())
      return pairs.map((_, index) => cosine(vectors[2 * index]!, vectors[2 * index + 1]!))
    }
    const near = await score(related)
    const far = await score(unrelated)
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    assert.ok(related.length >= 20)
    assert.ok(mean(near) - mean(far) > 0.4, `means ${mean(near)} and ${mean(far)}`)
    assert.ok(Math.min(...near) > Math.max(...far), `lowest ${Math.min(...near)}, highest ${Math.max(...far)}`)
  })

  it('gives unit vectors of 512 dimensions for odd inputs too', async () => {
    const inputs = ['', ' ', '\n\t', '😀🎉🦀', '日本語のテキスト', '\u0000', '\ud800', 'x', 'long text '.repeat(800)]
    const { vectors, tokens } = await embedder.embed(inputs)
    assert.equal(vectors.length, inputs.length)
    for (const vector of vectors) {
      assert.equal(vector.length, 512)
      assert.ok(Math.abs(cosine(vector, vector) - 1) < 1e-6)
    }
    assert.ok(tokens > inputs.length)
  })

  it('gives the same bits alone, in any batch, and in a fresh process', async () => {
    const words = 'river dog quietly burning 2024 naïve 東京 🎬 unbelievable on, the'.split(' ')
    const inputs = Array.from({ length: 36 }, (_, index) =>
      Array.from({ length: 1 + index }, (_, word) => words[(index * 5 + word * 7) % words.length]).join(' '),
    )
    const together = await embedder.embed(inputs)
    const reversed = await embedder.embed([...inputs].reverse())
    const fresh = createEmbedder({ batchTextsMax: 1 })
    try {
      let tokens = 0
      for (const [index, input] of inputs.entries()) {
        const alone = await fresh.embed([input])
        tokens += alone.tokens
        assert.deepEqual(together.vectors[index], alone.vectors[0], `input ${index}`)
        assert.deepEqual(reversed.vectors.at(-1 - index), alone.vectors[0], `input ${index} reversed`)
      }
      assert.equal(together.tokens, tokens)
    } finally {
      await fresh.close()
    }
  })

  it('counts the tokens of the model’s own tokeniser', async () => {
    assert.equal((await embedder.embed(['A cat sits on the mat'])).tokens, 8)
    assert.equal((await embedder.embed(['A cat sits on the mat', 'A cat sits on the mat'])).tokens, 16)
    assert.deepEqual(await embedder.embed([]), { vectors: [], tokens: 0 })
  })

  it('hands each of many concurrent calls its own vectors, small ones before the end of a large one', async () => {
    const order: string[] = []
    const large = embedder.embed(Array.from({ length: 100 }, (_, index) => `text ${index}`))
    const small = embedder.embed(['text 42'])
    const [many, one] = await Promise.all([
      large.finally(() => order.push('large')),
      small.finally(() => order.push('small')),
    ])
    assert.deepEqual(order, ['small', 'large'])
    assert.deepEqual(one.vectors[0], many.vectors[42])
    assert.notDeepEqual(many.vectors[41], many.vectors[42])
  })

  it('leaves the calling thread free while it works', async () => {
    let ticks = 0
    const timer = setInterval(() => ticks++, 5)
    await embedder.embed(Array.from({ length: 64 }, (_, index) => `a longer sentence with number ${index} in it`))
    clearInterval(timer)
    assert.ok(ticks >= 10, `${ticks} ticks`)
  })

  it('rejects an aborted call at once and keeps serving the others', async () => {
    await assert.rejects(embedder.embed(['x'], { signal: AbortSignal.abort(new Error('gone')) }), /gone/)
    const controller = new AbortController()
    const aborted = embedder.embed(['one', 'two'], { signal: controller.signal })
    const other = embedder.embed(['three'])
    controller.abort(new Error('hung up'))
    await assert.rejects(aborted, /hung up/)
    assert.equal((await other).vectors.length, 1)

    const midway = new AbortController()
    const long = embedder.embed(
      Array.from({ length: 200 }, (_, index) => `sentence ${index}`),
      {
        signal: midway.signal,
      },
    )
    await embedder.embed(['a probe that shares the first batch'])
    midway.abort(new Error('midway'))
    await assert.rejects(long, /midway/)
    assert.equal((await embedder.embed(['after'])).vectors.length, 1)
  })
})

describe('embedder fairness', () => {
  it('lets a moderation text pass a long batch, and a small account pass a large one', async () => {
    const embedder = createEmbedder()
    try {
      await embedder.embed(['warm up'])
      const order: string[] = []
      const note = (name: string) => () => order.push(name)
      const flood = Array.from({ length: 40 }, (_, i) => `${i} ${'a long text about many things '.repeat(30)}`)
      const large = embedder.embed(flood, { caller: { account: 'large', key: 'k1' } }).then(note('large'))
      const sibling = embedder.embed(flood, { caller: { account: 'large', key: 'k2' } }).then(note('large'))
      await new Promise((resolve) => setTimeout(resolve, 50))
      const small = embedder.embed(['one'], { caller: { account: 'small', key: 'k3' } }).then(note('small'))
      const prompt = embedder.embed(['two'], { caller: { account: 'large', key: 'k1' }, lane: 'moderation' })
      await Promise.all([large, sibling, small, prompt.then(note('prompt'))])
      assert.deepEqual(order.slice(0, 2).sort(), ['prompt', 'small'])
    } finally {
      await embedder.close()
    }
  })

  it('reads no more of a text than the model can, however long it becomes when normalised', async () => {
    const embedder = createEmbedder()
    try {
      await embedder.embed(['warm up'])
      const startedAt = performance.now()
      const { tokens } = await embedder.embed(['\ufdfa'.repeat(8192)])
      assert.ok(performance.now() - startedAt < 5000)
      assert.ok(tokens <= 8193)
    } finally {
      await embedder.close()
    }
  })
})

describe('embedder limits and failures', () => {
  it('refuses more texts than may wait', async () => {
    const embedder = createEmbedder({ waitingTextsMax: 3 })
    try {
      const kept = embedder.embed(['a', 'b', 'c'])
      await assert.rejects(embedder.embed(['d']), hasCode('busy'))
      assert.equal((await kept).vectors.length, 3)
    } finally {
      await embedder.close()
    }
  })

  for (const [text, code] of [
    ['crash the process', 'crashed'],
    ['hang the process', 'timed_out'],
  ] as const)
    it(`fails the call of "${text}" alone, also in a batch with others`, async () => {
      const embedder = createEmbedder({ module: crashingModule, batchMs: 8_000 })
      try {
        const before = await embedder.embed(['steady'])
        const [failed, queued] = await Promise.allSettled([embedder.embed([text]), embedder.embed(['steady'])])
        assert.equal(failed.status, 'rejected')
        assert.ok(failed.reason instanceof embeddings.UnreadableText, String(failed.reason))
        assert.ok(hasCode(code)(failed.reason.cause), String(failed.reason.cause))
        assert.equal(queued.status, 'fulfilled')
        assert.deepEqual(queued.value, before)
      } finally {
        await embedder.close()
      }
    })

  it('reports a process that cannot start, every time', async () => {
    const embedder = createEmbedder({ module: new URL('./fixtures/missing.ts', import.meta.url) })
    await assert.rejects(embedder.embed(['x']), hasCode('start_failed'))
    await assert.rejects(embedder.embed(['x']), hasCode('start_failed'))
    await embedder.close()
  })

  it('rejects what is open when closed, and everything after', async () => {
    const embedder = createEmbedder()
    const open = assert.rejects(embedder.embed(['x']), hasCode('closed'))
    await embedder.close()
    await open
    await assert.rejects(embedder.embed(['y']), hasCode('closed'))
    await embedder.close()
  })
})
