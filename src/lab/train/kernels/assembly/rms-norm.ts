/** Rows divided by their root mean square and multiplied by a weight (RMSNorm), and the reverse of that. */
import { dot, horizontal } from './vectors'

export function rmsNorm(out: i32, inverse: i32, x: i32, weight: i32, rows: i32, columns: i32, epsilon: f32): void {
  const weights = (<usize>weight) << 2
  for (let r = 0; r < rows; r++) {
    const from = (<usize>(x + r * columns)) << 2
    const to = (<usize>(out + r * columns)) << 2
    const scale: f32 = 1 / sqrt<f32>(dot(from, from, columns) / <f32>columns + epsilon)
    store<f32>((<usize>(inverse + r)) << 2, scale)
    const scales = f32x4.splat(scale)
    let i = 0
    for (; i <= columns - 4; i += 4) {
      const at = (<usize>i) << 2
      v128.store(to + at, f32x4.mul(f32x4.mul(v128.load(from + at), scales), v128.load(weights + at)))
    }
    for (; i < columns; i++) {
      const at = (<usize>i) << 2
      store<f32>(to + at, load<f32>(from + at) * scale * load<f32>(weights + at))
    }
  }
}

/**
 * With s = 1 / rms(x) and g = dOut weight:
 *   dx = s g - x s^3 mean(g x)    dWeight += sum over rows of dOut x s
 */
export function rmsNormBackward(
  dx: i32,
  dWeight: i32,
  dOut: i32,
  x: i32,
  inverse: i32,
  weight: i32,
  rows: i32,
  columns: i32,
  accumulate: bool,
): void {
  const weights = (<usize>weight) << 2
  const weightSlopes = (<usize>dWeight) << 2
  for (let r = 0; r < rows; r++) {
    const to = (<usize>(dx + r * columns)) << 2
    const slopes = (<usize>(dOut + r * columns)) << 2
    const from = (<usize>(x + r * columns)) << 2
    const scale = load<f32>((<usize>(inverse + r)) << 2)
    const along = threefold(slopes, weights, from, columns)
    const pull = (along / <f32>columns) * scale * scale * scale
    const scales = f32x4.splat(scale)
    const pulls = f32x4.splat(pull)
    let i = 0
    for (; i <= columns - 4; i += 4) {
      const at = (<usize>i) << 2
      const slope = f32x4.mul(v128.load(slopes + at), scales)
      const value = v128.load(from + at)
      let result = f32x4.sub(f32x4.mul(slope, v128.load(weights + at)), f32x4.mul(value, pulls))
      if (accumulate) result = f32x4.add(result, v128.load(to + at))
      v128.store(weightSlopes + at, f32x4.add(v128.load(weightSlopes + at), f32x4.mul(slope, value)))
      v128.store(to + at, result)
    }
    for (; i < columns; i++) {
      const at = (<usize>i) << 2
      const slope = load<f32>(slopes + at) * scale
      const value = load<f32>(from + at)
      let result = slope * load<f32>(weights + at) - value * pull
      if (accumulate) result += load<f32>(to + at)
      store<f32>(weightSlopes + at, load<f32>(weightSlopes + at) + slope * value)
      store<f32>(to + at, result)
    }
  }
}

/** Sum of a b c over three rows. */
function threefold(a: usize, b: usize, c: usize, length: i32): f32 {
  let sums = f32x4.splat(0)
  let i = 0
  for (; i <= length - 4; i += 4) {
    const at = (<usize>i) << 2
    sums = f32x4.add(sums, f32x4.mul(f32x4.mul(v128.load(a + at), v128.load(b + at)), v128.load(c + at)))
  }
  let total = horizontal(sums)
  for (; i < length; i++) {
    const at = (<usize>i) << 2
    total += load<f32>(a + at) * load<f32>(b + at) * load<f32>(c + at)
  }
  return total
}
