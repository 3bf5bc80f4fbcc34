/** Random choices that a seed decides, so that every case of a fuzzing run can be made again. */
export interface Random {
  /** In [0, 1). */
  next(): number
  /** A whole number in [0, limit). */
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly [T, ...T[]] | readonly T[]): T
  bytes(length: number): Buffer
}

export function randomFrom(seed: string | Uint8Array): Random {
  let state = hash(Buffer.from(seed))
  /** Mulberry32: one multiplication chain, good enough to choose where to hit a file. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: probability => next() < probability,
    pick: from => from[below(from.length)],
    bytes: length => Buffer.from(Array.from({ length }, () => below(256))),
  }
}

/** FNV-1a. */
function hash(bytes: Uint8Array): number {
  let value = 0x811c9dc5
  for (const byte of bytes) value = Math.imul(value ^ byte, 0x01000193)
  return value
}
