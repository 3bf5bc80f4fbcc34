import type { OtherSide, RunComparison } from '../../analysis/compare/answer.js'
import { counted } from '../../analysis/compare/axis.js'
import { areOfOneRun, type RunSide } from '../../analysis/compare/evidence.js'
import { placeOn } from '../../model/axis.js'
import type { Verdict } from '../../model/verdict.js'
import { decimalsFor, fixed, signed } from '../../text/numbers.js'
import { message as words } from '../../text/say.js'
import { metricLabel } from '../../text/vocabulary.js'
import { type Block, figure, type Inline, paragraph, strong } from '../blocks.js'
import type { Speaker } from '../speaker.js'

/** The first screen of a comparison: the answer in one sentence with its scope, and what not to conclude. */
export function answerBlocks(
  speaker: Speaker,
  sides: readonly [RunSide, RunSide],
  comparison: RunComparison,
  other: OtherSide,
): readonly Block[] {
  const verdict = other.headline
  const parts: Inline[] = [strong(answerSentence(speaker, verdict, other, sides))]
  const size = sizeParts(speaker, comparison, other)
  if (size !== null) parts.push(' ', ...size)
  for (const sentence of scopeSentences(speaker, verdict, other, sides)) parts.push(' ', sentence)
  return [paragraph(...parts), ...(areOfOneRun(sides) ? [] : notToConclude(speaker, other))]
}

function answerSentence(
  speaker: Speaker,
  verdict: Verdict,
  other: OtherSide,
  [a, b]: readonly [RunSide, RunSide],
): string {
  const { answer, scope, interval } = verdict
  const params = { n: other.steps.length, first: a.runs.length, second: b.runs.length }
  if (interval === null) return speaker.say(words('report.answer.none', {}))
  if (answer === 'undetermined') return speaker.say(words(`report.answer.undetermined.${scope}`, params))
  if (answer === 'same' || answer === 'different-but-small') {
    return speaker.say(words(`report.answer.${answer}.${scope}`, { margin: marginText(speaker, verdict, other) }))
  }
  return speaker.say(words(`report.answer.${answer}.${scope}`, { other: verdict.other, baseline: verdict.baseline }))
}

export function marginText(speaker: Speaker, { margin }: Verdict, { level }: OtherSide): string {
  if (margin === null) return '–'
  return level > 0 ? speaker.percent(margin / level).replace(/^\+/, '') : String(margin)
}

/** "kl stands 0.031 below no-kl on average (−1.6 %; 95 % interval −0.220 to +0.159)". */
function sizeParts(
  speaker: Speaker,
  comparison: RunComparison,
  { headline, level, steps, along }: OtherSide,
): Inline[] | null {
  const { estimate, interval } = headline
  if (estimate === null || interval === null) return null
  const decimals = decimalsFor(interval)
  const metric =
    comparison.canonical === null ? comparison.request.metric : metricLabel(comparison.canonical, speaker.language)
  const text = speaker.say(
    words('report.by', {
      metric,
      other: headline.other,
      size: '\u0001',
      direction: speaker.say(words(estimate < 0 ? 'report.below' : 'report.above', { baseline: headline.baseline })),
      share: level > 0 ? speaker.percent(estimate / level) : '–',
      low: signed(interval[0], decimals),
      high: signed(interval[1], decimals),
    }),
  )
  const [before, behind] = text.split('\u0001')
  const source = speaker.say(
    words('report.source', {
      metric: comparison.request.metric,
      runs: `${headline.other} − ${headline.baseline}`,
      aggregate: speaker.say(
        words('report.source.mean', {
          count: counted(along, headline.method?.numbers.evaluations ?? steps.length),
          from: placeOn(along.axis, steps[0] - (along.width ?? 0)),
          to: placeOn(along.axis, steps[steps.length - 1]),
        }),
      ),
    }),
  )
  return [before, figure(fixed(Math.abs(estimate), decimals), source), behind]
}

function scopeSentences(
  speaker: Speaker,
  { scope, tags }: Verdict,
  { attribution, headline }: OtherSide,
  [a, b]: readonly [RunSide, RunSide],
): readonly string[] {
  const [first, second] = [a.runs.length, b.runs.length]
  const onePrompts =
    tags.includes('these-prompts') || headline.reasons.some(({ key }) => key === 'compare.these-prompts')
  const oneSeed = first === 1 && second === 1
  const aboutRuns = oneSeed
    ? speaker.say(words('report.scope.one-seed', {}))
    : speaker.say(words('report.scope.runs', { first, second }))
  const counted = headline.reasons.find(({ key }) => key === 'compare.prompts-counted')
  return [
    ...(scope === 'runs'
      ? [aboutRuns]
      : scope === 'configs'
        ? [speaker.say(words('report.scope.configs', { first, second }))]
        : []),
    ...(counted === undefined ? [] : [speaker.say(words('report.scope.fresh', { prompts: counted.params.prompts }))]),
    ...(onePrompts ? [speaker.say(words('report.scope.prompts', {}))] : []),
    ...(attribution.knobs.length > 1
      ? [speaker.say(words('report.scope.confounded', { count: attribution.knobs.length }))]
      : []),
  ]
}

/** What a hasty reader would take from the curves, and the data does not support. */
function notToConclude(speaker: Speaker, { verdicts, headline }: OtherSide): readonly Block[] {
  const open = (question: Verdict['question']): boolean =>
    verdicts.some(verdict => verdict.question === question && verdict.answer === 'undetermined')
  const items = [
    ...(open('speed') ? [speaker.say(words('report.not.faster', {}))] : []),
    ...(open('stability') ? [speaker.say(words('report.not.steadier', {}))] : []),
    ...(headline.answer === 'undetermined' ? [speaker.say(words('report.not.equal', {}))] : []),
  ]
  if (items.length === 0) return []
  const text = speaker.say(words('report.not.pair', { list: items.join(speaker.say(words('report.or', {}))) }))
  return [paragraph(strong(speaker.say(words('report.not', {}))), ' ', text)]
}
