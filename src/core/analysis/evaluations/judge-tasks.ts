import type { Verdict } from '../../../logs/model/verdict.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { mean } from '../../../stats/descriptive.js'
import { clusteredMean, clusterSums, meanOverTasks, type TaskMean } from '../../../stats/item-mean.js'
import { type Message, sentences } from '../../../text/sentences.js'
import { adjusted } from '../adjusted.js'
import { compareCheckpoint, pairedEstimate } from '../compare/checkpoint.js'
import { judge, undetermined } from '../compare/judge.js'
import type { QuestionSpec } from '../compare/specification.js'
import { absoluteSize, type Size } from '../conventions.js'

/**
 * Two models by the same items of some tasks. Pure: scores in, verdicts out. The mean over tasks has the headline; each
 * task is a test of its own, and all of a call are one family (Holm).
 */
export interface PairedTask {
  readonly task: string
  /** As a series is called: `eval/acc/dataset=quiz`. */
  readonly metric: string
  readonly goal: Goal
  /** Items that both sides answered, in one order; repeats of an item are folded into their mean. */
  readonly ids: readonly string[]
  readonly first: readonly number[]
  readonly second: readonly number[]
  /** The cluster of each item; null where every item stands for itself. */
  readonly clusters: readonly string[] | null
  /** Where a side has no items: what both report of the task. */
  readonly reported?: readonly [ReportedScore, ReportedScore]
}

export interface ReportedScore {
  readonly mean: number
  readonly n: number | null
  readonly standardError: number | null
}

export interface AskedOfTasks {
  readonly baseline: string
  readonly other: string
  /** Of the baseline's mean, or absolute. */
  readonly margin: Size | null
  /** How many sides the call compares with the baseline: they share its level. */
  readonly comparisons?: number
}

export interface JudgedTasks {
  /** Of the mean over tasks, where there are several that can be averaged. */
  readonly overall: Verdict | null
  /** In the order of the tasks. */
  readonly tasks: readonly Verdict[]
}

/** Below these the error of a clustered mean is itself too uncertain to test by. */
export const FEWEST_CLUSTERS = 8

const LEVEL = 0.05

export function judgeTasks(tasks: readonly PairedTask[], asked: AskedOfTasks): JudgedTasks {
  const judged = tasks.map(task => judgeTask(task, asked))
  const overall = overTasks(tasks, judged, asked)
  const family = [...(overall === null ? [] : [overall]), ...judged.map(({ verdict }) => verdict)]
  const corrected = adjusted(family, {
    isHeadline: verdict => overall === null || verdict === overall,
    levelOf: () => LEVEL / (asked.comparisons ?? 1),
  })
  return overall === null ? { overall, tasks: corrected } : { overall: corrected[0], tasks: corrected.slice(1) }
}

interface JudgedTask {
  readonly verdict: Verdict
  /** Null where nothing tells its error. */
  readonly mean: TaskMean | null
}

function judgeTask(task: PairedTask, { baseline, other, margin }: AskedOfTasks): JudgedTask {
  const { metric, goal, ids, first, second, clusters, reported } = task
  const level = reported?.[0].mean ?? mean(first)
  const asked: QuestionSpec = {
    question: 'checkpoint',
    metric,
    goal,
    baseline,
    other,
    level,
    margin: absoluteSize(margin, level),
  }
  if (reported !== undefined) return judgeReported(asked, reported)
  if (ids.length < 2) return without(asked, say('tasks.no-items', {}), ids.length === 0 ? null : second[0] - first[0])
  const differences = second.map((score, i) => score - first[i])
  const own = clusters ?? ids
  const estimate = clusters === null ? pairedEstimate(first, second) : clusteredMean(differences, own)
  const found = { estimate, sums: clusterSums(differences, own) }
  if (clusters === null) {
    const scores = (side: readonly number[]) => ({ value: mean(side), n: ids.length, scores: side })
    return { verdict: compareCheckpoint(asked, scores(first), scores(second)), mean: found }
  }
  const count = found.sums.sums.size
  if (count < FEWEST_CLUSTERS)
    return without(asked, say('tasks.few-clusters', { count, needed: FEWEST_CLUSTERS }), estimate.mean)
  const verdict = judge(asked, estimate, {
    scope: 'checkpoints',
    reasons: [say('tasks.clustered', { items: ids.length, clusters: count })],
    method: { id: 'clustered-items', numbers: { prompts: ids.length, clusters: count, ...estimate } },
  })
  return { verdict, mean: found }
}

