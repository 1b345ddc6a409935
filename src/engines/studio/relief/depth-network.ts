// Asks a network how far each part of a picture is. It owns what the known networks take and return; depth-map.ts decides
// whether the result is credible, and refines it.

import type { Kernel } from '../../../video/kernel/kernel.ts'
import type { Luma } from '../../../video/picture/luma.ts'
import { type Pixels, scalePixels } from '../../../video/picture/source-picture.ts'
import { bundledNetwork, openNetwork, trainingColours } from '../networks/network.ts'

/** The size for networks that take any: a multiple of 14 for some, of 32 for others. One that suits both would be larger. */
const openSide = { patches14: 518, halvings5: 384 }

/**
 * Nearness (larger is nearer, no fixed scale) of the picture and of its mirror image, the latter mirrored back. The path
 * names a network other than the bundled one: MiDaS or Depth-Anything, which return inverse depth.
 */
export async function readNearness(
  kernel: Kernel,
  picture: Pixels,
  path: string | null,
): Promise<{ plain: Luma; mirrored: Luma }> {
  const network = await openNetwork(path ?? bundledNetwork('fastdepth'))
  const [, , height, width] = network.inputShape
  const open = /midas|dpt/i.test(path ?? '') ? openSide.halvings5 : openSide.patches14
  const size = {
    width: typeof width === 'number' && width > 0 ? width : open,
    height: typeof height === 'number' && height > 0 ? height : open,
  }
  const { rgb } = scalePixels(kernel, picture, size)
  const ask = async (mirror: boolean): Promise<Luma> => {
    const input = planesOf(rgb, size.width, mirror, path === null ? null : trainingColours)
    const answers = await network.run(input, [1, 3, size.height, size.width])
    const values = answers[0]!
    // Some networks return their answer at half the size of their input.
    const factor = Math.sqrt(values.length / (size.width * size.height))
    const answer = { width: Math.round(size.width * factor), height: Math.round(size.height * factor) }
    if (answer.width * answer.height !== values.length) throw new Error('the depth network returns no picture')
    const data = new Float32Array(values.length)
    for (let row = 0, i = 0; row < answer.height; row++) {
      for (let column = 0; column < answer.width; column++, i++) {
        const value = values[row * answer.width + (mirror ? answer.width - 1 - column : column)]!
        // The bundled network returns metres.
        data[i] = path === null ? 1 / Math.max(value, 0.1) : value
      }
    }
    return { data, ...answer }
  }
  return { plain: await ask(false), mirrored: await ask(true) }
}

function planesOf(
  rgb: Uint8Array,
  width: number,
  mirror: boolean,
  statistics: typeof trainingColours | null,
): Float32Array {
  const count = rgb.length / 3
  const planes = new Float32Array(3 * count)
  for (let channel = 0; channel < 3; channel++) {
    const mean = statistics?.mean[channel] ?? 0
    const scale = 1 / (statistics?.deviation[channel] ?? 1)
    for (let row = 0; row < count; row += width) {
      for (let column = 0; column < width; column++) {
        const from = row + (mirror ? width - 1 - column : column)
        planes[channel * count + row + column] = (rgb[from * 3 + channel]! / 255 - mean) * scale
      }
    }
  }
  return planes
}
