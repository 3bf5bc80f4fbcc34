/**
 * The part of WebAssembly that engine.ts uses, as far as it is the same in Node and in a browser. TypeScript declares it
 * only together with the whole browser, which this code must not see; the pages of the dashboard, which reach it through
 * the types of answers, do see that.
 */
declare namespace WebAssembly {
  class Memory {
    constructor(size: { readonly initial: number; readonly maximum: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: { readonly env: { readonly memory: Memory } })
    readonly exports: object
  }
}
