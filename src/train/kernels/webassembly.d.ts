/**
 * The part of WebAssembly that engine.ts uses. TypeScript declares it only together with the whole browser, which this
 * code must not see. A module is typed by what it exports, so that the promise is made once, where it is compiled.
 */
declare namespace WebAssembly {
  class Memory {
    constructor(size: { readonly initial: number; readonly maximum: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class Module<Exports> {
    constructor(bytes: Uint8Array)
    private readonly exported: Exports
  }
  class Instance<Exports> {
    constructor(module: Module<Exports>, imports: { readonly env: { readonly memory: Memory } })
    readonly exports: Exports
  }
}
