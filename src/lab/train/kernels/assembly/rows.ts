/** Rows scaled to length one, and the reverse of that. */
import { dot } from './vectors'

export function normaliseRows(out: i32, norms: i32, x: i32, rows: i32, columns: i32, epsilon: f32): void {
  for (let r = 0; r < rows; r++) {
    const from = (<usize>(x + r * columns)) << 2
    const to = (<usize>(out + r * columns)) << 2
    const norm = sqrt<f32>(dot(from, from, columns))
    store<f32>((<usize>(norms + r)) << 2, norm)
    scaleDifference(to, from, from, 0, <f32>1 / max<f32>(norm, epsilon), columns)
  }
}

export function normaliseRowsBackward(
  dx: i32,
  dOut: i32,
  out: i32,
  norms: i32,
  rows: i32,
  columns: i32,
  epsilon: f32,
): void {
  for (let r = 0; r < rows; r++) {
    const to = (<usize>(dx + r * columns)) << 2
    const gradient = (<usize>(dOut + r * columns)) << 2
    const unit = (<usize>(out + r * columns)) << 2
    const norm = load<f32>((<usize>(norms + r)) << 2)
    const scale: f32 = norm > epsilon ? <f32>1 / norm : 0
    scaleDifference(to, gradient, unit, dot(unit, gradient, columns), scale, columns)
  }
}

/** target = scale (a - factor b) */
function scaleDifference(target: usize, a: usize, b: usize, factor: f32, scale: f32, length: i32): void {
  const factors = f32x4.splat(factor)
  const scales = f32x4.splat(scale)
  let i = 0
  for (; i <= length - 4; i += 4) {
    const at = (<usize>i) << 2
    const difference = f32x4.sub(v128.load(a + at), f32x4.mul(factors, v128.load(b + at)))
    v128.store(target + at, f32x4.mul(scales, difference))
  }
  for (; i < length; i++) {
    const at = (<usize>i) << 2
    store<f32>(target + at, scale * (load<f32>(a + at) - factor * load<f32>(b + at)))
  }
}
