import { memoByObject, memoByText } from '../util/memo.js'
import type { Framework } from './framework.js'
import type { MetricMeaning } from './metric.js'
import { COLUMN_DISTANCE, lookUp, ROWS } from './metric-index.js'
import { readPattern } from './name-pattern.js'
import { trackerName, withoutTrainingPrefix } from './names.js'
import {
  isValidation,
  type Reading,
  readingOfKnown,
  readRewardPart,
  readShots,
  readValidation,
  readVerlValidation,
  unknownReading,
} from './reading.js'
import type { UserVocabulary } from './user.js'

/**
 * From raw metric names to canonical ones, at the time of reading. Runs keep their raw names for ever, so a new alias
 * here, or one in the user's vocabulary.yaml, reaches runs that were imported long ago.
 */
export interface Vocabulary {
  readonly framework: Framework | null
  /** Memoised; `meaningOf` is the way in. */
  readonly read: (rawName: string) => Reading
  /** Memoised per list of names; `rawNamesFor` is the way in. */
  readonly carriers: (rawNames: readonly string[]) => ReadonlyMap<string, readonly string[]>
}

export function vocabularyFor({
  framework,
  user = NO_USER_VOCABULARY,
}: {
  framework: Framework | null
  user?: UserVocabulary
}): Vocabulary {
  const known = vocabulariesOf(user)
  const vocabulary = known.get(framework) ?? makeVocabulary(framework, user)
  known.set(framework, vocabulary)
  return vocabulary
}

const NO_USER_VOCABULARY: UserVocabulary = { metrics: new Map(), config: new Map() }
const vocabulariesOf = memoByObject((_: UserVocabulary) => new Map<Framework | null, Vocabulary>())

export function meaningOf(rawName: string, vocabulary: Vocabulary): MetricMeaning {
  return vocabulary.read(rawName)
}

/** Which of a run's metrics carry a meaning, the best carrier first. A metric may stand in for a second meaning. */
export function rawNamesFor(canonical: string, rawNames: readonly string[], vocabulary: Vocabulary): string[] {
  return [...(vocabulary.carriers(rawNames).get(canonical) ?? [])]
}

/** Longer names are not names; reading them is not worth the time. */
const LONGEST_NAME = 512
function makeVocabulary(framework: Framework | null, user: UserVocabulary): Vocabulary {
  const nameGiven = userNames(user)
  // Runs share most of their names.
  const read = memoByText(rawName => withUserWords(rawName, readName(rawName, framework), nameGiven(rawName), user))
  const lists = new WeakMap<readonly string[], { readonly length: number; readonly found: Map<string, string[]> }>()
  const carriers = (rawNames: readonly string[]) => {
    const before = lists.get(rawNames)
    if (before !== undefined && before.length === rawNames.length) return before.found
    const found = findCarriers(rawNames, read)
    lists.set(rawNames, { length: rawNames.length, found })
    return found
  }
  return { framework, read, carriers }
}

function readName(rawName: string, framework: Framework | null): Reading {
  if (rawName.length > LONGEST_NAME) return unknownReading('')
  const name = trackerName(rawName)
  const verl = readVerlValidation(name, framework)
  if (verl !== null) return verl
  const known = lookUp(name, framework)
  const ofFramework = known !== null && known.rank < COLUMN_DISTANCE ? null : readPattern(name, framework)
  if (ofFramework !== null) return ofFramework
  // `train/accuracy` is of the training batch, although a log without prefixes means its validation by `accuracy`.
  const isOfTraining = withoutTrainingPrefix(name) !== name
  if (known !== null && !(isOfTraining && isValidation(known.row.canonical))) return readingOfKnown(known)
  return (
    readShots(name, rest => readName(rest, framework)) ??
    readRewardPart(withoutTrainingPrefix(name)) ??
    readValidation(name, framework) ??
    unknownReading(name)
  )
}

/** The user's word stands above every table; what the name says about its circumstances remains. */
function withUserWords(
  rawName: string,
  reading: Reading,
  given: { readonly canonical: string; readonly rank: number } | null,
  user: UserVocabulary,
): Reading {
  const canonical = given?.canonical ?? reading.canonical
  if (canonical === null) return reading
  const row = ROWS.get(canonical)
  const wish = user.metrics.get(canonical)
  if (given === null && wish === undefined) return reading
  const base: Reading =
    given === null
      ? reading
      : {
          ...reading,
          canonical,
          unit: row?.unit ?? null,
          goal: row === undefined ? unknownReading(rawName).goal : row.goal,
          validation: isValidation(canonical),
          notes: [],
          alsoMeans: [],
          rank: given.rank,
        }
  return {
    ...base,
    unit: wish?.unit === undefined ? base.unit : wish.unit,
    goal: wish?.goal === undefined ? base.goal : wish.goal,
  }
}

/** Behind every name that means it first of all. The return of an episode is the reward that classic trainings log. */
const STANDING_IN = 10_000_000

function findCarriers(rawNames: readonly string[], read: (rawName: string) => Reading): Map<string, string[]> {
  const ranked = new Map<string, { readonly name: string; readonly rank: number }[]>()
  const add = (canonical: string, name: string, rank: number) => {
    const list = ranked.get(canonical)
    if (list === undefined) ranked.set(canonical, [{ name, rank }])
    else list.push({ name, rank })
  }
  for (const name of rawNames) {
    const { canonical, alsoMeans, rank } = read(name)
    if (canonical !== null) add(canonical, name, rank)
    for (const other of alsoMeans) add(other, name, rank + STANDING_IN)
    if (canonical === 'episode.return') add('reward.mean', name, rank + STANDING_IN)
  }
  const found = new Map<string, string[]>()
  for (const [canonical, list] of ranked) {
    found.set(
      canonical,
      list.sort((a, b) => a.rank - b.rank).map(({ name }) => name),
    )
  }
  return found
}

interface Given {
  readonly canonical: string
  /** Below every rank of klens's own tables. */
  readonly rank: number
}

const BEFORE_ALL = -1_000_000

/** Finds the meaning that the user gave to a raw name: exact names first, then those with `*`, as they were written. */
function userNames(user: UserVocabulary): (rawName: string) => Given | null {
  const exact = new Map<string, Given>()
  const globs: { readonly pieces: readonly string[]; readonly given: Given }[] = []
  for (const [canonical, { names }] of user.metrics) {
    for (const [order, name] of names.entries()) {
      const given: Given = { canonical, rank: BEFORE_ALL + order }
      if (name.includes('*')) globs.push({ pieces: name.split('*'), given })
      else if (!exact.has(name)) exact.set(name, given)
    }
  }
  return rawName => exact.get(rawName) ?? globs.find(({ pieces }) => matches(rawName, pieces))?.given ?? null
}

/** Whether the pieces follow each other in the name, the first at its start and the last at its end. */
function matches(name: string, pieces: readonly string[]): boolean {
  const first = pieces[0] ?? ''
  const last = pieces.at(-1) ?? ''
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  const end = name.length - last.length
  let position = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, position)
    if (found < 0) return false
    position = found + piece.length
  }
  return position <= end
}
