// Examples for the documentation, by operation: bodies, and successes (the `data` of the envelope, where there is one).
// A test holds each to its schema.
import { accountExamples } from './account-examples.ts'

const taskId = '0199a3c2-7b1e-7000-8f3a-5d2c1b0a9e8d'
const keyId = '0199a3c0-1111-7000-9c2b-0a1b2c3d4e5f'
const requestId = '0199a3c4-2222-7000-8b1a-9f8e7d6c5b4a'
const deliveryId = '0199a3c5-3333-7000-9d4c-1a2b3c4d5e6f'
const createdMs = 1_767_225_600_000
const files = 'https://videos.example.com/files'
const videoUrl = `${files}/5mKq2rV8cXw1nB7tYz0aLd3fGh4/video.mp4`
const thumbnailUrl = `${files}/8hTr5uW2eZx9pC4vQa1bNd6jKm7/thumbnail.jpg`
const turbo = 'videomodel/v2-5-turbo-image-to-video-pro'
const encoder = 'google/universal-sentence-encoder'

const uploadedFile = {
  fileName: 'boat.jpg',
  mimeType: 'image/jpeg',
  fileSize: 482_113,
  downloadUrl: `${files}/2cVb7nMq4wEr9tYu1iOp6aSd3fG/boat.jpg`,
  expiresAt: createdMs + 259_200_000,
}

/** As the aliases for other services' clients respond. */
const succeeded = (data: unknown) => ({ success: true, code: 200, msg: 'success', data })

const openaiVideo = {
  id: taskId,
  object: 'video',
  model: turbo,
  status: 'completed',
  progress: 100,
  prompt: 'A boat leaves the harbour',
  seconds: '5',
  size: '1280x720',
  created_at: createdMs / 1000,
  completed_at: createdMs / 1000 + 21,
  expires_at: createdMs / 1000 + 14 * 86_400,
  remixed_from_video_id: null,
  error: null,
}

const taskRecord = {
  taskId,
  model: turbo,
  state: 'success',
  param: `{"model":"${turbo}","input":{"prompt":"A boat leaves the harbour","image_url":"https://example.com/boat.jpg"}}`,
  resultJson: JSON.stringify({ resultUrls: [videoUrl] }),
  failCode: '',
  failMsg: '',
  failReason: '',
  progress: 100,
  queuePosition: null,
  timeLeftMs: null,
  ignoredFields: [],
  creditsConsumed: 42,
  costTime: 21_480,
  createTime: createdMs,
  updateTime: createdMs + 21_480,
  completeTime: createdMs + 21_480,
  understood: { moves: ['push in'], effects: [], framing: null, notDone: [] },
  video: {
    seconds: 5,
    width: 1280,
    height: 720,
    fps: 24,
    codec: 'h264',
    bytes: 3_482_113,
    engine: 'studio',
    adjusted: [],
  },
}

const embeddings = { embeddings: [[0.0132, -0.0471, 0.0256]], input_tokens: 6, model: encoder }
const inferenceAnswer = {
  request_id: requestId,
  inference_status: { status: 'succeeded', runtime_ms: 12, cost: 0.005 },
  results: embeddings,
}

const signedHeaders = {
  'webhook-id': deliveryId,
  'webhook-timestamp': '1767225621',
  'webhook-signature': 'v1,K5oZ…',
}

const attempt = { time: createdMs + 21_490, durationMs: 70, status: 204, error: null, answer: '' }
const delivery = {
  id: deliveryId,
  kind: 'task',
  taskId,
  url: 'https://example.com/callbacks',
  state: 'delivered',
  tries: 1,
  nextTryTime: null,
  createTime: createdMs + 21_480,
  endTime: createdMs + 21_560,
  attempts: [attempt],
}

const share = { id: '0199a3c6-4444-7000-8e5d-2b3c4d5e6f70', createdAt: createdMs, expiresAt: createdMs + 604_800_000 }

