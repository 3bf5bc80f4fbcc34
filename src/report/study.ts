import { heatmapChart } from '../charts/heatmap.js'
import { intervalsChart } from '../charts/intervals.js'
import type { Json } from '../model/json.js'
import type { Message } from '../model/run.js'
import { mean, standardDeviation } from '../stats/descriptive.js'
import { intervalOf, pValueOf } from '../stats/paired-mean.js'
import { chance, decimalsFor, figure as short, signed } from '../text/numbers.js'
import { sentences } from '../text/sentences.js'
import { settingLabel } from '../text/vocabulary.js'
import {
  type Block,
  type Chart,
  code,
  figure,
  heading,
  type Inline,
  list,
  paragraph,
  strong,
  type Told,
  table,
} from './blocks.js'
import { changedBlocks } from './changed.js'
import type { Provenance } from './evidence.js'
import type { Memory } from './memory.js'
import { doseOf } from './study-dose.js'
import type { Voice } from './voice.js'

/**
 * A study for a colleague: the question and its answer with scope, the design as it was frozen, the matrix, what stability
 * and money the score costs, what was dropped, which setting to take with its config, and where every number comes from.
 * Everything arrives as plain data; nothing is read or judged here.
 */
export interface StudyFacts {
  readonly name: string
  readonly question: string
  readonly metric: string
  readonly direction: 'max' | 'min'
  readonly margin: number | null
  readonly expectations: readonly string[]
  readonly design: {
    readonly hash: string
    readonly frozen: { readonly hash: string; readonly at: number } | null
    readonly changed: readonly { readonly key: string; readonly before: Json; readonly now: Json }[]
  }
  readonly baseline: string
  readonly seeds: readonly number[]
  readonly arms: readonly StudyArmInput[]
  /** Each arm against the baseline. */
  readonly verdicts: readonly StudyVerdict[]
  /** How they were come by: as planned, or settled by buying until it was clear. */
  readonly settled: {
    readonly by: 'seeds' | 'prompts'
    readonly looks: number
    readonly fixed: { readonly trials: number; readonly hours: number; readonly prompts: number | null } | null
  } | null
  readonly drops: readonly StudyDropInput[]
  readonly cost: { readonly trials: number; readonly hours: number }
  /** The setting to take, as a config that can be launched. */
  readonly take: StudyTake
}

export interface StudyInput extends StudyFacts {
  readonly provenance: Provenance
  readonly title: string | null
  readonly date: string | null
  readonly before: Memory | null
}

export interface StudyArmInput {
  readonly name: string
  readonly settings: { readonly [key: string]: Json }
  /** By seed of the study; null where there is none. */
  readonly trials: readonly (StudyTrialInput | null)[]
}

export interface StudyTrialInput {
  readonly seed: number
  readonly state: string
  readonly value: number | null
  readonly run: string | null
  readonly checkpoint: { readonly step: number; readonly contentHash: string } | null
  readonly suspicious: readonly string[]
  readonly seconds: number
}

export interface StudyVerdict {
  readonly other: string
  readonly verdict: 'better' | 'worse' | 'same' | 'undetermined'
  readonly estimate: number | null
  readonly interval: readonly [number, number] | null
  readonly p: number | null
  readonly seeds: number
  readonly isDropped: boolean
}

interface StudyDropInput {
  readonly arm: string
  readonly by: 'rule' | 'person'
  readonly evidence: {
    readonly share: number
    readonly leader: string
    readonly level: number | null
    readonly leaderLevel: number
    readonly reach: number | null
  } | null
}

interface StudyTake {
  readonly arm: string
  /** Whether it was shown to be better than the baseline, or is the baseline itself. */
  readonly why: 'better' | 'baseline'
  readonly config: string
  /** Of all settings, seed included. */
  readonly hash: string
  readonly file: string
  /** What launches it. */
  readonly verb: 'train' | 'study run'
}

