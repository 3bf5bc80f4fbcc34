import { comparisonSentences } from '../../text/compare.js'
import { count, decimalsFor, fixed, signed } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import type { CompareAnswer } from '../analysis/compare/result.js'
import type { TaskMeanAnswer } from '../analysis/evaluations/result.js'
import { type Block, headline, paragraph, section, table, toned } from './blocks.js'
import { type Speaker, saying } from './speaker.js'
import { answerWord, differenceOf, verdictBlock } from './verdict.js'

/** A comparison of evaluation files in blocks: the mean over tasks, then every task with its items. */

type EvaluationPair = NonNullable<CompareAnswer['evaluation']>['pairs'][number]
export type EvaluatedTask = EvaluationPair['tasks'][number]

export function evaluationBlocks(answer: CompareAnswer, at: number, speaker: Speaker): readonly Block[] {
  const pair = answer.evaluation?.pairs[at]
  if (pair === undefined) return []
  const say = saying(speaker, words)
  const verdict = answer.verdicts[answer.others[at].headline]
  const items = pair.tasks.reduce((sum, { shared }) => sum + shared, 0)
  const isMean = pair.tasks.length > 1 && !pair.tasks.some(task => answer.verdicts[task.verdict] === verdict)
  const direction = saying(speaker, comparisonSentences)(
    answer.goal === 'min' ? 'compare.lower-is-better' : 'compare.higher-is-better',
    {},
  )
  return [
    headline(
      isMean ? say('present.mean-over-tasks', {}) : verdict.metric,
      direction,
      say('present.items', { items: count(items), tasks: pair.tasks.length }),
    ),
    paragraph(speaker.sentence(answer.judgedBy.sentence)),
    verdictBlock(verdict, speaker, { margin: answer.margin }),
    section(say('present.tasks', {}), taskTable(answer, pair, speaker)),
    ...attemptBlocks(pair, speaker),
    ...settingBlocks(answer, at, speaker),
  ]
}

