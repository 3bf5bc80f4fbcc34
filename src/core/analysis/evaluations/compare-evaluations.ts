import { evaluatedName } from '../../../logs/model/evaluation.js'
import { Problem } from '../../../logs/model/problem.js'
import type { Message } from '../../../logs/model/run.js'
import { groupBy } from '../../../logs/model/util/group-by.js'
import type { Verdict } from '../../../logs/model/verdict.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { mean } from '../../../stats/descriptive.js'
import { clusteredMean } from '../../../stats/item-mean.js'
import { intervalOf } from '../../../stats/student-estimate.js'
import { sentences } from '../../../text/sentences.js'
import type { RunSide } from '../compare/evidence.js'
import type { ComparisonResult } from '../compare/result.js'
import type { ComparisonSpec } from '../compare/specification.js'
import type { Confound } from '../confounds.js'
import { isEvaluation } from './evaluation-run.js'
import { type JudgedTasks, judgeTasks, OVERALL, type PairedTask } from './judge-tasks.js'
import type { EvaluationComparison } from './result.js'
import { type TaskItems, tasksOf } from './task-items.js'
import { attemptsOf, clustersOf, meanOfTask } from './task-means.js'

/**
 * Sides that are evaluations: items and no steps. They are compared item by item over all tasks; what is asked of
 * trainings (speed, stability, cost, the end) is not asked.
 */
export async function compareEvaluations(
  sides: readonly RunSide[],
  asked: ComparisonSpec,
): Promise<ComparisonResult | null> {
  if (!sides.every(({ runs }) => runs.every(isEvaluation))) {
    if (asked.cluster != null) throw new Problem('bad-request', say('evaluations.no-clusters', {}))
    return null
  }
  const wanted = asked.metric === HEADLINE ? null : asked.metric
  const read = await Promise.all(sides.map(side => tasksOfSide(side, wanted)))
  if (!read.every(tasks => tasks !== null)) return null
  const [baseline, ...others] = read
  const cluster = asked.cluster ?? null
  const pairs = others.map((other, i) =>
    comparePair(sides[0].label, sides[i + 1].label, [baseline, other], { ...asked, comparisons: others.length }),
  )
  if (pairs.every(({ paired }) => paired.length === 0)) return null
  const several = pairs.length > 1
  const verdicts = pairs.flatMap(pair => [
    ...(pair.judged.overall === null ? [] : [pair.judged.overall]),
    ...pair.judged.tasks,
  ])
  const headlines = pairs.map(({ judged }) => headlineOf(judged))
  const metric = headlines[0]?.metric ?? OVERALL
  const settings = pairs.map(({ paired }) => differingSettings(paired))
  return {
    sides: sides.map(({ label, runs }) => ({
      label,
      runs: runs.map(({ manifest }) => manifest.id),
      metric,
      files: runs.map(({ manifest }) => manifest.files.map(({ path }) => path)),
    })),
    canonical: 'val.score',
    goal: asked.goal ?? headlines[0]?.goal ?? 'max',
    judgedBy: {
      metric,
      role: 'independent',
      dataset: null,
      reason: say('evaluations.items', {}),
      rewardKind: 'unknown',
      source: 'log',
      sets: pairs[0].judged.tasks.map(verdict => ({
        metric: verdict.metric,
        dataset: null,
        role: 'independent' as const,
      })),
      sentence:
        metric === OVERALL
          ? say('evaluations.judged-by-mean', { tasks: pairs[0].paired.length })
          : say('evaluations.judged-by', { metric }),
    },
    optimised: null,
    margin: asked.margin,
    by: 'steps',
    headline: { verdict: verdicts.indexOf(headlines[0].verdict), sets: setsOf(pairs[0].judged) },
    others: pairs.map(({ judged }, i) => ({
      label: sides[i + 1].label,
      steps: null,
      headline: verdicts.indexOf(headlines[i].verdict),
      window: null,
      verdicts: [...(judged.overall === null ? [] : [judged.overall]), ...judged.tasks].map(verdict =>
        verdicts.indexOf(verdict),
      ),
      costs: [],
      confounds: settings[i],
      choose: null,
      unused: [],
      sets: setsOf(judged),
      collapse: null,
      phases: [],
      levels: null,
    })),
    confounds: settings[0],
    attribution: pairs.map((_, i) => ({ other: sides[i + 1].label, knobs: [], smallestFix: null, separating: [] })),
    verdicts: verdicts.map(verdict => ({ ...verdict, reasonKeys: verdict.reasons.map(({ key }) => key) })),
    costs: [],
    choose: null,
    unused: [],
    summary: [],
    differences: null,
    table: { metric, windows: null, total: 0, rows: [] },
    warnings: pairs.flatMap(({ warnings }, i) =>
      several ? warnings.map(text => say('evaluations.of-side', { side: sides[i + 1].label, text })) : warnings,
    ),
    evaluation: {
      cluster,
      pairs: pairs.map(({ judged, paired }, i) => ({
        other: sides[i + 1].label,
        counts: countsOf(judged),
        tasks: paired.map((task, t) => ({ ...taskAnswer(task, cluster), verdict: verdicts.indexOf(judged.tasks[t]) })),
      })),
    },
  }
}

