import type { Statement } from './document.js'
import { mentionsOf } from './mentions.js'
import { namedIn } from './names.js'

/** Which of two runs a text means: by its full name where it stands, else by what tells the two names apart. */
export function sideNamed(text: string, names: readonly [string, string]): 0 | 1 | null {
  const full = mentionsOf(text, names).filter(({ from }) => !DENIED.test(text.slice(Math.max(0, from - 8), from)))
  const meant = new Set(full.map(({ name }) => names.indexOf(name)))
  if (meant.size > 1) return null
  if (meant.size === 1) return meant.has(0) ? 0 : 1
  // A digit of a value must not stand for a digit of a name.
  return namedIn(
    text.replace(/\d+(?:\.\d+)?/g, number => (names.some(name => name.includes(number)) ? number : ' ')),
    names,
  )
}

const DENIED = /(?:无|没有|非|不带|(?<![a-z])(?:no|non|without|w\/o))[\s-]?$/i

/** Words in a table are about their column, unless they name a run themselves. */
export function sideOf(statement: Statement, names: readonly [string, string]): 0 | 1 | null {
  const own = sideNamed(statement.text, names)
  const { cell, table } = statement
  if (own !== null || cell === null) return own
  return sideNamed(table?.header[cell.column].text ?? '', names)
}
