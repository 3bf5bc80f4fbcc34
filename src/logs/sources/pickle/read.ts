import { integerFromText, type PickleCursor, PickleError, pickleCursor } from './cursor.js'

/**
 * Reads a pickle (protocols 0 to 5) into plain data. Python's own reader is a machine that calls what the file names;
 * this one has the same stack and memo but no calls: REDUCE and its kin only note down what would have been called.
 */

/**
 * A tensor takes about 45 opcodes, so this is room for 90,000 tensors; what follows from a single byte costs up to a
 * hundred in memory.
 */
const MOST_OPCODES = 4_000_000
/** One is open per level of nesting; what is nested deeper is refused later anyway. */
const MOST_OPEN_MARKS = 10_000

interface Machine {
  readonly cursor: PickleCursor
  stack: PickleValue[]
  /** The stacks below each open MARK. */
  readonly marks: PickleValue[][]
  readonly memo: Map<number, PickleValue>
  readonly references: PickledReference[]
}

interface Unpickled {
  readonly value: PickleValue
  /** Where in the bytes the pickle ended: PyTorch's old format is several pickles in a row. */
  readonly end: number
  /** Everything the pickle says is kept outside of it, in the order in which it says so. */
  readonly references: readonly PickledReference[]
}

export function readPickle(bytes: Buffer, from = 0): Unpickled {
  const references: PickledReference[] = []
  const machine: Machine = { cursor: pickleCursor(bytes, from), stack: [], marks: [], memo: new Map(), references }
  for (let count = 0; count < MOST_OPCODES; count += 1) {
    const opcode = machine.cursor.byte()
    if (opcode === STOP) return { value: pop(machine), end: machine.cursor.position(), references }
    const step = STEPS[opcode]
    if (step === undefined) throw new PickleError('damaged')
    step(machine)
  }
  throw new PickleError('overfull')
}

function pop({ stack }: Machine): PickleValue {
  const value = stack.pop()
  if (value === undefined) throw new PickleError('damaged')
  return value
}

function top({ stack }: Machine): PickleValue {
  const value = stack.at(-1)
  if (value === undefined) throw new PickleError('damaged')
  return value
}

/** Everything above the last MARK, which is closed. */
function popMark(machine: Machine): PickleValue[] {
  const above = machine.stack
  const below = machine.marks.pop()
  if (below === undefined) throw new PickleError('damaged')
  machine.stack = below
  return above
}

function append(target: PickleValue, values: readonly PickleValue[]): void {
  if (!isContainer(target) || !('items' in target)) throw new PickleError('damaged')
  for (const value of values) target.items.push(value)
}

function setItems(target: PickleValue, flat: readonly PickleValue[]): void {
  if (!isContainer(target) || !('entries' in target)) throw new PickleError('damaged')
  for (let i = 0; i < flat.length; i += 2) {
    const key = flat[i]
    const value = flat[i + 1]
    if (key === undefined || value === undefined) throw new PickleError('damaged')
    target.entries.push([key, value])
  }
}

function isContainer(
  value: PickleValue,
): value is Exclude<PickleValue, null | boolean | number | bigint | string | Buffer> {
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value)
}

function object(callee: PickleValue, args: PickleValue): PickledObject {
  const name = isContainer(callee) && (callee.kind === 'global' || callee.kind === 'object') ? callee.name : null
  if (name === null || !isContainer(args) || args.kind !== 'tuple') throw new PickleError('damaged')
  return { kind: 'object', name, args: args.items, state: null, items: [], entries: [] }
}

function remember({ memo }: Machine, key: number, value: PickleValue): void {
  memo.set(key, value)
}

function recall({ memo, stack }: Machine, key: number): void {
  const value = memo.get(key)
  if (value === undefined) throw new PickleError('damaged')
  stack.push(value)
}

function tuple(machine: Machine, length: number): void {
  const items = Array.from({ length }, () => pop(machine)).reverse()
  machine.stack.push({ kind: 'tuple', items })
}

function dictOf(flat: readonly PickleValue[]): PickleValue {
  const dict: PickleValue = { kind: 'dict', entries: [] }
  setItems(dict, flat)
  return dict
}

const text = (bytes: Buffer): string => bytes.toString('utf8')
/** Python 2's byte strings; as Python's reader does by default, but tolerant of what is no ASCII. */
const byteString = (bytes: Buffer): string => bytes.toString('latin1')

type Step = (machine: Machine) => void
const pushing =
  (value: (cursor: PickleCursor) => PickleValue): Step =>
  ({ cursor, stack }) => {
    stack.push(value(cursor))
  }

