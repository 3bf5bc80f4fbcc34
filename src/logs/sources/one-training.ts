import { basename, dirname, extname } from 'node:path'
import { FRAMEWORK_DATA } from '../model/frameworks/registry.js'
import { groupBy } from '../model/util/group-by.js'
import { differingSetting } from './differing-setting.js'
import { type FirstRows, readFirstRows } from './first-rows.js'
import { isTelling, plainName } from './metric-names.js'
import { printedPrecision, SINGLE_PRECISION } from './printed-precision.js'
import { sources } from './registry.js'
import type { FoundRun, RunFile } from './run-identity.js'
import type { Hints, Source } from './source.js'

/**
 * Trainers write the same numbers to several places: Hugging Face's into trainer_state.json, TensorBoard, W&B and the
 * console; verl's into its file log and the console. Logs that lie together and agree in their first rows are of one
 * training. The one that keeps most digits tells the points; the others are secondary logs, which add to it settings, how
 * it ended, and steps that it lacks.
 */
export async function joinTrainings(logs: readonly FoundRun[], hints: Hints): Promise<FoundRun[]> {
  const firstRows = rememberedRows(hints)
  const trainings = new Map(logs.map(run => [run, new Set([run])]))
  for (const [run, other] of pairsTogether(logs)) {
    const training = trainings.get(run)
    const another = trainings.get(other)
    if (training === undefined || another === undefined || training === another) continue
    if (matchOf(await firstRows(run), await firstRows(other)) === null) continue
    for (const member of another) {
      training.add(member)
      trainings.set(member, training)
    }
  }
  const joined: FoundRun[] = []
  for (const training of new Set(trainings.values())) joined.push(await asOneTraining([...training], firstRows))
  return joined
}

/** A log and those tables beside it that hold the same rows. */
export async function joinTables(log: FoundRun, tables: readonly FoundRun[], hints: Hints): Promise<FoundRun> {
  const firstRows = rememberedRows(hints)
  const training = [log]
  for (const table of hints.separate === true ? [] : tables) {
    if (matchOf(await firstRows(log), await firstRows(table)) !== null) training.push(table)
  }
  // A table of a few of the metrics may have more digits, but is not the log of the run.
  const sizes = await Promise.all(training.map(async run => metricsIn(await firstRows(run))))
  const isWhole = Math.min(...sizes) >= Math.max(...sizes) / 2
  return asOneTraining(training, firstRows, isWhole ? undefined : log)
}

/** The logs of one training as one run, of which those that count in something else than the best add no points to it. */
export async function asOneTraining(
  training: readonly FoundRun[],
  firstRows: ReturnType<typeof rememberedRows>,
  told: FoundRun = bestOf(training),
): Promise<FoundRun> {
  const countOtherwise = new Set<FoundRun>()
  for (const run of training) {
    if (run !== told && matchOf(await firstRows(told), await firstRows(run)) === 'counter') countOtherwise.add(run)
  }
  return asOne(training, told, countOtherwise)
}

function metricsIn({ rows }: FirstRows): number {
  return new Set(rows.flatMap(({ metrics }) => metrics)).size
}

/** More logs than that in one place are a project, not a training; there only equal names are compared. */
const MOST_TOGETHER = 16

function* pairsTogether(logs: readonly FoundRun[]): Generator<readonly [FoundRun, FoundRun]> {
  const outputs = new Set(logs.filter(({ source }) => isState(source)).map(({ folder }) => folder))
  for (const together of groupBy(logs, run => homeOf(run, outputs)).values()) {
    for (const [at, run] of together.entries()) {
      for (const other of together.slice(at + 1)) {
        if (run.source === other.source || isOfMany(run) || isOfMany(other)) continue
        if (together.length <= MOST_TOGETHER || stemOf(run) === stemOf(other)) yield [run, other]
      }
    }
  }
}

/** A file that is written again and tells of the whole training: trainer_state.json. */
function isState({ keep, continues }: Source): boolean {
  return keep === 'newest' && continues === undefined
}

/** A database holds many runs, none of which has a place of its own. */
function isOfMany({ folder, logs }: FoundRun): boolean {
  return folder === logs[0]?.file.path
}

/** Where trackers put their folders: `<output>/runs/<date>_<host>`, `<output>/wandb/run-<date>-<id>`. */
const BELOW_OUTPUT = /^(.+)[\\/](?:runs|wandb)[\\/][^\\/]+$/
const DEEPEST_BELOW = 3

/** The folder that a training writes to. */
function homeOf({ folder }: FoundRun, outputs: ReadonlySet<string>): string {
  let above = folder
  for (let level = 0; level <= DEEPEST_BELOW; level += 1) {
    if (outputs.has(above)) return above
    above = dirname(above)
  }
  return BELOW_OUTPUT.exec(folder)?.[1] ?? folder
}

function stemOf({ logs }: FoundRun): string {
  const path = logs[0]?.file.path ?? ''
  return basename(path, extname(path))
}

export function rememberedRows(hints: Hints): (run: FoundRun) => Promise<FirstRows> {
  const known = new Map<FoundRun, Promise<FirstRows>>()
  return run => {
    const rows = known.get(run) ?? readFirstRows(run.source, run.logs, hints)
    known.set(run, rows)
    return rows
  }
}

/** A value or two may have been rounded on the way, or summed up. */
const MOST_UNEQUAL = 0.05
/** Zeros and ones agree by accident; so many other values do not. */
const FEWEST_EQUAL = 3

/**
 * What puts the rows of two logs of one training side by side: their steps, or a counter that is a column of one log and
 * the step of the other. Ray Tune's tables hold steps of the environment, its TensorBoard log counts iterations.
 */
