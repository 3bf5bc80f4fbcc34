/** Counted from 1, as editors do; a column is a character, however many units it takes. */
export interface Place {
  readonly line: number
  readonly column: number
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** So many units after which the column is known, because a line may be the whole file and hold all its faults. */
const STRIDE = 4096

export function placesIn(text: string): (offset: number) => Place {
  const starts = lineStarts(text)
  const known = new Map<number, number[]>()
  return offset => {
    const line = lastAtMost(starts, offset)
    const start = starts[line] ?? 0
    const stride = Math.floor((offset - start) / STRIDE)
    const columns = known.get(line) ?? [1]
    for (let i = columns.length; i <= stride; i += 1) {
      columns.push((columns[i - 1] ?? 1) + charactersIn(text, start + (i - 1) * STRIDE, start + i * STRIDE))
    }
    if (stride > 0) known.set(line, columns)
    return { line: line + 1, column: (columns[stride] ?? 1) + charactersIn(text, start + stride * STRIDE, offset) }
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
  let [low, high] = [0, rising.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rising[middle] ?? limit) > limit) high = middle
    else low = middle + 1
  }
  return low - 1
}
