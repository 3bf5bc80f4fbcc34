import { sentences } from '../../../text/sentences.js'
import { readCell } from '../../document/printed-cell.js'
import type { TableWords } from '../../document/tables.js'
import { assignmentsIn, namedStep, type StepUnit, shotsOf } from '../../document/words.js'
import type { Row, RunEvent } from '../../model/events.js'
import type { Json } from '../../model/json.js'
import type { Config, Message } from '../../model/run.js'
import { layoutOf } from './layout.js'
import { factsOf, type Pack, pack, type Values } from './readings.js'

/**
 * The runs of a report, put together from its tables. A run is known by its name; spelling it with other spaces,
 * brackets or letter case does not make it another run, because people do that between two tables of one report.
 */
interface ReportRun {
  readonly name: string
  readonly config: Config
  events(): Iterable<RunEvent>
}

export interface ReportRuns {
  readonly runs: readonly ReportRun[]
  readonly warnings: readonly Message[]
}

/** What is said about tables in a written report. */
export const say = sentences({
  'report.no-rule': {
    en: '{count} {count|table was|tables were} left out: the headers do not show which cells are runs, steps or metrics (line {lines}); docs/sources/report.md shows the supported layouts',
    zh: '略过 {count} 个表格：从表头看不出哪些是 run、step 或指标（第 {lines} 行）；支持的表格形式见 docs/sources/report.md',
  },
  'report.no-step': {
    en: '{count} {count|table was|tables were} left out: neither a column nor the heading says at which step or epoch the values were measured (line {lines})',
    zh: '略过 {count} 个表格：列和标题都没有说明数值对应哪个 step 或 epoch（第 {lines} 行）',
  },
  'report.no-numbers': {
    en: '{count} {count|table was|tables were} left out: the cells are ranges or carry units, so none is a plain number (line {lines})',
    zh: '略过 {count} 个表格：单元格是区间或带单位，没有可直接使用的数值（第 {lines} 行）',
  },
  'report.rows-without-step': {
    en: 'rows without a step, such as averages, were left out of {count} {count|table|tables} (line {lines})',
    zh: '{count} 个表格中没有 step 的行（例如平均值）已略过（第 {lines} 行）',
  },
  'report.unread-cells': {
    en: '{count} {count|cell is not a plain number|cells are not plain numbers} and {count|was|were} left out (first: “{first}”)',
    zh: '有 {count} 个单元格不是单纯的数值，已略过（首个：“{first}”）',
  },
  'report.no-values': {
    en: 'the report gives settings of {runs}, but no values under these names',
    zh: '报告给出了 {runs} 的配置，但没有对应的数值',
  },
  'report.too-many-runs': {
    en: 'the tables name more than {limit} runs; the rest was left out',
    zh: '表格中的 run 超过 {limit} 个，其余已略过',
  },
  'report.too-large': {
    en: 'only the first 64 MiB of this report were read',
    zh: '报告超过 64 MiB，只读取了前 64 MiB',
  },
})

/** A report that compares more has been made by a program to do harm, or misread. */
const MOST_RUNS = 1_000

interface Draft {
  readonly name: string
  readonly config: Map<string, Json>
  readonly values: Pack
}

/** `ownName` is what the one run is called that a report is about when its tables name none. */
export function runsOfTables(tables: Iterable<TableWords>, ownName: string): ReportRuns {
  const drafts = new Map<string, Draft>()
  const shared = new Map<string, Json>()
  const own = ownValues(ownName)
  const tableNotes = new Map<TableNote, number[]>()
  const unread = { count: 0, first: '' }
  let runsLeftOut = 0
  const note = (reason: TableNote, { line }: TableWords): void => {
    const lines = tableNotes.get(reason) ?? []
    if (lines.at(-1) !== line) lines.push(line)
    tableNotes.set(reason, lines)
  }
  const draftOf = (name: string): Draft | null => {
    const key = sameRunKey(name)
    const known = drafts.get(key)
    if (known !== undefined) return known
    if (drafts.size >= MOST_RUNS) {
      runsLeftOut += 1
      return null
    }
    const draft = { name, config: new Map(assignedSettings(name)), values: pack() }
    drafts.set(key, draft)
    return draft
  }

  for (const table of tables) {
    const layout = layoutOf(table)
    if (layout.kind === 'left-out') note(layout.reason, table)
    for (const fact of factsOf(table, layout)) {
      if (fact.type === 'stepless-row') note('rows-without-step', table)
      else if (fact.type === 'unread-cell') {
        if (unread.count === 0) unread.first = fact.text
        unread.count += 1
      } else if (fact.type === 'setting') {
        const config = fact.run === null ? shared : draftOf(fact.run)?.config
        config?.set(fact.key, settingValue(fact.value))
      } else if (fact.run === null) own.add(fact, table)
      else draftOf(fact.run)?.values.add(fact)
    }
  }
  for (const { name, values } of own.named()) draftOf(name)?.values.add(values)

  const found = [...drafts.values()]
  const valueless = found.filter(({ values }) => values.size() === 0).map(({ name }) => name)
  return {
    runs: found.filter(({ values }) => values.size() > 0).map(draft => finished(draft, shared)),
    warnings: [
      ...[...tableNotes].map(([reason, lines]) =>
        say(TABLE_NOTES[reason], { count: lines.length, lines: listed(lines) }),
      ),
      ...(unread.count > 0 ? [say('report.unread-cells', unread)] : []),
      ...(valueless.length > 0 ? [say('report.no-values', { runs: listed(valueless) })] : []),
      ...(runsLeftOut > 0 ? [say('report.too-many-runs', { limit: MOST_RUNS })] : []),
    ],
  }
}

