import type { Quirk } from '../frameworks/framework.js'
import { FRAMEWORK_DATA } from '../frameworks/registry.js'
import type { Message } from '../run.js'
import { memoByText } from '../util/memo.js'
import { COPIED, FRAMEWORK_NAMES, FRAMEWORKS, type Framework, lineageOf, othersReadIn } from './framework.js'
import type { MetricRow } from './metric.js'
import { METRICS } from './metrics.js'
import { flatName, looseName, withoutTrainingPrefix } from './names.js'
import { note, plainNote } from './notes.js'

/**
 * The metric table turned round: from a name to its row. Each framework has an index of its own, because the same
 * name can mean different things (`kl` is per token in TRL and per sequence in Lever-Plus).
 */

/** What a known name means, before conditions are read off it. */
export interface Known {
  readonly row: MetricRow
  readonly unit: string | null
  readonly notes: readonly Message[]
  /** Other rows the name can stand in for. */
  readonly alsoMeans: readonly string[]
  /** Smaller is the better carrier of the meaning. */
  readonly rank: number
}

type Column = Framework | 'any'

/** How far a name from a further column stands behind one from a nearer column: what is below is the framework's own. */
export const COLUMN_DISTANCE = 100

// biome-ignore format: a table is read by its lines
const QUIRKS_OF_NOBODY: readonly Quirk[] = [
  { names: ['KL值', 'KL散度', 'KL Divergence'], unit: null, note: 'metric-note.kl-unit-unknown' },
  { names: ['吞吐量', '吞吐', 'tokens_per_second'], unit: 'tokens/s' },
]

/** Of every column the names whose number is not quite the quantity of their row. */
export const QUIRKS: ReadonlyMap<Column, readonly Quirk[]> = new Map<Column, readonly Quirk[]>([
  ['any', QUIRKS_OF_NOBODY],
  ...FRAMEWORK_DATA.map(({ id, quirks = [] }) => [id, quirks] as const),
])

interface NameIndex {
  readonly exact: ReadonlyMap<string, Known>
  readonly loose: ReadonlyMap<string, Known>
  /** Without slashes; read only in the logs of the framework itself. */
  readonly flat: ReadonlyMap<string, Known>
}

/** Made for the frameworks that are asked for: a run speaks one or two of thirty. */
const indexOf = memoByText(makeIndex)

/** The row of every canonical name. */
export const ROWS: ReadonlyMap<string, MetricRow> = new Map(METRICS.map(row => [row.canonical, row]))

/**
 * What a name means in a framework: in its own names, in those it builds on, in nobody's, and at last in anybody's.
 * Without a framework, nobody's names come first, since they need none.
 */
export function lookUp(name: string, framework: Framework | null): Known | null {
  const spellings = spellingsOf(name)
  for (const [distance, column] of [...lineageOf(framework), 'any' as const].entries()) {
    const known = find(column, spellings) ?? indexOf(column).flat.get(flatName(name)) ?? null
    if (known !== null) return { ...known, rank: known.rank + distance * COLUMN_DISTANCE }
  }
  return amongAll(name, spellings, othersReadIn(framework))
}

/** The frameworks in whose own table a name stands, with or without a tracker's prefix. */
export function frameworksThatSay(name: string): readonly Framework[] {
  const spellings = spellingsOf(name)
  return COPIED.filter(framework => find(framework, spellings) !== null)
}

interface Spelling {
  readonly exact: string
  readonly loose: string
}

function spellingsOf(name: string): readonly Spelling[] {
  const bare = withoutTrainingPrefix(name)
  const whole = { exact: name, loose: looseName(name) }
  return bare === name ? [whole] : [whole, { exact: bare, loose: looseName(bare) }]
}

function find(column: Column, spellings: readonly Spelling[]): Known | null {
  const index = indexOf(column)
  for (const { exact, loose } of spellings) {
    const known = index.exact.get(exact) ?? index.loose.get(loose)
    if (known !== undefined) return known
  }
  return null
}

/** A name of some other framework. Where several have it and disagree, the first is taken and a note says so. */
function amongAll(name: string, spellings: readonly Spelling[], speakers: readonly Framework[]): Known | null {
  const readings = speakers.flatMap(framework => {
    const known = find(framework, spellings)
    return known === null ? [] : [{ framework, known }]
  })
  const [first, ...others] = readings
  if (first === undefined) return null
  const rank = first.known.rank + (FRAMEWORKS.length + 1) * COLUMN_DISTANCE
  const sameMeaning = others.every(other => other.known.row === first.known.row)
  const sameUnit = others.every(other => other.known.unit === first.known.unit)
  if (sameMeaning && sameUnit) return { ...first.known, rank }
  const told = readings.map(({ framework, known }) => {
    return `${FRAMEWORK_NAMES[framework]}: ${known.row.canonical}${known.unit === null ? '' : ` (${known.unit})`}`
  })
  const ambiguous = note('metric-note.ambiguous', { name, readings: told.join('; ') })
  return { ...first.known, unit: sameUnit ? first.known.unit : null, notes: [ambiguous], rank }
}

function makeIndex(column: Column): NameIndex {
  const exact = new Map<string, Known>()
  const loose = new Map<string, Known>()
  const flat = new Map<string, Known>()
  const add = (name: string, known: Known) => {
    if (name.includes('/') && !flat.has(flatName(name))) flat.set(flatName(name), known)
    if (!exact.has(name)) exact.set(name, known)
    if (!loose.has(looseName(name))) loose.set(looseName(name), known)
  }
  for (const row of METRICS) {
    for (const [rank, name] of (row[column] ?? []).entries()) {
      const quirk = QUIRKS.get(column)?.find(({ names }) => names.includes(name))
      add(name, { row, unit: unitOf(row, quirk), notes: notesOf(quirk), alsoMeans: alsoMeans(column, name), rank })
    }
    if (column === 'any') add(row.canonical, { row, unit: row.unit, notes: [], alsoMeans: [], rank: 0 })
  }
  return { exact, loose, flat }
}

function unitOf(row: MetricRow, quirk: Quirk | undefined): string | null {
  return quirk?.unit === undefined ? row.unit : quirk.unit
}

function notesOf(quirk: Quirk | undefined): readonly Message[] {
  return quirk?.note === undefined ? [] : [plainNote(quirk.note)]
}

function alsoMeans(column: Column, name: string): readonly string[] {
  return AMBIGUOUS.flatMap(({ canonical, also }) => (also?.[column]?.includes(name) ? [canonical] : []))
}

const AMBIGUOUS = METRICS.filter(({ also }) => also !== undefined)
