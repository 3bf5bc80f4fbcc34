import type { OtherSide, RunComparison } from '../analysis/compare/answer.js'
import { counted } from '../analysis/compare/axis.js'
import { areOfOneRun, type RunSide } from '../analysis/compare/evidence.js'
import { placeOn } from '../model/axis.js'
import type { Verdict } from '../model/verdict.js'
import { decimalsFor, fixed, signed } from '../text/numbers.js'
import { metricLabel } from '../text/vocabulary.js'
import { type Block, figure, type Inline, paragraph, strong } from './blocks.js'
import type { Voice } from './voice.js'

/** The first screen of a comparison: the answer in one sentence with its scope, and what not to conclude. */
export function answerBlocks(
  voice: Voice,
  sides: readonly [RunSide, RunSide],
  comparison: RunComparison,
  other: OtherSide,
): readonly Block[] {
  const verdict = other.headline
  const parts: Inline[] = [strong(answerSentence(voice, verdict, other, sides))]
  const size = sizeParts(voice, comparison, other)
  if (size !== null) parts.push(' ', ...size)
  for (const sentence of scopeSentences(voice, verdict, other, sides)) parts.push(' ', sentence)
  return [paragraph(...parts), ...(areOfOneRun(sides) ? [] : notToConclude(voice, other))]
}

function answerSentence(voice: Voice, verdict: Verdict, other: OtherSide, [a, b]: readonly [RunSide, RunSide]): string {
  const { answer, scope, interval } = verdict
  const params = { n: other.steps.length, first: a.runs.length, second: b.runs.length }
  if (interval === null) return voice.say('report.answer.none', {})
  if (answer === 'undetermined') return voice.say(`report.answer.undetermined.${scope}`, params)
  if (answer === 'same' || answer === 'different-but-small') {
    return voice.say(`report.answer.${answer}.${scope}`, { margin: marginText(voice, verdict, other) })
  }
  return voice.say(`report.answer.${answer}.${scope}`, { other: verdict.other, baseline: verdict.baseline })
}

export function marginText(voice: Voice, { margin }: Verdict, { level }: OtherSide): string {
  if (margin === null) return '–'
  return level > 0 ? voice.percent(margin / level).replace(/^\+/, '') : String(margin)
}

/** "kl stands 0.031 below no-kl on average (−1.6 %; 95 % interval −0.220 to +0.159)". */
function sizeParts(
  voice: Voice,
  comparison: RunComparison,
  { headline, level, steps, along }: OtherSide,
): Inline[] | null {
  const { estimate, interval } = headline
  if (estimate === null || interval === null) return null
  const decimals = decimalsFor(interval)
  const metric =
    comparison.canonical === null ? comparison.request.metric : metricLabel(comparison.canonical, voice.language)
  const text = voice.say('report.by', {
    metric,
    other: headline.other,
    size: '\u0001',
    direction: voice.say(estimate < 0 ? 'report.below' : 'report.above', { baseline: headline.baseline }),
    share: level > 0 ? voice.percent(estimate / level) : '–',
    low: signed(interval[0], decimals),
    high: signed(interval[1], decimals),
  })
  const [before, behind] = text.split('\u0001')
  const source = voice.say('report.source', {
    metric: comparison.request.metric,
    runs: `${headline.other} − ${headline.baseline}`,
    aggregate: voice.say('report.source.mean', {
      count: counted(along, headline.method?.numbers.evaluations ?? steps.length),
      from: placeOn(along.axis, steps[0] - (along.width ?? 0)),
      to: placeOn(along.axis, steps[steps.length - 1]),
    }),
  })
  return [before, figure(fixed(Math.abs(estimate), decimals), source), behind]
}

function scopeSentences(
  voice: Voice,
  { scope, tags }: Verdict,
  { attribution, headline }: OtherSide,
  [a, b]: readonly [RunSide, RunSide],
): readonly string[] {
  const [first, second] = [a.runs.length, b.runs.length]
  const onePrompts =
    tags.includes('these-prompts') || headline.reasons.some(({ key }) => key === 'compare.these-prompts')
  const oneSeed = first === 1 && second === 1
  const aboutRuns = oneSeed ? voice.say('report.scope.one-seed', {}) : voice.say('report.scope.runs', { first, second })
  const counted = headline.reasons.find(({ key }) => key === 'compare.prompts-counted')
  return [
    ...(scope === 'runs'
      ? [aboutRuns]
      : scope === 'configs'
        ? [voice.say('report.scope.configs', { first, second })]
        : []),
    ...(counted === undefined ? [] : [voice.say('report.scope.fresh', { prompts: counted.params.prompts })]),
    ...(onePrompts ? [voice.say('report.scope.prompts', {})] : []),
    ...(attribution.knobs.length > 1
      ? [voice.say('report.scope.confounded', { count: attribution.knobs.length })]
      : []),
  ]
}

/** What a hasty reader would take from the curves, and the data does not support. */
function notToConclude(voice: Voice, { verdicts, headline }: OtherSide): readonly Block[] {
  const open = (question: Verdict['question']): boolean =>
    verdicts.some(verdict => verdict.question === question && verdict.answer === 'undetermined')
  const items = [
    ...(open('speed') ? [voice.say('report.not.faster', {})] : []),
    ...(open('stability') ? [voice.say('report.not.steadier', {})] : []),
    ...(headline.answer === 'undetermined' ? [voice.say('report.not.equal', {})] : []),
  ]
  if (items.length === 0) return []
  const text = voice.say('report.not.pair', { list: items.join(voice.say('report.or', {})) })
  return [paragraph(strong(voice.say('report.not', {})), ' ', text)]
}
