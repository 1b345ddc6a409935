// The probing child process: answers one question at a time and dies with its parent.
// A crash or an endless loop in native code ends here and costs one file, not the service.
import { probeMedia, UnusableMedia } from './probe-media.ts'
import type { ProbeAnswer, ProbeQuestion } from './probed.ts'

process.on('message', async (question: ProbeQuestion) => {
  process.send?.(await answer(question))
})
// An ordinary exit would wait for native work that may never end.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

async function answer({ path, demuxer }: ProbeQuestion): Promise<ProbeAnswer> {
  try {
    return { probed: await probeMedia(path, demuxer) }
  } catch (error) {
    if (error instanceof UnusableMedia) return { failure: error.message }
    return { broken: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
