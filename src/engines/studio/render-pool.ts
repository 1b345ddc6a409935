// The studio's render processes: warm, reused, and lower in priority than the service.
import { createVideoChildren, type VideoChildren } from '../video-children.ts'
import type { RenderJob } from './render-plan.ts'

type RenderPool = VideoChildren<RenderJob>

interface RenderPoolOptions {
  /** Videos rendered at once, each in a process of its own. */
  slots: number
  /** Resident memory that a render may reach. */
  rssBytesMax: number
  renderMsMax: number
  /** How long a process may take to obey an abort before it is killed. */
  abortMsMax: number
  startMsMax: number
  rendersPerChildMax: number
}

export function createRenderPool({ renderMsMax, rendersPerChildMax, ...options }: RenderPoolOptions): RenderPool {
  return createVideoChildren<RenderJob>({
    name: 'render',
    module: new URL('./render-main.ts', import.meta.url),
    jobMsMax: renderMsMax,
    jobsPerChildMax: rendersPerChildMax,
    niceness: 10,
    ...options,
  })
}
