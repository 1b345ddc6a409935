// What the console says of a task: why it failed, and what its video is like.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureOf, pictureOf } from '../../console/src/task-facts.ts'

test('a failure names its field as the form does', () => {
  const cases = [
    ['image_url: The image is too large.', 'First frame: The image is too large.'],
    ['image_url[1]: The image is too large.', 'Last frame: The image is too large.'],
    ['tail_image_url: The image could not be fetched: 404.', 'Last frame: The image could not be fetched: 404.'],
    ['elements[0].element_input_urls[2]: Not an image.', 'Subject 1, picture 3: Not an image.'],
    ['taskId: The image was refused.', 'The video: The image was refused.'],
    ['The engine failed: it ran out of memory.', 'The engine failed: it ran out of memory.'],
  ]
  for (const [failMsg, words] of cases) assert.equal(failureOf({ failMsg: failMsg! }), words)
})

test('a video whose frame rate or codec is not known says what is', () => {
  const size = { width: 1280, height: 720 }
  assert.equal(pictureOf({ ...size, fps: 24, codec: 'h264' }), '1280 × 720, 24 fps, h264')
  assert.equal(pictureOf({ ...size, fps: null, codec: null }), '1280 × 720')
})
