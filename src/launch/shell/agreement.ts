import { UNKNOWN, type Value } from './variables.js'

/** What all branches agree on, and that there may be more: an option that one of them appends does not hide the others. */
export function agreed(values: readonly (Value | undefined)[]): Value {
  const set = values.filter(value => value !== undefined)
  const [first] = set
  if (set.length < values.length) return { text: UNKNOWN, line: lineOf(first) }
  if (set.every(value => sameText(value, first))) return first
  const lists = set.map(value => [value].flat())
  if (set.some(value => Array.isArray(value))) {
    const length = lists[0].findIndex(({ text }, i) => lists.some(list => list[i]?.text !== text))
    const common = length < 0 ? lists[0] : lists[0].slice(0, length)
    return [...common, { text: UNKNOWN, line: lineOf(first) }]
  }
  return { text: commonStart(lists.map(([{ text }]) => text)), line: lineOf(first) }
}

function commonStart(texts: readonly string[]): string {
  const [first] = texts
  let end = 0
  while (end < first.length && texts.every(text => text[end] === first[end])) end += 1
  const isBetweenWords = texts.every(text => end === text.length || /\s/.test(text[end]))
  return `${first.slice(0, end)}${isBetweenWords ? ' ' : ''}${UNKNOWN}`
}

function sameText(a: Value, b: Value): boolean {
  const [left, right] = [[a].flat(), [b].flat()]
  return left.length === right.length && left.every(({ text }, i) => text === right[i].text)
}

function lineOf(value: Value | undefined): number {
  return value === undefined ? 0 : ([value].flat()[0]?.line ?? 0)
}
