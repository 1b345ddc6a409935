// Examples of what the account routes return: balance, ledger, usage and sessions.

interface Shared {
  taskId: string
  keyId: string
  model: string
  createdMs: number
}

export const accountExamples = ({ taskId, keyId, model, createdMs }: Shared) => ({
  getCredit: 999_958,
  listLedger: {
    items: [
      {
        id: '0199a3c2-7b1e-7001-8f3a-5d2c1b0a9e8d',
        kind: 'hold',
        amount: -42,
        cost: null,
        balanceAfter: 999_958,
        taskId,
        keyId,
        createTime: createdMs,
      },
    ],
    nextCursor: null,
  },
  getUsage: {
    days: [{ day: '2026-01-01', tasks: 1, credits: 42 }],
    states: [{ state: 'success', tasks: 1, credits: 42 }],
    models: [{ model, tasks: 1, credits: 42 }],
    keys: [{ keyId, name: 'one customer', tasks: 1, credits: 42 }],
    outcomes: { succeeded: 1, failed: 0, canceled: 0, refused: 0 },
    times: [{ state: 'generating', p50Ms: 21_150, p95Ms: 24_800 }],
  },
  listSessions: {
    items: [
      {
        id: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
        keyId,
        createdAt: createdMs,
        lastUsedAt: createdMs + 60_000,
        expiresAt: createdMs + 86_400_000,
        address: '203.0.113.7',
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        current: true,
      },
    ],
  },
})
