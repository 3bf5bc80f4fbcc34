import { mean, standardDeviation } from '../../../stats/descriptive.js'
import { type DoseCell, doseTrend } from '../../../stats/dose-response.js'
import { intervalOf, pValueOf, type StudentEstimate } from '../../../stats/student-estimate.js'
import { chance, decimalsFor, figure as short, signed } from '../../../text/numbers.js'
import { reportSentences as words } from '../../../text/report.js'
import { sentences } from '../../../text/sentences.js'
import { shortHash } from '../../../text/short-hash.js'
import { settingLabel } from '../../../text/vocabulary.js'
import { numericFactor } from '../../analysis/confounds.js'
import { heatmapChart } from '../../charts/heatmap.js'
import { intervalsChart } from '../../charts/intervals.js'
import { type Block, type ChartBlock, code, figure, heading, type Inline, list, paragraph, table } from '../blocks.js'
import { withinBlocks } from '../frontier.js'
import type { Speaker } from '../speaker.js'
import { type ArmFacts, type StudyFacts, scoresOf } from './facts.js'
import { interimText } from './words.js'

/** What the trials came to: the matrix of arms and seeds, each arm against the baseline, and what a score costs. */

const say = sentences({
  'report.study.head.trade': { en: 'Score, stability and cost', zh: '分数、稳定性与开销' },
  'report.study.seed': { en: 'seed {seed}', zh: '种子 {seed}' },
  'report.study.dropped-word': { en: 'dropped', zh: '已放弃' },
  'report.study.chart.matrix': { en: 'Every trial: arms down, seeds across.', zh: '所有试验：行为实验组，列为种子。' },
  'report.study.chart.intervals': {
    en: 'Each arm minus {baseline}, with its 95 % interval.',
    zh: '各实验组减去 {baseline}，附 95% 置信区间。',
  },
  'report.study.head.dose': { en: 'Score by setting', zh: '得分随配置的变化' },
  'report.study.dose-trend': {
    en: 'From the lowest {setting} to the highest the score changes by {change} ({low} … {high}), p {p}.',
    zh: '{setting} 从最低到最高，分数变化 {change}（{low} … {high}），p {p}。',
  },
  'report.study.dose-none': {
    en: 'The arms do not differ in one number only, so there is no curve over it.',
    zh: '各实验组并非只差一个数值，因此画不出随它变化的曲线。',
  },
  'report.study.head.lineage': { en: 'Lineage', zh: '来源' },
  'report.study.suspicious': { en: '{trial}: {why}', zh: '{trial}：{why}' },
})

export function matrixBlocks(speaker: Speaker, facts: StudyFacts): readonly Block[] {
  return [
    heading(speaker.say(words('report.head.matrix', {}))),
    ...[...matrixChart(speaker, facts), ...intervalsOfArms(speaker, facts)],
    matrixTable(speaker, facts),
  ]
}

function matrixChart(speaker: Speaker, { arms, seeds, metric, direction }: StudyFacts): readonly ChartBlock[] {
  if (arms.every(arm => scoresOf(arm).length === 0)) return []
  const definition = heatmapChart({
    language: speaker.language,
    metric: { name: metric, goal: direction },
    down: column(speaker, 'arm'),
    across: column(speaker, 'count'),
    rows: arms.map(({ name }) => name),
    columns: seeds.map(String),
    cells: arms.map(({ trials }) =>
      trials.map(trial => {
        const value = trial?.value ?? null
        return value === null ? { missing: 'evaluation' } : { value }
      }),
    ),
  })
  return [{ kind: 'chart', id: 'matrix', caption: speaker.say(say('report.study.chart.matrix', {})), definition }]
}

function intervalsOfArms(
  speaker: Speaker,
  { metric, direction, verdicts, margin, baseline }: StudyFacts,
): readonly ChartBlock[] {
  const compared = verdicts.filter(({ interval }) => interval !== null)
  if (compared.length === 0) return []
  const definition = intervalsChart({
    language: speaker.language,
    metric: { name: metric, goal: direction },
    rows: compared.map(({ other, verdict, estimate, interval }) => ({
      label: other,
      answer: verdict,
      estimate,
      interval,
      margin,
    })),
  })
  return [
    {
      kind: 'chart',
      id: 'intervals',
      caption: speaker.say(say('report.study.chart.intervals', { baseline })),
      definition,
    },
  ]
}