/** The name under which every question asks for what runs are judged by: here the metric that each tool puts first. */
const HEADLINE = 'val.score'

/** The tasks of all its runs. A task that several runs asked alike was asked several times; asked differently, it is no side. */
async function tasksOfSide(
  { label, runs, checkpoint }: RunSide,
  wanted: string | null,
): Promise<readonly TaskItems[] | null> {
  const models = new Set(runs.map(({ config }) => String(config.model ?? '')))
  if (models.size > 1)
    throw new Problem('bad-request', say('evaluations.several-models', { side: label, models: [...models].join(', ') }))
  const found = await Promise.all(runs.map(run => tasksOf(run, { wanted, step: checkpoint })))
  if (!found.every(tasks => tasks !== null)) return null
  return [...groupBy(found.flat(), ({ task }) => task).values()].map(same => {
    const [first, ...more] = same
    const key = differingKeys(same)[0]
    if (key !== undefined)
      throw new Problem('bad-request', say('evaluations.asked-differently', { side: label, task: first.task, key }))
    return more.reduce(withRepeats, first)
  })
}

function withRepeats(one: TaskItems, other: TaskItems): TaskItems {
  const ids = new Set([...one.items.keys(), ...other.items.keys()])
  const both = <T>(first: ReadonlyMap<string, readonly T[]>, second: ReadonlyMap<string, readonly T[]>) =>
    new Map([...ids].map(id => [id, [...(first.get(id) ?? []), ...(second.get(id) ?? [])]] as const))
  return {
    ...one,
    items: both(one.items, other.items),
    columns: new Map([...other.columns, ...one.columns]),
    answers: one.answers === null || other.answers === null ? null : both(one.answers, other.answers),
  }
}

function differingKeys(tasks: readonly TaskItems[]): readonly string[] {
  const keys = new Set(tasks.flatMap(({ settings }) => [...settings.keys()]))
  return [...keys].filter(
    key => new Set(tasks.map(({ settings }) => JSON.stringify(settings.get(key) ?? null))).size > 1,
  )
}

/** One task on both sides. */
interface TaskPair {
  readonly baseline: TaskItems
  readonly other: TaskItems
  /** Items that both sides answered. */
  readonly ids: readonly string[]
  readonly clusters: readonly string[] | null
}

interface JudgedPair {
  readonly paired: readonly TaskPair[]
  readonly judged: JudgedTasks
  readonly warnings: readonly Message[]
}

function comparePair(
  baseline: string,
  other: string,
  [first, second]: readonly (readonly TaskItems[])[],
  { margin, goal, cluster = null, comparisons }: ComparisonSpec & { readonly comparisons: number },
): JudgedPair {
  const paired = first.flatMap(task => {
    const match = second.find(each => each.task === task.task && each.metric === task.metric)
    return match === undefined ? [] : [pairTask(task, match, cluster)]
  })
  const judged = judgeTasks(
    paired.map(task => pairedScores(task, goal)),
    { baseline, other, margin, comparisons },
  )
  const unshared = first.length + second.length - 2 * paired.length
  const warnings = [
    ...(unshared === 0 ? [] : [say('evaluations.unshared-tasks', { count: unshared })]),
    ...paired.flatMap(itemWarnings),
    ...proposals(paired, cluster),
    ...otherMetrics(paired),
  ]
  return { paired, judged: withCounts(judged), warnings }
}

function pairTask(baseline: TaskItems, other: TaskItems, cluster: string | null): TaskPair {
  const ids = [...baseline.items.keys()].filter(id => other.items.has(id)).sort()
  const clusters = cluster === null ? null : clustersOf(baseline, ids, cluster)
  if (cluster !== null && clusters === null) {
    const columns = [...new Set(ids.flatMap(id => Object.keys(baseline.columns.get(id) ?? {})))]
    throw new Problem(
      'bad-request',
      say('evaluations.no-column', { task: baseline.task, column: cluster, columns: columns.join(', ') || '–' }),
    )
  }
  return { baseline, other, ids, clusters }
}

