/**
 * Where a text may be cut before bytes are merged: words with the blank before them, single digits, runs of other signs,
 * runs of blanks (the last one left to the word behind it). The expression means the same in JavaScript and in
 * Oniguruma, which reads it from tokenizer.json: no \s, which the two disagree about.
 */
const BLANK = '\\p{Z}\\t-\\r'

export const PIECE_PATTERN = [
  ' ?\\p{L}+',
  '\\p{N}',
  ` ?[^\\p{L}\\p{N}${BLANK}]+`,
  `[${BLANK}]+(?![^${BLANK}])`,
  `[${BLANK}]+`,
].join('|')

export function piecesOf(text: string): readonly string[] {
  return text.match(new RegExp(PIECE_PATTERN, 'gu')) ?? []
}