function matrixTable(speaker: Speaker, { arms, seeds, metric }: StudyFacts): Block {
  const seedNames = seeds.map(seed => speaker.say(say('report.study.seed', { seed })))
  return table(
    [column(speaker, 'arm'), ...seedNames, column(speaker, 'mean')],
    arms.map(arm => {
      const scores = scoresOf(arm)
      const runs = arm.trials.map(trial => trial?.run ?? null)
      return [
        arm.name,
        ...arm.trials.map(trial => scoreOrCross(speaker, metric, trial?.value ?? null, [trial?.run ?? null])),
        scoreOrCross(speaker, metric, scores.length === 0 ? null : mean(scores), runs),
      ]
    }),
  )
}

/** With the runs that it comes from. */
function scoreOrCross(
  speaker: Speaker,
  metric: string,
  value: number | null,
  runs: readonly (string | null)[],
): Inline {
  if (value === null) return '×'
  const named = runs.filter(run => run !== null).join(', ')
  return figure(short(value, 4), speaker.say(words('report.source', { metric, runs: named, aggregate: '' })))
}

export function verdictBlocks(speaker: Speaker, { verdicts, baseline, within }: StudyFacts): readonly Block[] {
  const header = [
    column(speaker, 'arm'),
    ...(['answer', 'difference', 'interval'] as const).map(name => speaker.say(words(`report.column.${name}`, {}))),
    column(speaker, 'p'),
    column(speaker, 'count'),
  ]
  const interims = verdicts.flatMap(({ other, interim }): Inline[][] =>
    interim === null ? [] : [[`${other}: ${interimText(interim.look, speaker)}`]],
  )
  return [
    heading(speaker.say(words('report.head.verdicts', {}))),
    table(
      header,
      verdicts.map(({ other, verdict, estimate, interval, p, seeds, isDropped }) => {
        const decimals = interval === null ? 4 : decimalsFor(interval)
        return [
          `${other} − ${baseline}`,
          isDropped
            ? speaker.say(say('report.study.dropped-word', {}))
            : speaker.say(words(`report.word.${verdict}`, {})),
          estimate === null ? '–' : signed(estimate, decimals),
          interval === null ? '–' : interval.map(end => signed(end, decimals)).join(' … '),
          p === null ? '–' : chance(p).replace(/^= /, ''),
          seeds === 0 ? '–' : String(seeds),
        ]
      }),
    ),
    ...(interims.length === 0 ? [] : [list(interims)]),
    ...(within === null ? [] : withinBlocks(within, speaker)),
  ]
}

export function tradeBlocks(speaker: Speaker, { arms, direction }: StudyFacts): readonly Block[] {
  const names = ['arm', 'mean', 'spread', 'worst', 'seconds'] as const
  return [
    heading(speaker.say(say('report.study.head.trade', {}))),
    table(
      names.map(name => column(speaker, name)),
      arms.map(arm => {
        const scores = scoresOf(arm)
        const seconds = arm.trials.flatMap(trial => (trial?.value === null || trial === null ? [] : [trial.seconds]))
        const worst = direction === 'max' ? Math.min(...scores) : Math.max(...scores)
        return [
          arm.name,
          scores.length === 0 ? '×' : short(mean(scores), 4),
          scores.length < 2 ? '–' : short(standardDeviation(scores), 2),
          scores.length === 0 ? '×' : short(worst, 4),
          seconds.length === 0 ? '–' : short(mean(seconds), 3),
        ]
      }),
    ),
  ]
}

