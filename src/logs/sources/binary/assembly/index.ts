/**
 * The innermost loops of reading binary logs, in AssemblyScript; `npm run build` compiles them to dist/logs/scanner.wasm.
 * They read what scanner.ts has put into memory and write columns there. What is out of the ordinary they leave to the
 * reader in TypeScript: they stop in front of it, or give a number of -1 or a value of NaN for it. Places are those of scanner.ts.
 */
const CHECKSUMS: usize = 0
const POWERS: usize = 8_192
const POWER_ERRORS: usize = POWERS + 360
const UPPER_HALVES: usize = POWER_ERRORS + 360
const SLOTS: usize = 16_384
const MOST_KEYS: u32 = 16_384
const KEYS: usize = SLOTS + 4 * MOST_KEYS * 16
const STARTS: usize = KEYS + MOST_KEYS * 64
const MOST: usize = 4_096
const ENDS: usize = STARTS + MOST * 4
const NAMES: usize = ENDS + MOST * 4
const STEPS: usize = NAMES + MOST * 4
const TIMES: usize = STEPS + MOST * 4
const VALUES: usize = TIMES + MOST * 8
const PLACES: usize = VALUES + MOST * 8
const ROW: usize = PLACES + 4 * MOST_KEYS
/** The first place is 1. */
const FILLED: usize = ROW + (MOST + 1) * 8
const FOLLOWERS: usize = FILLED + (MOST + 1) * 4

/** Where a loop stopped. */
export let position: usize = 0
/** How many of the items stand in the row: each in a place of its own, and a decimal number. */
export let placed: u32 = 0

/** CRC-32C by tables for each of eight bytes: TABLES[k] advances by a byte and k zero bytes behind it. */
export function prepare(hashStart: u64): void {
  seed = hashStart
  for (let byte: u32 = 0; byte < 256; byte++) {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0x82f6_3b78 : 0)
    store<u32>(CHECKSUMS + (byte << 2), value)
  }
  for (let at: usize = 256; at < 2_048; at++) {
    const shorter = load<u32>(CHECKSUMS + ((at - 256) << 2))
    store<u32>(CHECKSUMS + (at << 2), (shorter >>> 8) ^ load<u32>(CHECKSUMS + ((shorter & 0xff) << 2)))
  }
}

function advanced(zeros: u32, byte: u64): u32 {
  return load<u32>(CHECKSUMS + (zeros << 10) + ((<usize>byte & 0xff) << 2))
}

/** As TFRecord stores it, rotated and shifted. */
function maskedChecksum(from: usize, to: usize): u32 {
  let crc: u32 = 0xffff_ffff
  let at = from
  for (; at + 8 <= to; at += 8) {
    const bytes = load<u64>(at) ^ <u64>crc
    crc =
      advanced(7, bytes) ^
      advanced(6, bytes >>> 8) ^
      advanced(5, bytes >>> 16) ^
      advanced(4, bytes >>> 24) ^
      advanced(3, bytes >>> 32) ^
      advanced(2, bytes >>> 40) ^
      advanced(1, bytes >>> 48) ^
      advanced(0, bytes >>> 56)
  }
  for (; at < to; at++) crc = (crc >>> 8) ^ advanced(0, crc ^ load<u8>(at))
  crc = ~crc
  return ((crc >>> 15) | (crc << 17)) + 0xa282_ead8
}

/** Records of an event file from `from` on, as many as are whole and sound and fit into the columns. */
export function scanEvents(from: usize, to: usize): u32 {
  let count: usize = 0
  let at = from
  let knownLength: u32 = 0
  let knownChecksum: u32 = 0
  for (; count < MOST && at + 12 <= to; count++) {
    const length = load<u32>(at)
    const checksum = load<u32>(at + 8)
    if (length !== knownLength || checksum !== knownChecksum || load<u32>(at + 4) !== 0) {
      if (load<u32>(at + 4) !== 0 || maskedChecksum(at, at + 8) !== checksum) break
      knownLength = length
      knownChecksum = checksum
    }
    const start = at + 12
    if (<u64>start + length + 4 > <u64>to) break
    const end = start + length
    if (maskedChecksum(start, end) !== load<u32>(end)) break
    const name = scalarIn(start, end, count)
    if (name < 0) {
      store<u32>(STARTS + (count << 2), start)
      store<u32>(ENDS + (count << 2), end)
    }
    store<i32>(NAMES + (count << 2), name)
    at = end + 4
  }
  position = at
  return count
}

/**
 * Nearly every event is one scalar with a short tag, its fields in the order of their numbers and all lengths of one byte:
 * a wall time, a step of up to four bytes, a summary with a value of one float. Gives the number of its tag, and where that
 * stands, else -1.
 */
