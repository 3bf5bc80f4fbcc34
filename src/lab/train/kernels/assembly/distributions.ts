/**
 * Rows of logits z as distributions over a vocabulary: p = softmax(scale z), log p = scale z - n with n the logarithm of
 * the row's sum of exponentials, the entropy of a row, its divergence from another model's row, and what the slopes of
 * these become in z. Logits, probabilities and n are kept, so that the way back needs no exponential.
 */
import { exponentials } from './exponentials'
import { dot, horizontal } from './vectors'

export function softmaxRows(p: i32, normaliser: i32, z: i32, rows: i32, columns: i32, scale: f32): void {
  for (let r = 0; r < rows; r++) {
    const from = (<usize>(z + r * columns)) << 2
    const to = (<usize>(p + r * columns)) << 2
    const shift = largest(from, columns) * scale
    const sum = exponentials(to, from, columns, scale, shift)
    multiplyRow(to, 1 / sum, columns)
    store<f32>((<usize>(normaliser + r)) << 2, shift + <f32>logarithm(sum))
  }
}

/** h = -sum of p log p = n - scale sum of p z. */
export function entropyRows(h: i32, p: i32, normaliser: i32, z: i32, rows: i32, columns: i32, scale: f32): void {
  for (let r = 0; r < rows; r++) {
    const mean = dot((<usize>(p + r * columns)) << 2, (<usize>(z + r * columns)) << 2, columns)
    store<f32>((<usize>(h + r)) << 2, load<f32>((<usize>(normaliser + r)) << 2) - scale * mean)
  }
}

/** d = sum of p (log p - log q), where q is the softmax of the other rows. */
export function divergenceRows(
  d: i32,
  p: i32,
  normaliser: i32,
  z: i32,
  otherNormaliser: i32,
  other: i32,
  rows: i32,
  columns: i32,
  scale: f32,
): void {
  const scales = f32x4.splat(scale)
  for (let r = 0; r < rows; r++) {
    const ps = (<usize>(p + r * columns)) << 2
    const zs = (<usize>(z + r * columns)) << 2
    const others = (<usize>(other + r * columns)) << 2
    const apart = load<f32>((<usize>(otherNormaliser + r)) << 2) - load<f32>((<usize>(normaliser + r)) << 2)
    const aparts = f32x4.splat(apart)
    let sums = f32x4.splat(0)
    let i = 0
    for (; i <= columns - 4; i += 4) {
      const at = (<usize>i) << 2
      const difference = f32x4.mul(f32x4.sub(v128.load(zs + at), v128.load(others + at)), scales)
      sums = f32x4.add(sums, f32x4.mul(v128.load(ps + at), f32x4.add(difference, aparts)))
    }
    let total = horizontal(sums)
    for (; i < columns; i++) {
      const at = (<usize>i) << 2
      total += load<f32>(ps + at) * ((load<f32>(zs + at) - load<f32>(others + at)) * scale + apart)
    }
    store<f32>((<usize>(d + r)) << 2, total)
  }
}

/**
 * dz = scale (a (onehot(target) - p) - b p (log p + h)): the slopes a of a row's log-probability of its target and b of
 * its entropy, carried to its logits.
 */
export function logitSlopes(
  dz: i32,
  a: i32,
  b: i32,
  targets: i32,
  h: i32,
  p: i32,
  normaliser: i32,
  z: i32,
  rows: i32,
  columns: i32,
  scale: f32,
): void {
  for (let r = 0; r < rows; r++) {
    const to = (<usize>(dz + r * columns)) << 2
    const ofTarget = load<f32>((<usize>(a + r)) << 2) * scale
    const ofEntropy = load<f32>((<usize>(b + r)) << 2) * scale
    // -a p - b p (scale z - n + h) = p (level - tilt z)
    const constant = load<f32>((<usize>(h + r)) << 2) - load<f32>((<usize>(normaliser + r)) << 2)
    const level = -ofTarget - ofEntropy * constant
    const tilt = ofEntropy * scale
    tilted(to, (<usize>(p + r * columns)) << 2, (<usize>(z + r * columns)) << 2, columns, level, tilt)
    const target = to + ((<usize>(<i32>load<f32>((<usize>(targets + r)) << 2))) << 2)
    store<f32>(target, load<f32>(target) + ofTarget)
  }
}

