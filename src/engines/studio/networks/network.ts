// Runs a neural network from an ONNX file. One session per file and process, created on first use. Native: child
// processes only.

import { fileURLToPath } from 'node:url'
import type { InferenceSession } from 'onnxruntime-node'

export interface Network {
  /** The sizes that its first input declares; a size that it leaves open is not a number. */
  inputShape: readonly (number | string)[]
  /** Results by name, in the order in which the file declares them. */
  run(input: Float32Array, shape: number[]): Promise<Float32Array[]>
}

const networks = new Map<string, Promise<Network>>()

/** The path of a network that ships with the studio. */
export function bundledNetwork(name: 'fastdepth' | 'u2netp' | 'blazeface'): string {
  return fileURLToPath(new URL(`${name}.onnx`, import.meta.url))
}

export function openNetwork(path: string): Promise<Network> {
  let network = networks.get(path)
  if (!network) {
    // The next caller tries again after a failure.
    network = load(path).catch((error) => {
      networks.delete(path)
      throw error
    })
    networks.set(path, network)
  }
  return network
}

async function load(path: string): Promise<Network> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node')
  const session: InferenceSession = await InferenceSession.create(path, {
    executionProviders: ['cpu'],
    // A second thread takes a sixth more processor time, which other renders need.
    intraOpNumThreads: 1,
    // The arena would keep 490 MB for good; without it the process falls back to 120 MB, at the same pace.
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  })
  const input = session.inputMetadata[0]!
  return {
    inputShape: input.isTensor ? input.shape : [],
    async run(values, shape) {
      const results = await session.run({ [input.name]: new Tensor('float32', values, shape) })
      return session.outputNames.map((name) => results[name]!.data as Float32Array)
    },
  }
}
