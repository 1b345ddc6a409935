// The part of the WebAssembly global that the kernel uses; TypeScript declares it only together with the whole DOM.

declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  function validate(bytes: Uint8Array): boolean
  function instantiate(
    bytes: Uint8Array,
    imports: { [module: string]: { [name: string]: unknown } },
  ): Promise<{ instance: { exports: { [name: string]: unknown } } }>
}