/** What columns are called: the same thing has the same name in each table. */
const columns = sentences({
  'report.study.arm': { en: 'arm', zh: '实验组' },
  'report.study.settings': { en: 'settings', zh: '设置' },
  'report.study.mean': { en: 'mean', zh: '均值' },
  'report.study.spread': { en: 'std over seeds', zh: '种子间标准差' },
  'report.study.worst': { en: 'worst seed', zh: '最差种子' },
  'report.study.seconds': { en: 'seconds per run', zh: '每个 run 秒数' },
  'report.study.p': { en: 'p', zh: 'p' },
  'report.study.count': { en: 'seeds', zh: '种子数' },
  'report.study.checkpoint': { en: 'checkpoint', zh: 'checkpoint' },
  'report.study.state': { en: 'state', zh: '状态' },
  'report.study.trial': { en: 'trial', zh: '试验' },
})

type Column = Parameters<typeof columns>[0] extends `report.study.${infer Name}` ? Name : never

export function column(speaker: Speaker, name: Column): string {
  return speaker.say(columns(`report.study.${name}`, {}))
}

/** Arms that differ in one number are doses of it: what each came to, and how the score changes with the dose. */
export function doseBlocks(speaker: Speaker, { arms }: StudyFacts): readonly Block[] {
  const head = heading(speaker.say(say('report.study.head.dose', {})))
  const response = responseOf(arms)
  if (response === null) return [head, paragraph(speaker.say(say('report.study.dose-none', {})))]
  const { key, points, trend } = response
  const setting = settingLabel(key, speaker.language)
  const shown = table(
    [setting, ...(['mean', 'spread', 'count'] as const).map(name => column(speaker, name))],
    points.map(({ dose, scores }): Inline[] => [
      String(dose),
      scores.length === 0 ? '×' : short(mean(scores), 4),
      scores.length < 2 ? '–' : short(standardDeviation(scores), 2),
      String(scores.length),
    ]),
  )
  if (trend === null) return [head, shown]
  const { low, high } = intervalOf(trend)
  const decimals = decimalsFor([low, high])
  const said = say('report.study.dose-trend', {
    setting,
    change: signed(trend.mean, decimals),
    low: signed(low, decimals),
    high: signed(high, decimals),
    p: chance(pValueOf(trend)),
  })
  return [head, shown, paragraph(speaker.say(said))]
}

interface Response {
  readonly key: string
  /** Rising in the dose. */
  readonly points: readonly { readonly dose: number; readonly scores: readonly number[] }[]
  /** The change from the lowest dose to the highest, by rank; null where too little is there to tell. */
  readonly trend: StudentEstimate | null
}

/** Null where there is no dose. */
function responseOf(arms: readonly ArmFacts[]): Response | null {
  const dosed = numericFactor(arms.map(({ settings }) => settings))
  if (dosed === null) return null
  const points = dosed.doses.map((dose, i) => ({ dose, scores: scoresOf(arms[i]) })).sort((a, b) => a.dose - b.dose)
  const cells = points.flatMap(({ scores }, rank): readonly DoseCell[] =>
    scores.length === 0 ? [] : [{ score: rank, block: '', values: scores }],
  )
  return { key: dosed.key, points, trend: cells.length < 3 ? null : doseTrend(cells) }
}

/** Where every number comes from: each trial with its run and checkpoint, and what is suspicious about it. */
export function lineageBlocks(speaker: Speaker, { arms, metric }: StudyFacts): readonly Block[] {
  const trials = arms.flatMap(({ name, trials }) =>
    trials.flatMap(trial => (trial === null ? [] : [{ name: `${name}/seed${trial.seed}`, ...trial }])),
  )
  const suspicious = trials.flatMap(({ name, suspicious }) =>
    suspicious.map((why): Inline[] => [speaker.say(say('report.study.suspicious', { trial: name, why }))]),
  )
  return [
    heading(speaker.say(say('report.study.head.lineage', {}))),
    table(
      [
        column(speaker, 'trial'),
        column(speaker, 'state'),
        metric,
        speaker.say(words('report.column.run', {})),
        column(speaker, 'checkpoint'),
      ],
      trials.map(({ name, state, value, run, checkpoint }) => [
        code(name),
        state,
        scoreOrCross(speaker, metric, value, [run]),
        run === null ? '–' : code(run),
        checkpoint === null ? '–' : code(shortHash(checkpoint.contentHash)),
      ]),
    ),
    ...(suspicious.length === 0 ? [] : [list(suspicious)]),
  ]
}
