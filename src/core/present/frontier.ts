import type { z } from 'zod'
import type { WithinKl } from '../../logs/model/study/terms.js'
import type { Encoded } from '../../text/encode.js'
import { signedFigure } from '../../text/numbers.js'
import { message as words } from '../../text/say.js'
import { sentences } from '../../text/sentences.js'
import type { frontierAnswer } from '../analysis/frontier/answer.js'
import { frontierChart } from '../charts/frontier.js'
import { type Block, heading, list, paragraph, section, table, toned } from './blocks.js'
import { goalBlocks } from './goal.js'
import { type Speaker, saying } from './speaker.js'
import { shortNumber, shortStep } from './terminal-text.js'

/** Score and KL together: what each setting reached, what the distance bought, and where the best setting lies. */

/** As it is encoded: sentences in place of messages. */
export type PlainFrontier = Encoded<z.infer<typeof frontierAnswer>>
type Pair = PlainFrontier['pairs'][number]
type Figure = PlainFrontier['settings'][number]['score']

export const frontierWords = sentences({
  'frontier.option.over': {
    en: 'the setting to compare, raw or canonical (default: the KL coefficient, or the one that differs)',
    zh: '要比较的配置项，原名或规范名（默认 KL 系数，或唯一不同的那一项）',
  },
  'frontier.option.max-kl': {
    en: 'the best setting within this KL',
    zh: '在此 KL 之内最好的配置',
  },
  'frontier.within': {
    en: 'best score within a KL of {max}: {setting}',
    zh: 'KL 不超过 {max} 时，得分最好的是 {setting}',
  },
  'frontier.within.none': {
    en: 'no setting is known to stay within a KL of {max}',
    zh: '没有哪组配置能确定 KL 不超过 {max}',
  },
  'frontier.within.tied': { en: 'tied with it: {settings}', zh: '并列：{settings}' },
  'frontier.within.open': {
    en: 'may exceed {max}, by the interval of its KL: {settings}',
    zh: '按 KL 的置信区间，可能超过 {max}：{settings}',
  },
  'frontier.within.unknown': { en: 'no KL logged: {settings}', zh: '未记录 KL：{settings}' },
  'frontier.head': {
    en: '{metric} and KL of {settings} setting{settings||s}, {runs} run{runs||s}, at the same steps',
    zh: '{settings} 组配置、{runs} 个 run 在相同步数上的 {metric} 与 KL',
  },
  'frontier.levels': {
    en: 'means over steps {from}–{to}; KL is {kl}',
    zh: '取第 {from}–{to} 步的水平；KL 为 {kl}',
  },
  'frontier.setting': { en: 'setting', zh: '配置' },
  'frontier.runs': { en: 'runs', zh: 'run 数' },
  'frontier.score': { en: 'score', zh: '得分' },
  'frontier.kl': { en: 'KL', zh: 'KL' },
  'frontier.optimised': { en: 'optimised reward', zh: '被优化的奖励' },
  'frontier.dominated': { en: 'another setting has a higher score with less KL', zh: '有别的配置得分更高而 KL 更低' },
  'frontier.against': { en: 'vs {baseline}', zh: '与 {baseline} 相比' },
  'frontier.less': { en: '{share} less KL', zh: 'KL 少 {share}' },
  'frontier.more': { en: '{share} more KL', zh: 'KL 多 {share}' },
  'frontier.kl-open': { en: 'KL not significantly different', zh: 'KL 差异不显著' },
  'frontier.kl-none': { en: '{score}; KL not comparable', zh: '{score}；KL 无法比较' },
  'frontier.for': { en: '{score} for {kl}', zh: '{score}，{kl}' },
  'frontier.peak': {
    en: 'best score: {setting}, at a mean KL of {kl} (95 %: the KL of the truly best setting is between {low} and {high})',
    zh: '得分最好的是 {setting}，平均 KL 为 {kl}（95%：其中真正最好的配置，其 KL 在 {low} 到 {high} 之间）',
  },
  'frontier.end': { en: 'training with {setting} ends at a KL of {kl}', zh: '用 {setting} 训练，结束时 KL 为 {kl}' },
  'frontier.candidates': {
    en: 'tied with the best: {settings}',
    zh: '并列最好：{settings}',
  },
  'frontier.beyond': {
    en: '{setting} went further and lost {score}',
    zh: '{setting} 越过了它，得分损失 {score}',
  },
  'frontier.section': { en: 'Score and KL', zh: '得分与 KL' },
  'frontier.chart': { en: 'Score vs √KL', zh: '得分与 √KL' },
  'frontier.equal-kl': { en: 'at equal KL', zh: '同一 KL 下' },
  'frontier.reached': { en: '{setting}: {score} at step {step}', zh: '{setting}：step {step} 时为 {score}' },
  'frontier.steps-differ': {
    en: 'not compared: the steps differ',
    zh: '步数不同，不作比较',
  },
  'frontier.steps-alike': { en: '{difference} at about the same step', zh: '步数相近，差 {difference}' },
})