const say = sentences({
  'report.study.title': { en: 'Study {name}', zh: '研究 {name}' },
  'report.study.better': {
    en: '{arms} scored better than {baseline} in {metric}.',
    zh: '{arms} 的 {metric} 优于 {baseline}。',
  },
  'report.study.worse': {
    en: '{arms} scored worse than {baseline} in {metric}.',
    zh: '{arms} 的 {metric} 劣于 {baseline}。',
  },
  'report.study.same': {
    en: '{arms} and {baseline} are about the same in {metric}, within {margin}.',
    zh: '{arms} 与 {baseline} 的 {metric} 相当（等效界限 {margin}）。',
  },
  'report.study.undetermined': {
    en: 'Undetermined for {arms}: these trials cannot tell {arms} from {baseline}.',
    zh: '{arms} 无法判定：凭这些试验分不出它与 {baseline} 的优劣。',
  },
  'report.study.nothing': {
    en: 'No arm has all of its seeds yet, so nothing is answered.',
    zh: '还没有一个 arm 跑完全部种子，因此尚无答案。',
  },
  'report.study.scope': {
    en: 'About these settings, by {seeds} seeds of each that was judged, on this data and at this length of training.',
    zh: '结论针对这些配置：每种 {seeds} 个种子，限于此数据与训练长度。',
  },
  'report.study.scope-checkpoints': {
    en: 'About these checkpoints, on prompts like those asked; the settings behind them need seeds.',
    zh: '结论只针对这些 checkpoint 与同类样本；要说明配置本身，需要更多种子。',
  },
  'report.study.looked': {
    en: 'It was settled in {looks} planned {n|look|looks}, with a risk of 5 % over all of them together.',
    zh: '共按计划查看 {looks} 次，总错误风险为 5%。',
  },
  'report.study.corrected': {
    en: 'The p-values are put right for all {n} {n|arm|arms} that were started (Holm).',
    zh: 'p 值已按全部 {n} 个启动过的 arm 校正（Holm）。',
  },
  'report.study.head.question': { en: 'The question', zh: '问题' },
  'report.study.head.design': { en: 'The design', zh: '设计' },
  'report.study.head.dose': { en: 'Dose and response', zh: '剂量与响应' },
  'report.study.head.trade': { en: 'Score, stability and cost', zh: '分数、稳定性与开销' },
  'report.study.head.dropped': { en: 'What was dropped', zh: '放弃了什么' },
  'report.study.head.cost': { en: 'What it cost', zh: '开销' },
  'report.study.head.take': { en: 'The setting to take', zh: '应采用的配置' },
  'report.study.head.lineage': { en: 'Lineage', zh: '来源' },
  'report.study.judged': {
    en: 'Judged by {metric} ({direction}) at the last evaluation of each run; {margin}',
    zh: '以每个 run 最后一次验证的 {metric} 评判（{direction}）；{margin}',
  },
  'report.study.max': { en: 'higher is better', zh: '越高越好' },
  'report.study.min': { en: 'lower is better', zh: '越低越好' },
  'report.study.margin': { en: 'differences below {margin} do not matter', zh: '小于 {margin} 的差异无关紧要' },
  'report.study.no-margin': {
    en: 'no margin was given, so nothing can be called the same',
    zh: '没有给出等效界限，因此不会判为“相当”',
  },
  'report.study.expected': { en: 'Expected beforehand:', zh: '事先的预期：' },
  'report.study.frozen': {
    en: 'Frozen before the first result, with the hash {hash}. Nothing was changed since.',
    zh: '在首个结果之前冻结，哈希 {hash}。此后没有改动。',
  },
  'report.study.frozen-changed': {
    en: 'Frozen before the first result, with the hash {hash}. Changed since, and therefore no prediction:',
    zh: '在首个结果之前冻结，哈希 {hash}。此后有改动，改动之处不能算作预测：',
  },
  'report.study.not-frozen': { en: 'Not frozen: nothing has been trained.', zh: '尚未冻结：还没有训练。' },
  'report.study.change': { en: '{key}: was {before}, is {now}', zh: '{key}：原为 {before}，现为 {now}' },
  'report.study.arm': { en: 'arm', zh: 'arm' },
  'report.study.settings': { en: 'settings', zh: '设置' },
  'report.study.seed': { en: 'seed {seed}', zh: '种子 {seed}' },
  'report.study.mean': { en: 'mean', zh: '均值' },
  'report.study.spread': { en: 'seeds scatter by', zh: '种子间标准差' },
  'report.study.worst': { en: 'worst seed', zh: '最差种子' },
  'report.study.seconds': { en: 'seconds a run', zh: '每个 run 秒数' },
  'report.study.p': { en: 'p', zh: 'p' },
  'report.study.count': { en: 'seeds', zh: '种子数' },
  'report.study.dropped-word': { en: 'dropped', zh: '已放弃' },
  'report.study.chart.matrix': { en: 'Every trial: arms down, seeds across.', zh: '所有试验：行为 arm，列为种子。' },
  'report.study.chart.intervals': {
    en: 'Each arm minus {baseline}, with its 95 % interval.',
    zh: '各 arm 减去 {baseline}，附 95% 置信区间。',
  },
  'report.study.dose-trend': {
    en: 'From the lowest {setting} to the highest the score changes by {change} ({low} … {high}), p {p}.',
    zh: '{setting} 从最低到最高，分数变化 {change}（{low} … {high}），p {p}。',
  },
  'report.study.dose-none': {
    en: 'The arms do not differ in one number alone, so there is no dose.',
    zh: '各 arm 并非只差一个数值，因此没有剂量可言。',
  },
  'report.study.drop': {
    en: '{arm}, after {share} % of the run: {level} against {leaderLevel} of {leader}; further behind than {reach} is hopeless by the finished runs.',
    zh: '{arm}，进行到 {share}% 时：{level}，而 {leader} 为 {leaderLevel}；依已完成的 run，落后超过 {reach} 即无望。',
  },
  'report.study.drop-dead': {
    en: '{arm}: none of its runs had a finite score.',
    zh: '{arm}：其所有 run 均无有限分数。',
  },
  'report.study.drop-person': { en: '{arm}: by a person.', zh: '{arm}：由人放弃。' },
  'report.study.none-dropped': { en: 'Nothing was dropped.', zh: '没有放弃任何 arm。' },
  'report.study.cost': {
    en: '{trials} {n|trial|trials} and {minutes} minutes of training.',
    zh: '{trials} 个试验，共训练 {minutes} 分钟。',
  },
  'report.study.fixed': {
    en: 'A fixed design that settles it either way in 80 % would have taken {trials} trials and {minutes} minutes.',
    zh: '若用固定设计、以 80% 的把握得出任一结论，需 {trials} 个试验、{minutes} 分钟。',
  },
  'report.study.take-better': {
    en: 'Take {arm}: of the arms that were shown to be better than {baseline} it has the best mean.',
    zh: '采用 {arm}：在被证明优于 {baseline} 的 arm 中均值最好。',
  },
  'report.study.take-baseline': {
    en: 'Take {arm}, the baseline: no arm was shown to be better.',
    zh: '采用基线 {arm}：没有任何 arm 被证明更好。',
  },
  'report.study.take-hash': {
    en: 'Its config lies beside this report, with the hash {hash}, ready to launch:',
    zh: '其配置与本报告放在一起，哈希 {hash}，可直接启动：',
  },
  'report.study.checkpoint': { en: 'checkpoint', zh: 'checkpoint' },
  'report.study.state': { en: 'state', zh: '状态' },
  'report.study.trial': { en: 'trial', zh: '试验' },
  'report.study.suspicious': { en: '{trial}: {why}', zh: '{trial}：{why}' },
})

