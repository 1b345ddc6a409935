// Values that the examples of several shapes share: the same task, key and files throughout the documentation.
import { exampleMs as createdMs } from '../schema/wire-types.ts'

const files = 'https://videos.example.com/files'

export const example = Object.freeze({
  taskId: '0199a3c2-7b1e-7000-8f3a-5d2c1b0a9e8d',
  keyId: '0199a3c0-1111-7000-9c2b-0a1b2c3d4e5f',
  requestId: '0199a3c4-2222-7000-8b1a-9f8e7d6c5b4a',
  deliveryId: '0199a3c5-3333-7000-9d4c-1a2b3c4d5e6f',
  key: 'dk_7Hq2mV9xT4cLw8nZb3KpR6sYd1FgJ5a0e41c9d',
  createdMs,
  endedMs: createdMs + 21_480,
  nextDayMs: createdMs + 86_400_000,
  nextWeekMs: createdMs + 604_800_000,
  files,
  videoUrl: `${files}/5mKq2rV8cXw1nB7tYz0aLd3fGh4/video.mp4`,
  thumbnailUrl: `${files}/8hTr5uW2eZx9pC4vQa1bNd6jKm7/thumbnail.jpg`,
  imageUrl: 'https://example.com/boat.jpg',
  receiverUrl: 'https://example.com/callbacks',
  prompt: 'A boat leaves the harbour',
  videoModel: 'videomodel/v2-5-turbo-image-to-video-pro',
  embeddingsModel: 'google/universal-sentence-encoder',
  address: '203.0.113.7',
})