/** In a report on the same runs, which has the verdicts on the scores and what is wrong with the data already. */
export function frontierSection(answer: PlainFrontier, speaker: Speaker): readonly Block[] {
  return [
    heading(saying(speaker, frontierWords)('frontier.section', {})),
    ...peakBlocks(answer, speaker),
    ...chartBlocks(answer, speaker),
    settingsTable(answer, speaker),
    ...pairBlocks(answer, speaker),
    ...equalKlBlocks(answer, speaker),
  ]
}

/** `drawn`: with the chart, where there is more than a terminal to show it. */
export function frontierBlocks(answer: PlainFrontier, speaker: Speaker, { drawn = false } = {}): readonly Block[] {
  const say = saying(speaker, frontierWords)
  const { settings, steps, metric, kl, notes } = answer
  const head = say('frontier.head', {
    metric,
    settings: settings.length,
    runs: settings.reduce((sum, { runs }) => sum + runs.length, 0),
  })
  const [from = 0, to = 0] = [steps[0], steps.at(-1)]
  const levels = say('frontier.levels', { from: shortStep(from), to: shortStep(to), kl: kl.metric })
  return [
    section(head, paragraph(toned(levels, 'quiet')), ...goalBlocks(answer, speaker)),
    ...(answer.within === null ? [] : withinBlocks(answer.within, speaker)),
    ...peakBlocks(answer, speaker),
    settingsTable(answer, speaker),
    ...(drawn ? chartBlocks(answer, speaker) : []),
    ...pairBlocks(answer, speaker),
    ...equalKlBlocks(answer, speaker),
    ...(notes.length === 0 ? [] : [list(notes.map(note => [speaker.sentence(note)]))]),
  ]
}

function settingsTable({ settings }: PlainFrontier, speaker: Speaker): Block {
  const say = saying(speaker, frontierWords)
  const hasOptimised = settings.some(({ optimised }) => optimised !== null)
  const columns = ['setting', 'runs', 'score', 'kl'] as const
  const header = [
    ...columns.map(column => say(`frontier.${column}`, {})),
    ...(hasOptimised ? [say('frontier.optimised', {})] : []),
    '',
  ]
  return table(
    header,
    settings.map(({ label, runs, score, kl, optimised, dominated }) => [
      label,
      String(runs.length),
      rangeText(score),
      kl === null ? '–' : rangeText(kl),
      ...(hasOptimised ? [optimised === null ? '–' : rangeText(optimised)] : []),
      dominated ? say('frontier.dominated', {}) : '',
    ]),
  )
}

function rangeText({ estimate, interval }: Figure): string {
  if (interval === null) return shortNumber(estimate)
  const [low, high] = interval.map(shortNumber)
  return `${shortNumber(estimate)} [${low}, ${high}]`
}

function pairBlocks({ pairs }: PlainFrontier, speaker: Speaker): readonly Block[] {
  const [first] = pairs
  if (first === undefined) return []
  const title = saying(speaker, frontierWords)('frontier.against', { baseline: first.baseline })
  return [
    section(
      title,
      table(
        [],
        pairs.map(pair => [pair.other, answerWord(pair, speaker), tradeText(pair, speaker)]),
      ),
    ),
  ]
}

function answerWord({ score }: Pair, speaker: Speaker): string {
  return saying(speaker, words)(`answer.${score.answer}`, {})
}

/** "−0.023 [−0.033, −0.013] for 41 % less KL [30, 50]"; where both are claimed, the intervals hold together. */
function tradeText({ score, kl, joint }: Pair, speaker: Speaker): string {
  const say = saying(speaker, frontierWords)
  const scoreRange = joint?.region.score ?? score.interval?.map(Number) ?? null
  const estimate = score.estimate === null ? '–' : signedFigure(Number(score.estimate))
  const paid = scoreRange === null ? estimate : `${estimate} [${scoreRange.map(shortNumber).join(', ')}]`
  if (kl === null) return say('frontier.kl-none', { score: paid })
  return say('frontier.for', { score: paid, kl: klText(kl, joint?.region.kl ?? kl.interval, speaker) })
}

