// The inspectors with their real processes, for one caller.
import type { OnBehalfOf } from '../../../src/children/child-pool.ts'
import { type AvInspector, createAvInspector } from '../../../src/media/inspect-av.ts'
import { createInputInspector, type InputUse } from '../../../src/media/inspect-input.ts'
import { createMediaChildren, type MediaChildrenOptions } from '../../../src/media/media-children.ts'

export const tester: OnBehalfOf = { caller: { account: 'test', key: 'test' } }

export type Inspectors = ReturnType<typeof openInspectors>

export function openInspectors(options?: MediaChildrenOptions) {
  const children = createMediaChildren(options)
  const av: AvInspector = createAvInspector(children)
  const { inspectInput } = createInputInspector({ av, children })
  return {
    children,
    inspectInput: (path: string, use: InputUse) => inspectInput(path, use, tester),
    inspectAudio: (path: string) => av.inspectAudio(path, tester),
    inspectVideo: (path: string) => av.inspectVideo(path, tester),
    close: children.close,
  }
}
