import { message as words } from '../../text/say.js'
import type { Block } from './blocks.js'
import type { Speaker } from './speaker.js'

/**
 * Texts that models wrote, as blocks. What two of them begin and end with is left out but for a few words, so that the
 * passage in which they differ is seen; of a long one, how much is not shown is said.
 */

/** Words around the differing passage. */
const AROUND = 40
const MOST_LINES = 16
const MOST_CHARACTERS = 750

interface Part {
  readonly text: string | null
  /** Characters left out before and behind, which the other text has as well. */
  readonly before: number
  readonly behind: number
}

export function textsBlock(titles: readonly string[], texts: readonly (string | null)[], speaker: Speaker): Block {
  const items = differing(texts).map((part, i) => ({ title: titles[i], text: partText(part, speaker) }))
  return { kind: 'texts', items }
}

function differing(texts: readonly (string | null)[]): readonly Part[] {
  const [first, second] = texts
  if (first == null || second == null) return texts.map(text => ({ text, before: 0, behind: 0 }))
  const shortest = Math.min(first.length, second.length)
  let start = 0
  while (start < shortest && first[start] === second[start]) start += 1
  let end = 0
  while (end < shortest - start && first[first.length - 1 - end] === second[second.length - 1 - end]) end += 1
  const before = start < 2 * AROUND ? 0 : atWord(first, start - AROUND)
  const behind = end < 2 * AROUND ? 0 : end - AROUND
  return [first, second].map(text => ({ text: text.slice(before, text.length - behind), before, behind }))
}

function atWord(text: string, from: number): number {
  const blank = text.slice(from, from + AROUND / 2).search(/\s/)
  return blank < 0 ? from : from + blank + 1
}

function partText({ text, before, behind }: Part, { say }: Speaker): string {
  if (text === null) return say(words('samples.no-output', {}))
  if (text === '') return say(words('samples.empty-output', {}))
  const alike = (count: number): readonly string[] => (count === 0 ? [] : [say(words('samples.alike', { count }))])
  const shown = beginningOf(text)
  const rest = text.length - shown.length
  const cut = rest === 0 ? alike(behind) : [say(words('samples.cut', { count: rest + behind }))]
  return [...alike(before), shown, ...cut].join('\n')
}

export function beginningOf(text: string, mostLines = MOST_LINES, most = MOST_CHARACTERS): string {
  return text.slice(0, most).split('\n').slice(0, mostLines).join('\n')
}
