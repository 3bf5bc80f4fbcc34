import type { Random } from './random.js'

/**
 * Damage to files. Bytes suffer what disks, networks and half-finished writers do to them; texts also what people and
 * programs do: lines lost, doubled or joined, numbers that no run has, marks that mean something to a parser.
 */

/** Room for a few mutations on top of each other, and no more: large inputs are for the pump below. */
const LARGEST = 1 << 19

export function mutate(bytes: Buffer, others: readonly Buffer[], random: Random): Buffer {
  const damages = isText(bytes) ? [...BYTE_DAMAGES, ...TEXT_DAMAGES] : BYTE_DAMAGES
  let result = bytes
  const times = 1 + Math.floor(random.next() ** 3 * 8)
  for (let i = 0; i < times; i += 1) {
    const damaged = random.pick(damages)(result, random, others)
    if (damaged.length <= LARGEST) result = damaged
  }
  return result
}

/** A short piece of the file, or a token, over and over: what a parser needs quadratic time for takes minutes. */
export function pump(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1)
  const [from, to] = stretch(bytes, random, random.chance(0.5) ? 4 : 80)
  const piece = random.chance(0.5) ? Buffer.from(random.pick(TOKENS)) : bytes.subarray(from, to)
  const size = (1 << 16) << random.below(4)
  const many = Buffer.alloc(size, piece.length > 0 ? piece : 'x')
  return Buffer.concat([bytes.subarray(0, at), many, bytes.subarray(at)])
}

export function isText(bytes: Buffer): boolean {
  return !bytes.subarray(0, 4096).includes(0)
}

type Damage = (bytes: Buffer, random: Random, others: readonly Buffer[]) => Buffer

const BYTE_DAMAGES: readonly Damage[] = [
  flipBits,
  overwriteByte,
  insertBytes,
  removeStretch,
  doubleStretch,
  swapStretches,
  truncate,
  splice,
  changeLength,
  zeroFill,
]

const TEXT_DAMAGES: readonly Damage[] = [
  changeNumber,
  changeNumber,
  insertToken,
  insertToken,
  replaceWithToken,
  breakUtf8,
  moveLine,
  joinLines,
]

const EDGE_BYTES = [0, 1, 0x0a, 0x22, 0x7f, 0x80, 0xc0, 0xfe, 0xff]

function flipBits(bytes: Buffer, random: Random): Buffer {
  const flipped = Buffer.from(bytes)
  for (let i = random.below(8); i >= 0 && flipped.length > 0; i -= 1) {
    flipped[random.below(flipped.length)] ^= 1 << random.below(8)
  }
  return flipped
}

function overwriteByte(bytes: Buffer, random: Random): Buffer {
  const changed = Buffer.from(bytes)
  if (changed.length > 0) changed[random.below(changed.length)] = random.pick(EDGE_BYTES)
  return changed
}

function insertBytes(bytes: Buffer, random: Random): Buffer {
  return insert(bytes, random.bytes(1 + random.below(16)), random)
}

function removeStretch(bytes: Buffer, random: Random): Buffer {
  const [from, to] = stretch(bytes, random, random.chance(0.5) ? 8 : bytes.length / 2)
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
}

function doubleStretch(bytes: Buffer, random: Random): Buffer {
  const [from, to] = stretch(bytes, random, random.chance(0.5) ? 64 : bytes.length / 2)
  return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)])
}

function swapStretches(bytes: Buffer, random: Random): Buffer {
  const [from, middle] = stretch(bytes, random, bytes.length / 4)
  const to = Math.min(bytes.length, middle + random.below(middle - from + 1))
  const parts = [bytes.subarray(0, from), bytes.subarray(middle, to), bytes.subarray(from, middle), bytes.subarray(to)]
  return Buffer.concat(parts)
}

function truncate(bytes: Buffer, random: Random): Buffer {
  return bytes.subarray(0, random.below(bytes.length + 1))
}

function splice(bytes: Buffer, random: Random, others: readonly Buffer[]): Buffer {
  const other = others.length > 0 ? random.pick(others) : bytes
  return Buffer.concat([
    bytes.subarray(0, random.below(bytes.length + 1)),
    other.subarray(random.below(other.length + 1)),
  ])
}

/** Two, four or eight bytes that may be a length or an offset. */
function changeLength(bytes: Buffer, random: Random): Buffer {
  const width = random.pick([2, 4, 8])
  if (bytes.length < width) return bytes
  const changed = Buffer.from(bytes)
  const at = random.below(bytes.length - width + 1)
  const value = random.pick([0n, 1n, 0xffn, 0x7fffn, 0xffffn, 0x7fff_ffffn, 0xffff_ffffn, 2n ** 53n, 2n ** 64n - 1n])
  const field = Buffer.alloc(8)
  field.writeBigUInt64LE(value)
  field.copy(changed, at, 0, width)
  return changed
}