/** Two reported means, as if each had been asked other items. */
function judgeReported(asked: QuestionSpec, [first, second]: readonly [ReportedScore, ReportedScore]): JudgedTask {
  const errors = [first, second].map(errorOf)
  const difference = second.mean - first.mean
  if (!errors.every(error => error !== null)) return without(asked, say('tasks.no-error', {}), difference)
  const estimate = {
    mean: difference,
    standardError: Math.hypot(...errors),
    degreesOfFreedom: Math.max(1, (first.n ?? 100) + (second.n ?? 100) - 2),
  }
  const verdict = judge(asked, estimate, {
    scope: 'checkpoints',
    reasons: [say('tasks.unpaired', {})],
    method: { id: 'reported-means', numbers: { ...estimate } },
  })
  return { verdict, mean: { estimate, sums: null } }
}

function errorOf({ mean: share, n, standardError }: ReportedScore): number | null {
  if (standardError !== null) return standardError
  return n === null || n < 2 || share < 0 || share > 1 ? null : Math.sqrt((share * (1 - share)) / n)
}

function without(asked: QuestionSpec, reason: Message, difference: number | null): JudgedTask {
  return { verdict: undetermined(asked, { scope: 'checkpoints', reasons: [reason] }, difference), mean: null }
}

/** Null for a single task. Tasks whose scores are on other scales cannot be averaged, and are left out. */
function overTasks(
  tasks: readonly PairedTask[],
  judged: readonly JudgedTask[],
  { baseline, other, margin }: AskedOfTasks,
): Verdict | null {
  const counted = tasks.flatMap((task, i) => {
    const found = judged[i].mean
    return found === null || !isShare(task) ? [] : [{ task, found }]
  })
  if (tasks.length < 2 || counted.length < 2) return null
  const level = mean(counted.map(({ task }) => task.reported?.[0].mean ?? mean(task.first)))
  const estimate = meanOverTasks(counted.map(({ found }) => found))
  const asked: QuestionSpec = {
    question: 'checkpoint',
    metric: OVERALL,
    goal: 'max',
    baseline,
    other,
    level,
    margin: absoluteSize(margin, level),
  }
  const left = tasks.length - counted.length
  return judge(asked, estimate, {
    scope: 'checkpoints',
    reasons: [
      say('tasks.each-alike', { tasks: counted.length }),
      ...(left === 0 ? [] : [say('tasks.left-out', { count: left })]),
    ],
    method: { id: 'mean-over-tasks', numbers: { tasks: counted.length, ...estimate } },
  })
}

/** What the mean over tasks is called where metrics are named. */
export const OVERALL = 'eval'

function isShare({ goal, first, second, reported }: PairedTask): boolean {
  const scores = reported === undefined ? [...first, ...second] : reported.map(each => each.mean)
  return goal === 'max' && scores.every(score => score >= 0 && score <= 1)
}

const say = sentences({
  'tasks.no-items': {
    en: 'fewer than two items of this task are shared, so nothing can be paired',
    zh: '双方在此任务上共同的题目不足两个，无法配对',
  },
  'tasks.few-clusters': {
    en: '{count} cluster{count||s} {count|is|are} too few for an interval; it takes {needed}',
    zh: '仅有 {count} 个聚类，不足以给出区间，至少需要 {needed} 个',
  },
  'tasks.clustered': {
    en: '{items} item{items||s} answered by both, in {clusters} cluster{clusters||s}',
    zh: '双方都回答了 {items} 个题目，分属 {clusters} 个聚类',
  },
  'tasks.no-error': {
    en: 'one of them reports neither items nor a standard error for this task',
    zh: '有一方在此任务上既没有逐题得分，也没有标准误',
  },
  'tasks.unpaired': {
    en: 'one of them has no per-item scores, so the reported means are compared as if the items were different: keep the samples (--log_samples) for a narrower interval',
    zh: '有一方没有逐题得分，只能把双方报告的均值当作不同题目来比较；保留逐题记录（--log_samples）可得到更窄的区间',
  },
  'tasks.each-alike': {
    en: 'the mean of {tasks} task{tasks||s}, equally weighted; it applies to these tasks',
    zh: '{tasks} 个任务的均值，各任务权重相同；只针对这些任务',
  },
  'tasks.left-out': {
    en: '{count} {count|task is|tasks are} not in the mean: the error is unknown, or the scores are not shares',
    zh: '有 {count} 个任务未计入均值：误差未知，或得分不是比例',
  },
})
