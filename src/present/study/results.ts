import { heatmapChart } from '../../charts/heatmap.js'
import { intervalsChart } from '../../charts/intervals.js'
import { mean, standardDeviation } from '../../stats/descriptive.js'
import { chance, decimalsFor, figure as short, signed } from '../../text/numbers.js'
import { reportSentences as words } from '../../text/report.js'
import { sentences } from '../../text/sentences.js'
import { type Block, type ChartBlock, figure, heading, type Inline, table } from '../blocks.js'
import type { Speaker } from '../speaker.js'
import { column } from './columns.js'
import { type StudyFacts, scoresOf } from './facts.js'

/** What the trials came to: the matrix of arms and seeds, each arm against the baseline, and what a score costs. */

const say = sentences({
  'report.study.head.trade': { en: 'Score, stability and cost', zh: '分数、稳定性与开销' },
  'report.study.seed': { en: 'seed {seed}', zh: '种子 {seed}' },
  'report.study.dropped-word': { en: 'dropped', zh: '已放弃' },
  'report.study.chart.matrix': { en: 'Every trial: arms down, seeds across.', zh: '所有试验：行为 arm，列为种子。' },
  'report.study.chart.intervals': {
    en: 'Each arm minus {baseline}, with its 95 % interval.',
    zh: '各 arm 减去 {baseline}，附 95% 置信区间。',
  },
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
export function scoreOrCross(
  speaker: Speaker,
  metric: string,
  value: number | null,
  runs: readonly (string | null)[],
): Inline {
  if (value === null) return '×'
  const named = runs.filter(run => run !== null).join(', ')
  return figure(short(value, 4), speaker.say(words('report.source', { metric, runs: named, aggregate: '' })))
}

export function verdictBlocks(speaker: Speaker, { verdicts, baseline }: StudyFacts): readonly Block[] {
  const header = [
    column(speaker, 'arm'),
    ...(['answer', 'difference', 'interval'] as const).map(name => speaker.say(words(`report.column.${name}`, {}))),
    column(speaker, 'p'),
    column(speaker, 'count'),
  ]
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
