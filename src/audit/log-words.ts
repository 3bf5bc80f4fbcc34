import { NUMBER_WORDS, type StepMark, type Stretch } from '../document/quantity.js'
import { ROWS } from '../model/vocabulary/metric-index.js'
import { has, type Sense } from './lexicon.js'
import { type Aggregate, atAggregate, atEnd, atStep, type LoggedSeries, overSteps, type Place } from './log-series.js'
import { wordsOf } from './names.js'

/**
 * What the words of a report mean in the logs: which runs, which metrics, and which part of a series. Runs are found by
 * their names, the longest first; metrics by the words of all their names, those of the vocabulary included, so that
 * 梯度范数 and "gradient norm" are both `actor/grad_norm`.
 */
export interface RunMention extends Stretch {
  readonly run: string
}

/** Finds the metrics that some words fit best; none where they fit none. */
export function metricFinder(series: readonly LoggedSeries[]): (text: string) => ReadonlySet<string> {
  const names = new Map(series.map(({ metric, canonical }) => [metric, namesOf(metric, canonical)]))
  const known = new Set([...names.values()].flat(2))
  return text => {
    const said = new Set(stems(text))
    const heard = new Set([...known].filter(word => [...said].some(other => isWord(word, other))))
    const fits = [...names].map(([metric, all]) => ({ metric, fit: Math.max(...all.map(name => fitOf(name, heard))) }))
    const best = Math.max(...fits.map(({ fit }) => fit))
    return new Set(fits.filter(({ fit }) => fit === best && fit > 0).map(({ metric }) => metric))
  }
}

/** Finds every place where a run is named. A run called kl is not meant by a column KL; longer names are, however they are spelt. */
const SHORT_NAME = 3

export function runFinder(runs: readonly string[]): (text: string) => readonly RunMention[] {
  const patterns = runs
    .toSorted((a, b) => b.length - a.length)
    .map(run => {
      const parts = run.split(/[\s_=:-]+/).map(part => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      const flags = run.length > SHORT_NAME ? 'gi' : 'g'
      return { run, pattern: new RegExp(`(?<![\\w.-])${parts.join('[\\s_=:-]{0,3}')}(?![\\w]|[.-]\\w)`, flags) }
    })
  return text => {
    const found: RunMention[] = []
    for (const { run, pattern } of patterns) {
      for (const { index: from, 0: words } of text.matchAll(pattern)) {
        const to = from + words.length
        if (!found.some(other => from < other.to && to > other.from)) found.push({ run, from, to })
      }
    }
    return found.sort((a, b) => a.from - b.from)
  }
}

/** Words that many names share: they decide between metrics that fit equally well, and name none. */
const WEAK = new Set(
  'val train actor critic core aux mean max min std env objective data at s the of per and in on to step'.split(' '),
)
const LEAST_OF_WORD = 3
/** What a word of a name that the text lacks costs, a weak word that it has brings, and being of validation without saying so. */
const LACKING = 0.4
const WEAK_BONUS = 0.3
const UNSAID_VALIDATION = 0.2

/** The words of each of its names. */
function namesOf(name: string, canonical: string | null): readonly (readonly string[])[] {
  const row = canonical === null ? undefined : ROWS.get(canonical)
  const aliases = row === undefined ? [] : Object.values(row).filter(Array.isArray).flat()
  return [name, ...(canonical === null ? [] : [canonical]), ...aliases].map(one => [...new Set(stems(String(one)))])
}

function stems(text: string): readonly string[] {
  return wordsOf(text)
    .map(({ text: word }) => (word === 'eval' || word === 'evaluation' ? 'val' : word))
    .filter(word => !/^\d/.test(word))
}

/** "grad" and "gradient", "frac" and "fraction" are one word. */
function isWord(a: string, b: string): boolean {
  if (a === b) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= LEAST_OF_WORD && /^[a-z]+$/.test(short) && long.startsWith(short) && !WEAK.has(short)
}

function fitOf(name: readonly string[], heard: ReadonlySet<string>): number {
  const own = name.filter(word => !WEAK.has(word))
  const met = own.filter(word => heard.has(word)).length
  if (met === 0) return 0
  const weak = name.filter(word => WEAK.has(word) && heard.has(word)).length
  const isUnsaid = name.includes('val') && !heard.has('val')
  return met - LACKING * (own.length - met) + WEAK_BONUS * weak - (isUnsaid ? UNSAID_VALIDATION : 0)
}

/** "the last 20", "final three", 前 10 步; "the last third", 后 30%. */
const WINDOW =
  /(?<![a-z])(?:(last|final|最后|末|后)|first|最初|前)\s?(\d{1,6}|[a-z]{3,7}|半|[三四]分之一|[一二三四五六七八九十])(\s?%)?/gi
const AMOUNTS: ReadonlyMap<string, number> = new Map([
  ...NUMBER_WORDS,
  ...['half', 'third', 'quarter', '半', '三分之一', '四分之一'].map((word, i) => [word, 1 / ((i % 3) + 2)] as const),
])

const AGGREGATE_WORDS: readonly (readonly [Aggregate, readonly Sense[]])[] = [
  ['last', ['final']],
  ['max', ['maximum', 'best']],
  ['min', ['minimum', 'best']],
  ['mean', ['mean']],
]

/** The parts of a series that some words name: windows first, which are the most particular. */
export function placesIn(text: string, steps: readonly StepMark[]): readonly Place[] {
  const windows = Array.from(text.matchAll(WINDOW), ([, last, amount, percent]) => {
    const size = AMOUNTS.get(amount.toLowerCase()) ?? Number(amount)
    return atEnd(last === undefined ? 'first' : 'last', percent === undefined ? size : size / 100)
  })
  const marked = steps.map(({ first, last }) => (first === last ? atStep(first) : overSteps(first, last)))
  const aggregates = AGGREGATE_WORDS.filter(([, senses]) => has(text, ...senses)).map(([one]) => atAggregate(one))
  return [...windows, ...marked, ...aggregates]
}
