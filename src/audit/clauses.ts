import type { Statement } from '../logs/document/document.js'
import { everyMatch } from '../logs/document/matches.js'
import type { Stretch } from '../logs/document/quantity.js'
import { memoOfLast } from '../logs/model/util/memo.js'

/** A comma between digits belongs to a number, one inside brackets to what the brackets hold. */
const CLAUSE_END =
  /[。；;！？!?]|[,，](?!\d{3})(?![^(（]{0,40}[)）])|\.(?=\s)|(?:但是?|而且?(?![非])|(?<![A-Za-z])(?:however|but|although|while|whereas)(?![A-Za-z])|虽然)/gi

/** The stretches of a statement that say one thing each. */
export const clausesOf = memoOfLast(({ text }: Statement): readonly Stretch[] => {
  const marks = everyMatch(text, CLAUSE_END)
  const starts = [0, ...marks.map(({ index, 0: mark }) => index + mark.length)]
  return starts.map((from, i) => ({ from, to: marks[i]?.index ?? text.length })).filter(({ from, to }) => to > from)
})
