// Finds what a picture is of: a soft mask of its subject by U²-Net-p, where that mask is clean enough to use. It neither
// decodes pictures nor cuts them.

import type { Kernel } from '../../../video/kernel/kernel.ts'
import { resizeLuma } from '../../../video/picture/luma.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import { type Pixels, scalePixels } from '../../../video/picture/source-picture.ts'
import { bundledNetwork, openNetwork, trainingColours } from '../networks/network.ts'

const modelSide = 320
/** Cut-outs need the finer of the network's outputs; to locate the subject, one of half its size is enough. */
const answers = {
  fine: { side: modelSide / 2, upTo: undefined },
  coarse: { side: modelSide / 4, upTo: 'side3.weight' },
}
export type MaskDetail = keyof typeof answers

/** Below this the network has found nothing, and stretching its answer would show noise. */
const peakMin = 0.7
const areaShareMin = 0.02
const areaShareMax = 0.65
/** Undecided pixels, as a share of the subject: the border of a clean subject is thin. */
const midGreyShareMax = 0.3

/**
 * A mask (0..255) of a picture's subject, of the wanted size, or null where none stands out cleanly. Takes 0.8 s
 * of one arm64 core and 100 MB while it runs; half of that for a coarse one.
 */
export async function findSubject(
  kernel: Kernel,
  picture: Pixels,
  size: Size,
  detail: MaskDetail = 'fine',
): Promise<Uint8Array | null> {
  const { rgb } = scalePixels(kernel, picture, { width: modelSide, height: modelSide })
  const { clean, stretched } = judgeSaliency(await runModel(modelInput(rgb), detail))
  if (!clean) return null
  const levels = stretched.map((share) => 255 * share)
  const { side } = answers[detail]
  return Uint8Array.from(resizeLuma({ data: levels, width: side, height: side }, size).data, Math.round)
}

/** Judges the network's raw answer, and stretches it to the full range where it has found something. */
export function judgeSaliency(saliency: Float32Array): { clean: boolean; stretched: Float32Array } {
  let least = 1
  let peak = 0
  for (const value of saliency) {
    if (value < least) least = value
    if (value > peak) peak = value
  }
  if (!(peak >= peakMin && peak - least >= peakMin / 2)) {
    return { clean: false, stretched: new Float32Array(saliency.length) }
  }
  let subject = 0
  let midGrey = 0
  const stretched = saliency.map((value) => {
    const share = (value - least) / (peak - least)
    if (share > 0.5) subject++
    if (share > 0.2 && share < 0.8) midGrey++
    return share
  })
  const areaShare = subject / saliency.length
  const clean = areaShare >= areaShareMin && areaShare <= areaShareMax && midGrey <= midGreyShareMax * subject
  return { clean, stretched }
}

function modelInput(rgb: Uint8Array): Float32Array {
  // The network expects the brightest value at 1, also in a dark picture.
  let brightest = 1
  for (let i = 0; i < rgb.length; i++) if (rgb[i]! > brightest) brightest = rgb[i]!
  const plane = modelSide * modelSide
  const input = new Float32Array(3 * plane)
  for (let c = 0; c < 3; c++) {
    const scale = 1 / (brightest * trainingColours.deviation[c]!)
    const offset = trainingColours.mean[c]! / trainingColours.deviation[c]!
    for (let i = 0, at = c; i < plane; i++, at += 3) input[c * plane + i] = rgb[at]! * scale - offset
  }
  return input
}

async function runModel(input: Float32Array, detail: MaskDetail): Promise<Float32Array> {
  const network = await openNetwork(bundledNetwork('u2netp'), answers[detail].upTo)
  const [answer] = await network.run(input, [1, 3, modelSide, modelSide])
  return answer!.map((value) => 1 / (1 + Math.exp(-value)))
}
