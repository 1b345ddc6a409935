// Loads the NSFW image classifier that ships inside nsfwjs and runs it on pixels. No files of clients, no processes.
// Only the weights of nsfwjs are used: its own code would pull in all of TensorFlow.js, and the small core that the
// embeddings bring (with its WebAssembly backend) can load them.
import { createRequire } from 'node:module'
import type { ImageScores } from '../moderation-job.ts'

/** Width and height in pixels of what the model looks at. */
export const inputSide = 224

/** `pixels`: 224 × 224 RGB bytes. */
export type ScorePixels = (pixels: Uint8Array) => Promise<ImageScores>

interface Tensor {
  data(): Promise<Float32Array>
  dispose(): void
}

// The core's own types lead to packages that are bundled inside and not installed, so the few calls are named here.
interface TensorFlow {
  ready(): Promise<void>
  tensor4d(values: Float32Array, shape: [number, number, number, number]): Tensor
  loadGraphModel(source: { load(): Promise<object> }): Promise<{ predict(input: Tensor): Tensor }>
}
interface BundledModel {
  modelJson(): Promise<{ default: ModelJson }>
  weightBundles: (() => Promise<{ default: string }>)[]
}
interface ModelJson {
  modelTopology: object
  format: string
  weightsManifest: { weights: object[] }[]
}

export async function loadNsfwModel(): Promise<ScorePixels> {
  const tensorFlow: TensorFlow = createRequire(import.meta.url)('@energetic-ai/core')
  const { MobileNetV2MidModel } = (await import('nsfwjs/models/mobilenet_v2_mid')) as unknown as {
    MobileNetV2MidModel: BundledModel
  }
  const artifacts = await readArtifacts(MobileNetV2MidModel)
  await tensorFlow.ready()
  const model = await tensorFlow.loadGraphModel({ load: async () => artifacts })

  return async (pixels) => {
    const values = Float32Array.from(pixels, (value) => value / 255)
    const input = tensorFlow.tensor4d(values, [1, inputSide, inputSide, 3])
    const output = model.predict(input)
    try {
      const [drawing, hentai, neutral, porn, sexy] = await output.data()
      return { drawing: drawing!, hentai: hentai!, neutral: neutral!, porn: porn!, sexy: sexy! }
    } finally {
      input.dispose()
      output.dispose()
    }
  }
}

async function readArtifacts(bundled: BundledModel): Promise<object> {
  const { default: json } = await bundled.modelJson()
  const shards = await Promise.all(bundled.weightBundles.map((load) => load()))
  const bytes = Buffer.concat(shards.map((shard) => Buffer.from(shard.default, 'base64')))
  return {
    modelTopology: json.modelTopology,
    format: json.format,
    weightSpecs: json.weightsManifest.flatMap((group) => group.weights),
    weightData: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
  }
}
