// An image to a video in ten lines: node generate.ts boat.jpg "slow push in" boat.mp4
import { readFile, writeFile } from 'node:fs/promises'
import { Dailies } from 'dailies-client'

const [image, prompt, out] = process.argv.slice(2) as [string, string, string]
const dailies = new Dailies() // DAILIES_URL and DAILIES_KEY
const { videoUrl } = await dailies.generate({
  image: await readFile(image),
  prompt,
  onProgress: ({ state, progress }) => console.log(state, `${progress} %`),
})
await writeFile(out, (await dailies.download(videoUrl)).stream())
