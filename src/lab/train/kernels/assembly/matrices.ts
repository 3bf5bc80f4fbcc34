/**
 * Products of two matrices, in tiles that live in registers: eight sums, and as few loads as sixteen registers allow.
 * Without fused multiply-add one core can do two 128-bit operations a cycle, about 22 GFLOP/s at 2.8 GHz; a tile of
 * eight reaches most of that, and a larger one spills.
 */
import { horizontalFour } from './vectors'

/** Y[m x n] = X[m x k] W[n x k]^T. Four rows of W stay in the first cache while all of X passes. */
export function multiplyTransposed(
  y: i32,
  x: i32,
  w: i32,
  m: i32,
  n: i32,
  k: i32,
  strideY: i32,
  strideX: i32,
  strideW: i32,
): void {
  const stepX = (<usize>strideX) << 2
  const stepW = (<usize>strideW) << 2
  const whole = k & ~3
  let j = 0
  for (; j <= n - 4; j += 4) {
    const w0 = (<usize>(w + j * strideW)) << 2
    const w1 = w0 + stepW
    const w2 = w1 + stepW
    const w3 = w2 + stepW
    let i = 0
    for (; i < m; i += 2) {
      const pair = i + 1 < m
      const x0 = (<usize>(x + i * strideX)) << 2
      const x1 = pair ? x0 + stepX : x0
      let a0 = f32x4.splat(0)
      let a1 = f32x4.splat(0)
      let a2 = f32x4.splat(0)
      let a3 = f32x4.splat(0)
      let b0 = f32x4.splat(0)
      let b1 = f32x4.splat(0)
      let b2 = f32x4.splat(0)
      let b3 = f32x4.splat(0)
      const end = (<usize>whole) << 2
      for (let at: usize = 0; at < end; at += 16) {
        const first = v128.load(x0 + at)
        const second = v128.load(x1 + at)
        let weight = v128.load(w0 + at)
        a0 = f32x4.add(a0, f32x4.mul(first, weight))
        b0 = f32x4.add(b0, f32x4.mul(second, weight))
        weight = v128.load(w1 + at)
        a1 = f32x4.add(a1, f32x4.mul(first, weight))
        b1 = f32x4.add(b1, f32x4.mul(second, weight))
        weight = v128.load(w2 + at)
        a2 = f32x4.add(a2, f32x4.mul(first, weight))
        b2 = f32x4.add(b2, f32x4.mul(second, weight))
        weight = v128.load(w3 + at)
        a3 = f32x4.add(a3, f32x4.mul(first, weight))
        b3 = f32x4.add(b3, f32x4.mul(second, weight))
      }
      let sums = horizontalFour(a0, a1, a2, a3)
      let sumsOfSecond = horizontalFour(b0, b1, b2, b3)
      for (let c = whole; c < k; c++) {
        const at = (<usize>c) << 2
        const weights = f32x4(load<f32>(w0 + at), load<f32>(w1 + at), load<f32>(w2 + at), load<f32>(w3 + at))
        sums = f32x4.add(sums, f32x4.mul(v128.load32_splat(x0 + at), weights))
        sumsOfSecond = f32x4.add(sumsOfSecond, f32x4.mul(v128.load32_splat(x1 + at), weights))
      }
      const out = (<usize>(y + i * strideY + j)) << 2
      v128.store(out, sums)
      if (pair) v128.store(out + ((<usize>strideY) << 2), sumsOfSecond)
    }
  }
  for (; j < n; j++) {
    for (let i = 0; i < m; i++) {
      const sum = dotInOrder((<usize>(x + i * strideX)) << 2, (<usize>(w + j * strideW)) << 2, k)
      store<f32>((<usize>(y + i * strideY + j)) << 2, sum)
    }
  }
}