const words = (voice: Voice, message: Message): string => voice.render(message)

export function studyReport(voice: Voice, input: StudyInput): Told {
  const memory = memoryOf(input)
  const { date, before, provenance } = input
  const head = (key: Parameters<typeof say>[0]): Block => heading(words(voice, { key, params: {} }))
  return {
    language: voice.language,
    title: input.title ?? words(voice, say('report.study.title', { name: input.name })),
    memory,
    blocks: [
      ...(date === null ? [] : [paragraph(voice.say('report.date', { date }))]),
      ...answerBlocks(voice, input),
      ...changedBlocks(voice, before, memory),
      head('report.study.head.question'),
      ...questionBlocks(voice, input),
      head('report.study.head.design'),
      ...designBlocks(voice, input),
      heading(voice.say('report.head.matrix', {})),
      ...charts(voice, input).map((chart): Block => ({ kind: 'chart', chart })),
      matrixTable(voice, input),
      heading(voice.say('report.head.verdicts', {})),
      ...verdictBlocks(voice, input),
      head('report.study.head.dose'),
      ...doseBlocks(voice, input),
      head('report.study.head.trade'),
      tradeTable(voice, input),
      head('report.study.head.dropped'),
      ...dropBlocks(voice, input),
      head('report.study.head.cost'),
      costBlock(voice, input),
      head('report.study.head.take'),
      ...takeBlocks(voice, input),
      head('report.study.head.lineage'),
      ...lineageBlocks(voice, input),
      heading(voice.say('report.head.evidence', {})),
      paragraph(voice.say('report.evidence.command', { version: provenance.version })),
      { kind: 'command', text: provenance.command },
    ],
  }
}