function klText(kl: NonNullable<Pair['kl']>, interval: readonly number[] | null, speaker: Speaker): string {
  const say = saying(speaker, frontierWords)
  const isLess = kl.estimate < 0
  const share = shareText(Math.abs(kl.estimate), speaker)
  const ends = interval?.map(end => 100 * (isLess ? -end : end)).sort((a, b) => a - b) ?? []
  const range = ends.length === 0 ? '' : ` [${ends.map(end => shortNumber(Math.round(end))).join(', ')}]`
  const text = `${say(isLess ? 'frontier.less' : 'frontier.more', { share })}${range}`
  return kl.answer === 'undetermined' ? `${text} (${say('frontier.kl-open', {})})` : text
}

function shareText(share: number, speaker: Speaker): string {
  return speaker.percent(share, 0).replace('+', '')
}

function peakBlocks({ peak }: PlainFrontier, speaker: Speaker): readonly Block[] {
  if (peak === null) return []
  const say = saying(speaker, frontierWords)
  const [low, high] = peak.interval.map(shortNumber)
  const lines = [
    say('frontier.peak', { setting: peak.setting, kl: shortNumber(peak.kl), low, high }),
    ...(peak.end === null ? [] : [say('frontier.end', { setting: peak.setting, kl: shortNumber(peak.end) })]),
    ...(peak.candidates.length > 1 ? [say('frontier.candidates', { settings: speaker.listed(peak.candidates) })] : []),
    ...peak.beyond.map(({ setting, score }) => say('frontier.beyond', { setting, score: rangeText(positive(score)) })),
  ]
  return lines.map(line => paragraph(speaker.sentence(line)))
}

/** What a picture of score over KL tempts one to compare, with the steps that it hides. */
function equalKlBlocks({ pairs }: PlainFrontier, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, frontierWords)
  const rows = pairs.flatMap(({ baseline, other, equalKl }) => {
    if (equalKl === null) return []
    const { difference } = equalKl
    const reached = [
      { setting: baseline, at: equalKl.baseline },
      { setting: other, at: equalKl.other },
    ].map(({ setting, at }) =>
      say('frontier.reached', { setting, score: shortNumber(at.score), step: String(Math.round(at.step)) }),
    )
    const compared =
      difference === null
        ? say('frontier.steps-differ', {})
        : say('frontier.steps-alike', { difference: rangeText(difference) })
    return [[`KL ${shortNumber(equalKl.kl)}`, ...reached, compared]]
  })
  return rows.length === 0 ? [] : [section(say('frontier.equal-kl', {}), table([], rows))]
}

function chartBlocks({ settings, peak, metric, goal, judgedBy }: PlainFrontier, speaker: Speaker): readonly Block[] {
  const drawn = settings.filter(({ paths }) => paths.some(({ points }) => points.length > 1))
  if (drawn.length === 0) return []
  const say = saying(speaker, frontierWords)
  const definition = frontierChart({
    language: speaker.language,
    metric: { name: metric, goal },
    optimised: judgedBy.role === 'optimised' ? null : { name: say('frontier.optimised', {}) },
    settings: drawn.map(({ label, paths }) => ({ label, runs: paths.map(({ points }) => points) })),
    peak: peak === null ? null : [peak.interval[0], peak.interval[1]],
  })
  return [{ kind: 'chart', id: 'frontier', caption: say('frontier.chart', {}), definition }]
}

/** The best setting within a KL, and how sure it is that it stays there. */
export function withinBlocks({ max, best, candidates, settings }: WithinKl, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, frontierWords)
  const limit = shortNumber(max)
  const named = (state: WithinKl['settings'][number]['state']): readonly string[] =>
    settings.filter(each => each.state === state).map(({ setting }) => setting)
  const [open, unknown] = [named('open'), named('unknown')].map(names => speaker.listed(names))
  const lines = [
    best === null ? say('frontier.within.none', { max: limit }) : say('frontier.within', { max: limit, setting: best }),
    ...(candidates.length > 1 ? [say('frontier.within.tied', { settings: speaker.listed(candidates) })] : []),
    ...(open === '' ? [] : [say('frontier.within.open', { max: limit, settings: open })]),
    ...(unknown === '' ? [] : [say('frontier.within.unknown', { settings: unknown })]),
  ]
  return lines.map(line => paragraph(speaker.sentence(line)))
}

/** What was given away, as a size. */
function positive({ estimate, interval }: Figure): Figure {
  if (estimate >= 0) return { estimate, interval }
  return { estimate: -estimate, interval: interval === null ? null : [-interval[1], -interval[0]] }
}
