import { type ItemColumns, isNamed } from '../../../logs/model/evaluation.js'
import type { Json } from '../../../logs/model/json.js'
import { groupBy } from '../../../logs/model/util/group-by.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { readEvaluations } from '../../store/evaluations.js'
import { listSamples, readItemColumns, readSamples } from '../../store/samples.js'
import { readSampleTexts } from '../../store/texts.js'
import type { RunView } from '../run-view.js'
import type { ReportedScore } from './judge-tasks.js'

/** One task as one run evaluated it: the scores of its items, and what is said of each item. */
export interface TaskItems {
  readonly task: string
  /** `eval/acc`. */
  readonly metric: string
  readonly goal: Goal
  /** By item, a score for each repeat; empty where the file reports means alone. */
  readonly items: ReadonlyMap<string, readonly number[]>
  readonly columns: ReadonlyMap<string, ItemColumns>
  /** By item, what was given as the answer in each repeat; null where that is not known of all. */
  readonly answers: ReadonlyMap<string, readonly string[]> | null
  readonly reported: ReportedScore | null
  /** What the tool scored besides. */
  readonly otherMetrics: readonly string[]
  /** The column by which the tool itself clusters this task. */
  readonly cluster: string | null
  /** Settings of the task, without its own figures. */
  readonly settings: ReadonlyMap<string, Json>
}

/** What a reported standard error is called behind its metric. */
const STDERR = '_stderr'
/** Settings that are about the file, not about how the task was asked. */
const NO_SETTINGS = new Set(['metric', 'goal', 'cluster'])

/**
 * The tasks of a run at one step, by the metric that the tool puts first or by the one wanted. Null where the run has
 * several steps, and none of them was named: then it is a course of checkpoints.
 */
export async function tasksOf(
  run: RunView,
  { wanted, step }: { readonly wanted: string | null; readonly step: number | null },
): Promise<readonly TaskItems[] | null> {
  const [sets, evaluations] = await Promise.all([listSamples(run), readEvaluations(run)])
  const measured = [
    ...sets.map(({ metric, condition, step }) => ({ metric, condition, step, hasItems: true })),
    ...evaluations.map(({ metric, condition, step }) => ({ metric, condition, step, hasItems: false })),
  ].filter(({ metric }) => !metric.endsWith(STDERR))
  const steps = new Set(measured.map(each => each.step))
  const at = step ?? [...steps][0]
  if (at === undefined || (steps.size > 1 && step === null)) return null
  const here = measured.filter(each => each.step === at && each.condition.dataset !== undefined)
  const tasks: TaskItems[] = []
  for (const [task, found] of groupBy(here, ({ condition }) => condition.dataset ?? '')) {
    const metrics = [...new Set(found.map(({ metric }) => metric))]
    const main = run.config[`task.${task}.metric`]
    const metric =
      wanted === null
        ? (metrics.find(name => name === `eval/${String(main)}`) ?? metrics[0])
        : found.find(each => isNamed(wanted, each) || `eval/${wanted}` === each.metric)?.metric
    if (metric === undefined) continue
    const hasItems = found.some(each => each.metric === metric && each.hasItems)
    tasks.push(
      await readTask(run, { task, metric, step: at, hasItems, otherMetrics: metrics.filter(name => name !== metric) }),
    )
  }
  return tasks

  async function readTask(
    { config }: RunView,
    {
      task,
      metric,
      step,
      hasItems,
      otherMetrics,
    }: {
      readonly task: string
      readonly metric: string
      readonly step: number
      readonly hasItems: boolean
      readonly otherMetrics: readonly string[]
    },
  ): Promise<TaskItems> {
    const prefix = `task.${task}.`
    const own = Object.entries(config).flatMap(([key, value]) =>
      key.startsWith(prefix) && !NO_SETTINGS.has(key.slice(prefix.length))
        ? [[key.slice(prefix.length), value] as const]
        : [],
    )
    const common = ['limit', 'chat_template_sha', 'system_instruction'].flatMap(key =>
      config[key] === undefined ? [] : [[key, config[key]] as const],
    )
    const cluster = config[`${prefix}cluster`]
    const selection = { metric, step, condition: { dataset: task } }
    const scores = hasItems ? await readSamples(run, selection) : []
    const reportedOf = (name: string) =>
      evaluations.find(each => each.metric === name && each.step === step && each.condition.dataset === task)
    const found = hasItems ? undefined : reportedOf(metric)
    const items = itemsIn(scores)
    return {
      task,
      metric,
      goal: config[`${prefix}goal`] === 'min' && metric === `eval/${String(config[`${prefix}metric`])}` ? 'min' : 'max',
      items,
      columns: hasItems ? await readItemColumns(run, selection) : new Map(),
      answers: hasItems ? await answersOf(run, selection, items) : null,
      reported:
        found === undefined
          ? null
          : { mean: found.value, n: found.n, standardError: reportedOf(`${metric}${STDERR}`)?.value ?? null },
      otherMetrics,
      cluster: typeof cluster === 'string' ? cluster : null,
      settings: new Map([...common, ...own]),
    }
  }
}

function itemsIn(batches: Awaited<ReturnType<typeof readSamples>>): ReadonlyMap<string, readonly number[]> {
  const items = new Map<string, number[]>()
  for (const { ids, scores } of batches) {
    for (const [i, id] of ids.entries()) {
      const known = items.get(id)
      if (known === undefined) items.set(id, [scores[i]])
      else known.push(scores[i])
    }
  }
  return items
}

/** Read only where items were asked several times: a majority needs them. */
async function answersOf(
  run: RunView,
  selection: { readonly metric: string; readonly step: number; readonly condition: { readonly dataset: string } },
  items: ReadonlyMap<string, readonly number[]>,
): Promise<ReadonlyMap<string, readonly string[]> | null> {
  if (![...items.values()].some(({ length }) => length > 1)) return null
  const rows: { readonly sample: string; readonly repeat: number; readonly choice: string }[] = []
  for await (const batch of readSampleTexts(run, selection)) {
    for (const { sample, repeat, choice } of batch) {
      if (choice === null) return null
      rows.push({ sample, repeat, choice })
    }
  }
  const byItem = groupBy(
    rows.toSorted((a, b) => a.repeat - b.repeat),
    ({ sample }) => sample,
  )
  const isWhole = [...items].every(([id, scores]) => byItem.get(id)?.length === scores.length)
  return isWhole ? new Map([...byItem].map(([id, found]) => [id, found.map(({ choice }) => choice)])) : null
}