function pairedScores({ baseline, other, ids, clusters }: TaskPair, goal: Goal | null): PairedTask {
  const { task, metric, items } = baseline
  const folded = (side: TaskItems): number[] => ids.map(id => mean(side.items.get(id) ?? []))
  const isReported = items.size === 0 || other.items.size === 0
  const reported = [baseline, other].map(side => side.reported ?? reportedBy(side)) as [
    NonNullable<TaskItems['reported']>,
    NonNullable<TaskItems['reported']>,
  ]
  return {
    task,
    metric: evaluatedName({ metric, condition: { dataset: task } }),
    goal: goal ?? baseline.goal,
    ids,
    first: folded(baseline),
    second: folded(other),
    clusters,
    ...(isReported && { reported }),
  }
}

function reportedBy(side: TaskItems): NonNullable<TaskItems['reported']> {
  const { mean, n, standardError } = meanOfTask(side)
  return { mean, n, standardError }
}

/** What the two sides did differently with the items of a task. */
function itemWarnings({ baseline, other, ids }: TaskPair): readonly Message[] {
  const { task } = baseline
  if (baseline.items.size === 0 || other.items.size === 0) return []
  const [first, second] = [baseline.items.size, other.items.size]
  const prompts = ids.filter(id => {
    const [one, two] = [baseline, other].map(side => side.columns.get(id)?.prompt_hash)
    return one !== undefined && two !== undefined && one !== two
  })
  return [
    ...(ids.length === first && ids.length === second
      ? []
      : [say('evaluations.unshared-items', { task, shared: ids.length, first, second })]),
    ...(prompts.length === 0
      ? []
      : [say('evaluations.prompts-differ', { task, count: prompts.length, items: ids.length })]),
  ]
}

/** A column by which items repeat, or by which the task itself clusters, and which the user did not name: said, never taken. */
function proposals(paired: readonly TaskPair[], cluster: string | null): readonly Message[] {
  if (cluster !== null) return []
  const found = paired.flatMap(({ baseline, ids }) => {
    const columns = [...new Set(ids.flatMap(id => Object.keys(baseline.columns.get(id) ?? {})))]
    return columns.flatMap(column => {
      const clusters = column === 'prompt_hash' ? null : clustersOf(baseline, ids, column)
      const count = new Set(clusters).size
      const isOwn = column === baseline.cluster
      const repeats = count >= FEWEST_PROPOSED && count <= ids.length / 2
      return clusters !== null && (isOwn || repeats)
        ? [{ column, count, items: ids.length, task: baseline.task, isOwn }]
        : []
    })
  })
  return [...groupBy(found, ({ column }) => column).values()].map(([{ column, count, items, task, isOwn }]) =>
    say(isOwn ? 'evaluations.propose-own' : 'evaluations.propose', { column, count, items, task }),
  )
}

/** A level or a subject with a handful of values names kinds of items, not passages. */
const FEWEST_PROPOSED = 8