function matchOf(one: FirstRows, other: FirstRows): 'step' | 'counter' | null {
  if (differingSetting(one.config, other.config) !== null) return null
  if (agree(one, other)) return 'step'
  const agreesRecounted = (log: FirstRows, as: FirstRows): boolean =>
    COUNTERS.some(counter => agree(countedBy(counter, log), as))
  return agreesRecounted(one, other) || agreesRecounted(other, one) ? 'counter' : null
}

const COUNTERS = [...new Set(FRAMEWORK_DATA.flatMap(({ steps = [] }) => steps))]

function countedBy(counter: string, log: FirstRows): FirstRows {
  const rows = log.rows.flatMap(row => {
    const step = row.values[row.metrics.indexOf(counter)]
    return step === undefined ? [] : [{ ...row, step }]
  })
  return { ...log, rows }
}

function agree(one: FirstRows, other: FirstRows): boolean {
  if (one.rows.length === 0 || other.rows.length === 0) return false
  // A console without progress bars tells the epoch of a row and not its step; but it has the rows in the same order.
  const byOrder = isOnEpochs(one) !== isOnEpochs(other)
  const known = valuesOf(one, byOrder)
  let compared = 0
  let equal = 0
  let unequal = 0
  for (const [place, { value, within }] of valuesOf(other, byOrder)) {
    const twin = known.get(place)
    if (twin === undefined) continue
    compared += 1
    const tolerance = within + twin.within + SINGLE_PRECISION * Math.abs(value)
    if (!Object.is(value, twin.value) && !(Math.abs(value - twin.value) <= tolerance)) unequal += 1
    else if (value !== 0 && value !== 1) equal += 1
  }
  return equal >= Math.max(1, Math.min(FEWEST_EQUAL, compared)) && unequal <= MOST_UNEQUAL * compared
}

function isOnEpochs({ rows }: FirstRows): boolean {
  return rows.length > 0 && rows.every(({ axis }) => axis === 'epoch')
}

interface PrintedValue {
  readonly value: number
  /** How far its printing may have moved it. */
  readonly within: number
}

/** Each value by its step, or by its place among those of its metric, under the name that trackers have for it. */
function valuesOf({ source, rows }: FirstRows, byOrder: boolean): Map<string, PrintedValue> {
  const nameOf = source.namesElsewhere?.outward ?? ((metric: string) => metric)
  const byName = new Map<string, { readonly place: number; readonly value: number }[]>()
  for (const { step, metrics, values, axis } of rows) {
    if (!byOrder && axis !== undefined && !axis.endsWith('global_step')) continue
    metrics.forEach((metric, i) => {
      if (!isTelling(metric)) return
      const name = plainName(nameOf(metric))
      const logged = byName.get(name) ?? []
      byName.set(name, logged)
      logged.push({ place: byOrder ? logged.length : step, value: values[i] ?? Number.NaN })
    })
  }
  const printed = [...byName].flatMap(([name, logged]) => {
    const within = printedPrecision(logged.map(({ value }) => value))
    return logged.map(({ place, value }) => [`${name} ${place}`, { value, within: within(value) }] as const)
  })
  return new Map(printed)
}

const PRECISION = ['exact', 'single', 'printed'] as const

/** The logs of one training as one run, told by the best of them: the one that is given, or that keeps most digits. */
export function asOne(
  training: readonly FoundRun[],
  best: FoundRun = bestOf(training),
  countOtherwise: ReadonlySet<FoundRun> = new Set(),
): FoundRun {
  const others = training.filter(run => run !== best).toSorted(byQuality)
  if (others.length === 0) return best
  const secondary = others.flatMap((run): RunFile[] => {
    const mergesInto = { metricAs: translation(run.source, best.source), countsOtherwise: countOtherwise.has(run) }
    return run.logs.map(log => ({ ...log, mergesInto }))
  })
  const home = training.map(({ folder }) => folder).reduce((a, b) => (a.length <= b.length ? a : b))
  const named = best.name === best.id ? others.find(({ name, id }) => name !== id) : undefined
  return {
    ...best,
    name: named?.name ?? best.name,
    folder: homeFolder(home),
    tables: [...best.tables, ...others.flatMap(({ tables }) => tables), ...secondary],
    configs: [...new Set(training.flatMap(({ configs }) => configs))],
    joined: [...new Set(training.flatMap(({ id, joined = [] }) => [id, ...joined]))].filter(id => id !== best.id),
  }
}

function bestOf(training: readonly FoundRun[]): FoundRun {
  return training.reduce((first, run) => (byQuality(run, first) < 0 ? run : first))
}

function byQuality(a: FoundRun, b: FoundRun): number {
  const rankOf = ({ source }: FoundRun): number =>
    2 * PRECISION.indexOf(source.precision ?? 'exact') + (source.keep === 'all' ? 0 : 1)
  const startOf = ({ logs }: FoundRun): number => logs[0]?.file.modifiedMs ?? 0
  const placeOf = ({ source }: FoundRun): number => sources.indexOf(source)
  return rankOf(a) - rankOf(b) || placeOf(a) - placeOf(b) || startOf(a) - startOf(b)
}

/** The same run under the id of another of its logs. */
export function underId(run: FoundRun, id: string): FoundRun {
  const members = new Set([run.id, ...(run.joined ?? [])])
  members.delete(id)
  return { ...run, id, joined: [...members] }
}

/** Of a training that only left folders below its output. */
function homeFolder(folder: string): string {
  return BELOW_OUTPUT.exec(folder)?.[1] ?? folder
}

function translation(from: Source, to: Source): (metric: string) => string {
  if (from.namesElsewhere !== undefined && to.namesElsewhere === undefined) return from.namesElsewhere.outward
  if (to.namesElsewhere !== undefined && from.namesElsewhere === undefined) return to.namesElsewhere.inward
  return metric => metric
}