const ORDER = ['better', 'worse', 'same', 'undetermined'] as const

function answerBlocks(voice: Voice, { verdicts, baseline, metric, margin, settled }: StudyInput): readonly Block[] {
  const judged = verdicts.filter(({ estimate }) => estimate !== null)
  if (judged.length === 0) return [paragraph(strong(words(voice, say('report.study.nothing', {}))))]
  const parts: Inline[] = ORDER.flatMap(verdict => {
    const arms = voice.listed(judged.filter(each => each.verdict === verdict).map(({ other }) => other))
    if (arms === '') return []
    const named = { arms, baseline, metric }
    const said =
      verdict === 'same'
        ? say('report.study.same', { ...named, margin: short(margin ?? 0) })
        : verdict === 'undetermined'
          ? say('report.study.undetermined', named)
          : say(`report.study.${verdict}`, named)
    return [strong(words(voice, said)), ' ']
  })
  const scope =
    settled?.by === 'prompts'
      ? say('report.study.scope-checkpoints', {})
      : say('report.study.scope', { seeds: Math.min(...judged.map(({ seeds }) => seeds)) })
  const how =
    settled === null
      ? say('report.study.corrected', { n: verdicts.length })
      : say('report.study.looked', { looks: settled.looks, n: settled.looks })
  return [paragraph(...parts, words(voice, scope), ' ', words(voice, how))]
}

function questionBlocks(
  voice: Voice,
  { question, metric, direction, margin, expectations }: StudyInput,
): readonly Block[] {
  const judged = say('report.study.judged', {
    metric,
    direction: words(voice, say(`report.study.${direction}`, {})),
    margin: words(
      voice,
      margin === null ? say('report.study.no-margin', {}) : say('report.study.margin', { margin: short(margin) }),
    ),
  })
  return [
    paragraph(question),
    paragraph(voice.sentence(words(voice, judged))),
    ...(expectations.length === 0
      ? []
      : [paragraph(words(voice, say('report.study.expected', {}))), list(expectations.map(each => [each]))]),
  ]
}

const SHORT_HASH = 12

function designBlocks(voice: Voice, { design: { frozen, changed }, arms }: StudyInput): readonly Block[] {
  const hash = frozen?.hash.slice(0, SHORT_HASH) ?? ''
  const said =
    frozen === null
      ? say('report.study.not-frozen', {})
      : changed.length === 0
        ? say('report.study.frozen', { hash })
        : say('report.study.frozen-changed', { hash })
  const changes = changed.map(({ key, before, now }): Inline[] => [
    words(voice, say('report.study.change', { key, before: JSON.stringify(before), now: JSON.stringify(now) })),
  ])
  return [
    paragraph(words(voice, said)),
    ...(changes.length === 0 ? [] : [list(changes)]),
    table(
      [words(voice, say('report.study.arm', {})), words(voice, say('report.study.settings', {}))],
      arms.map(({ name, settings }) => [
        name,
        code(
          Object.entries(settings)
            .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
            .join(' ') || '–',
        ),
      ]),
    ),
  ]
}

function valuesOf({ trials }: StudyArmInput): readonly number[] {
  return trials.flatMap(trial => (trial?.value === null || trial?.value === undefined ? [] : [trial.value]))
}

