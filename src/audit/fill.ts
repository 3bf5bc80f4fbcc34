import { isWritable, sourceComment, sourcesIn } from '../core/present/figure-source.js'
import { markdownBlocks } from '../logs/document/markdown.js'
import { placesIn } from '../logs/document/places.js'

/**
 * References in a report, `{{show RUN METRIC last}}`, and figures that were filled in from one, and the text with new
 * figures in their places. What a reference means is not known here; code, which may show how one is written, is left alone.
 */
export interface ReferenceSpot {
  readonly reference: string
  readonly line: number
  readonly column: number
  /** What is replaced: the braces, or the figure with its comment. */
  readonly from: number
  readonly to: number
  /** The figure as klens wrote it; null before the first time. */
  readonly before: string | null
  readonly verdict: string | null
  /** What stands there now, where somebody changed the figure by hand. */
  readonly edited: string | null
}

const BRACES = /\{\{\s*((?:show|compare)\s(?:(?!\}\})[^\n]){1,600}?)\s*\}\}/g

export function referencesIn(text: string): readonly ReferenceSpot[] {
  const placeOf = placesIn(text)
  const code = [...markdownBlocks(text)].filter(({ kind }) => kind === 'code')
  const isCode = (at: number): boolean => code.some(({ from, to }) => at >= from && at < to) || isInSpan(text, at)
  const open = Array.from(text.matchAll(BRACES), ({ index, 0: { length }, 1: reference = '' }) => ({
    reference,
    from: index,
    to: index + length,
    before: null,
    verdict: null,
    edited: null,
  }))
  const filled = sourcesIn(text).map(({ reference, text: before, verdict, from, to }) => {
    const isSame = text.slice(0, from).endsWith(before)
    const edited = isSame ? null : (/\S+\s*$/.exec(text.slice(Math.max(0, from - 40), from))?.[0].trim() ?? '')
    return { reference, from: isSame ? from - before.length : from, to, before, verdict, edited }
  })
  return [...open, ...filled]
    .filter(({ from }) => !isCode(from))
    .sort((a, b) => a.from - b.from)
    .map(spot => ({ ...spot, ...lineOf(placeOf(spot.from)) }))
}

const lineOf = ({ line, column }: { readonly line: number; readonly column: number }) => ({ line, column })

/** Whether a place stands between backticks of its line. */
function isInSpan(text: string, at: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  return (before.match(/`/g)?.length ?? 0) % 2 === 1
}

/** What a reference gives today. */
export interface FilledFigure {
  readonly text: string
  readonly verdict: string | null
}

/** The text with the figures that are given; a spot without one stays as it is. */
export function filledText(text: string, figures: ReadonlyMap<ReferenceSpot, FilledFigure>): string {
  let filled = ''
  let at = 0
  for (const [{ reference, from, to }, figure] of [...figures].sort(([a], [b]) => a.from - b.from)) {
    if (!isWritable({ reference, text: figure.text })) continue
    filled += text.slice(at, from) + figure.text + sourceComment({ reference, ...figure })
    at = to
  }
  return filled + text.slice(at)
}
