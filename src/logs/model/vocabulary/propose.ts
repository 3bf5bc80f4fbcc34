import { CONFIG_KEYS } from './config-keys.js'
import { ROWS } from './metric-index.js'
import {
  type Assumption,
  METRIC_WORDINGS,
  mayNameData,
  type OpenQuestion,
  SETTING_WORDINGS,
  type Wording,
  type WordOfName,
  wordsOf,
} from './wordings.js'

/**
 * A meaning for a name that no framework's file knows, by its words: a proposal, used for nothing until a person accepts
 * it. A wrong one is worse than none, so a name with a word that is not explained gets none; how often proposals are
 * right on other projects' names is measured in propose.test.ts.
 */
export type MeaningProposal = {
  /** Canonical; several where the words do not say which. */
  readonly candidates: readonly string[]
  /** The words of the name that say it, as they stand there. */
  readonly words: readonly string[]
} & Certainty

/** `clear`: the words say it. `likely`: one thing had to be assumed. `open`: a person must choose. */
type Certainty =
  | { readonly certainty: 'clear' }
  | { readonly certainty: 'likely'; readonly assumes: Assumption }
  | { readonly certainty: 'open'; readonly asks: OpenQuestion }

/** The values that were logged under the name, over all runs that have it. */
export interface LoggedRange {
  readonly min: number
  readonly max: number
}

const LONGEST_NAME = 200
const MOST_WORDS = 10
const EVALUATION = /^(?:eval|evaluation|validation|test|dev)(?=[-_/. A-Z])/
/** In some logs validation, in others the values of the training batch. */
const PERHAPS_VALIDATION = /^val(?=[-_/. ])/

export function proposeMetric(name: string, range: LoggedRange | null = null): MeaningProposal | null {
  if (name.length > LONGEST_NAME) return null
  const evaluation = EVALUATION.exec(name) ?? EVALUATION.exec(name[0]?.toLowerCase() + name.slice(1))
  const perhaps = PERHAPS_VALIDATION.exec(name)
  const prefix = (evaluation ?? perhaps)?.[0] ?? ''
  const words = wordsOf(name.slice(prefix.length))
  const start = evaluation === null ? 0 : words.findIndex(word => !mayNameData(word))
  const found = start < 0 ? null : read(words.slice(start), METRIC_WORDINGS)
  if (found === null) return null
  const trained = perhaps === null ? found.candidates : [...found.candidates, ...ofValues(words)]
  const validated = found.candidates.flatMap(twinOf)
  const candidates = evaluation === null ? (perhaps === null ? trained : [...trained, ...validated]) : validated
  const several = [...new Set(candidates)]
  // Of several meanings the values may exclude one; what is left was still not said by the words.
  const fitting = several.filter(canonical => range === null || isPossible(canonical, range))
  if (fitting.length === 0) return null
  const assumed = start > 0 || found.certainty === 'open' ? ASSUMING[start > 0 ? 'data-set' : 'common-use'] : found
  const certainty = several.length === 1 ? assumed : perhaps !== null ? VALIDATION_OR_NOT : found
  return { ...certainty, candidates: fitting, words: found.words }
}

const ASSUMING = {
  'data-set': { certainty: 'likely', assumes: 'data-set' },
  'common-use': { certainty: 'likely', assumes: 'common-use' },
} as const
const VALIDATION_OR_NOT = { certainty: 'open', asks: 'validation' } as const

/** `val/clipfrac` may be that of the values. */
function ofValues(words: readonly WordOfName[]): readonly string[] {
  return read([{ raw: 'val', normal: 'value' }, ...words], METRIC_WORDINGS)?.candidates ?? []
}

const SETTINGS = new Set(CONFIG_KEYS.map(({ key }) => key))

