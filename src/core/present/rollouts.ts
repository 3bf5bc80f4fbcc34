import type { RolloutsAnswer } from '../../app/ask/rollouts.js'
import type { Language } from '../../text/language.js'
import { figure } from '../../text/numbers.js'
import { message as words } from '../../text/say.js'
import type { Chart } from '../charts/chart.js'
import { curvesChart } from '../charts/curves.js'
import { type Block, headline, type Inline, paragraph, section, strong, table, toned } from './blocks.js'
import { alternativeBlocks, endOf } from './samples.js'
import { type Speaker, saying, speakerIn } from './speaker.js'
import { shortNumber, shortStep } from './terminal-text.js'
import { beginningOf, textsBlock } from './texts.js'

/** The answers of a step: how their scores are spread, why they ended, and those that were looked for, with their texts. */

type Rollout = RolloutsAnswer['rollouts'][number]

export function rolloutsBlocks(answer: RolloutsAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const { label, metric, step, steps, rollouts, found, total, byStep } = answer
  if (byStep !== null) return rewardedBlocks(answer, byStep, speaker)
  const at =
    step === null ? say('rollouts.all-steps', { n: steps.length }) : say('rollouts.at', { step: shortStep(step) })
  return [
    headline(metric, label, at, say('rollouts.head', { found, total, shown: rollouts.length })),
    ...spreadBlocks(answer, speaker),
    ...rollouts.flatMap(each => rolloutBlocks(each, answer, speaker)),
  ]
}

/** Of one answer; the whole text is in --json. */
const EXAMPLE_LINES = 6
const EXAMPLE_CHARACTERS = 600

/** What was rewarded step by step: a table, then one of the best answers at each step. */
function rewardedBlocks(
  { label, metric, steps, alternatives }: RolloutsAnswer,
  byStep: NonNullable<RolloutsAnswer['byStep']>,
  speaker: Speaker,
): readonly Block[] {
  const say = saying(speaker, words)
  const header = (['step', 'answers', 'mean', 'best', 'top', 'distinct', 'top-length', 'length'] as const).map(name =>
    say(`samples.course.${name}`, {}),
  )
  const known = (value: number | null): string => (value === null ? '–' : shortNumber(value))
  const shown = byStep.flatMap(each => steps.flatMap(step => (step.step === each.step ? [{ ...step, ...each }] : [])))
  const rows = shown.map(({ step, answers, mean, best, top, distinct, topLength, length }) => [
    shortStep(step),
    String(answers),
    ...[mean, best].map(shortNumber),
    String(top),
    distinct === null ? '–' : String(distinct),
    ...[topLength, length].map(known),
  ])
  const texts = shown.flatMap(({ step, best, example }) => {
    if (example?.output == null) return []
    const text = example.output.trim()
    const excerpt = beginningOf(text, EXAMPLE_LINES, EXAMPLE_CHARACTERS)
    return [
      paragraph(strong(`${label}@${shortStep(step)}`), `  ${shortNumber(best)}`),
      ...(example.input === null ? [] : [paragraph(toned(endOf(example.input), 'quiet'))]),
      { kind: 'texts', items: [{ title: '', text: excerpt === text ? text : `${excerpt}\n…` }] } as const,
    ]
  })
  return [
    headline(metric, label, say('samples.course.steps', { n: steps.length, shown: shown.length })),
    ...alternativeBlocks(alternatives, speaker),
    table(header, rows),
    texts.length === 0
      ? paragraph(strong(say('samples.no-texts', { side: label })))
      : section(say('samples.course.examples', {}), ...texts),
    paragraph(toned(say('samples.course.hint', {}), 'quiet')),
  ]
}

const BAR = 24

