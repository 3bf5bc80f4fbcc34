/** Short ways to write made-up series. */

export function repeated(value: number, times: number): number[] {
  return Array<number>(times).fill(value)
}

/** A level with a little wobble, in full digits: numbers that no console has rounded. */
export function uneven(level: number, times: number): number[] {
  return Array.from({ length: times }, (_, i) => level * (1 + 0.01 * Math.sin(7 * i)))
}
