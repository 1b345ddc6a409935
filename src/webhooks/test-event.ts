// The body of an event that an owner sends to test a receiver: the callback of a task that has ended, with made-up
// values.
import type { TaskCallback } from '../contract/tasks/records.ts'

export function testCallbackBody(id: string, nowMs: number): string {
  const callback: TaskCallback = {
    code: 200,
    msg: 'This is a test event; there is no such task.',
    data: {
      taskId: id,
      model: 'videomodel/v2-5-turbo-image-to-video-pro',
      state: 'success',
      param: '{}',
      resultJson: JSON.stringify({ resultUrls: ['https://example.com/video.mp4'] }),
      failCode: '',
      failMsg: '',
      failReason: '',
      progress: 100,
      queuePosition: null,
      timeLeftMs: null,
      ignoredFields: [],
      creditsConsumed: 0,
      costTime: 1000,
      createTime: nowMs - 1000,
      updateTime: nowMs,
      completeTime: nowMs,
      understood: null,
      video: null,
    },
  }
  return JSON.stringify(callback)
}
