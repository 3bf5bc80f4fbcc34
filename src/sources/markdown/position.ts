/** Line and column from 1, as editors count: a column is a UTF-16 unit, so a Chinese character is one, an emoji two. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Answers where offsets stand. Made once per text, because it has to find all lines. */
export function positionsIn(text: string): (offset: number) => Position {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return offset => {
    const line = lastAtMost(starts, offset)
    return { line: line + 1, column: offset - starts[line] + 1 }
  }
}

/** The index of the last of some rising numbers that is not above `limit`; -1 when all are. */
export function lastAtMost(rising: readonly number[], limit: number): number {
  let low = -1
  let high = rising.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (rising[middle] <= limit) low = middle
    else high = middle - 1
  }
  return low
}
