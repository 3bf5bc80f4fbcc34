/**
 * The parameters of a policy and their gradients. With one query at a time most weight gradients are an outer product of
 * two vectors; such a gradient stays in that form until it is read or a second one is added, because writing it out and
 * reading it back costs a quarter of a training step when the backbone is frozen.
 */
import type { Engine } from '../kernels/engine.js'
import type { FloatArray } from '../kernels/kernels.js'

/** A tensor of a model: its name and its sizes. */
export interface TensorShape {
  readonly name: string
  readonly dimensions: readonly number[]
}

export interface Parameter extends TensorShape {
  readonly length: number
  /** Index of its first number in the engine. */
  readonly start: number
  readonly trainable: boolean
  readonly gradient: Gradient
}

/** Rows `row` to `row + rows` of a gradient are the outer product of two vectors that the engine holds. */
interface OuterBlock {
  readonly row: number
  readonly rows: number
  readonly left: number
  readonly right: number
}

interface Gradient {
  /** `none`: nothing has been added since it was zeroed, and what `dense` points at means nothing. */
  state: 'none' | 'outer' | 'dense'
  readonly dense: number
  readonly blocks: readonly OuterBlock[]
}

export interface ParameterSet {
  readonly engine: Engine
  readonly all: readonly Parameter[]
  readonly trainable: readonly Parameter[]
  readonly count: number
  readonly trainableCount: number
  /** Changes with every `load`; caches of what frozen parameters give compare it. */
  readonly version: number
  get(name: string): Parameter
  /** Copies of all values. */
  read(): Map<string, FloatArray>
  load(values: ReadonlyMap<string, ArrayLike<number>>): void
  /** All values one after the other, into as many numbers; and back. */
  copy(into: FloatArray): void
  fill(from: FloatArray): void
  /** A copy of one gradient, zeros where nothing was added. */
  readGradient(name: string): FloatArray
  zeroGradients(): void
  /** Those of the trainable parameters one after the other, zeros where nothing was added. */
  copyGradients(into: FloatArray): void
  /** Adds what another pass has copied out. */
  addToGradients(from: FloatArray): void
}

