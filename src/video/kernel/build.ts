// Compiles the pixel kernel: `node src/video/kernel/build.ts` writes remap.wasm beside this file.
// The result is committed, so that running the studio needs no compiler; a test compares the two.

import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'

const sourceFiles = ['remap.ts', 'light.ts', 'resample.ts', 'sprites.ts', 'field.ts', 'film.ts']
const kernelUrl = new URL('remap.wasm', import.meta.url)

/** The kernel's bytes, compiled from its source. */
export async function buildKernel(): Promise<Uint8Array> {
  const sources = new Map<string, string>()
  for (const file of sourceFiles) {
    sources.set(file, await readFile(new URL(`assembly/${file}`, import.meta.url), 'utf8'))
  }
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
      readFile: (name) => sources.get(name) ?? null,
      writeFile: (name, contents) => {
        if (name === 'remap.wasm') binary = contents as Uint8Array
      },
      listFiles: () => [],
    },
  )
  if (error || !binary) throw new Error(`the kernel does not compile: ${stderr.toString()}`, { cause: error })
  return binary
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(kernelUrl, await buildKernel())