/** dz += scale c p (log p - log q - d): the slope c of a row's divergence. */
export function addDivergenceSlopes(
  dz: i32,
  c: i32,
  d: i32,
  p: i32,
  normaliser: i32,
  z: i32,
  otherNormaliser: i32,
  other: i32,
  rows: i32,
  columns: i32,
  scale: f32,
): void {
  const scales = f32x4.splat(scale)
  for (let r = 0; r < rows; r++) {
    const to = (<usize>(dz + r * columns)) << 2
    const ps = (<usize>(p + r * columns)) << 2
    const zs = (<usize>(z + r * columns)) << 2
    const others = (<usize>(other + r * columns)) << 2
    const slope = load<f32>((<usize>(c + r)) << 2) * scale
    const slopes = f32x4.splat(slope)
    const apart =
      load<f32>((<usize>(otherNormaliser + r)) << 2) -
      load<f32>((<usize>(normaliser + r)) << 2) -
      load<f32>((<usize>(d + r)) << 2)
    const aparts = f32x4.splat(apart)
    let i = 0
    for (; i <= columns - 4; i += 4) {
      const at = (<usize>i) << 2
      const difference = f32x4.mul(f32x4.sub(v128.load(zs + at), v128.load(others + at)), scales)
      const move = f32x4.mul(f32x4.mul(v128.load(ps + at), f32x4.add(difference, aparts)), slopes)
      v128.store(to + at, f32x4.add(v128.load(to + at), move))
    }
    for (; i < columns; i++) {
      const at = (<usize>i) << 2
      const difference = (load<f32>(zs + at) - load<f32>(others + at)) * scale
      const move = load<f32>(ps + at) * (difference + apart) * slope
      store<f32>(to + at, load<f32>(to + at) + move)
    }
  }
}

/** out = p (level - tilt z) */
function tilted(out: usize, p: usize, z: usize, length: i32, level: f32, tilt: f32): void {
  const levels = f32x4.splat(level)
  const tilts = f32x4.splat(tilt)
  let i = 0
  for (; i <= length - 4; i += 4) {
    const at = (<usize>i) << 2
    const factor = f32x4.sub(levels, f32x4.mul(tilts, v128.load(z + at)))
    v128.store(out + at, f32x4.mul(v128.load(p + at), factor))
  }
  for (; i < length; i++) {
    const at = (<usize>i) << 2
    store<f32>(out + at, load<f32>(p + at) * (level - tilt * load<f32>(z + at)))
  }
}

export function largest(x: usize, length: i32): f32 {
  let most = f32x4.splat(-f32.MAX_VALUE)
  let i = 0
  for (; i <= length - 4; i += 4) most = f32x4.pmax(most, v128.load(x + ((<usize>i) << 2)))
  let result = max<f32>(
    max<f32>(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
    max<f32>(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
  )
  for (; i < length; i++) result = max<f32>(result, load<f32>(x + ((<usize>i) << 2)))
  return result
}

export function multiplyRow(x: usize, factor: f32, length: i32): void {
  const factors = f32x4.splat(factor)
  let i = 0
  for (; i <= length - 4; i += 4) {
    const at = x + ((<usize>i) << 2)
    v128.store(at, f32x4.mul(v128.load(at), factors))
  }
  for (; i < length; i++) {
    const at = x + ((<usize>i) << 2)
    store<f32>(at, load<f32>(at) * factor)
  }
}

/**
 * ln x = e ln 2 + 2 atanh((m - 1) / (m + 1)) for x = m 2^e; by hand because the language's own comes with a table, and a
 * table would lie where the engine keeps its numbers. Good to 1e-13; once a row.
 */
function logarithm(x: f64): f64 {
  const bits = reinterpret<i64>(x)
  let exponent = <f64>(((bits >> 52) & 0x7ff) - 1023)
  let m = reinterpret<f64>((bits & 0x000fffffffffffff) | 0x3ff0000000000000)
  if (m > Math.SQRT2) {
    m *= 0.5
    exponent += 1
  }
  const s = (m - 1) / (m + 1)
  const q = s * s
  let series: f64 = 1.0 / 15
  series = series * q + 1.0 / 13
  series = series * q + 1.0 / 11
  series = series * q + 1.0 / 9
  series = series * q + 1.0 / 7
  series = series * q + 1.0 / 5
  series = series * q + 1.0 / 3
  series = series * q + 1
  return exponent * Math.LN2 + 2 * s * series
}
