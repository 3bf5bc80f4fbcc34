/**
 * What a pickle says, as plain data. A call that Python would make is written down (`PickledObject`), never made: the
 * reader knows no function it could call.
 */

export type PickleValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Buffer
  | PickledSequence
  | PickledDict
  | PickledGlobal
  | PickledObject
  | PickledReference

/** Filled while the pickle is read, because a container may be named before its members are known. */
interface PickledSequence {
  readonly kind: 'list' | 'tuple' | 'set'
  readonly items: PickleValue[]
}

interface PickledDict {
  readonly kind: 'dict'
  readonly entries: [PickleValue, PickleValue][]
}

/** A class or function by its full name, `torch.FloatStorage`. */
interface PickledGlobal {
  readonly kind: 'global'
  readonly name: string
}

/** What Python would make by calling `name` with `args`, giving it `state`, and putting items and entries into it. */
export interface PickledObject {
  readonly kind: 'object'
  readonly name: string
  readonly args: readonly PickleValue[]
  state: PickleValue
  readonly items: PickleValue[]
  readonly entries: [PickleValue, PickleValue][]
}

/** Something kept outside the pickle: PyTorch's storages. */
export interface PickledReference {
  readonly kind: 'reference'
  readonly id: PickleValue
}

/** Python 2's names of the same modules, which protocol 2 (PyTorch's) still writes. */
export function globalName(module: string, name: string): string {
  return `${module === '__builtin__' ? 'builtins' : module}.${name}`
}
