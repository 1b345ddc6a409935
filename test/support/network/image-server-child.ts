// A process of its own that serves two JPEGs, so that measuring a client's time and memory does not count the server.
// `/photo` is 1920×1080 with about half a megabyte, `/heavy` has just under 10 MB. Reports its port, then serves.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'

const photo = await noiseJpeg(1920, 1080, 12, 85)
const heavy = await noiseJpeg(4000, 3000, 30, 95)

const server = createServer((request, response) => {
  const body = request.url?.startsWith('/heavy') ? heavy : photo
  response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': body.length }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ port, photoBytes: photo.length, heavyBytes: heavy.length })
})
process.on('disconnect', () => process.exit())

/** Noise compresses like a detailed photograph; making one tile of it and repeating that is much quicker. */
async function noiseJpeg(width: number, height: number, sigma: number, quality: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma } as const
  const tile = sharp({ create: { width: 320, height: 240, channels: 3, background: '#808080', noise } })
  const whole = sharp({ create: { width, height, channels: 3, background: '#808080' } })
  return await whole
    .composite([{ input: await tile.png().toBuffer(), tile: true }])
    .jpeg({ quality })
    .toBuffer()
}
