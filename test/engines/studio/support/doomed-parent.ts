// A program that renders until it is killed, and prints which process renders for it.

import { drawTexture, pngOf } from './pictures.ts'
import { startStudio } from './studio-run.ts'

if (process.send) {
  const run = await startStudio()
  await run.put('first.png', await pngOf(drawTexture(320, 180, 1), 320, 180))
  await run.run(
    { seconds: 15, size: { width: 960, height: 540 } },
    { progress: (percent) => percent >= 6 && process.send?.(run.studio.pids()[0]) },
  )
  await run.close()
}
