/** Points as a picture can show them: never sampled, but where there are more than pixels, the range of each few. */
export interface Points {
  readonly steps: ArrayLike<number>
  readonly values: ArrayLike<number>
}

export interface Drawn {
  /** Gaps are null: nothing is drawn across them. */
  readonly line: readonly (readonly [step: number, value: number | null])[]
  /** How many steps one drawn point stands for; 1 where all are drawn. */
  readonly each: number
}

/** About two points per pixel of the widest chart. */
const MOST_POINTS = 600

export function drawn({ steps, values }: Points): Drawn {
  const n = steps.length
  if (n <= MOST_POINTS) {
    return {
      each: 1,
      line: Array.from({ length: n }, (_, i) => [steps[i], Number.isFinite(values[i]) ? values[i] : null]),
    }
  }
  const each = Math.ceil((2 * n) / MOST_POINTS)
  const line: [number, number | null][] = []
  for (let start = 0; start < n; start += each) {
    const end = Math.min(n, start + each)
    let [low, high] = [-1, -1]
    for (let i = start; i < end; i += 1) {
      if (!Number.isFinite(values[i])) continue
      if (low < 0 || values[i] < values[low]) low = i
      if (high < 0 || values[i] > values[high]) high = i
    }
    if (low < 0) line.push([steps[start], null])
    else
      for (const i of low === high ? [low] : [Math.min(low, high), Math.max(low, high)])
        line.push([steps[i], values[i]])
  }
  return { line, each }
}