function otherMetrics(paired: readonly TaskPair[]): readonly Message[] {
  const names = [...new Set(paired.flatMap(({ baseline }) => baseline.otherMetrics))].map(name =>
    name.replace(/^eval\//, ''),
  )
  return names.length === 0 ? [] : [say('evaluations.other-metrics', { metrics: names.slice(0, 6).join(', ') })]
}

function differingSettings(paired: readonly TaskPair[]): readonly Confound[] {
  return paired.flatMap(({ baseline, other }) =>
    differingKeys([baseline, other]).map(key => ({
      key: `${baseline.task}: ${key}`,
      values: [baseline, other].map(({ settings }) => settings.get(key) ?? null),
      knob: null,
    })),
  )
}

function headlineOf({ overall, tasks }: JudgedTasks) {
  const verdict = overall ?? tasks[0]
  return { verdict, metric: verdict.metric, goal: 'max' as Goal }
}

function setsOf({ tasks }: JudgedTasks) {
  return tasks.map(({ metric, answer }) => ({ metric, answer }))
}

function countsOf({ tasks }: JudgedTasks): EvaluationComparison['pairs'][number]['counts'] {
  const holds = ({ answer }: Verdict): boolean => answer !== 'undetermined' && answer !== 'same'
  const up = tasks.filter(({ estimate }) => (estimate ?? 0) > 0)
  const down = tasks.filter(({ estimate }) => (estimate ?? 0) < 0)
  return {
    tasks: tasks.length,
    up: up.length,
    upHolding: up.filter(holds).length,
    down: down.length,
    downHolding: down.filter(holds).length,
  }
}

/** The headline says how many tasks agree with it. */
function withCounts(judged: JudgedTasks): JudgedTasks {
  const { overall, tasks } = judged
  if (overall === null) return judged
  const reason = say('evaluations.counts', countsOf({ overall, tasks }))
  return { overall: { ...overall, reasons: [reason, ...overall.reasons] }, tasks }
}

function taskAnswer({ baseline, other, ids, clusters }: TaskPair, cluster: string | null) {
  const [first, second] = [baseline, other].map(side => attemptsOf(side, ids, clusters ?? ids))
  const attempts = first.flatMap(({ measure, values }) => {
    const match = second.find(each => each.measure === measure)
    if (match === undefined) return []
    const { estimate, low, high } = intervalOf(
      clusteredMean(
        match.values.map((value, i) => value - values[i]),
        clusters ?? ids,
      ),
    )
    return [{ measure, difference: estimate, interval: [low, high] as const }]
  })
  return {
    task: baseline.task,
    shared: ids.length,
    clusters: clusters === null ? null : new Set(clusters).size,
    baseline: meanOfTask(baseline, cluster),
    other: meanOfTask(other, cluster),
    attempts,
  }
}

const say = sentences({
  'evaluations.items': { en: 'items of evaluation files', zh: '评测文件中的逐题得分' },
  'evaluations.judged-by-mean': {
    en: 'yardstick: the mean over {tasks} task{tasks||s}, item by item; these are evaluations, so there is no verdict on convergence, stability or cost',
    zh: '判定依据：{tasks} 个任务的均值，逐题配对；这些是评测文件，因此不涉及速度、稳定性和成本',
  },
  'evaluations.judged-by': {
    en: 'yardstick: {metric}, item by item; these are evaluations, so there is no verdict on convergence, stability or cost',
    zh: '判定依据：{metric}，逐题配对；这些是评测文件，因此不涉及速度、稳定性和成本',
  },
  'evaluations.of-side': { en: '{side}: {text}', zh: '{side}：{text}' },
  'evaluations.counts': {
    en: 'of {tasks} task{tasks||s} {up} {up|is|are} up, {upHolding} {upHolding|holds|hold}; {down} {down|is|are} down, {downHolding} {downHolding|holds|hold} (Holm-corrected)',
    zh: '{tasks} 个任务中 {up} 个上升，其中 {upHolding} 个成立；{down} 个下降，其中 {downHolding} 个成立（Holm 校正后）',
  },
  'evaluations.several-models': {
    en: '"{side}" has evaluations of several models ({models}); name those of one model',
    zh: '“{side}”中有多个模型的评测（{models}）；请按模型分别作为一方给出',
  },
  'evaluations.asked-differently': {
    en: '"{side}" has {task} twice with different settings ({key}); name one of the files',
    zh: '“{side}”中的 {task} 有两次评测，且设置不同（{key}）；请只给出其中一个文件',
  },
  'evaluations.unshared-tasks': {
    en: '{count} {count|task is|tasks are} in one of them only, or scored by another metric there; left out',
    zh: '有 {count} 个任务只在一方出现，或在另一方用了别的指标，已略过',
  },
  'evaluations.unshared-items': {
    en: 'in {task}, {shared} item{shared||s} {shared|is|are} shared (of {first} and {second}); only these are compared',
    zh: '任务 {task}：双方共有 {shared} 个题目（分别为 {first} 和 {second} 个），只比较这些',
  },
  'evaluations.prompts-differ': {
    en: 'in {task}, {count} of {items} item{items||s} have different prompts (few-shot examples or template), so the difference is of model and prompt together',
    zh: '任务 {task}：{items} 个题目中有 {count} 个双方所用的 prompt 不同（few-shot 示例或模板），差异是模型与 prompt 共同造成的',
  },
  'evaluations.propose': {
    en: 'in {task}, "{column}" repeats: {count} value{count||s} over {items} item{items||s}; if such items are correlated, add --cluster {column}',
    zh: '任务 {task} 的列“{column}”有重复：{items} 个题目共 {count} 个取值；若同组题目彼此相关，请加 --cluster {column}',
  },
  'evaluations.propose-own': {
    en: 'the task {task} itself clusters its standard error by "{column}" ({count} value{count||s} over {items} item{items||s}); --cluster {column} does so here',
    zh: '任务 {task} 自身按“{column}”对标准误聚类（{items} 个题目共 {count} 个取值）；加 --cluster {column} 可在此同样处理',
  },
  'evaluations.no-clusters': {
    en: '--cluster is for evaluation files, whose items have columns; these are trainings',
    zh: '--cluster 只用于评测文件，其题目带有列；这里的各方是训练 run',
  },
  'evaluations.no-column': {
    en: 'in {task}, not every item has a column "{column}" (columns: {columns})',
    zh: '任务 {task}：并非每个题目都有列“{column}”（现有列：{columns}）',
  },
  'evaluations.other-metrics': {
    en: 'each task by the metric that its tool puts first; also scored: {metrics} (--metric)',
    zh: '每个任务取工具列在首位的指标；另有：{metrics}（用 --metric 指定）',
  },
})
