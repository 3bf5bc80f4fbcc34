import { remembered } from './remember.js'

/**
 * Finding the names of a table (headers, row labels) in prose. Spaces and case do not count ("KL值" is "KL 值"), letters
 * and digits must end where the name ends ("0.14" is not in "0.145"), and a name inside a longer known name is not
 * meant ("KL" in "KL Loss").
 */
export interface Mention {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** A table with more names than this is data, not something that sentences speak of. */
export const MOST_NAMES = 60
/** As far as claims are read (claims.ts). */
const LONGEST = 4_000
const SPACE = /\s/
const WORD = /[A-Za-z0-9_]/

export function mentionsOf(text: string, names: readonly string[]): readonly Mention[] {
  if (names.length === 0) return []
  const { squeezed, origins } = squeeze(text.length > LONGEST ? text.slice(0, LONGEST) : text)
  const found: Mention[] = []
  for (const { name, wanted } of wantedNames(names)) {
    for (let at = squeezed.indexOf(wanted); at >= 0; at = squeezed.indexOf(wanted, at + wanted.length)) {
      const from = origins[at]
      const to = origins[at + wanted.length - 1] + 1
      if (endsThere(text, wanted, from, to)) found.push({ name, from, to })
    }
  }
  if (found.length < 2) return found
  const isInside = (a: Mention, b: Mention): boolean =>
    b.from <= a.from && b.to >= a.to && b.to - b.from > a.to - a.from
  return found.filter(a => !found.some(b => isInside(a, b))).sort((a, b) => a.from - b.from)
}

function endsThere(text: string, wanted: string, from: number, to: number): boolean {
  const before = text[from - 1] ?? ' '
  const behind = text.slice(to, to + 2)
  if (WORD.test(wanted[0]) && (WORD.test(before) || before === '.')) return false
  if (!WORD.test(wanted[wanted.length - 1])) return true
  return !WORD.test(behind[0] ?? ' ') && !/^\.\d/.test(behind)
}

interface Wanted {
  readonly name: string
  readonly wanted: string
}

const known = new WeakMap<readonly string[], readonly Wanted[]>()

/** The same names are looked for in every statement. */
function wantedNames(names: readonly string[]): readonly Wanted[] {
  if (names.length === 1) return [wantedName(names[0])].filter(({ wanted }) => wanted !== '')
  const before = known.get(names)
  if (before !== undefined) return before
  const wanted = [...new Set(names.slice(0, MOST_NAMES))].map(wantedName).filter(({ wanted }) => wanted !== '')
  known.set(names, wanted)
  return wanted
}

const wantedName = remembered((name): Wanted => ({ name, wanted: squeezeAll(name).squeezed }))

let last: { readonly text: string; readonly made: Squeezed } | null = null

/** Several rules ask about the same statement, one name at a time. */
function squeeze(text: string): Squeezed {
  if (last?.text === text) return last.made
  const made = squeezeAll(text)
  last = { text, made }
  return made
}

interface Squeezed {
  readonly squeezed: string
  readonly origins: readonly number[]
}

function squeezeAll(text: string): { readonly squeezed: string; readonly origins: readonly number[] } {
  const origins: number[] = []
  const kept: string[] = []
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x20 || code === 0x2a || code === 0x60 || (code < 0x20 && SPACE.test(text[at]))) continue
    if (code > 0x7f && SPACE.test(text[at])) continue
    const small = code >= 0x4e00 && code <= 0x9fff ? text[at] : text[at].toLowerCase()
    // Some letters grow when lowered (İ): one for one keeps places places.
    kept.push(small.length === 1 ? small : text[at])
    origins.push(at)
  }
  return { squeezed: kept.join(''), origins }
}