function scalarIn(start: usize, end: usize, row: usize): i32 {
  if (end - start < 20 || load<u8>(start) !== 0x09) return -1
  let at = start + 9
  let step: u32 = 0
  if (load<u8>(at) === 0x10) {
    for (let shift: u32 = 0; ; shift += 7) {
      at++
      if (shift > 21) return -1
      const byte = load<u8>(at)
      step |= (<u32>(byte & 0x7f)) << shift
      if (byte < 0x80) break
    }
    at++
  }
  const left = <u32>(end - at)
  const tagEnd = end - 5
  if (
    left < 11 ||
    left >= 0x80 ||
    load<u16>(at) !== (0x2a | ((left - 2) << 8)) ||
    load<u16>(at + 2) !== (0x0a | ((left - 4) << 8)) ||
    load<u16>(at + 4) !== (0x0a | ((left - 11) << 8)) ||
    load<u8>(tagEnd) !== 0x15
  )
    return -1
  store<u32>(STEPS + (row << 2), step)
  store<f64>(TIMES + (row << 3), load<f64>(start + 1))
  store<f64>(VALUES + (row << 3), <f64>load<f32>(tagEnd + 1))
  store<u32>(STARTS + (row << 2), at + 6)
  store<u32>(ENDS + (row << 2), tagEnd)
  return numberOf(at + 6, tagEnd)
}

/** Names by their bytes: a hash, where it is kept, its length. Full, the table learns no more. */
let keys: u32 = 0
let keyBytes: usize = KEYS
/** A start that no file's author can know: names made to collide would otherwise slow reading to a crawl. */
let seed: u64 = 0
const MIXER: u64 = ((<u64>0x9e37_79b9) << 32) | 0x7f4a_7c15

/** Up to eight bytes of a name, the others zero. */
function bytesAt(at: usize, to: usize): u64 {
  const missing = at + 8 > to ? (<u64>(at + 8 - to)) << 3 : 0
  return missing === 64 ? 0 : (load<u64>(at) << missing) >>> missing
}

/** The name that was looked for last; what followed it then is tried first. */
let last: usize = 0

function numberOf(from: usize, to: usize): i32 {
  const follower = FOLLOWERS + (last << 2)
  let slot = <usize>load<u32>(follower)
  if (slot === 0 || !isAt(slot, from, to)) slot = slotOf(from, to)
  if (slot === 0) return -1
  store<u32>(follower, slot)
  last = load<u32>(slot + 12)
  return <i32>last
}

function isAt(slot: usize, from: usize, to: usize): bool {
  const length = <usize>load<u32>(slot + 8) - 1
  const key = <usize>load<u32>(slot + 4)
  let at: usize = 0
  if (length !== to - from) return false
  while (at < length && bytesAt(key + at, key + length) === bytesAt(from + at, to)) at += 8
  return at >= length
}

function slotOf(from: usize, to: usize): usize {
  let hash = seed ^ <u64>(to - from)
  for (let at = from; at < to; at += 8) {
    hash = (hash ^ bytesAt(at, to)) * MIXER
    hash ^= hash >>> 32
  }
  for (let probe: u32 = 0; probe < 16; probe++) {
    const slot = SLOTS + <usize>((<u32>hash + probe) & (4 * MOST_KEYS - 1)) * 16
    const length = load<u32>(slot + 8)
    if (length === 0) return learn(slot, <u32>(hash >>> 32), from, to)
    if (load<u32>(slot) === <u32>(hash >>> 32) && isAt(slot, from, to)) return slot
  }
  return 0
}

function learn(slot: usize, hash: u32, from: usize, to: usize): usize {
  if (keys === MOST_KEYS || keyBytes + (to - from) + 8 > STARTS) return 0
  store<u32>(slot, hash)
  store<u32>(slot + 4, keyBytes)
  store<u32>(slot + 8, to - from + 1)
  store<i32>(slot + 12, keys)
  memory.copy(keyBytes, from, to - from)
  keyBytes += to - from
  keys++
  return slot
}

/**
 * Items of a W&B history record from `from` on, as many as stand in a row and fit: where key, value and item end, the number of
 * the key, and the value where it is a decimal number, else NaN. Those whose key was given a place stand in the row, too.
 */
export function readItems(from: usize, to: usize): u32 {
  let count: usize = 0
  let at = from
  look++
  placed = 0
  // A key without a place has this one, which is taken.
  store<u32>(FILLED, look)
  for (; count < MOST && at + 3 <= to && load<u8>(at) === 0x0a; count++) {
    let length = <usize>load<u8>(at + 1)
    let item = at + 2
    if (length >= 0x80) {
      const high = <usize>load<u8>(item)
      if (high >= 0x80) break
      length = (length & 0x7f) | (high << 7)
      item++
    }
    const end = item + length
    if (end > to) break
    // A key, or a path piece by piece, each of less than 128 bytes; behind them the value as JSON.
    let key = item
    while (key + 2 <= end && (load<u8>(key) === 0x0a || load<u8>(key) === 0x12) && load<u8>(key + 1) < 0x80)
      key += 2 + <usize>load<u8>(key + 1)
    const value = key + 3
    if (value > end || end - value >= 0x80 || load<u16>(key) !== 0x0182 || load<u8>(key + 2) !== <u8>(end - value))
      break
    const name = numberOf(item, key)
    if (name < 0) break
    store<u32>(STARTS + (count << 2), item)
    store<u32>(STEPS + (count << 2), value)
    store<u32>(ENDS + (count << 2), end)
    store<i32>(NAMES + (count << 2), name)
    const number = decimal(value, end)
    store<f64>(VALUES + (count << 3), number)
    const place = <usize>load<u32>(PLACES + (name << 2))
    if (load<u32>(FILLED + (place << 2)) !== look && abs(number) >= 0) {
      store<u32>(FILLED + (place << 2), look)
      store<f64>(ROW + (place << 3), number)
      placed++
    }
    at = end
  }
  position = at
  return count
}

