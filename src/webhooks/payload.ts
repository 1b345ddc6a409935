// The callback body of a finished task, and of an event that an owner sends to test a receiver. The one of an inference
// request is in inference/payload.ts, because it is also the response to that request.
import type { TaskCallback } from '../contract/tasks/records.ts'
import { notQueueing } from '../tasks/record/queue-place.ts'
import { unifiedRecord } from '../tasks/record/records.ts'
import type { TaskRow } from '../tasks/store/task-row.ts'

/** `{code, msg, data}`: 200 or the failure's code, and the unified record. */
export function taskCallbackBody(task: TaskRow, publicUrl: string): string {
  const failed = task.state === 'fail'
  return JSON.stringify({
    code: failed ? Number(task.fail_code) : 200,
    msg: failed ? task.fail_msg : 'success',
    data: unifiedRecord(task, publicUrl, notQueueing),
  })
}

/** The callback of a task that has ended, with made-up values. */
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
