// The part of the WebAssembly global that the kernel uses; TypeScript declares it only together with the whole DOM.

declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class Module {
    private constructor()
  }
  function compile(bytes: Uint8Array): Promise<Module>
  function instantiate(
    module: Module,
    imports: { [module: string]: { [name: string]: unknown } },
  ): Promise<{ exports: { [name: string]: unknown } }>
}