/** Adds its lanes in the order of `horizontalFour`: an entry of a product is the same to the bit in a tile and beside one. */
function dotInOrder(a: usize, b: usize, length: i32): f32 {
  let sums = f32x4.splat(0)
  let i = 0
  for (; i <= length - 4; i += 4) {
    const at = (<usize>i) << 2
    sums = f32x4.add(sums, f32x4.mul(v128.load(a + at), v128.load(b + at)))
  }
  let total =
    f32x4.extract_lane(sums, 0) +
    f32x4.extract_lane(sums, 2) +
    (f32x4.extract_lane(sums, 1) + f32x4.extract_lane(sums, 3))
  for (; i < length; i++) {
    const at = (<usize>i) << 2
    total += load<f32>(a + at) * load<f32>(b + at)
  }
  return total
}

/** D[m x k] (+)= G[m x n] W[n x k]. */
export function multiply(
  d: i32,
  g: i32,
  w: i32,
  m: i32,
  n: i32,
  k: i32,
  strideD: i32,
  strideG: i32,
  strideW: i32,
  accumulate: bool,
): void {
  sumOfOuter(d, g, w, m, n, k, strideD, strideG, 1, strideW, accumulate)
}

/** Rows of a tall G and X that pass together: 16 columns of each then stay in the first cache. */
const TALL = 128

/** D[n x k] (+)= G[m x n]^T X[m x k]. */
export function transposedMultiply(
  d: i32,
  g: i32,
  x: i32,
  m: i32,
  n: i32,
  k: i32,
  strideD: i32,
  strideG: i32,
  strideX: i32,
  accumulate: bool,
): void {
  sumOfOuter(d, g, x, n, min(m, TALL), k, strideD, 1, strideG, strideX, accumulate)
  for (let from = TALL; from < m; from += TALL) {
    const count = min(m - from, TALL)
    sumOfOuter(d, g + from * strideG, x + from * strideX, n, count, k, strideD, 1, strideG, strideX, true)
  }
}

/** D[i][c] (+)= sum over r of A[i * rowStep + r * sumStep] B[r][c]: both products above, by how A is walked. */
function sumOfOuter(
  d: i32,
  a: i32,
  b: i32,
  rows: i32,
  count: i32,
  columns: i32,
  strideD: i32,
  rowStep: i32,
  sumStep: i32,
  strideB: i32,
  accumulate: bool,
): void {
  const stepA = (<usize>sumStep) << 2
  const stepB = (<usize>strideB) << 2
  const stepD = (<usize>strideD) << 2
  let c = 0
  for (; c <= columns - 16; c += 16) {
    for (let i = 0; i < rows; i += 2) {
      const pair = i + 1 < rows
      const out = (<usize>(d + i * strideD + c)) << 2
      let a0 = (<usize>(a + i * rowStep)) << 2
      let a1 = pair ? a0 + ((<usize>rowStep) << 2) : a0
      let from = (<usize>(b + c)) << 2
      let p0 = f32x4.splat(0)
      let p1 = f32x4.splat(0)
      let p2 = f32x4.splat(0)
      let p3 = f32x4.splat(0)
      let q0 = f32x4.splat(0)
      let q1 = f32x4.splat(0)
      let q2 = f32x4.splat(0)
      let q3 = f32x4.splat(0)
      for (let r = 0; r < count; r++) {
        const first = v128.load32_splat(a0)
        const second = v128.load32_splat(a1)
        let value = v128.load(from)
        p0 = f32x4.add(p0, f32x4.mul(first, value))
        q0 = f32x4.add(q0, f32x4.mul(second, value))
        value = v128.load(from, 16)
        p1 = f32x4.add(p1, f32x4.mul(first, value))
        q1 = f32x4.add(q1, f32x4.mul(second, value))
        value = v128.load(from, 32)
        p2 = f32x4.add(p2, f32x4.mul(first, value))
        q2 = f32x4.add(q2, f32x4.mul(second, value))
        value = v128.load(from, 48)
        p3 = f32x4.add(p3, f32x4.mul(first, value))
        q3 = f32x4.add(q3, f32x4.mul(second, value))
        a0 += stepA
        a1 += stepA
        from += stepB
      }
      put(out, p0, p1, p2, p3, accumulate)
      if (pair) put(out + stepD, q0, q1, q2, q3, accumulate)
    }
  }
  for (; c <= columns - 8; c += 8) {
    eightColumns(d + c, a, b + c, rows, count, strideD, rowStep, sumStep, strideB, accumulate)
  }
  for (; c < columns; c++) {
    for (let i = 0; i < rows; i++) {
      let from = (<usize>(b + c)) << 2
      let factor = (<usize>(a + i * rowStep)) << 2
      let sum: f32 = 0
      for (let r = 0; r < count; r++) {
        sum += load<f32>(factor) * load<f32>(from)
        factor += stepA
        from += stepB
      }
      const out = (<usize>(d + i * strideD + c)) << 2
      store<f32>(out, accumulate ? load<f32>(out) + sum : sum)
    }
  }
}

