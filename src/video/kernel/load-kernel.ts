// The kernel where Node runs it: its bytes are a file beside this one.

import { readFile } from 'node:fs/promises'
import { compileKernel, createKernel, type Kernel } from './kernel.ts'

/** Once per process: code that was optimised during one render serves the next. */
let compiled: ReturnType<typeof compileKernel> | undefined

export async function loadKernel(): Promise<Kernel> {
  compiled ??= readFile(new URL('remap.wasm', import.meta.url)).then(compileKernel)
  return createKernel(await compiled)
}