const TABLE_NOTES = {
  'no-rule': 'report.no-rule',
  'no-step': 'report.no-step',
  'no-numbers': 'report.no-numbers',
  'rows-without-step': 'report.rows-without-step',
} as const

type TableNote = keyof typeof TABLE_NOTES

function sameRunKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s()[\]{}【】"'“”‘’]/g, '')
}

function assignedSettings(name: string): [string, Json][] {
  return assignmentsIn(name).map(({ key, value }) => [key, settingValue(value)])
}

function settingValue(text: string): Json {
  const cell = readCell(text)
  if (cell.kind === 'number' && cell.quality === 'measured' && !cell.percent && Number.isFinite(cell.value)) {
    return cell.value
  }
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text
}

function finished({ name, config, values }: Draft, shared: ReadonlyMap<string, Json>): ReportRun {
  return {
    name,
    config: { ...Object.fromEntries(shared), ...Object.fromEntries(config) },
    events: () => eventsOf(values),
  }
}

/** Tables may be sorted by anything; a run's events come in the order of its steps. */
function* eventsOf(values: Pack): Generator<RunEvent> {
  const ownUnit = firstUnit(values)
  for (const row of values.inStepOrder()) {
    yield rowOf(row, row.unit === ownUnit ? null : row.unit)
    for (const [index, metric] of row.metrics.entries()) {
      const shots = shotsOf(metric)
      const point = row.points[index]
      if (shots === null || point === undefined) continue
      const { value, quality } = point
      const n = quality === 'missing' ? null : row.n
      yield { type: 'evaluation', evaluation: { metric, step: row.step, condition: { shots }, value, n, quality } }
    }
  }
}

/** What the run's steps count in: the first unit that a table names. */
function firstUnit(values: Pack): StepUnit | null {
  for (const { unit } of values.all()) if (unit !== null) return unit
  return null
}

function rowOf({ step, metrics, points }: Values, axis: StepUnit | null): Row {
  const qualities = points.map(({ quality }) => quality)
  return {
    type: 'row',
    step,
    time: null,
    metrics,
    values: points.map(({ value }) => value),
    ...(qualities.some(quality => quality !== 'measured') && { qualities }),
    decimals: points.map(({ decimals }) => decimals),
    ...(axis !== null && { axis }),
  }
}

const MOST_LISTED = 8

function listed(items: readonly (number | string)[]): string {
  const shown = items.slice(0, MOST_LISTED).join(', ')
  return items.length > MOST_LISTED ? `${shown}, …` : shown
}

/**
 * Values of tables that name no run. They belong to the run that a heading spells out (`KL_BETA=0.12`), else to the
 * one run that the report is about; but where two headings give one metric at one step, each heading is a run.
 */
interface OwnValues {
  add(values: Values, table: TableWords): void
  named(): Iterable<{ readonly name: string; readonly values: Values }>
}

function ownValues(ownName: string): OwnValues {
  const kept = pack()
  const owners: Owner[] = []
  const headings = new Map<string, Map<number, string>>()
  let latest: { readonly table: TableWords; readonly owner: Owner } | null = null
  let clash = false
  return {
    add(values, table) {
      if (latest?.table !== table) latest = { table, owner: ownerOfTable(table) }
      const { spelled, heading } = latest.owner
      kept.add(values)
      owners.push(latest.owner)
      if (spelled !== null || clash) return
      for (const metric of values.metrics) {
        const byStep = headings.get(metric) ?? new Map<number, string>()
        headings.set(metric, byStep)
        const first = byStep.get(values.step)
        if (first === undefined) byStep.set(values.step, heading)
        else if (first !== heading) clash = true
      }
    },
    *named() {
      let index = 0
      for (const values of kept.all()) {
        const owner = owners[index]
        yield { name: owner?.spelled ?? ((clash && owner?.heading) || ownName), values }
        index += 1
      }
    },
  }
}

interface Owner {
  /** The settings that a heading above the table spells out. */
  readonly spelled: string | null
  readonly heading: string
}

function ownerOfTable({ headings }: TableWords): Owner {
  const assigned = headings.map(assignmentsIn).find(list => list.length > 0)
  const nearest = headings[0] ?? ''
  return {
    spelled: assigned?.map(({ key, value }) => `${key}=${value}`).join(', ') ?? null,
    heading: namedStep(nearest)?.rest ?? nearest,
  }
}
