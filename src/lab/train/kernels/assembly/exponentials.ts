/**
 * e^x after Cephes: x = n ln 2 + r, a polynomial for e^r, and n added to the exponent; within 2 units of the last place of
 * float32. Below CUT the answer is 0: what is left out is less than 1e-26 of a sum, and its products would be subnormal
 * numbers, which are 25 times as slow. Two vectors at a time, because V8 builds each constant again wherever it is used.
 */
import { horizontal } from './vectors'

const CUT: f32 = -60
const LARGEST: f32 = 88
const LOG2E: f32 = <f32>Math.LOG2E
const LN2_HIGH: f32 = 0.693359375
const LN2_LOW: f32 = -2.1219444e-4
/** 1.5 x 2^23: adding it leaves the nearest whole number in the last digits of a float, where it is an integer as well. */
const ROUNDING: f32 = 12_582_912

/** The engine's memory begins with 64 bytes that belong to no block. */
const SPARE: usize = 0
const FAR: f32 = 1e30

/** out = e^(scale x - shift), for `length` numbers at byte addresses; answers their sum. */
export function exponentials(out: usize, x: usize, length: i32, scale: f32, shift: f32): f32 {
  const whole = length & ~7
  const sums = eights(out, x, whole, scale, shift)
  const left = length - whole
  if (left === 0) return horizontal(sums)
  // The last one to seven pass as eight, with others beside them whose exponential is 0.
  const filler = scale < 0 ? FAR : -FAR
  const done = (<usize>whole) << 2
  for (let i = 0; i < 8; i++) {
    const at = (<usize>i) << 2
    store<f32>(SPARE + at, i < left ? load<f32>(x + done + at) : filler)
  }
  const last = eights(SPARE, SPARE, 8, scale, shift)
  for (let i = 0; i < left; i++) {
    const at = (<usize>i) << 2
    store<f32>(out + done + at, load<f32>(SPARE + at))
  }
  return horizontal(f32x4.add(sums, last))
}

/** A multiple of eight numbers; answers four sums of them. */
function eights(out: usize, x: usize, length: i32, scale: f32, shift: f32): v128 {
  const scales = f32x4.splat(scale)
  const shifts = f32x4.splat(shift)
  let sums = f32x4.splat(0)
  const end = x + ((<usize>length) << 2)
  for (; x < end; x += 32, out += 32) {
    const x0 = f32x4.sub(f32x4.mul(v128.load(x), scales), shifts)
    const x1 = f32x4.sub(f32x4.mul(v128.load(x, 16), scales), shifts)
    const bounded0 = f32x4.pmax(f32x4.pmin(x0, f32x4.splat(LARGEST)), f32x4.splat(CUT))
    const bounded1 = f32x4.pmax(f32x4.pmin(x1, f32x4.splat(LARGEST)), f32x4.splat(CUT))
    const shifted0 = f32x4.add(f32x4.mul(bounded0, f32x4.splat(LOG2E)), f32x4.splat(ROUNDING))
    const shifted1 = f32x4.add(f32x4.mul(bounded1, f32x4.splat(LOG2E)), f32x4.splat(ROUNDING))
    const n0 = f32x4.sub(shifted0, f32x4.splat(ROUNDING))
    const n1 = f32x4.sub(shifted1, f32x4.splat(ROUNDING))
    const high0 = f32x4.sub(bounded0, f32x4.mul(n0, f32x4.splat(LN2_HIGH)))
    const high1 = f32x4.sub(bounded1, f32x4.mul(n1, f32x4.splat(LN2_HIGH)))
    const r0 = f32x4.sub(high0, f32x4.mul(n0, f32x4.splat(LN2_LOW)))
    const r1 = f32x4.sub(high1, f32x4.mul(n1, f32x4.splat(LN2_LOW)))
    let p0 = f32x4.add(f32x4.mul(r0, f32x4.splat(1.98756915e-4)), f32x4.splat(1.3981999507e-3))
    let p1 = f32x4.add(f32x4.mul(r1, f32x4.splat(1.98756915e-4)), f32x4.splat(1.3981999507e-3))
    p0 = f32x4.add(f32x4.mul(p0, r0), f32x4.splat(8.3334519073e-3))
    p1 = f32x4.add(f32x4.mul(p1, r1), f32x4.splat(8.3334519073e-3))
    p0 = f32x4.add(f32x4.mul(p0, r0), f32x4.splat(4.1665795894e-2))
    p1 = f32x4.add(f32x4.mul(p1, r1), f32x4.splat(4.1665795894e-2))
    p0 = f32x4.add(f32x4.mul(p0, r0), f32x4.splat(1.6666665459e-1))
    p1 = f32x4.add(f32x4.mul(p1, r1), f32x4.splat(1.6666665459e-1))
    p0 = f32x4.add(f32x4.mul(p0, r0), f32x4.splat(5.0000001201e-1))
    p1 = f32x4.add(f32x4.mul(p1, r1), f32x4.splat(5.0000001201e-1))
    p0 = f32x4.add(f32x4.add(f32x4.mul(p0, f32x4.mul(r0, r0)), r0), f32x4.splat(1))
    p1 = f32x4.add(f32x4.add(f32x4.mul(p1, f32x4.mul(r1, r1)), r1), f32x4.splat(1))
    const value0 = v128.and(i32x4.add(p0, i32x4.shl(shifted0, 23)), f32x4.gt(x0, f32x4.splat(CUT)))
    const value1 = v128.and(i32x4.add(p1, i32x4.shl(shifted1, 23)), f32x4.gt(x1, f32x4.splat(CUT)))
    v128.store(out, value0)
    v128.store(out, value1, 16)
    sums = f32x4.add(sums, f32x4.add(value0, value1))
  }
  return sums
}
