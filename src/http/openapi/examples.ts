// Examples for the documentation: bodies and the `data` of answers, by method and path. Tests hold each to its schema.

const taskId = '0199a3c2-7b1e-7000-8f3a-5d2c1b0a9e8d'
const keyId = '0199a3c0-1111-7000-9c2b-0a1b2c3d4e5f'
const createdMs = 1_767_225_600_000
const videoUrl = 'https://videos.example.com/files/5mKq2rV8cXw1nB7tYz0aLd3fGh4/video.mp4'

const unifiedRecord = {
  taskId,
  model: 'videomodel/v2-5-turbo-image-to-video-pro',
  state: 'success',
  param:
    '{"model":"videomodel/v2-5-turbo-image-to-video-pro","input":{"prompt":"A boat leaves the harbour","image_url":"https://example.com/boat.jpg"}}',
  resultJson: JSON.stringify({ resultUrls: [videoUrl] }),
  failCode: '',
  failMsg: '',
  failReason: '',
  progress: 100,
  queuePosition: null,
  ignoredFields: [],
  creditsConsumed: 42,
  costTime: 21_480,
  createTime: createdMs,
  updateTime: createdMs + 21_480,
  completeTime: createdMs + 21_480,
}

export const bodyExamples: Record<string, Record<string, unknown>> = {
  'POST /api/v1/jobs/cancelTask': { cancel: { taskId } },
  'POST /api/v1/video/extend': { 'play on': { taskId, prompt: 'The boat passes the lighthouse', duration: '5' } },
  'POST /api/v1/files/upload': {
    'by URL': { fileUrl: 'https://example.com/boat.jpg', fileName: 'boat.jpg' },
    'in base64': { base64Data: 'data:image/png;base64,iVBORw0KGgo=', fileName: 'boat.png' },
  },
  'POST /api/v1/keys': {
    'with limits': { name: 'one customer', creditLimit: 500, requestLimit: { requests: 100, per: 'day' } },
  },
  'POST /api/v1/operator/maintenance': { on: { on: true } },
  'POST /api/v1/operator/features': { 'no 4k': { name: '4k', enabled: false } },
  'POST /api/v1/operator/accounts/:name/credit': { 'a thousand': { credits: 1000 } },
}

export const answerExamples: Record<string, unknown> = {
  'POST /api/v1/jobs/createTask': { taskId },
  'POST /api/v1/video/extend': { taskId },
  'GET /api/v1/video/recordInfo': {
    taskId,
    parentTaskId: '',
    generateParam: {
      prompt: 'A boat leaves the harbour',
      imageUrl: 'https://example.com/boat.jpg',
      expandPrompt: false,
    },
    state: 'success',
    generateTime: '2026-01-01 00:00:21',
    videoInfo: {
      videoId: '0199a3c2-cf00-7000-a1b2-c3d4e5f60718',
      taskId,
      videoUrl,
      imageUrl: 'https://videos.example.com/files/8hTr5uW2eZx9pC4vQa1bNd6jKm7/thumbnail.jpg',
    },
    failCode: null,
    failMsg: null,
    expireFlag: 0,
  },
  'GET /api/v1/jobs/recordInfo': unifiedRecord,
  'GET /api/v1/jobs/list': { items: [unifiedRecord], nextCursor: null },
  'GET /api/v1/jobs/timeline': {
    taskId,
    items: [
      { at: createdMs, state: 'wait', attempt: 0, note: 'accepted' },
      { at: createdMs + 310, state: 'queueing', attempt: 0, note: null },
      { at: createdMs + 330, state: 'generating', attempt: 1, note: null },
      { at: createdMs + 21_480, state: 'success', attempt: 1, note: null },
    ],
  },
  'POST /api/v1/jobs/cancelTask': { taskId, state: 'fail' },
  'DELETE /api/v1/jobs/:taskId': { taskId },
  'POST /api/v1/files/upload': {
    fileName: 'boat.jpg',
    mimeType: 'image/jpeg',
    fileSize: 482_113,
    downloadUrl: 'https://videos.example.com/files/2cVb7nMq4wEr9tYu1iOp6aSd3fG/boat.jpg',
    expiresAt: createdMs + 259_200_000,
  },
  'GET /api/v1/account/credit': 999_958,
  'GET /api/v1/account/ledger': {
    items: [
      {
        id: '0199a3c2-7b1e-7001-8f3a-5d2c1b0a9e8d',
        kind: 'hold',
        amount: -42,
        balanceAfter: 999_958,
        taskId,
        keyId,
        createTime: createdMs,
      },
    ],
    nextCursor: null,
  },
  'GET /api/v1/account/usage': {
    days: [{ day: '2026-01-01', tasks: 1, credits: 42 }],
    states: [{ state: 'success', tasks: 1, credits: 42 }],
    models: [{ model: 'videomodel/v2-5-turbo-image-to-video-pro', tasks: 1, credits: 42 }],
  },
  'POST /api/v1/keys': { id: keyId, key: 'dk_7Hq2mV9xT4cLw8nZb3KpR6sYd1FgJ5a0e41c9d' },
  'POST /api/v1/keys/:id/rotate': { id: keyId, key: 'dk_1Xw5vB8nQ3rTz7mLk2HpC9sYd4FgJ6a0b82f7e' },
  'GET /api/v1/keys': {
    items: [
      {
        id: keyId,
        name: 'one customer',
        hint: 'dk_7Hq2…',
        creditLimit: 500,
        creditUsed: 42,
        requestLimit: { requests: 100, per: 'day' },
        requestsUsed: 7,
        createdAt: createdMs,
        expiresAt: null,
        revokedAt: null,
      },
    ],
  },
  'DELETE /api/v1/keys/:id': { id: keyId },
  'GET /api/v1/operator/status': {
    maintenance: false,
    queues: [{ queue: 'prepare', waiting: 0, running: 2, oldestMs: 0 }],
    workers: [{ worker: 'host-1:4711', queue: 'generate:studio', slots: 2, running: 1, seenAt: createdMs }],
    engines: [
      { name: 'studio', type: 'studio', healthy: true, slots: 2, failures: 0, retryAt: null, lastProblem: null },
    ],
    features: [{ name: '4k', enabled: true }],
  },
  'POST /api/v1/operator/maintenance': { maintenance: true },
  'POST /api/v1/operator/features': { name: '4k', enabled: false },
  'GET /api/v1/operator/accounts': {
    items: [{ id: keyId, name: 'default', balance: 999_958, openTasks: 0, createdAt: createdMs }],
  },
  'POST /api/v1/operator/accounts/:name/credit': { name: 'default', balance: 1_000_958 },
  'GET /livez': { status: 'alive' },
  'GET /readyz': { status: 'ready' },
}