function spreadBlocks({ bins, ends, texts, pass }: RolloutsAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const most = Math.max(...bins.map(({ n }) => n))
  const bars = bins
    .filter(({ n }) => n > 0)
    .map(({ low, high, n }): readonly Inline[] => [
      low === high ? shortNumber(low) : `${shortNumber(low)} … ${shortNumber(high)}`,
      String(n),
      toned('█'.repeat(Math.max(1, Math.round((BAR * n) / most))), 'quiet'),
    ])
  const reasons = ends.map(({ why, n }) => [why, String(n)])
  const [first, last] = [pass?.steps[0], pass?.steps.at(-1)]
  return [
    ...(bars.length > 1 ? [section(say('rollouts.scores', {}), table([], bars))] : []),
    ...(reasons.length > 0 ? [section(say('rollouts.ends', {}), table([], reasons))] : []),
    ...(texts !== null && texts.repeated > 0 ? [paragraph(say('rollouts.distinct', texts))] : []),
    ...(pass !== null && first !== undefined && last !== undefined
      ? [paragraph(say('rollouts.pass', { ...passFigures(first, last), k: pass.k, metric: pass.metric }))]
      : []),
  ]
}

type PassStep = NonNullable<RolloutsAnswer['pass']>['steps'][number]

function passFigures(first: PassStep, last: PassStep) {
  return {
    oneFirst: figure(first.one, 3),
    oneLast: figure(last.one, 3),
    manyFirst: figure(first.many, 3),
    manyLast: figure(last.many, 3),
    from: first.step,
    to: last.step,
  }
}

function rolloutBlocks(rollout: Rollout, { step }: RolloutsAnswer, speaker: Speaker): readonly Block[] {
  const { prompt, score, input, output, choice } = rollout
  const facts = rolloutFacts(rollout, speaker)
  const at = step === null ? `@${shortStep(rollout.step)}` : ''
  return [
    paragraph(strong(`${shortNumber(score)}  ${prompt}${at}`), toned(`  ${facts.join('  ')}`, 'quiet')),
    ...(input === null ? [] : [paragraph(toned(endOf(input), 'quiet'))]),
    textsBlock([''], [output ?? choice], speaker),
  ]
}

/** What is said of an answer beside its score, here and on the page. */
export function rolloutFacts({ repeat, group, groupMean, score, same, ended, parts }: Rollout, speaker: Speaker) {
  const say = saying(speaker, words)
  const difference = score - groupMean
  const signed = `${difference < 0 ? '−' : '+'}${shortNumber(Math.abs(difference))}`
  return [
    ...(group > 1 ? [say('rollouts.attempt', { n: repeat + 1 })] : []),
    ...(group > 1 ? [say('rollouts.group', { difference: signed, n: group })] : []),
    ...Object.entries(parts)
      .filter(([name]) => name !== 'truncated' || ended === null)
      .map(([name, value]) => `${name} ${shortNumber(value)}`),
    ...(ended === null ? [] : [say('rollouts.ended', { why: ended })]),
    ...(same > 1 ? [say('rollouts.same', { n: same })] : []),
  ]
}

/** Mean and best score at each step; and where answers are right or wrong, one attempt beside the best of k. */
export function scoreOverSteps({ metric, goal, steps, pass }: RolloutsAnswer, language: Language): readonly Chart[] {
  const say = saying(speakerIn(language), words)
  const line = <Step extends { readonly step: number }>(of: readonly Step[], value: (step: Step) => number) => ({
    steps: of.map(({ step }) => step),
    values: of.map(value),
  })
  const scores = curvesChart({
    language,
    metric: { name: metric, goal },
    sides: [
      { label: say('rollouts.mean', {}), line: line(steps, ({ mean }) => mean) },
      { label: say('rollouts.best', {}), line: line(steps, ({ best }) => best) },
    ],
  })
  if (pass === null) return [scores]
  const attempts = curvesChart({
    language,
    metric: { name: say('rollouts.pass-title', { k: pass.k, metric: pass.metric }), goal: 'max' },
    sides: [
      { label: 'pass@1', line: line(pass.steps, ({ one }) => one) },
      { label: `pass@${pass.k}`, line: line(pass.steps, ({ many }) => many) },
    ],
  })
  return [scores, attempts]
}