function charts(
  voice: Voice,
  { arms, seeds, metric, direction, verdicts, margin, baseline }: StudyInput,
): readonly Chart[] {
  const { language } = voice
  const measured = { name: metric, goal: direction }
  const compared = verdicts.filter(({ interval }) => interval !== null)
  const hasValues = arms.some(arm => valuesOf(arm).length > 0)
  return [
    ...(hasValues
      ? [
          {
            id: 'matrix',
            caption: words(voice, say('report.study.chart.matrix', {})),
            definition: heatmapChart({
              language,
              metric: measured,
              down: words(voice, say('report.study.arm', {})),
              across: words(voice, say('report.study.count', {})),
              rows: arms.map(({ name }) => name),
              columns: seeds.map(String),
              cells: arms.map(({ trials }) =>
                trials.map(trial =>
                  trial?.value === null || trial?.value === undefined
                    ? { missing: 'evaluation' as const }
                    : { value: trial.value },
                ),
              ),
            }),
          },
        ]
      : []),
    ...(compared.length === 0
      ? []
      : [
          {
            id: 'intervals',
            caption: words(voice, say('report.study.chart.intervals', { baseline })),
            definition: intervalsChart({
              language,
              metric: measured,
              rows: compared.map(({ other, verdict, estimate, interval }) => ({
                label: other,
                answer: verdict,
                estimate,
                interval,
                margin,
              })),
            }),
          },
        ]),
  ]
}

function sourceOf(voice: Voice, metric: string, runs: readonly (string | null)[]): string {
  return voice.say('report.source', { metric, runs: runs.filter(run => run !== null).join(', '), aggregate: '' })
}

function matrixTable(voice: Voice, { arms, seeds, metric }: StudyInput): Block {
  const seedHead = seeds.map(seed => words(voice, say('report.study.seed', { seed })))
  return table(
    [words(voice, say('report.study.arm', {})), ...seedHead, words(voice, say('report.study.mean', {}))],
    arms.map(arm => {
      const values = valuesOf(arm)
      const runs = arm.trials.map(trial => trial?.run ?? null)
      return [
        arm.name,
        ...arm.trials.map(
          (trial): Inline =>
            trial?.value === null || trial?.value === undefined
              ? '×'
              : figure(short(trial.value, 4), sourceOf(voice, metric, [trial.run])),
        ),
        values.length === 0 ? '×' : figure(short(mean(values), 4), sourceOf(voice, metric, runs)),
      ]
    }),
  )
}

function verdictBlocks(voice: Voice, { verdicts, baseline }: StudyInput): readonly Block[] {
  const header = [
    ...(['answer', 'difference', 'interval'] as const).map(name => voice.say(`report.column.${name}`, {})),
    words(voice, say('report.study.p', {})),
    words(voice, say('report.study.count', {})),
  ]
  return [
    table(
      [words(voice, say('report.study.arm', {})), ...header],
      verdicts.map(({ other, verdict, estimate, interval, p, seeds, isDropped }) => {
        const decimals = interval === null ? 4 : decimalsFor(interval)
        return [
          `${other} − ${baseline}`,
          isDropped ? words(voice, say('report.study.dropped-word', {})) : voice.say(`report.word.${verdict}`, {}),
          estimate === null ? '–' : signed(estimate, decimals),
          interval === null ? '–' : interval.map(end => signed(end, decimals)).join(' … '),
          p === null ? '–' : chance(p).replace(/^= /, ''),
          seeds === 0 ? '–' : String(seeds),
        ]
      }),
    ),
  ]
}

function doseBlocks(voice: Voice, { arms }: StudyInput): readonly Block[] {
  const dose = doseOf(arms.map(arm => ({ settings: arm.settings, values: valuesOf(arm) })))
  if (dose === null) return [paragraph(words(voice, say('report.study.dose-none', {})))]
  const { key, points, trend } = dose
  const setting = settingLabel(key, voice.language)
  const rows = points.map(({ value, scores }): Inline[] => [
    String(value),
    scores.length === 0 ? '×' : short(mean(scores), 4),
    scores.length < 2 ? '–' : short(standardDeviation(scores), 2),
    String(scores.length),
  ])
  const names = ['mean', 'spread', 'count'] as const
  const shown = table([setting, ...names.map(name => words(voice, say(`report.study.${name}`, {})))], rows)
  if (trend === null) return [shown]
  const { low, high } = intervalOf(trend)
  const decimals = decimalsFor([low, high])
  const said = say('report.study.dose-trend', {
    setting,
    change: signed(trend.mean, decimals),
    low: signed(low, decimals),
    high: signed(high, decimals),
    p: chance(pValueOf(trend)),
  })
  return [shown, paragraph(words(voice, said))]
}

