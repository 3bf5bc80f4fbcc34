/**
 * e^x four at a time, after Cephes: x = n ln 2 + r, a polynomial for e^r, and n added to the exponent; within 2 units of
 * the last place of float32. Below CUT the answer is 0: what is left out is less than 1e-26 of a sum, and its products
 * would be subnormal numbers, which are 25 times as slow.
 */
import { horizontal } from './vectors'

const CUT: f32 = -60
const LARGEST: f32 = 88
const LOG2E: f32 = <f32>Math.LOG2E
const LN2_HIGH: f32 = 0.693359375
const LN2_LOW: f32 = -2.1219444e-4

/**
 * out = e^(scale x - shift), for `length` numbers at byte addresses; answers their sum. Whoever needs an exponential
 * comes here, because a function with one caller is compiled in place; with two it would be called for each four numbers.
 */
export function exponentials(out: usize, x: usize, length: i32, scale: f32, shift: f32): f32 {
  const scales = f32x4.splat(scale)
  const shifts = f32x4.splat(shift)
  let sums = f32x4.splat(0)
  for (let i = 0; i < length; i += 4) {
    const at = (<usize>i) << 2
    const left = length - i
    const given = left >= 4 ? v128.load(x + at) : loadFirst(x + at, left)
    const value = exponential(f32x4.sub(f32x4.mul(given, scales), shifts))
    if (left >= 4) {
      v128.store(out + at, value)
      sums = f32x4.add(sums, value)
    } else {
      storeFirst(out + at, value, left)
      sums = f32x4.add(sums, v128.and(value, firstLanes(left)))
    }
  }
  return horizontal(sums)
}

function exponential(x: v128): v128 {
  const bounded = f32x4.max(f32x4.min(x, f32x4.splat(LARGEST)), f32x4.splat(CUT))
  const n = f32x4.nearest(f32x4.mul(bounded, f32x4.splat(LOG2E)))
  const high = f32x4.sub(bounded, f32x4.mul(n, f32x4.splat(LN2_HIGH)))
  const r = f32x4.sub(high, f32x4.mul(n, f32x4.splat(LN2_LOW)))
  let p = f32x4.add(f32x4.mul(r, f32x4.splat(1.98756915e-4)), f32x4.splat(1.3981999507e-3))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(8.3334519073e-3))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(4.1665795894e-2))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.6666665459e-1))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(5.0000001201e-1))
  p = f32x4.add(f32x4.add(f32x4.mul(p, f32x4.mul(r, r)), r), f32x4.splat(1))
  const exponent = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23)
  return v128.and(f32x4.mul(p, exponent), f32x4.gt(x, f32x4.splat(CUT)))
}

/** The first one to three of four numbers; the others are 0. */
function loadFirst(at: usize, count: i32): v128 {
  let value = v128.load32_zero(at)
  if (count > 1) value = f32x4.replace_lane(value, 1, load<f32>(at, 4))
  if (count > 2) value = f32x4.replace_lane(value, 2, load<f32>(at, 8))
  return value
}

function storeFirst(at: usize, value: v128, count: i32): void {
  store<f32>(at, f32x4.extract_lane(value, 0))
  if (count > 1) store<f32>(at, f32x4.extract_lane(value, 1), 4)
  if (count > 2) store<f32>(at, f32x4.extract_lane(value, 2), 8)
}

function firstLanes(count: i32): v128 {
  return i32x4(-1, count > 1 ? -1 : 0, count > 2 ? -1 : 0, 0)
}
