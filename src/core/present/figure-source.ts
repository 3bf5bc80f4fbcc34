/**
 * Where a figure of a report comes from, as a comment right behind it: `0.912<!-- klens: show kl val.score last = 0.912 -->`.
 * The comment repeats the figure, so that one that was changed by hand is known, and of a comparison its verdict, so that
 * one that turned is. It stands behind and not before, because a line that begins with a comment is no Markdown.
 */
export interface FigureSource {
  /** The question, as it stands between braces before it is filled. */
  readonly reference: string
  readonly text: string
  /** The answer of a comparison: better, worse …; null of a figure. */
  readonly verdict: string | null
}

const COMMENT = /<!-- klens: ((?:(?!-->)[^\n]){1,600}) = ((?:(?!-->)[^\n]){0,300}?)(?: \[([a-z-]{1,30})\])? -->/g

export function sourceComment({ reference, text, verdict }: FigureSource): string {
  return `<!-- klens: ${reference} = ${text}${verdict === null ? '' : ` [${verdict}]`} -->`
}

/** What would end the comment, or be read as its parts, cannot be written into it. */
export const isWritable = ({ reference, text }: Pick<FigureSource, 'reference' | 'text'>): boolean =>
  !/--!?>|[\n\r]/.test(`${reference} ${text}`) && !/ = |\[/.test(text)

export function sourcesIn(text: string): readonly (FigureSource & { readonly from: number; readonly to: number })[] {
  return Array.from(
    text.matchAll(COMMENT),
    ({ index, 0: { length }, 1: reference = '', 2: printed = '', 3: verdict }) => ({
      reference,
      text: printed,
      verdict: verdict ?? null,
      from: index,
      to: index + length,
    }),
  )
}
