/**
 * Where the numbers of a training run live, and what computes with them. `float32` is the working engine: WebAssembly
 * memory and SIMD kernels. `float64` is the oracle in plain TypeScript. Everything that works together (policy,
 * reference, embeddings, optimiser) shares one engine. Memory is handed out and never taken back: a run asks for what it
 * needs once.
 */

import { readFileSync } from 'node:fs'
import { Problem } from '../../../logs/model/problem.js'
import { builtFile } from '../../../logs/model/util/built-file.js'
import { sentences } from '../../../text/sentences.js'
import type { FloatArray, Kernels } from './kernels.js'
import { plainKernels } from './plain.js'

export type Precision = 'float32' | 'float64'

export interface Engine {
  readonly precision: Precision
  readonly kernels: Kernels
  /** All numbers. Ask again after `allocate`: memory that has grown is another array. */
  numbers(): FloatArray
  /** The index of the first of `length` fresh zeros. */
  allocate(length: number): number
}

export function createEngine(precision: Precision): Engine {
  return precision === 'float32' ? simdEngine() : plainEngine()
}

/**
 * Blocks start on a cache line: 16 numbers of 4 bytes. The first one is left out, so that no block is at 0; kernels may
 * write there.
 */
const BLOCK = 16
const rounded = (length: number): number => Math.ceil(length / BLOCK) * BLOCK

function plainEngine(): Engine {
  let numbers = new Float64Array(1 << 16)
  let used = BLOCK
  return {
    precision: 'float64',
    kernels: plainKernels(() => numbers),
    numbers: () => numbers,
    allocate(length) {
      const start = used
      used += rounded(length)
      if (used > numbers.length) {
        const larger = new Float64Array(Math.max(used, 2 * numbers.length))
        larger.set(numbers)
        numbers = larger
      }
      return start
    },
  }
}

const PAGE_BYTES = 65_536
/** WebAssembly's own limit: 4 GiB. */
const MOST_PAGES = 65_536

function simdEngine(): Engine {
  const memory = new WebAssembly.Memory({ initial: 16, maximum: MOST_PAGES })
  // The file is compiled from assembly/, whose functions are those of Kernels: the promise is made here, once.
  const kernels = exportsOf(new WebAssembly.Instance(compiledKernels(), { env: { memory } })) as Kernels
  let numbers = new Float32Array(memory.buffer)
  let used = BLOCK
  return {
    precision: 'float32',
    kernels,
    numbers: () => numbers,
    allocate(length) {
      const start = used
      used += rounded(length)
      const missing = used * Float32Array.BYTES_PER_ELEMENT - memory.buffer.byteLength
      if (missing > 0) {
        const pages = Math.ceil(missing / PAGE_BYTES)
        const present = memory.buffer.byteLength / PAGE_BYTES
        if (present + pages > MOST_PAGES) throw new Problem('bad-request', say('train.too-large', {}))
        memory.grow(Math.min(Math.max(pages, present >> 1), MOST_PAGES - present))
        numbers = new Float32Array(memory.buffer)
      }
      return start
    },
  }
}

const say = sentences({
  'train.too-large': {
    en: 'this policy and its data do not fit into 4 GiB of memory; reduce policy.hidden or the data',
    zh: '该策略及其数据放不进 4 GiB 内存；请减小 policy.hidden 或数据量',
  },
})

function exportsOf({ exports }: WebAssembly.Instance): object {
  return exports
}

let compiled: WebAssembly.Module | undefined

function compiledKernels(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(kernelsPath()))
  return compiled
}

function kernelsPath(): string {
  const path = builtFile('train', 'kernels', 'kernels.wasm')
  if (path === null) throw new Error('kernels.wasm has not been built; run "npm run build"')
  return path
}
