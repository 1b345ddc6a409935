// Compiles the pixel kernel: `node src/video/kernel/build.ts` writes remap.wasm beside this file.
// The result is committed, so that running the studio needs no compiler; a test compares the two.

import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'

const sourceUrl = new URL('assembly/remap.ts', import.meta.url)
const kernelUrl = new URL('remap.wasm', import.meta.url)

/** The kernel's bytes, compiled from its source. */
export async function compileKernel(): Promise<Uint8Array> {
  const source = await readFile(sourceUrl, 'utf8')
  let binary: Uint8Array | undefined
  const { error, stderr } = await asc.main(
    ['remap.ts', '--outFile', 'remap.wasm', '--runtime', 'stub', '--importMemory', '--initialMemory', '1'].concat([
      '--enable',
      'simd',
      '--optimizeLevel',
      '3',
      '--noAssert',
      '--use',
      'abort=',
    ]),
    {
      readFile: (name) => (name === 'remap.ts' ? source : null),
      writeFile: (name, contents) => {
        if (name === 'remap.wasm') binary = contents as Uint8Array
      },
      listFiles: () => [],
    },
  )
  if (error || !binary) throw new Error(`the kernel does not compile: ${stderr.toString()}`, { cause: error })
  return binary
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(kernelUrl, await compileKernel())