/** What a machine leaves that lost power: the length is there, the content is not. */
function zeroFill(bytes: Buffer, random: Random): Buffer {
  const changed = Buffer.from(bytes)
  const from = random.below(changed.length + 1)
  return changed.fill(0, from, random.chance(0.5) ? changed.length : Math.min(changed.length, from + 64))
}

const NUMBERS = (
  '0 -0 -1 0.5 1e308 -1e308 1e309 1e999 -1e999 1e-320 9007199254740991 9007199254740993 -9007199254740993 ' +
  '2147483648 4294967296 99999999999999999999999999 1794718706 1e3 0x10 1_000 ١٢ 1,5 NaN nan Infinity -inf null true ' +
  '"1" [] {} 00000000000000000000000001 1.7976931348623157e308 5e-324 .5 5. 1e ~0.4 — N/A'
).split(' ')

function changeNumber(bytes: Buffer, random: Random): Buffer {
  const text = bytes.toString('latin1')
  const numbers = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi
  numbers.lastIndex = random.below(text.length + 1)
  const match = numbers.exec(text)
  if (match === null) return bytes
  const end = match.index + match[0].length
  const number = random.chance(0.2) ? match[0].repeat(1 + random.below(200)) : random.pick(NUMBERS)
  return Buffer.concat([bytes.subarray(0, match.index), Buffer.from(number), bytes.subarray(end)])
}

const TOKENS = [
  ...'{}[]()<>"\'`,;:|=#*_~!?&%@\\/-+.$^\n\r\t ',
  ...[
    '\r\n',
    '\0',
    '\u001b[31m',
    '\u202e',
    '\u2028',
    '\ufeff',
    '😀',
    '\u0301',
    '\u00a0',
    '步',
    '"',
    '""',
    '\\"',
    '\\u0000',
  ],
  ...['\\ud800', '__proto__', 'constructor', '"__proto__":', '{"', '"}', '":', ' - ', '- ', '> ', '* ', '| ', '||'],
  ...[
    '|---|',
    '```',
    '# ',
    '<!--',
    '-->',
    '[x](y)',
    '![',
    '&amp;',
    'step',
    '"step"',
    'step:',
    ' - step:1 - a:',
    'null',
  ],
  ...[
    '&a ',
    '*a',
    '<<: ',
    '!!',
    '? ',
    '%',
    "'",
    "'a': {",
    'np.float64(',
    'tensor(',
    '{"step":',
    '"data":{',
    '[{',
    '}]',
  ],
]

function insertToken(bytes: Buffer, random: Random): Buffer {
  const token = random.pick(TOKENS)
  return insert(bytes, Buffer.from(random.chance(0.2) ? token.repeat(1 + random.below(300)) : token), random)
}

function replaceWithToken(bytes: Buffer, random: Random): Buffer {
  const [from, to] = stretch(bytes, random, 12)
  return Buffer.concat([bytes.subarray(0, from), Buffer.from(random.pick(TOKENS)), bytes.subarray(to)])
}

/** A continuation byte alone, an overlong slash, half a surrogate pair, the start of four bytes, beyond Unicode. */
const BROKEN_UTF8 = ['80', 'c0af', 'eda080', 'f09f98', 'f4908080', 'fffe', 'c3', 'fe00ff00']

function breakUtf8(bytes: Buffer, random: Random): Buffer {
  return insert(bytes, Buffer.from(random.pick(BROKEN_UTF8), 'hex'), random)
}

function moveLine(bytes: Buffer, random: Random): Buffer {
  const lines = bytes.toString('latin1').split('\n')
  const [line] = lines.splice(random.below(lines.length), random.chance(0.3) ? 0 : 1)
  if (random.chance(0.7)) lines.splice(random.below(lines.length + 1), 0, line ?? random.pick(lines))
  return Buffer.from(lines.join('\n'), 'latin1')
}

function joinLines(bytes: Buffer, random: Random): Buffer {
  const at = bytes.indexOf('\n', random.below(bytes.length + 1))
  return at < 0 ? bytes : Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
}

function insert(bytes: Buffer, inserted: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)])
}

function stretch(bytes: Buffer, random: Random, longest: number): readonly [from: number, to: number] {
  const from = random.below(bytes.length + 1)
  return [from, Math.min(bytes.length, from + 1 + random.below(Math.max(1, longest)))]
}