/** Which places were filled in this call. */
let look: u32 = 0

const ONES: u64 = ((<u64>0x0101_0101) << 32) | 0x0101_0101

/** How many digits the eight bytes begin with. */
function digitsIn(bytes: u64): u32 {
  const isNone = ((bytes + 0x46 * ONES) | (bytes - 0x30 * ONES)) & (0x80 * ONES)
  return <u32>(ctz(isNone) >>> 3)
}

const PAIRS: u64 = ((<u64>0xff) << 32) | 0xff
const HIGH_PAIRS: u64 = ((<u64>1_000_000) << 32) | 100
const LOW_PAIRS: u64 = ((<u64>10_000) << 32) | 1

/** Eight digits. */
function eightDigits(bytes: u64): u64 {
  let pairs = bytes - 0x30 * ONES
  pairs = pairs * 10 + (pairs >>> 8)
  return ((pairs & PAIRS) * HIGH_PAIRS + ((pairs >>> 16) & PAIRS) * LOW_PAIRS) >>> 32
}

let digits: u64 = 0
let digitCount: u32 = 0

/** Gathers the digits from `from` on; returns where they end. Zeros in front do not count. */
function gather(from: usize, to: usize): usize {
  let at = from
  if (digits === 0) while (at < to && load<u8>(at) === 0x30) at++
  const first = at
  for (; at + 8 <= to && digitsIn(load<u64>(at)) === 8; at += 8)
    digits = digits * 100_000_000 + eightDigits(load<u64>(at))
  for (; at < to && <u32>load<u8>(at) - 0x30 < 10; at++) digits = digits * 10 + <u64>(load<u8>(at) - 0x30)
  digitCount += <u32>(at - first)
  return at
}

/** The value of a decimal number, rounded as decimal.ts says; NaN where the text is none, or its rounding is not certain. */
function decimal(from: usize, to: usize): f64 {
  const isNegative = load<u8>(from) === 0x2d
  const first = isNegative ? from + 1 : from
  digits = 0
  digitCount = 0
  let at = gather(first, to)
  let isNumber = at > first
  let power: i32 = 0
  if (at < to && load<u8>(at) === 0x2e) {
    const fraction = at + 1
    at = gather(fraction, to)
    isNumber = isNumber || at > fraction
    power = <i32>fraction - <i32>at
  }
  if (!isNumber || digitCount > 18) return NaN
  if (at < to && (load<u8>(at) | 0x20) === 0x65) {
    at++
    const isDown = at < to && load<u8>(at) === 0x2d
    if (at < to && (isDown || load<u8>(at) === 0x2b)) at++
    let size: i32 = 0
    const exponent = at
    for (; at < to && at < exponent + 3 && <u32>load<u8>(at) - 0x30 < 10; at++)
      size = size * 10 + <i32>load<u8>(at) - 0x30
    if (at === exponent) return NaN
    power += isDown ? -size : size
  }
  if (at !== to) return NaN
  const high = <f64>digits
  const low = <f64>(<i64>(digits - <u64>high))
  let size: f64
  if (digits <= 9_007_199_254_740_991 && power >= -22 && power <= 22) {
    size = power <= 0 ? high / tenTo(-power) : high * tenTo(power)
  } else {
    if (power > 0 || power < -44) return NaN
    const divisor = tenTo(-power)
    const quotient = high / divisor
    const back = quotient * divisor
    const factorHigh = upperHalf(quotient)
    const factorLow = quotient - factorHigh
    const powerHigh = load<f64>(UPPER_HALVES + ((<usize>-power) << 3))
    const powerLow = divisor - powerHigh
    const error = factorHigh * powerHigh - back + factorHigh * powerLow + factorLow * powerHigh + factorLow * powerLow
    const remainder = high - back - error + low - quotient * load<f64>(POWER_ERRORS + ((<usize>-power) << 3))
    const correction = remainder / divisor
    size = quotient + correction
    if (size !== quotient + correction * ABOVE || size !== quotient + correction * BELOW) return NaN
  }
  return isNegative ? -size : size
}

const ABOVE: f64 = 1.0000000000009095
const BELOW: f64 = 0.9999999999990905

function tenTo(power: i32): f64 {
  return load<f64>(POWERS + ((<usize>power) << 3))
}

function upperHalf(value: f64): f64 {
  const shifted = value * 134_217_729
  return shifted - (shifted - value)
}
