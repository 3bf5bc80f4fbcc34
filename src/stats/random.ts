/**
 * A seeded generator: the same input gives the same answer, on every machine. xoshiro128** (Blackman and Vigna 2018),
 * its state filled by splitmix32. By hand, because a bootstrap draws millions of times and a call into a library for
 * each draw costs more than the draw.
 */
export interface Random {
  /** Uniform in [0, 1), with 32 bits. */
  next(): number
  /** A whole number in [0, below). */
  below(limit: number): number
  /** Standard normal (Marsaglia's polar method). */
  normal(): number
  /** Goes on as if so many had been drawn, for half of what drawing them takes. */
  skipNormals(count: number): void
  /** Where the generator stands, as plain data: one that is restored from it goes on with the same numbers. */
  state(): RandomState
  restore(state: RandomState): void
}

export interface RandomState {
  readonly words: readonly [number, number, number, number]
  /** Normals are made in pairs; the second one, if it is still to come. */
  readonly spare: number | null
}

export function seededRandom(seed: number): Random {
  let mix = seed >>> 0
  const splitmix = (): number => {
    mix = (mix + 0x9e3779b9) >>> 0
    let z = mix
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return (z ^ (z >>> 15)) >>> 0
  }
  let a = splitmix()
  let b = splitmix()
  let c = splitmix()
  let d = splitmix()
  /** The last point, and the second normal of a pair while it is still to come: numbers in a closure would each be an object. */
  const held = Float64Array.of(0, 0, Number.NaN)

  function bits(): number {
    const mixed = Math.imul(b, 5)
    const result = Math.imul((mixed << 7) | (mixed >>> 25), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11) | (d >>> 21)
    return result
  }
  const next = (): number => bits() / 4_294_967_296

  /** A point within the unit circle; what it returns is its distance from the centre, squared. */
  function point(): number {
    for (;;) {
      const x = 2 * next() - 1
      const y = 2 * next() - 1
      const square = x * x + y * y
      if (!(square > 0 && square < 1)) continue
      held[0] = x
      held[1] = y
      return square
    }
  }

  function normal(): number {
    const spare = held[2]
    if (!Number.isNaN(spare)) {
      held[2] = Number.NaN
      return spare
    }
    const square = point()
    const factor = Math.sqrt((-2 * Math.log(square)) / square)
    held[2] = held[1] * factor
    return held[0] * factor
  }

  function skipNormals(count: number): void {
    let left = count
    if (left > 0 && !Number.isNaN(held[2])) {
      held[2] = Number.NaN
      left -= 1
    }
    for (; left > 1; left -= 2) point()
    if (left > 0) normal()
  }

  return {
    next,
    below: limit => Math.floor(next() * limit),
    normal,
    skipNormals,
    state: () => ({ words: [a, b, c, d], spare: Number.isNaN(held[2]) ? null : held[2] }),
    restore(state) {
      ;[a, b, c, d] = state.words
      held[2] = state.spare ?? Number.NaN
    },
  }
}

/** In random order (Fisher and Yates). */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const mixed = [...items]
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = random.below(last + 1)
    const moved = mixed[last]
    mixed[last] = mixed[other]
    mixed[other] = moved
  }
  return mixed
}

/** Fills a curve with AR(1) noise of spread one. */
export function fillWithNoise(random: Random, curve: Float64Array, autocorrelation: number): Float64Array {
  const fresh = Math.sqrt(1 - autocorrelation ** 2)
  let noise = random.normal()
  for (let i = 0; i < curve.length; i += 1) {
    curve[i] = noise
    noise = autocorrelation * noise + fresh * random.normal()
  }
  return curve
}
