// Runs a neural network from an ONNX file. One session per file and process, created on first use. Native: child
// processes only.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { InferenceSession } from 'onnxruntime-node'
import { cutNetwork } from './cut-network.ts'

export interface Network {
  /** The sizes that its first input declares; a size that it leaves open is not a number. */
  inputShape: readonly (number | string)[]
  /** Results by name, in the order in which the file declares them. */
  run(input: Float32Array, shape: number[]): Promise<Float32Array[]>
}

/** Mean and deviation of each channel of the pictures that most networks were trained on (ImageNet). */
export const trainingColours = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] }

const networks = new Map<string, Promise<Network>>()

/** The path of a network that ships with the studio. */
export function bundledNetwork(name: 'fastdepth' | 'u2netp' | 'blazeface'): string {
  return fileURLToPath(new URL(`${name}.onnx`, import.meta.url))
}

/** `upTo` names the weights of the last node that is computed, where that is not all of the file. */
export function openNetwork(path: string, upTo?: string): Promise<Network> {
  const key = `${path} ${upTo}`
  let network = networks.get(key)
  if (!network) {
    // The next caller tries again after a failure.
    network = load(path, upTo).catch((error) => {
      networks.delete(key)
      throw error
    })
    networks.set(key, network)
  }
  return network
}

async function load(path: string, upTo?: string): Promise<Network> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node')
  const options = {
    executionProviders: ['cpu'],
    // A second thread takes a sixth more processor time, which other renders need.
    intraOpNumThreads: 1,
    // The arena would keep 490 MB forever; without it the process falls back to 120 MB, at the same pace.
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  } as const
  const session: InferenceSession = upTo
    ? await InferenceSession.create(cutNetwork(await readFile(path), upTo), options)
    : await InferenceSession.create(path, options)
  const input = session.inputMetadata[0]!
  return {
    inputShape: input.isTensor ? input.shape : [],
    async run(values, shape) {
      const results = await session.run({ [input.name]: new Tensor('float32', values, shape) })
      return session.outputNames.map((name) => results[name]!.data as Float32Array)
    },
  }
}
