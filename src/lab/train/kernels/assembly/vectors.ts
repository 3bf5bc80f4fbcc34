/** One matrix and one vector at a time: bound by reading the matrix once, so four rows share each load of the vector. */

/** Gathering candidates is a hundred short copies a query; memory.copy leaves the module for each of them. */
export function copy(target: i32, source: i32, length: i32): void {
  const to = (<usize>target) << 2
  const from = (<usize>source) << 2
  let i = 0
  for (; i <= length - 16; i += 16) {
    const at = (<usize>i) << 2
    const a = v128.load(from + at)
    const b = v128.load(from + at, 16)
    const c = v128.load(from + at, 32)
    const d = v128.load(from + at, 48)
    v128.store(to + at, a)
    v128.store(to + at, b, 16)
    v128.store(to + at, c, 32)
    v128.store(to + at, d, 48)
  }
  for (; i < length; i++) {
    const at = (<usize>i) << 2
    store<f32>(to + at, load<f32>(from + at))
  }
}

export function horizontal(sum: v128): f32 {
  return (
    f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3))
  )
}

/** Scalar products of two rows, given as byte addresses. */
export function dot(a: usize, b: usize, length: i32): f32 {
  let sum = f32x4.splat(0)
  let i = 0
  for (; i <= length - 4; i += 4) {
    const at = (<usize>i) << 2
    sum = f32x4.add(sum, f32x4.mul(v128.load(a + at), v128.load(b + at)))
  }
  let total = horizontal(sum)
  for (; i < length; i++) {
    const at = (<usize>i) << 2
    total += load<f32>(a + at) * load<f32>(b + at)
  }
  return total
}

/** Sums of four vectors, one in each lane: two rounds of pairwise addition. */
export function horizontalFour(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(v128.shuffle<f32>(a, b, 0, 4, 1, 5), v128.shuffle<f32>(a, b, 2, 6, 3, 7))
  const cd = f32x4.add(v128.shuffle<f32>(c, d, 0, 4, 1, 5), v128.shuffle<f32>(c, d, 2, 6, 3, 7))
  return f32x4.add(v128.shuffle<f32>(ab, cd, 0, 1, 4, 5), v128.shuffle<f32>(ab, cd, 2, 3, 6, 7))
}

export function matrixVector(y: i32, w: i32, x: i32, rows: i32, columns: i32, stride: i32): void {
  const step = (<usize>stride) << 2
  const vector = (<usize>x) << 2
  let out = (<usize>y) << 2
  let row = (<usize>w) << 2
  let r = 0
  for (; r <= rows - 4; r += 4) {
    const second = row + step
    const third = second + step
    const fourth = third + step
    let a = f32x4.splat(0)
    let b = f32x4.splat(0)
    let c = f32x4.splat(0)
    let d = f32x4.splat(0)
    let i = 0
    for (; i <= columns - 4; i += 4) {
      const at = (<usize>i) << 2
      const value = v128.load(vector + at)
      a = f32x4.add(a, f32x4.mul(v128.load(row + at), value))
      b = f32x4.add(b, f32x4.mul(v128.load(second + at), value))
      c = f32x4.add(c, f32x4.mul(v128.load(third + at), value))
      d = f32x4.add(d, f32x4.mul(v128.load(fourth + at), value))
    }
    let sums = horizontalFour(a, b, c, d)
    for (; i < columns; i++) {
      const at = (<usize>i) << 2
      const value = load<f32>(vector + at)
      sums = f32x4.add(
        sums,
        f32x4(
          load<f32>(row + at) * value,
          load<f32>(second + at) * value,
          load<f32>(third + at) * value,
          load<f32>(fourth + at) * value,
        ),
      )
    }
    v128.store(out, sums)
    out += 16
    row = fourth + step
  }
  for (; r < rows; r++) {
    store<f32>(out, dot(row, vector, columns))
    out += 4
    row += step
  }
}

export function transposedVector(y: i32, w: i32, x: i32, rows: i32, columns: i32, stride: i32): void {
  const out = (<usize>y) << 2
  const step = (<usize>stride) << 2
  let row = (<usize>w) << 2
  let factor = (<usize>x) << 2
  memory.fill(out, 0, (<usize>columns) << 2)
  let r = 0
  for (; r <= rows - 4; r += 4) {
    const second = row + step
    const third = second + step
    const fourth = third + step
    const a = v128.load32_splat(factor)
    const b = v128.load32_splat(factor, 4)
    const c = v128.load32_splat(factor, 8)
    const d = v128.load32_splat(factor, 12)
    let i = 0
    for (; i <= columns - 4; i += 4) {
      const at = (<usize>i) << 2
      const left = f32x4.add(f32x4.mul(a, v128.load(row + at)), f32x4.mul(b, v128.load(second + at)))
      const right = f32x4.add(f32x4.mul(c, v128.load(third + at)), f32x4.mul(d, v128.load(fourth + at)))
      v128.store(out + at, f32x4.add(v128.load(out + at), f32x4.add(left, right)))
    }
    for (; i < columns; i++) {
      const at = (<usize>i) << 2
      const left = f32x4.extract_lane(a, 0) * load<f32>(row + at) + f32x4.extract_lane(b, 0) * load<f32>(second + at)
      const right = f32x4.extract_lane(c, 0) * load<f32>(third + at) + f32x4.extract_lane(d, 0) * load<f32>(fourth + at)
      store<f32>(out + at, load<f32>(out + at) + left + right)
    }
    factor += 16
    row = fourth + step
  }
  for (; r < rows; r++) {
    addScaled(out, row, load<f32>(factor), columns)
    factor += 4
    row += step
  }
}

export function addOuter(target: i32, left: i32, right: i32, rows: i32, columns: i32, stride: i32): void {
  for (let r = 0; r < rows; r++) {
    const factor = load<f32>((<usize>(left + r)) << 2)
    addScaled((<usize>(target + r * stride)) << 2, (<usize>right) << 2, factor, columns)
  }
}

function addScaled(target: usize, source: usize, factor: f32, length: i32): void {
  const scale = f32x4.splat(factor)
  let i = 0
  for (; i <= length - 4; i += 4) {
    const at = (<usize>i) << 2
    v128.store(target + at, f32x4.add(v128.load(target + at), f32x4.mul(scale, v128.load(source + at))))
  }
  for (; i < length; i++) {
    const at = (<usize>i) << 2
    store<f32>(target + at, load<f32>(target + at) + factor * load<f32>(source + at))
  }
}

/** Summed in float32 over blocks of 256 and in float64 over blocks: as exact as needed at the speed of float32. */
export function sumOfSquares(x: i32, length: i32): f64 {
  let total: f64 = 0
  for (let start = 0; start < length; start += 256) {
    const at = (<usize>(x + start)) << 2
    const count = length - start < 256 ? length - start : 256
    total += <f64>dot(at, at, count)
  }
  return total
}
