/** Named scratch memory of a policy: the same block each time it is asked for, a larger one when more is needed. */
import type { Engine } from '../kernels/engine.js'

export type Workspace = (name: string, length: number) => number

export function createWorkspace(engine: Engine): Workspace {
  const blocks = new Map<string, { readonly start: number; readonly length: number }>()
  return (name, length) => {
    const known = blocks.get(name)
    if (known !== undefined && known.length >= length) return known.start
    // Half as much again, so that queries of slowly growing size do not leave a trail of blocks.
    const size = known === undefined ? length : Math.max(length, Math.ceil(1.5 * known.length))
    const start = engine.allocate(size)
    blocks.set(name, { start, length: size })
    return start
  }
}