function taskTable(answer: CompareAnswer, { tasks }: EvaluationPair, speaker: Speaker): Block {
  const say = saying(speaker, words)
  const [baseline] = answer.sides
  const [{ other }] = tasks.map(({ verdict }) => answer.verdicts[verdict])
  const isClustered = tasks.some(({ clusters }) => clusters !== null)
  const header = [
    say('present.column.task', {}),
    say('present.column.metric', {}),
    say('present.column.n', {}),
    ...(isClustered ? [say('present.column.clusters', {})] : []),
    baseline.label,
    other,
    saying(speaker, comparisonSentences)('compare.column.difference', {}),
    say('present.column.interval', {}),
    'p (Holm)',
    '',
  ]
  return table(
    header,
    tasks.map(task => {
      const verdict = answer.verdicts[task.verdict]
      const difference = differenceOf(verdict, speaker)
      return [
        task.task,
        task.baseline.metric.replace(/^eval\//, ''),
        task.shared === 0 ? '' : count(task.shared),
        ...(isClustered ? [task.clusters === null ? '' : count(task.clusters)] : []),
        meanText(task.baseline),
        meanText(task.other),
        difference?.size ?? '',
        verdict.interval === null ? '' : intervalText(verdict.interval.map(Number)),
        verdict.p === null ? '' : chanceText(verdict.p),
        answerWord(verdict, speaker),
      ]
    }),
  )
}

function intervalText(ends: readonly number[]): string {
  const [low, high] = ends
  const decimals = decimalsFor([low, high])
  return `${signed(low, decimals)} … ${signed(high, decimals)}`
}

function chanceText(p: number): string {
  return p < 0.001 ? '< 0.001' : fixed(p, 3)
}

/** The mean ± its standard error, clustered where items are. */
export function meanText({ mean, standardError, clusteredError }: EvaluatedTask['baseline']): string {
  const error = clusteredError ?? standardError
  return error === null ? fixed(mean, 4) : `${fixed(mean, 4)} ± ${fixed(error, 4)}`
}

function attemptBlocks({ tasks }: EvaluationPair, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const rows = tasks.flatMap(({ task, baseline, other, attempts }) =>
    attempts.map(({ measure, difference, interval }) => {
      const decimals = decimalsFor(interval)
      return [
        task,
        measure,
        attemptText(baseline, measure),
        attemptText(other, measure),
        signed(difference, decimals),
        intervalText(interval),
      ]
    }),
  )
  return rows.length === 0 ? [] : [section(say('present.attempts', {}), table([], rows))]
}

export function attemptText({ attempts }: EvaluatedTask['baseline'], measure: string): string {
  const found = attempts.find(each => each.measure === measure)
  if (found === undefined) return ''
  const [low, high] = found.interval.map(end => fixed(end, 3))
  return `${fixed(found.value, 3)} (${low} … ${high})`
}

/** The tasks of one evaluation. */
export function taskBlocks(tasks: readonly TaskMeanAnswer[], speaker: Speaker): readonly Block[] {
  if (tasks.length === 0) return []
  const say = saying(speaker, words)
  const clusters = tasks.some(({ clusteredError }) => clusteredError !== null)
  const errorText = (error: number | null): string => (error === null ? '' : fixed(error, 4))
  const header = [
    ...(['task', 'metric', 'n', 'repeats', 'mean', 'error'] as const).map(column =>
      say(`present.column.${column}`, {}),
    ),
    ...(clusters ? [say('present.column.clustered', {})] : []),
  ]
  const rows = tasks.map(({ task, metric, n, repeats, mean, standardError, clusteredError, cluster, attempts }) => [
    task,
    metric.replace(/^eval\//, ''),
    n === null ? '' : count(n),
    count(repeats),
    fixed(mean, 4),
    errorText(standardError),
    ...(clusters ? [cluster === null ? '' : `${errorText(clusteredError)} (${cluster})`] : []),
    attempts
      .map(
        ({ measure, value, interval: [low, high] }) =>
          `${measure} ${fixed(value, 3)} (${fixed(low, 3)} … ${fixed(high, 3)})`,
      )
      .join('  '),
  ])
  return [section(say('present.its-tasks', {}), table([...header, ''], rows))]
}

/** How the tasks were asked differently on the two sides. */
function settingBlocks({ others }: CompareAnswer, at: number, speaker: Speaker): readonly Block[] {
  const { confounds } = others[at]
  if (confounds.length === 0) return []
  const rows = confounds
    .slice(0, MOST_SETTINGS)
    .map(({ key, values }) => [
      key,
      values
        .map(value => (value === null ? '–' : typeof value === 'string' ? value.slice(0, 60) : JSON.stringify(value)))
        .join(' → '),
    ])
  const more = confounds.length - rows.length
  return [
    section(
      saying(speaker, words)('present.asked-differently', { count: confounds.length }),
      table([], rows),
      ...(more > 0 ? [paragraph(toned(`… ${more}`, 'quiet'))] : []),
    ),
  ]
}

const MOST_SETTINGS = 12

const words = sentences({
  'present.mean-over-tasks': { en: 'mean over tasks', zh: '各任务均值' },
  'present.items': {
    en: '{items} shared item{items||s} of {tasks} {tasks|task|tasks}',
    zh: '{tasks} 个任务，共同题目 {items} 个',
  },
  'present.tasks': { en: 'Task by task (mean ± standard error)', zh: '逐任务（均值 ± 标准误）' },
  'present.column.task': { en: 'task', zh: '任务' },
  'present.column.metric': { en: 'metric', zh: '指标' },
  'present.column.n': { en: 'items', zh: '题目' },
  'present.column.clusters': { en: 'clusters', zh: '聚类' },
  'present.its-tasks': { en: 'Tasks of this evaluation', zh: '本次评测的任务' },
  'present.column.repeats': { en: 'repeats', zh: '重复' },
  'present.column.mean': { en: 'mean', zh: '均值' },
  'present.column.error': { en: 'standard error', zh: '标准误' },
  'present.column.clustered': { en: 'clustered', zh: '聚类标准误' },
  'present.column.interval': { en: '95 % interval', zh: '95% 置信区间' },
  'present.attempts': {
    en: 'Several attempts per item (95 % intervals; descriptive, no verdict)',
    zh: '每题多次作答（95% 置信区间；仅为描述，不作判定）',
  },
  'present.asked-differently': {
    en: 'The evaluation settings differ in {count} {count|setting|settings}',
    zh: '双方的评测设置有 {count} 项不同',
  },
})
