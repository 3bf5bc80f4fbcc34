import type { Log, LogRun } from './log.js'

/**
 * Names that a report gives to runs itself: "*free* is `beta-0.0`", "「拴绳」= 0.1", "`few-prompts` (下称 FP)", "*light* and *heavy*
 * (0.01, 0.3)". A name stands in quotes, in bold or slanted letters, or behind a word for naming.
 */
export interface Nickname {
  readonly name: string
  readonly runs: readonly LogRun[]
}

/** Runs that a line names already. */
interface NamedRuns {
  readonly from: number
  readonly to: number
  readonly runs: readonly LogRun[]
  readonly refers: string | null
}

interface Term {
  readonly name: string
  readonly from: number
  readonly to: number
}

const TERM =
  /\*{1,2}([^*\n|]{2,24}?)\*{1,2}|(?<![\w_])_([^_\n|]{2,24}?)_(?![\w_])|[“"「『‘]([^“”"「」『』‘’\n|]{2,24}?)[”"」』’]|(?:[下简记统]称为?|记[为作]|叫做?|hereafter|dubbed|(?<![a-z])call(?:ed)?(?: it| this| them)?)[\s：:]?([A-Za-z][\w+-]{1,15}|\p{Script=Han}{2,6}组?)/giu
const NAMED = /^(?=.*\p{L}{2})[\p{L}\p{N}][\p{L}\p{N}+_ /-]*$/u
const IS =
  /^["”」』’*_\s]*(?:(?:is|are|was|means|for|=|:|：|是|为|指|即|就是|对应|[(（,，])\s?)+(?:the |group |runs? |arms? |setting |用|取)*[`“"「*\s]*$/
const CALLED =
  /^[`*\s]*(?:(?:runs?|arms?|setting|group|seeds?|的?(?:那|这)?[两三四五几\d]?[组个]?(?:run|种子)?)\s?)?(?:[(（]\s?)?(?:is |are |aka |a\.k\.a\. |hereafter |called |dubbed |下称|简称|记为|记作|称为|叫做?|即)?[“"「『‘*_\s]*$/i
const LIST_GLUE = /^["”」』’*_\s]*(?:,|、|，|and|, and|和|与|\/)?\s?[“"「『‘*_]*$/
const VALUES = /^["”」』’*_\s]*[(（:：=]\s?((?:[\d.]+(?:e-?\d+)?(?:\s?(?:,|、|，|and|, and|和|与|\/)\s?)?){2,8})[)）]?/
const VALUE = /^["”」』’*_\s]*(?:=|:|：|是|为|取|is)\s?(\d+(?:\.\d+)?)(?![\d.%])/

/** Who defines more in one line is hostile: each name is compared with all others. */
const LONGEST_LINE = 4_000

/** Of one line of a report. */
export function nicknamesIn(
  line: string,
  mentions: readonly NamedRuns[],
  ofValue: (value: number) => readonly LogRun[] | undefined,
  log: Log,
): readonly Nickname[] {
  if (line.length > LONGEST_LINE) return []
  const terms = termsIn(line, mentions)
  const found = new Map<Term, readonly LogRun[]>()
  const runs = mentions.filter(({ refers, runs: own }) => refers === null && own.length < log.runs.length)
  const spent = new Set<NamedRuns>()
  const put = (term: Term | undefined, own: readonly LogRun[] | undefined): boolean => {
    const isOne = own !== undefined && new Set(own.map(({ group }) => group)).size === 1
    if (term === undefined || !isOne || found.has(term)) return false
    found.set(term, own)
    return true
  }
  for (const list of listsOf(terms, line)) {
    const end = list.at(-1)?.to ?? 0
    const values = VALUES.exec(line.slice(end))?.[1]?.match(/\d[\d.]*(?:e-?\d+)?/g) ?? []
    // A list may end with the names of the values in brackets behind it.
    if (values.length > 0 && values.length <= list.length)
      for (const [i, term] of list.slice(-values.length).entries()) put(term, ofValue(Number(values[i])))
    const before = runs.find(one => one.to <= (list[0]?.from ?? 0) && CALLED.test(line.slice(one.to, list[0]?.from)))
    if (before !== undefined && list.length > 1 && before.runs.length === list.length)
      for (const [i, run] of bySeed(before.runs).entries()) put(list[i], [run])
  }
  for (const term of terms) {
    const [, digits] = VALUE.exec(line.slice(term.to)) ?? []
    const next = runs.find(one => one.from >= term.to && !spent.has(one) && IS.test(line.slice(term.to, one.from)))
    if (next !== undefined) {
      if (put(term, next.runs)) spent.add(next)
    } else if (digits !== undefined) put(term, ofValue(Number(digits)))
  }
  for (const term of terms) {
    const last = runs.findLast(one => one.to <= term.from && !spent.has(one))
    if (last !== undefined && CALLED.test(line.slice(last.to, term.from)) && put(term, last.runs)) spent.add(last)
  }
  return [...found].map(([{ name }, own]) => ({ name: name.toLowerCase(), runs: own }))
}

function termsIn(line: string, mentions: readonly NamedRuns[]): readonly Term[] {
  return Array.from(line.matchAll(TERM), ({ index, 0: all, 1: bold, 2: slanted, 3: quoted, 4: called }) => {
    const name = (bold ?? slanted ?? quoted ?? called ?? '').trim()
    const from = called === undefined ? index : index + all.length - called.length
    return { name, from, to: index + all.length }
  }).filter(
    ({ name, from, to }) =>
      NAMED.test(name) &&
      name.split(' ').length < 4 &&
      !mentions.some(one => one.refers === null && one.from < to && from < one.to),
  )
}

function listsOf(terms: readonly Term[], line: string): readonly (readonly Term[])[] {
  const lists: Term[][] = []
  for (const term of terms) {
    const last = lists.at(-1)
    const before = last?.at(-1)
    if (before !== undefined && LIST_GLUE.test(line.slice(before.to, term.from))) last?.push(term)
    else lists.push([term])
  }
  return lists
}

const bySeed = (runs: readonly LogRun[]): readonly LogRun[] =>
  runs.toSorted((a, b) => (a.seed ?? 0) - (b.seed ?? 0) || a.name.localeCompare(b.name))