/** `outerRows` tells for a weight into which blocks of rows its gradient falls when it comes from one query. */
export function createParameters(
  engine: Engine,
  tensors: readonly TensorShape[],
  frozen: readonly string[],
  outerRows: (name: string) => readonly number[],
): ParameterSet {
  const unknown = frozen.find(prefix => !tensors.some(({ name }) => name.startsWith(prefix)))
  if (unknown !== undefined) throw new RangeError(`no parameter starts with "${unknown}", so it cannot be frozen`)
  const all = tensors.map(({ name, dimensions }): Parameter => {
    const length = dimensions.reduce((product, size) => product * size, 1)
    const trainable = !frozen.some(prefix => name.startsWith(prefix))
    const start = engine.allocate(length)
    return { name, dimensions, length, start, trainable, gradient: gradientOf(name, dimensions, length, trainable) }
  })
  const byName = new Map(all.map(parameter => [parameter.name, parameter]))
  const trainable = all.filter(parameter => parameter.trainable)
  const sum = (parameters: readonly Parameter[]): number => parameters.reduce((total, { length }) => total + length, 0)
  let version = 0

  function gradientOf(name: string, dimensions: readonly number[], length: number, wanted: boolean): Gradient {
    if (!wanted) return { state: 'none', dense: 0, blocks: [] }
    let row = 0
    const blocks = outerRows(name).map((rows): OuterBlock => {
      const block = { row, rows, left: engine.allocate(rows), right: engine.allocate(dimensions[1] ?? 0) }
      row += rows
      return block
    })
    return { state: 'none', dense: engine.allocate(length), blocks }
  }

  function get(name: string): Parameter {
    const parameter = byName.get(name)
    if (parameter === undefined) throw new RangeError(`this policy has no parameter "${name}"`)
    return parameter
  }

  const copy = (start: number, length: number): FloatArray => engine.numbers().slice(start, start + length)

  /** Each of the parameters with its place when they stand one after the other. */
  function inOrder(parameters: readonly Parameter[], visit: (parameter: Parameter, at: number) => void): void {
    let at = 0
    for (const parameter of parameters) {
      visit(parameter, at)
      at += parameter.length
    }
  }

  return {
    engine,
    all,
    trainable,
    count: sum(all),
    trainableCount: sum(trainable),
    get version() {
      return version
    },
    get,
    read: () => new Map(all.map(({ name, start, length }) => [name, copy(start, length)])),
    load(values) {
      for (const { name, length } of all) {
        const given = values.get(name)
        if (given === undefined) throw new RangeError(`the values to load lack "${name}"`)
        if (given.length !== length) {
          throw new RangeError(`"${name}" has ${given.length} numbers where this policy needs ${length}`)
        }
      }
      const extra = [...values.keys()].find(name => !byName.has(name))
      if (extra !== undefined) throw new RangeError(`this policy has no parameter "${extra}"`)
      for (const { name, start } of all) engine.numbers().set(values.get(name) ?? [], start)
      version++
    },
    copy(into) {
      const numbers = engine.numbers()
      inOrder(all, ({ start, length }, at) => into.set(numbers.subarray(start, start + length), at))
    },
    fill(from) {
      const numbers = engine.numbers()
      inOrder(all, ({ start, length }, at) => numbers.set(from.subarray(at, at + length), start))
      version++
    },
    readGradient(name) {
      const { gradient, dimensions, length } = get(name)
      if (gradient.state === 'none') return new (engine.precision === 'float32' ? Float32Array : Float64Array)(length)
      writeOut(engine, gradient, dimensions, length)
      return copy(gradient.dense, length)
    },
    zeroGradients() {
      for (const { gradient } of trainable) gradient.state = 'none'
    },
    copyGradients(into) {
      const numbers = engine.numbers()
      inOrder(trainable, ({ gradient, dimensions, length }, at) => {
        if (gradient.state === 'none') return into.fill(0, at, at + length)
        writeOut(engine, gradient, dimensions, length)
        return into.set(numbers.subarray(gradient.dense, gradient.dense + length), at)
      })
    },
    addToGradients(from) {
      const numbers = engine.numbers()
      inOrder(trainable, (parameter, at) => {
        const { gradient, dimensions, length } = parameter
        writeOut(engine, gradient, dimensions, length)
        const start = denseGradient(engine, parameter)
        for (let i = 0; i < length; i++) numbers[start + i] += from[at + i]
      })
    },
  }
}

/** Turns a gradient kept as outer products into numbers. */
function writeOut(engine: Engine, gradient: Gradient, dimensions: readonly number[], length: number): void {
  if (gradient.state !== 'outer') return
  const columns = dimensions[1] ?? 1
  engine.numbers().fill(0, gradient.dense, gradient.dense + length)
  for (const { row, rows, left, right } of gradient.blocks) {
    engine.kernels.addOuter(gradient.dense + row * columns, left, right, rows, columns, columns)
  }
  gradient.state = 'dense'
}

/** To be called before a backward pass adds to gradients: the vectors of the last pass are about to be overwritten. */
export function settleGradients({ engine, trainable }: ParameterSet): void {
  for (const { gradient, dimensions, length } of trainable) writeOut(engine, gradient, dimensions, length)
}

/** Adds the outer product of two vectors to one block of rows of a gradient. */
export function addOuterGradient(
  engine: Engine,
  parameter: Parameter,
  block: number,
  { start: left }: { readonly start: number },
  { start: right }: { readonly start: number },
): void {
  const { gradient, dimensions, trainable } = parameter
  if (!trainable) return
  const { kernels } = engine
  const columns = dimensions[1] ?? 1
  const into = gradient.blocks[block]
  if (gradient.state === 'dense') {
    kernels.addOuter(gradient.dense + into.row * columns, left, right, into.rows, columns, columns)
    return
  }
  kernels.copy(into.left, left, into.rows)
  kernels.copy(into.right, right, columns)
  gradient.state = 'outer'
}

/** Makes a gradient ready to be added to number by number. */
export function denseGradient(engine: Engine, { gradient, length }: Parameter): number {
  if (gradient.state === 'none') engine.numbers().fill(0, gradient.dense, gradient.dense + length)
  gradient.state = 'dense'
  return gradient.dense
}
