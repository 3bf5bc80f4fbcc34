import { basename, dirname, extname } from 'node:path'
import type { Row } from '../model/events.js'
import { groupBy } from '../model/util/group-by.js'
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
    if (!agree(await firstRows(run), await firstRows(other))) continue
    for (const member of another) {
      training.add(member)
      trainings.set(member, training)
    }
  }
  return [...new Set(trainings.values())].map(training => asOne([...training]))
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

/** A file that is written anew and tells of the whole training: trainer_state.json. */
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

interface FirstRows {
  readonly source: Source
  readonly rows: readonly Row[]
}

/** So many rows, or pieces of a file, are looked at. */
const ROWS_COMPARED = 500
const BATCHES_READ = 4

function rememberedRows(hints: Hints): (run: FoundRun) => Promise<FirstRows> {
  const known = new Map<FoundRun, Promise<FirstRows>>()
  return run => {
    const rows = known.get(run) ?? readFirstRows(run, hints)
    known.set(run, rows)
    return rows
  }
}

async function readFirstRows({ source, logs }: FoundRun, hints: Hints): Promise<FirstRows> {
  const rows: Row[] = []
  for (const { file, run } of logs) {
    let batches = 0
    for await (const events of source.read(file, { run, cursor: null, hints })) {
      for (const event of events) if (event.type === 'row') rows.push(event)
      batches += 1
      if (rows.length >= ROWS_COMPARED) return { source, rows }
      if (batches === BATCHES_READ) break
    }
  }
  return { source, rows }
}

/** What any two trainings with the same settings have in common. */
const UNTELLING = /(?:^|[/_.])(?:epoch|step|global_step|learning_rate|lr|num_tokens|seconds|time|runtime)$/i
/** A value or two may have been rounded on the way, or summed up. */
const MOST_UNEQUAL = 0.05
/** Zeros and ones agree by accident; so many other values do not. */
const FEWEST_EQUAL = 3

function agree(one: FirstRows, other: FirstRows): boolean {
  const known = valuesOf(one)
  let compared = 0
  let equal = 0
  let unequal = 0
  for (const [place, { value, within }] of valuesOf(other)) {
    const twin = known.get(place)
    if (twin === undefined) continue
    compared += 1
    const tolerance = within + twin.within + SINGLE_PRECISION * Math.abs(value)
    if (!Object.is(value, twin.value) && !(Math.abs(value - twin.value) <= tolerance)) unequal += 1
    else if (value !== 0 && value !== 1) equal += 1
  }
  return equal >= Math.max(1, Math.min(FEWEST_EQUAL, compared)) && unequal <= MOST_UNEQUAL * compared
}

const SINGLE_PRECISION = 1e-6

/** Each value with how far its printing may have moved it, under the name that trackers have for it. */
function valuesOf({ source, rows }: FirstRows): Map<string, { readonly value: number; readonly within: number }> {
  const nameOf = source.namesElsewhere?.outward ?? ((metric: string) => metric)
  const values = new Map<string, { readonly value: number; readonly within: number }>()
  for (const { step, metrics, values: logged, decimals, axis } of rows) {
    if (axis !== undefined && !axis.endsWith('global_step')) continue
    metrics.forEach((metric, i) => {
      const value = logged[i]
      if (value === undefined || UNTELLING.test(metric)) return
      const printed = decimals?.[i] ?? null
      const within = printed === null ? 0 : 0.5 * 10 ** -printed
      values.set(`${nameOf(metric)} ${step}`, { value, within })
    })
  }
  return values
}

const PRECISION = ['exact', 'single', 'printed'] as const

function asOne(training: readonly FoundRun[]): FoundRun {
  const rankOf = ({ source }: FoundRun): number =>
    2 * PRECISION.indexOf(source.precision ?? 'exact') + (source.keep === 'all' ? 0 : 1)
  const startOf = ({ logs }: FoundRun): number => logs[0]?.file.modifiedMs ?? 0
  const order = (a: FoundRun, b: FoundRun): number => rankOf(a) - rankOf(b) || startOf(a) - startOf(b)
  const best = training.reduce((first, run) => (order(run, first) < 0 ? run : first))
  const others = training.filter(run => run !== best).toSorted(order)
  if (others.length === 0) return best
  const secondary = others.flatMap(({ source, logs }): RunFile[] => {
    const mergesInto = { metricAs: translation(source, best.source) }
    return logs.map(log => ({ ...log, mergesInto }))
  })
  const home = training.map(({ folder }) => folder).reduce((a, b) => (a.length <= b.length ? a : b))
  const named = best.name === best.id ? others.find(({ name, id }) => name !== id) : undefined
  return { ...best, name: named?.name ?? best.name, folder: homeFolder(home), tables: [...best.tables, ...secondary] }
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
