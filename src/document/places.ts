/** Counted from 1, as editors do; a column is a character, however many units it takes. */
export interface Place {
  readonly line: number
  readonly column: number
}

export function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Goes on from the place asked for last, because a line may be the whole file and hold all its faults. */
export function placesIn(text: string, starts: readonly number[]): (offset: number) => Place {
  let last = { line: -1, offset: 0, column: 1 }
  return offset => {
    const line = lastAtMost(starts, offset)
    const from = last.line === line && last.offset <= offset ? last : { offset: starts[line], column: 1 }
    const column = from.column + charactersIn(text, from.offset, offset)
    last = { line, offset, column }
    return { line: line + 1, column }
  }
}

function charactersIn(text: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at += 1) {
    const isSecondHalf = (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
    if (!isSecondHalf) count += 1
  }
  return count
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
