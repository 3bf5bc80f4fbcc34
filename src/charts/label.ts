/**
 * Text inside a chart. There is no browser to measure it, so widths are estimated, a little too wide rather than too
 * narrow: another machine may have a broader font than ours.
 */

/** Marks that hide or reverse text; SVG forbids most control characters outright. */
const HARMFUL =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufffe\uffff]/gu

/** Somebody else's text on one line, safe to show. */
export function shown(text: string): string {
  return text.replace(HARMFUL, ' ').replace(/ {2,}/g, ' ').trim()
}

/** In ems; wider than any chart, and further nobody needs to measure. */
const WIDEST = 1000

export function textWidth(text: string, size: number): number {
  let ems = 0
  for (const character of text) {
    ems += emsOf(character)
    if (ems > WIDEST) break
  }
  return ems * size
}

/** Advance widths of a broad sans (Verdana, DejaVu) would be a tenth more, of a narrow one (Arial) a tenth less. */
function emsOf(character: string): number {
  if (WIDE.test(character)) return 1
  if (/[iljtfrI.,:;'|!()[\] ]/.test(character)) return NARROWEST
  if (/[mwMW@%—…]/.test(character)) return 0.92
  if (/[A-Z0-9+−=<>_~#&]/.test(character)) return 0.64
  return 0.58
}

const NARROWEST = 0.36

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6“”]|\p{Emoji_Presentation}/u

/** Cut in the middle: names of runs and metrics tell themselves apart at both ends. */
export function fitted(text: string, width: number, size: number): string {
  const whole = shown(text)
  if (textWidth(whole, size) <= width) return whole
  const characters = bothEnds([...whole], Math.ceil(width / (NARROWEST * size)))
  for (let kept = characters.length - 1; kept > 1; kept -= 1) {
    const head = Math.ceil(kept / 2)
    const cut = `${characters.slice(0, head).join('')}…${characters.slice(characters.length - kept + head).join('')}`
    if (textWidth(cut, size) <= width) return cut
  }
  return '…'
}

/** A name of a megabyte must not be measured a million times. */
function bothEnds(characters: readonly string[], most: number): readonly string[] {
  if (characters.length <= 2 * most) return characters
  return [...characters.slice(0, most), ...characters.slice(-most)]
}

/** Lines no wider than `width`, broken at spaces and between Chinese characters; at most `most`, the last one cut. */
export function wrapped(text: string, width: number, size: number, most = 4): readonly string[] {
  const longest = Math.ceil((most * width) / (NARROWEST * size)) + 1
  const pieces = [...shown(text)].slice(0, longest).join('').match(PIECES) ?? []
  const lines: string[] = ['']
  for (const piece of pieces) {
    const line = lines[lines.length - 1] + piece
    const fits = textWidth(line.trimEnd(), size) <= width
    if (fits || lines[lines.length - 1] === '') lines[lines.length - 1] = line
    else lines.push(piece)
  }
  const kept = lines.slice(0, most).map(line => line.trimEnd())
  if (lines.length > most) kept[most - 1] = `${kept[most - 1]}…`
  return kept.map(line => tailCut(line, width, size))
}

/** A word with the space after it, or one wide character with the punctuation that must not begin a line. */
const PIECES =
  /[\u2e80-\u2fff\u3040-\u9fff\uf900-\ufaff“（《][，。；：、！？）》”]*|[^\s\u2e80-\u9fff\uf900-\uffef“”]+[，。；：、！？）》”]* *|[^\S ]+| +|./gsu

function tailCut(text: string, width: number, size: number): string {
  if (textWidth(text, size) <= width) return text
  const characters = [...text.replace(/…$/, '')]
  while (characters.length > 0 && textWidth(`${characters.join('')}…`, size) > width) characters.pop()
  return `${characters.join('')}…`
}