/** By the last part of its path: what stands before is the structure of somebody's config. */
export function proposeSetting(key: string): MeaningProposal | null {
  if (key.length > LONGEST_NAME) return null
  const found = read(wordsOf(key.slice(key.lastIndexOf('.') + 1)), SETTING_WORDINGS)
  return found === null || !found.candidates.every(candidate => SETTINGS.has(candidate)) ? null : found
}

const STATISTICS = ['mean', 'max', 'min', 'std', 'var']

function read(words: readonly WordOfName[], wordings: readonly Wording[]): MeaningProposal | null {
  const normal = words.flatMap(word => word.normal ?? word.raw)
  if (words.length === 0 || words.length > MOST_WORDS) return null
  const readings = wordings.flatMap(wording => {
    const candidates = candidatesOf(wording, normal)
    return candidates === null ? [] : [{ wording, candidates }]
  })
  // Two ways to read it that explain as much are none.
  const most = Math.max(...readings.map(({ wording }) => wording.words.length))
  const [best, another] = readings.filter(({ wording }) => wording.words.length === most)
  if (best === undefined || another !== undefined) return null
  const { wording, candidates } = best
  const { assumes, asks } = wording
  const told = { candidates, words: [...new Set(words.map(({ raw }) => raw))] }
  if (asks !== null) return { ...told, certainty: 'open', asks }
  return assumes === null ? { ...told, certainty: 'clear' } : { ...told, certainty: 'likely', assumes }
}

/** Null where a word is missing or left over. */
function candidatesOf({ canonicals, words, also, statistic }: Wording, given: readonly string[]): string[] | null {
  const isNeeded = (word: string): boolean => words.some(need => need.split('|').includes(word))
  if (!words.every(need => need.split('|').some(word => given.includes(word)))) return null
  // `train_step` is a step; the time of a `train_step` is not that of the whole step.
  const isContext = (word: string): boolean => word === 'train' && !words.some(need => need.startsWith('time'))
  const left = given.filter(word => !isNeeded(word) && !also.includes(word) && !isContext(word))
  const told = [...new Set(left)]
  if (told.length > 1 || told.some(word => !STATISTICS.includes(word))) return null
  const [stated = null] = told
  if (statistic === 'none' ? stated !== null : statistic === 'must' && stated === null) return null
  const found = canonicals.map(canonical => withStatistic(canonical, stated ?? 'mean'))
  return found.every(canonical => canonical !== null) ? found : null
}

/** `reward.mean` and max are `reward.max`, `len.response` and max `len.response.max`; null where the table has no such row. */
function withStatistic(canonical: string, statistic: string): string | null {
  if (statistic === 'mean') return canonical
  const row = `${canonical.replace(/\.mean$/, '')}.${statistic}`
  return ROWS.has(row) ? row : null
}

const TWINS = new Map([
  ['reward.mean', 'val.score'],
  ['score.mean', 'val.score'],
  ['return.mean', 'val.score'],
  ['episode.return', 'val.score'],
  ['reward.std', 'val.score.std'],
  ['episode.return.std', 'val.score.std'],
  ['loss.total', 'val.loss'],
])

/** Counters and times of a run are no results of a validation. */
function twinOf(canonical: string): readonly string[] {
  if (/^(?:step|episodes|tokens|time|throughput|mfu|lr|grad)(?:\.|$)/.test(canonical)) return []
  return [TWINS.get(canonical) ?? `val.${canonical}`]
}

const NEVER_NEGATIVE =
  /^(?:val\.)?(?:len|time|grad\.norm|lr|throughput|tokens|episode\.length|turns|tools|ratio)(?:\.|$)/

/** What the logged values exclude: a share is between 0 and 1, a length is not negative. */
function isPossible(canonical: string, { min, max }: LoggedRange): boolean {
  const unit = ROWS.get(canonical.replace(/^val\.(?!score|loss)/, ''))?.unit
  if (unit === 'fraction' && canonical !== 'value.explained_var') return min >= 0 && max <= 1
  return min >= 0 || !NEVER_NEGATIVE.test(canonical)
}
