/** The gate of a SwiGLU layer, silu(gate) up with silu(x) = x / (1 + e^-x), and the reverse of that. */
import { exponentials } from './exponentials'

/** So many at a time: what the first pass writes is in the first cache when the second reads it. */
const BLOCK = 512

export function gated(out: i32, gate: i32, up: i32, length: i32): void {
  const ones = f32x4.splat(1)
  for (let start = 0; start < length; start += BLOCK) {
    const count = min(BLOCK, length - start)
    const to = (<usize>(out + start)) << 2
    const gates = (<usize>(gate + start)) << 2
    const ups = (<usize>(up + start)) << 2
    exponentials(to, gates, count, -1, 0)
    let i = 0
    for (; i <= count - 4; i += 4) {
      const at = (<usize>i) << 2
      const product = f32x4.mul(v128.load(gates + at), v128.load(ups + at))
      v128.store(to + at, f32x4.div(product, f32x4.add(ones, v128.load(to + at))))
    }
    for (; i < count; i++) {
      const at = (<usize>i) << 2
      store<f32>(to + at, (load<f32>(gates + at) * load<f32>(ups + at)) / (1 + load<f32>(to + at)))
    }
  }
}

/** With s = 1 / (1 + e^-gate): dUp = dOut gate s, dGate = dOut up s (1 + gate (1 - s)). */
export function gatedBackward(dGate: i32, dUp: i32, dOut: i32, gate: i32, up: i32, length: i32): void {
  const ones = f32x4.splat(1)
  for (let start = 0; start < length; start += BLOCK) {
    const count = min(BLOCK, length - start)
    const toGate = (<usize>(dGate + start)) << 2
    const toUp = (<usize>(dUp + start)) << 2
    const slopes = (<usize>(dOut + start)) << 2
    const gates = (<usize>(gate + start)) << 2
    const ups = (<usize>(up + start)) << 2
    exponentials(toGate, gates, count, -1, 0)
    let i = 0
    for (; i <= count - 4; i += 4) {
      const at = (<usize>i) << 2
      const slope = v128.load(slopes + at)
      const x = v128.load(gates + at)
      const share = f32x4.div(ones, f32x4.add(ones, v128.load(toGate + at)))
      const curve = f32x4.add(ones, f32x4.mul(x, f32x4.sub(ones, share)))
      const scaled = f32x4.mul(slope, share)
      v128.store(toGate + at, f32x4.mul(f32x4.mul(scaled, v128.load(ups + at)), curve))
      v128.store(toUp + at, f32x4.mul(scaled, x))
    }
    for (; i < count; i++) {
      const at = (<usize>i) << 2
      const x = load<f32>(gates + at)
      const share: f32 = 1 / (1 + load<f32>(toGate + at))
      const scaled = load<f32>(slopes + at) * share
      store<f32>(toGate + at, scaled * load<f32>(ups + at) * (1 + x * (1 - share)))
      store<f32>(toUp + at, scaled * x)
    }
  }
}