/** The same for eight columns, in tiles of four rows: narrow heads are 8 or 24 wide. */
function eightColumns(
  d: i32,
  a: i32,
  b: i32,
  rows: i32,
  count: i32,
  strideD: i32,
  rowStep: i32,
  sumStep: i32,
  strideB: i32,
  accumulate: bool,
): void {
  const stepA = (<usize>sumStep) << 2
  const stepB = (<usize>strideB) << 2
  const apart = (<usize>rowStep) << 2
  const stepD = (<usize>strideD) << 2
  for (let i = 0; i < rows; i += 4) {
    const left = rows - i
    const out = (<usize>(d + i * strideD)) << 2
    let a0 = (<usize>(a + i * rowStep)) << 2
    let a1 = left > 1 ? a0 + apart : a0
    let a2 = left > 2 ? a1 + apart : a0
    let a3 = left > 3 ? a2 + apart : a0
    let from = (<usize>b) << 2
    let p0 = f32x4.splat(0)
    let p1 = f32x4.splat(0)
    let p2 = f32x4.splat(0)
    let p3 = f32x4.splat(0)
    let q0 = f32x4.splat(0)
    let q1 = f32x4.splat(0)
    let q2 = f32x4.splat(0)
    let q3 = f32x4.splat(0)
    for (let r = 0; r < count; r++) {
      const value = v128.load(from)
      const next = v128.load(from, 16)
      let factor = v128.load32_splat(a0)
      p0 = f32x4.add(p0, f32x4.mul(factor, value))
      q0 = f32x4.add(q0, f32x4.mul(factor, next))
      factor = v128.load32_splat(a1)
      p1 = f32x4.add(p1, f32x4.mul(factor, value))
      q1 = f32x4.add(q1, f32x4.mul(factor, next))
      factor = v128.load32_splat(a2)
      p2 = f32x4.add(p2, f32x4.mul(factor, value))
      q2 = f32x4.add(q2, f32x4.mul(factor, next))
      factor = v128.load32_splat(a3)
      p3 = f32x4.add(p3, f32x4.mul(factor, value))
      q3 = f32x4.add(q3, f32x4.mul(factor, next))
      a0 += stepA
      a1 += stepA
      a2 += stepA
      a3 += stepA
      from += stepB
    }
    putPair(out, p0, q0, accumulate)
    if (left > 1) putPair(out + stepD, p1, q1, accumulate)
    if (left > 2) putPair(out + 2 * stepD, p2, q2, accumulate)
    if (left > 3) putPair(out + 3 * stepD, p3, q3, accumulate)
  }
}

function putPair(out: usize, a: v128, b: v128, accumulate: bool): void {
  v128.store(out, accumulate ? f32x4.add(v128.load(out), a) : a)
  v128.store(out, accumulate ? f32x4.add(v128.load(out, 16), b) : b, 16)
}

function put(out: usize, a: v128, b: v128, c: v128, d: v128, accumulate: bool): void {
  if (accumulate) {
    v128.store(out, f32x4.add(v128.load(out), a))
    v128.store(out, f32x4.add(v128.load(out, 16), b), 16)
    v128.store(out, f32x4.add(v128.load(out, 32), c), 32)
    v128.store(out, f32x4.add(v128.load(out, 48), d), 48)
    return
  }
  v128.store(out, a)
  v128.store(out, b, 16)
  v128.store(out, c, 32)
  v128.store(out, d, 48)
}
