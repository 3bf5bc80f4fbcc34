/**
 * Rotary positions: in each head of `width` numbers, number i and number i + width/2 are turned as a pair by the angle of
 * their position (the halves are paired, not the neighbours: Qwen's and Llama's layout). The angles come as tables of
 * cosines and sines, one row of width/2 for each position. `direction` -1 turns back, which is also the reverse pass.
 */
export function rotate(
  x: i32,
  positions: i32,
  cosines: i32,
  sines: i32,
  rows: i32,
  heads: i32,
  width: i32,
  direction: f32,
): void {
  const half = width >> 1
  const apart = (<usize>half) << 2
  const directions = f32x4.splat(direction)
  for (let r = 0; r < rows; r++) {
    const position = <i32>load<f32>((<usize>(positions + r)) << 2)
    const cosine = (<usize>(cosines + position * half)) << 2
    const sine = (<usize>(sines + position * half)) << 2
    for (let h = 0; h < heads; h++) {
      const first = (<usize>(x + (r * heads + h) * width)) << 2
      const second = first + apart
      let i = 0
      for (; i <= half - 4; i += 4) {
        const at = (<usize>i) << 2
        const a = v128.load(first + at)
        const b = v128.load(second + at)
        const c = v128.load(cosine + at)
        const s = f32x4.mul(v128.load(sine + at), directions)
        v128.store(first + at, f32x4.sub(f32x4.mul(a, c), f32x4.mul(b, s)))
        v128.store(second + at, f32x4.add(f32x4.mul(b, c), f32x4.mul(a, s)))
      }
      for (; i < half; i++) {
        const at = (<usize>i) << 2
        const a = load<f32>(first + at)
        const b = load<f32>(second + at)
        const c = load<f32>(cosine + at)
        const s = load<f32>(sine + at) * direction
        store<f32>(first + at, a * c - b * s)
        store<f32>(second + at, b * c + a * s)
      }
    }
  }
}
