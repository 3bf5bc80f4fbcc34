import { readFile } from 'node:fs/promises'
import { isJsonObject, type Json, jsonNumber } from '../../model/json.js'
import { PickleError } from '../pickle/cursor.js'
import { readPickle } from '../pickle/read.js'
import type { PickleValue } from '../pickle/value.js'
import { flatten } from '../python-json.js'

/**
 * training_args.bin, which Hugging Face's Trainer puts beside every checkpoint: all settings of the training, as PyTorch
 * pickles them. They are read without executing anything: an enum is its value, an object what was put into it.
 */

/** Flat; null when the file holds no settings. */
export async function readTrainingArgs(path: string): Promise<ReadonlyMap<string, Json> | null> {
  const bytes = await readFile(path)
  const start = startOfPickle(bytes)
  if (start === null) return null
  try {
    const { value } = readPickle(bytes, start)
    const settings = plainValue(value, { values: MOST_VALUES, characters: MOST_CHARACTERS }, 0)
    return isJsonObject(settings) ? flatten(settings).leaves : null
  } catch (error) {
    if (error instanceof PickleError) return null
    throw error
  }
}

const LOCAL_HEADER = 0x04034b50
const LOCAL_HEADER_BYTES = 30

/** PyTorch's zip begins with the pickle, uncompressed; the pickle tells its own end. */
function startOfPickle(bytes: Buffer): number | null {
  if (bytes.length < LOCAL_HEADER_BYTES || bytes.readUInt32LE(0) !== LOCAL_HEADER) return null
  const nameEnd = LOCAL_HEADER_BYTES + bytes.readUInt16LE(26)
  const isStored = bytes.readUInt16LE(8) === 0
  if (!isStored || !/(?:^|\/)data\.pkl$/.test(bytes.toString('utf8', LOCAL_HEADER_BYTES, nameEnd))) return null
  return nameEnd + bytes.readUInt16LE(28)
}

/** Ten times what a trainer has. One list can be named a million times in a pickle; walking it must end. */
const MOST_VALUES = 10_000
const MOST_CHARACTERS = 1 << 20
const DEEPEST = 8

interface Budget {
  values: number
  characters: number
}

/** Undefined for what is no setting: a device, a state, a function. */
function plainValue(value: PickleValue, budget: Budget, depth: number): Json | undefined {
  budget.values -= 1
  if (typeof value === 'string') budget.characters -= value.length
  if (budget.values < 0 || budget.characters < 0 || depth > DEEPEST) return undefined
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return jsonNumber(value)
  if (typeof value === 'bigint') return String(value)
  if (Buffer.isBuffer(value)) return undefined
  const inside = (item: PickleValue): Json | undefined => plainValue(item, budget, depth + 1)
  switch (value.kind) {
    case 'list':
    case 'tuple':
    case 'set':
      return value.items.flatMap(item => inside(item) ?? [])
    case 'dict':
      return membersOf(value.entries, inside)
    case 'object': {
      const { args, state } = value
      if (isDict(state)) return membersOf(state.entries, inside)
      const [only] = args
      return args.length === 1 && (typeof only === 'string' || typeof only === 'number') ? only : undefined
    }
    default:
      return undefined
  }
}

function membersOf(
  entries: readonly (readonly [PickleValue, PickleValue])[],
  inside: (item: PickleValue) => Json | undefined,
): Json {
  const members = new Map<string, Json>()
  for (const [key, item] of entries) {
    // What begins with an underscore is the trainer's own business, and so is where it runs.
    if (typeof key !== 'string' || key.startsWith('_') || key === 'distributed_state') continue
    const member = inside(item)
    if (member !== undefined) members.set(key, member)
  }
  return Object.fromEntries(members)
}

function isDict(value: PickleValue): value is Extract<PickleValue, { readonly kind: 'dict' }> {
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value) && value.kind === 'dict'
}