function tradeTable(voice: Voice, { arms, direction }: StudyInput): Block {
  const names = ['arm', 'mean', 'spread', 'worst', 'seconds'] as const
  return table(
    names.map(name => words(voice, say(`report.study.${name}`, {}))),
    arms.map(arm => {
      const values = valuesOf(arm)
      const seconds = arm.trials.flatMap(trial => (trial?.value === null || trial === null ? [] : [trial.seconds]))
      const worst = direction === 'max' ? Math.min(...values) : Math.max(...values)
      return [
        arm.name,
        values.length === 0 ? '×' : short(mean(values), 4),
        values.length < 2 ? '–' : short(standardDeviation(values), 2),
        values.length === 0 ? '×' : short(worst, 4),
        seconds.length === 0 ? '–' : short(mean(seconds), 3),
      ]
    }),
  )
}

function dropBlocks(voice: Voice, { drops }: StudyInput): readonly Block[] {
  if (drops.length === 0) return [paragraph(words(voice, say('report.study.none-dropped', {})))]
  return [list(drops.map(drop => [words(voice, dropSentence(drop))]))]
}

/** Who dropped an arm, and on what evidence. */
export function dropSentence({ arm, by, evidence }: StudyDropInput): Message {
  if (by === 'person' || evidence === null) return say('report.study.drop-person', { arm })
  const { share, leader, level, leaderLevel, reach } = evidence
  if (level === null || reach === null) return say('report.study.drop-dead', { arm })
  return say('report.study.drop', {
    arm,
    share: short(100 * share),
    level: short(level, 4),
    leader,
    leaderLevel: short(leaderLevel, 4),
    reach: short(reach, 2),
  })
}

function costBlock(voice: Voice, { cost, settled }: StudyInput): Block {
  const minutes = (hours: number): string => short(60 * hours, 2)
  const said = say('report.study.cost', { trials: cost.trials, n: cost.trials, minutes: minutes(cost.hours) })
  const fixed = settled?.fixed ?? null
  if (fixed === null || fixed.prompts !== null) return paragraph(words(voice, said))
  const instead = say('report.study.fixed', { trials: fixed.trials, minutes: minutes(fixed.hours) })
  return paragraph(words(voice, said), ' ', words(voice, instead))
}

function takeBlocks(voice: Voice, { take, baseline }: StudyInput): readonly Block[] {
  const { arm, why, hash, config, file, verb } = take
  const said =
    why === 'better' ? say('report.study.take-better', { arm, baseline }) : say('report.study.take-baseline', { arm })
  return [
    paragraph(strong(words(voice, said)), ' ', words(voice, say('report.study.take-hash', { hash }))),
    { kind: 'command', text: `klens ${verb} ${file}` },
    { kind: 'command', text: config.trimEnd() },
  ]
}

function lineageBlocks(voice: Voice, { arms, metric }: StudyInput): readonly Block[] {
  const trials = arms.flatMap(({ name, trials }) =>
    trials.flatMap(trial => (trial === null ? [] : [{ arm: name, ...trial }])),
  )
  const suspicious = trials.flatMap(({ arm, seed, suspicious }) =>
    suspicious.map((why): Inline[] => [
      words(voice, say('report.study.suspicious', { trial: `${arm}/seed${seed}`, why })),
    ]),
  )
  return [
    table(
      [
        words(voice, say('report.study.trial', {})),
        words(voice, say('report.study.state', {})),
        metric,
        voice.say('report.column.run', {}),
        words(voice, say('report.study.checkpoint', {})),
      ],
      trials.map(({ arm, seed, state, value, run, checkpoint }) => [
        code(`${arm}/seed${seed}`),
        state,
        value === null ? '×' : figure(short(value, 4), sourceOf(voice, metric, [run])),
        run === null ? '–' : code(run),
        checkpoint === null ? '–' : code(checkpoint.contentHash.slice(0, SHORT_HASH)),
      ]),
    ),
    ...(suspicious.length === 0 ? [] : [list(suspicious)]),
  ]
}

function memoryOf({ arms, metric, verdicts }: StudyInput): Memory {
  const trials = arms.flatMap(arm => arm.trials)
  return {
    runs: trials.flatMap(trial => (trial?.run === null || trial === null ? [] : [trial.run])).sort(),
    metric,
    evaluations: trials.filter(trial => trial?.value !== null && trial !== null).length,
    verdicts: verdicts.map(({ other, verdict }) => ({ question: 'study', other, answer: verdict })),
    findings: [],
  }
}