const secret = { secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', previousUntil: null }

export const bodyExamples: Record<string, Record<string, unknown>> = {
  cancelTask: { cancel: { taskId } },
  extendVideo: { continue: { taskId, prompt: 'The boat passes the lighthouse', duration: '5' } },
  shareVideo: { 'for a day': { expiresAt: createdMs + 86_400_000 } },
  explainPrompt: { prompt: { prompt: 'Slow push in, heavy rain' } },
  uploadFile: {
    'by URL': { fileUrl: 'https://example.com/boat.jpg', fileName: 'boat.jpg' },
    'in base64': { base64Data: 'data:image/png;base64,iVBORw0KGgo=', fileName: 'boat.png' },
  },
  createOpenAIVideo: {
    'a video': { model: turbo, prompt: 'A boat leaves the harbour', input_reference: 'https://example.com/boat.jpg' },
  },
  previewImage: { image: { url: 'https://example.com/boat.jpg' } },
  uploadFileStream: { 'by URL': { fileUrl: 'https://example.com/boat.jpg', fileName: 'boat.jpg' } },
  uploadFileBase64: { 'in base64': { base64Data: 'data:image/png;base64,iVBORw0KGgo=', fileName: 'boat.png' } },
  uploadFileUrl: { 'by URL': { fileUrl: 'https://example.com/boat.jpg', fileName: 'boat.jpg' } },
  createKey: {
    'with limits': { name: 'one customer', creditLimit: 500, requestLimit: { requests: 100, per: 'day' } },
    'read-only, for an office': { name: 'dashboard', scopes: ['tasks:read'], addresses: ['203.0.113.0/24'] },
  },
  rotateKey: { 'with an overlap': { overlap: '24h' } },
  updateKey: {
    'more credits': { creditLimit: 1000 },
    'without an expiry': { expiresAt: null },
  },
  runInference: { embeddings: { inputs: ['A sailing boat leaves the harbour'] } },
  createOpenAIEmbeddings: { embeddings: { model: encoder, input: 'A sailing boat leaves the harbour' } },
  resendDeliveries: { 'all failed since': { failedSince: createdMs }, 'these two': { ids: [deliveryId, requestId] } },
  sendTestEvent: { 'to my receiver': { url: 'https://example.com/callbacks' } },
  setMaintenance: { on: { on: true } },
  setFeature: { 'no 4k': { name: '4k', enabled: false } },
  createAccount: { 'with credits': { name: 'studio', credits: 5000 } },
  grantCredits: { 'a thousand': { credits: 1000 } },
}

const subKey = {
  id: keyId,
  name: 'one customer',
  hint: 'dk_7Hq2…',
  creditLimit: 500,
  creditUsed: 42,
  requestLimit: { requests: 100, per: 'day' },
  requestsUsed: 7,
  rate: null,
  scopes: ['tasks:read', 'tasks:write'],
  addresses: null,
  createdAt: createdMs,
  expiresAt: null,
  lastUsedAt: createdMs + 60_000,
  revokedAt: null,
}

/** Texts are examples of successes that are not JSON. */
export const answerExamples: Record<string, unknown> = {
  createTask: { taskId },
  extendVideo: { taskId },
  getVideo: {
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
      imageUrl: thumbnailUrl,
    },
    failCode: null,
    failMsg: null,
    expireFlag: 0,
  },
  getTask: taskRecord,
  listTasks: { items: [taskRecord], nextCursor: null },
  followTask: `event: end\ndata: ${JSON.stringify(taskRecord)}\n\n`,
  getTimeline: {
    taskId,
    items: [
      { at: createdMs, state: 'wait', attempt: 0, note: 'accepted' },
      { at: createdMs + 310, state: 'queueing', attempt: 0, note: null },
      { at: createdMs + 330, state: 'generating', attempt: 1, note: null },
      { at: createdMs + 21_480, state: 'success', attempt: 1, note: null },
    ],
  },
  cancelTask: { taskId, state: 'fail' },
  deleteTask: { taskId },
  shareVideo: { ...share, url: 'https://videos.example.com/s/5mKq2rV8cXw1nB7tYz0aLd3fGh4' },
  listShares: { items: [share] },
  revokeShare: { id: share.id },
  uploadFile: uploadedFile,
  uploadFileStream: succeeded(uploadedFile),
  uploadFileBase64: succeeded(uploadedFile),
  uploadFileUrl: succeeded(uploadedFile),
  getChatCredit: succeeded(958),
  createOpenAIVideo: { ...openaiVideo, status: 'queued', progress: 0, size: '', completed_at: null, expires_at: null },
  getOpenAIVideo: openaiVideo,
  listOpenAIVideos: { object: 'list', data: [openaiVideo], first_id: taskId, last_id: taskId, has_more: false },
  deleteOpenAIVideo: { id: taskId, object: 'video.deleted', deleted: true },
  explainPrompt: { moves: ['push in'], effects: ['rain'], framing: null, notDone: [] },
  listFiles: {
    items: [{ ...uploadedFile, id: '2cVb7nMq4wEr9tYu1iOp6aSd3fG', createdAt: createdMs }],
    nextCursor: null,
  },
  deleteFile: { id: '2cVb7nMq4wEr9tYu1iOp6aSd3fG' },
  ...accountExamples({ taskId, keyId, model: turbo, createdMs }),
  getStatus: { maintenance: false, disabledFeatures: ['4k'] },
  createKey: { id: keyId, key: 'dk_7Hq2mV9xT4cLw8nZb3KpR6sYd1FgJ5a0e41c9d' },
  rotateKey: { id: keyId, key: 'dk_1Xw5vB8nQ3rTz7mLk2HpC9sYd4FgJ6a0b82f7e' },
  listKeys: { items: [subKey], nextCursor: null },
  updateKey: { ...subKey, creditLimit: 1000 },
  revokeKey: { id: keyId },
  listModels: {
    data: [
      {
        id: turbo,
        kind: 'video',
        title: 'v2.5 turbo, image to video, pro',
        description: 'Turns an image, optionally with a last frame, into a video of 5 or 10 seconds.',
        prices: { '5': 42, '10': 84 },
        example: { prompt: 'A boat leaves the harbour', image_url: 'https://example.com/boat.jpg' },
        inputSchema: { type: 'object', required: ['prompt', 'image_url'], properties: {} },
      },
    ],
  },
  runInference: inferenceAnswer,
  getInference: inferenceAnswer,
  createOpenAIEmbeddings: {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.0132, -0.0471, 0.0256] }],
    model: encoder,
    usage: { prompt_tokens: 6, total_tokens: 6 },
  },
  listOpenAIModels: {
    object: 'list',
    data: [{ id: encoder, object: 'model', created: createdMs / 1000, owned_by: 'google' }],
  },
  listDeliveries: { items: [delivery], nextCursor: null },
  resendDelivery: { id: deliveryId, state: 'pending' },
  getDelivery: {
    ...delivery,
    body: '{"code":200,"msg":"success","data":{…}}',
    attempts: [{ ...attempt, requestHeaders: signedHeaders, responseHeaders: { 'content-length': '0' } }],
  },
  resendDeliveries: { resent: 12, more: false },
  sendTestEvent: { id: deliveryId, state: 'pending' },
  getWebhookSecret: secret,
  rotateWebhookSecret: { ...secret, previousUntil: createdMs + 86_400_000 },
  getKeyWebhookSecret: secret,
  rotateKeyWebhookSecret: { ...secret, previousUntil: createdMs + 86_400_000 },
  listenToWebhooks: `event: delivery\ndata: ${JSON.stringify({
    id: deliveryId,
    url: 'https://example.com/callbacks',
    headers: signedHeaders,
    body: '{"code":200,"msg":"success","data":{…}}',
  })}\n\n`,
  listAllTasks: { items: [{ ...taskRecord, account: 'studio', keyId }], nextCursor: null },
  listAccountKeys: { items: [{ ...subKey, parentId: null, operator: false }], nextCursor: null },
  revokeAccountKey: { id: keyId },
  getEngineHistory: {
    items: [{ engine: 'studio', hours: [{ hour: createdMs, attempts: 120, succeeded: 119, p50Ms: 21_150 }] }],
  },
  getOperatorStatus: {
    maintenance: false,
    queues: [{ queue: 'prepare', waiting: 0, later: 0, running: 2, oldestMs: 0 }],
    workers: [{ worker: 'host-1:4711', queue: 'generate:studio', slots: 2, running: 1, seenAt: createdMs }],
    engines: [
      {
        name: 'studio',
        type: 'studio',
        healthy: true,
        slots: 2,
        failures: 0,
        retryAt: null,
        lastProblem: null,
        busy: null,
      },
    ],
    features: [{ name: '4k', enabled: true }],
  },
  getOperatorQueues: {
    queues: [
      { queue: 'prepare', kind: 'prepare', paused: false, waiting: 3, later: 1, running: 2, oldestMs: 40, workers: 1 },
    ],
    kinds: [{ kind: 'prepare', waiting: 3, later: 1, running: 2, oldestMs: 40 }],
    workers: [
      {
        worker: 'host-1:4711',
        host: 'host-1',
        pid: 4711,
        role: 'worker',
        release: '1.0.0',
        seenAt: createdMs,
        queues: [{ queue: 'prepare', slots: 256, running: 2 }],
      },
    ],
    disk: { freeBytes: 81_604_378_624, totalBytes: 107_374_182_400 },
    eventLoopLagMs: 12,
    storage: 'up',
    throughput: [{ minute: createdMs, created: 120, succeeded: 118, failed: 1 }],
  },
  pauseQueue: { queue: 'deliver', paused: true },
  resumeQueue: { queue: 'deliver', paused: false },
  retryQueue: { queue: 'deliver', retried: 12 },
  setMaintenance: { maintenance: true },
  setFeature: { name: '4k', enabled: false },
  listAccounts: {
    items: [{ id: keyId, name: 'default', balance: 999_958, openTasks: 0, createdAt: createdMs }],
    nextCursor: null,
  },
  createAccount: {
    id: requestId,
    name: 'studio',
    balance: 5000,
    keyId,
    key: 'dk_7Hq2mV9xT4cLw8nZb3KpR6sYd1FgJ5a0e41c9d',
  },
  grantCredits: { name: 'default', balance: 1_000_958 },
  listAudit: {
    items: [
      {
        id: deliveryId,
        time: createdMs,
        actor: keyId,
        address: '203.0.113.7',
        action: 'account.credit',
        target: 'default',
        before: { balance: 999_958 },
        after: { balance: 1_000_958 },
      },
    ],
    cursor: null,
  },
  getLiveness: { status: 'alive' },
  getReadiness: { status: 'ready', storage: 'up', release: '0.2.0' },
  getMetrics: 'dailies_queue_jobs{queue="prepare",state="waiting"} 0\n',
  getOpenApi: { openapi: '3.1.1' },
}