const OPCODES: ReadonlyMap<string, Step> = new Map<string, Step>([
  ['\x80', ({ cursor }) => void cursor.byte()],
  ['\x95', ({ cursor }) => void cursor.take(8)],
  ['N', pushing(() => null)],
  ['\x88', pushing(() => true)],
  ['\x89', pushing(() => false)],
  ['I', pushing(cursor => integerFromText(cursor.line()))],
  ['L', pushing(cursor => integerFromText(cursor.line()))],
  ['J', pushing(cursor => cursor.int32())],
  ['K', pushing(cursor => cursor.byte())],
  ['M', pushing(cursor => cursor.uint16())],
  ['\x8a', pushing(cursor => cursor.integer(cursor.byte()))],
  ['\x8b', pushing(cursor => cursor.integer(cursor.uint32()))],
  ['F', pushing(cursor => Number(cursor.line()))],
  ['G', pushing(cursor => cursor.float64())],
  ['S', pushing(cursor => cursor.line().replace(/^(['"])(.*)\1$/, '$2'))],
  ['V', pushing(cursor => cursor.line())],
  ['T', pushing(cursor => byteString(cursor.take(cursor.uint32())))],
  ['U', pushing(cursor => byteString(cursor.take(cursor.byte())))],
  ['X', pushing(cursor => text(cursor.take(cursor.uint32())))],
  ['\x8c', pushing(cursor => text(cursor.take(cursor.byte())))],
  ['\x8d', pushing(cursor => text(cursor.take(cursor.length64())))],
  ['B', pushing(cursor => cursor.take(cursor.uint32()))],
  ['C', pushing(cursor => cursor.take(cursor.byte()))],
  ['\x8e', pushing(cursor => cursor.take(cursor.length64()))],
  ['\x96', pushing(cursor => cursor.take(cursor.length64()))],
  [']', pushing(() => ({ kind: 'list', items: [] }))],
  ['}', pushing(() => ({ kind: 'dict', entries: [] }))],
  [')', pushing(() => ({ kind: 'tuple', items: [] }))],
  ['\x8f', pushing(() => ({ kind: 'set', items: [] }))],
  [
    '(',
    machine => {
      if (machine.marks.length === MOST_OPEN_MARKS) throw new PickleError('overfull')
      machine.marks.push(machine.stack)
      machine.stack = []
    },
  ],
  ['0', machine => void (machine.stack.length > 0 ? machine.stack.pop() : popMark(machine))],
  ['1', machine => void popMark(machine)],
  ['2', machine => void machine.stack.push(top(machine))],
  ['l', machine => collected(machine, items => ({ kind: 'list', items }))],
  ['t', machine => collected(machine, items => ({ kind: 'tuple', items }))],
  ['\x91', machine => collected(machine, items => ({ kind: 'set', items }))],
  ['d', machine => collected(machine, dictOf)],
  ['\x85', machine => tuple(machine, 1)],
  ['\x86', machine => tuple(machine, 2)],
  ['\x87', machine => tuple(machine, 3)],
  ['a', machine => onTop(machine, [pop(machine)], append)],
  ['e', machine => onTop(machine, popMark(machine), append)],
  ['\x90', machine => onTop(machine, popMark(machine), append)],
  ['s', machine => onTop(machine, [pop(machine), pop(machine)].reverse(), setItems)],
  ['u', machine => onTop(machine, popMark(machine), setItems)],
  ['p', machine => remember(machine, memoKey(machine.cursor.line()), top(machine))],
  ['q', machine => remember(machine, machine.cursor.byte(), top(machine))],
  ['r', machine => remember(machine, machine.cursor.uint32(), top(machine))],
  ['\x94', machine => remember(machine, machine.memo.size, top(machine))],
  ['g', machine => recall(machine, memoKey(machine.cursor.line()))],
  ['h', machine => recall(machine, machine.cursor.byte())],
  ['j', machine => recall(machine, machine.cursor.uint32())],
  ['c', pushing(cursor => ({ kind: 'global', name: globalName(cursor.line(), cursor.line()) }))],
  [
    '\x93',
    machine => {
      const [module, name] = [pop(machine), pop(machine)].reverse()
      if (typeof module !== 'string' || typeof name !== 'string') throw new PickleError('damaged')
      machine.stack.push({ kind: 'global', name: globalName(module, name) })
    },
  ],
  ['R', machine => called(machine, pop(machine))],
  ['\x81', machine => called(machine, pop(machine))],
  [
    '\x92',
    machine => {
      pop(machine)
      called(machine, pop(machine))
    },
  ],
  [
    'i',
    machine => {
      const callee: PickleValue = { kind: 'global', name: globalName(machine.cursor.line(), machine.cursor.line()) }
      collected(machine, items => object(callee, { kind: 'tuple', items }))
    },
  ],
  ['o', machine => collected(machine, ([callee, ...items]) => object(callee ?? null, { kind: 'tuple', items }))],
  [
    'b',
    machine => {
      const state = pop(machine)
      const target = top(machine)
      if (!isContainer(target) || target.kind !== 'object') throw new PickleError('damaged')
      target.state = state
    },
  ],
  ['P', machine => refer(machine, machine.cursor.line())],
  ['Q', machine => refer(machine, pop(machine))],
])

/** The same by byte: a file of millions of opcodes is looked up millions of times. */
const STEPS = Array.from({ length: 256 }, (_, byte) => OPCODES.get(String.fromCharCode(byte)))
const STOP = 0x2e

function collected(machine: Machine, make: (items: PickleValue[]) => PickleValue): void {
  const items = popMark(machine)
  machine.stack.push(make(items))
}

function onTop(
  machine: Machine,
  values: readonly PickleValue[],
  put: (target: PickleValue, values: readonly PickleValue[]) => void,
): void {
  put(top(machine), values)
}

function called(machine: Machine, args: PickleValue): void {
  machine.stack.push(object(pop(machine), args))
}

function refer({ stack, references }: Machine, id: PickleValue): void {
  const reference: PickledReference = { kind: 'reference', id }
  references.push(reference)
  stack.push(reference)
}

function memoKey(line: string): number {
  if (!/^\d{1,9}$/.test(line)) throw new PickleError('damaged')
  return Number(line)
}

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
function globalName(module: string, name: string): string {
  return `${module === '__builtin__' ? 'builtins' : module}.${name}`
}
