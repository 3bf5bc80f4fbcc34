/**
 * AdamW, over a gradient that is stored and over one that is the outer product of two vectors and never is.
 * WebAssembly cannot flush subnormal numbers to zero, and a moment that decays into them costs 25 times as much a step
 * (docs/decisions/kernels.md). No moment decays that far in a hundred steps, so the step does not look: `floorMoments` is
 * called now and then.
 */

/** The first moment is rounded to zero by adding and subtracting `floor`, the second is never less than it. */
export function floorMoments(m: i32, v: i32, length: i32, floor: f32): void {
  const first = (<usize>m) << 2
  const second = (<usize>v) << 2
  const floors = f32x4.splat(floor)
  let i = 0
  for (; i <= length - 4; i += 4) {
    const at = (<usize>i) << 2
    v128.store(first + at, f32x4.sub(f32x4.add(v128.load(first + at), floors), floors))
    v128.store(second + at, f32x4.pmax(v128.load(second + at), floors))
  }
  for (; i < length; i++) {
    const at = (<usize>i) << 2
    store<f32>(first + at, load<f32>(first + at) + floor - floor)
    store<f32>(second + at, max<f32>(load<f32>(second + at), floor))
  }
}

export function adamw(
  p: i32,
  m: i32,
  v: i32,
  g: i32,
  length: i32,
  scale: f32,
  blendFirst: f32,
  blendSecond: f32,
  stepSize: f32,
  epsilon: f32,
  decay: f32,
): void {
  const parameter = (<usize>p) << 2
  const first = (<usize>m) << 2
  const second = (<usize>v) << 2
  const gradient = (<usize>g) << 2
  const scales = f32x4.splat(scale)
  const blends = f32x4.splat(blendFirst)
  const blendsOfSquare = f32x4.splat(blendSecond)
  const steps = f32x4.splat(stepSize)
  const epsilons = f32x4.splat(epsilon)
  const decays = f32x4.splat(decay)
  let i = 0
  for (; i <= length - 4; i += 4) {
    const at = (<usize>i) << 2
    const slope = f32x4.mul(v128.load(gradient + at), scales)
    four(parameter + at, first + at, second + at, slope, blends, blendsOfSquare, steps, epsilons, decays)
  }
  for (; i < length; i++) {
    const at = (<usize>i) << 2
    const slope = load<f32>(gradient + at) * scale
    one(parameter + at, first + at, second + at, slope, blendFirst, blendSecond, stepSize, epsilon, decay)
  }
}

export function adamwOuter(
  p: i32,
  m: i32,
  v: i32,
  left: i32,
  right: i32,
  rows: i32,
  columns: i32,
  scale: f32,
  blendFirst: f32,
  blendSecond: f32,
  stepSize: f32,
  epsilon: f32,
  decay: f32,
): void {
  const from = (<usize>right) << 2
  const blends = f32x4.splat(blendFirst)
  const blendsOfSquare = f32x4.splat(blendSecond)
  const steps = f32x4.splat(stepSize)
  const epsilons = f32x4.splat(epsilon)
  const decays = f32x4.splat(decay)
  for (let r = 0; r < rows; r++) {
    const parameter = (<usize>(p + r * columns)) << 2
    const first = (<usize>(m + r * columns)) << 2
    const second = (<usize>(v + r * columns)) << 2
    const factor = load<f32>((<usize>(left + r)) << 2) * scale
    const factors = f32x4.splat(factor)
    let i = 0
    for (; i <= columns - 8; i += 8) {
      const at = (<usize>i) << 2
      const slope = f32x4.mul(v128.load(from + at), factors)
      const next = f32x4.mul(v128.load(from + at, 16), factors)
      eight(parameter + at, first + at, second + at, slope, next, blends, blendsOfSquare, steps, epsilons, decays)
    }
    for (; i < columns; i++) {
      const at = (<usize>i) << 2
      const slope = load<f32>(from + at) * factor
      one(parameter + at, first + at, second + at, slope, blendFirst, blendSecond, stepSize, epsilon, decay)
    }
  }
}

/**
 * Twice `four`, written out: a second pair of roots and divisions runs beside the first, a tenth faster. Not for stored
 * gradients as well: used twice, it would no longer be compiled in place, and cost a fifth more.
 */
function eight(
  p: usize,
  m: usize,
  v: usize,
  g: v128,
  h: v128,
  blends: v128,
  blendsOfSquare: v128,
  steps: v128,
  epsilons: v128,
  decays: v128,
): void {
  const old = v128.load(m)
  const oldNext = v128.load(m, 16)
  const oldSquare = v128.load(v)
  const oldSquareNext = v128.load(v, 16)
  const parameter = v128.load(p)
  const parameterNext = v128.load(p, 16)
  const first = f32x4.add(old, f32x4.mul(blends, f32x4.sub(g, old)))
  const firstNext = f32x4.add(oldNext, f32x4.mul(blends, f32x4.sub(h, oldNext)))
  const second = f32x4.add(oldSquare, f32x4.mul(blendsOfSquare, f32x4.sub(f32x4.mul(g, g), oldSquare)))
  const secondNext = f32x4.add(oldSquareNext, f32x4.mul(blendsOfSquare, f32x4.sub(f32x4.mul(h, h), oldSquareNext)))
  const move = f32x4.div(f32x4.mul(steps, first), f32x4.add(f32x4.sqrt(second), epsilons))
  const moveNext = f32x4.div(f32x4.mul(steps, firstNext), f32x4.add(f32x4.sqrt(secondNext), epsilons))
  v128.store(m, first)
  v128.store(m, firstNext, 16)
  v128.store(v, second)
  v128.store(v, secondNext, 16)
  v128.store(p, f32x4.sub(parameter, f32x4.add(move, f32x4.mul(decays, parameter))))
  v128.store(p, f32x4.sub(parameterNext, f32x4.add(moveNext, f32x4.mul(decays, parameterNext))), 16)
}

function four(
  p: usize,
  m: usize,
  v: usize,
  g: v128,
  blends: v128,
  blendsOfSquare: v128,
  steps: v128,
  epsilons: v128,
  decays: v128,
): void {
  const old = v128.load(m)
  const oldSquare = v128.load(v)
  const parameter = v128.load(p)
  const first = f32x4.add(old, f32x4.mul(blends, f32x4.sub(g, old)))
  const second = f32x4.add(oldSquare, f32x4.mul(blendsOfSquare, f32x4.sub(f32x4.mul(g, g), oldSquare)))
  const move = f32x4.div(f32x4.mul(steps, first), f32x4.add(f32x4.sqrt(second), epsilons))
  v128.store(m, first)
  v128.store(v, second)
  v128.store(p, f32x4.sub(parameter, f32x4.add(move, f32x4.mul(decays, parameter))))
}

function one(
  p: usize,
  m: usize,
  v: usize,
  g: f32,
  blendFirst: f32,
  blendSecond: f32,
  stepSize: f32,
  epsilon: f32,
  decay: f32,
): void {
  const old = load<f32>(m)
  const oldSquare = load<f32>(v)
  const parameter = load<f32>(p)
  const first = old + blendFirst * (g - old)
  const second = oldSquare + blendSecond * (g * g - oldSquare)
  const move = (stepSize * first) / (sqrt<f32>(second) + epsilon)
  store<f32>(m, first)
  store<f32>(v, second)
  store<f32>(p, parameter - (move + decay * parameter))
}
