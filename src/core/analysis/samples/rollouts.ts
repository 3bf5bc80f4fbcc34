import { z } from 'zod'
import { isSameCondition } from '../../../logs/model/evaluation.js'
import { Problem } from '../../../logs/model/problem.js'
import { list } from '../../../logs/model/schema.js'
import { tokenScoresIn } from '../../../logs/model/token-scores.js'
import { groupBy } from '../../../logs/model/util/group-by.js'
import { passAtK } from '../../../stats/item-mean.js'
import { message } from '../../../text/say.js'
import {
  openRollouts,
  type RolloutFilter,
  type RolloutOrder,
  type RolloutSet,
  rolloutKey,
  type StepTally,
  tallySteps,
} from '../../store/rollouts.js'
import { countSamples } from '../../store/samples.js'
import { condition } from '../answer-fields.js'
import { isTraining } from '../prompt-scores.js'
import type { RunView } from '../run-view.js'
import { sampleText } from './sample-text.js'
import {
  agrees,
  lastPart,
  type NamedSide,
  noSamples,
  noStep,
  partsOf,
  preferredScore,
  type SampleRequest,
  SCORE_ORDER,
} from './select.js'

/** The answers of one run at a step: how their scores are spread, and the ones that are looked for, a page at a time. */

const rollout = sampleText.extend({
  step: z.number(),
  prompt: z.string(),
  repeat: z.number(),
  score: z.number(),
  /** The other figures of the answer, by name: parts of the reward, an advantage, lengths. */
  parts: z.record(z.string(), z.number()),
  /** Answers to this prompt at this step, and their mean score. */
  group: z.number(),
  groupMean: z.number(),
  /** Characters of the answer. */
  length: z.number().nullable(),
  ended: z.string().nullable(),
  /** Answers with the same text, this one included. */
  same: z.number(),
  /** Whether input or output go on behind what is given here. */
  isCut: z.boolean(),
  /** Where they were logged. */
  tokens: list(
    z.object({ text: z.string(), logProb: z.number().nullable(), kl: z.number().nullable() }).readonly(),
  ).nullable(),
})

export const rolloutsAnswer = z.object({
  run: z.string(),
  label: z.string(),
  metric: z.string(),
  goal: z.enum(['max', 'min']),
  condition,
  /** Null: all steps. */
  step: z.number().nullable(),
  /** Other scores and other conditions that this run has answers for. */
  alternatives: list(z.string()),
  conditions: list(condition),
  steps: list(
    z.object({ step: z.number(), prompts: z.number(), answers: z.number(), mean: z.number(), best: z.number() }),
  ),
  /** Of a score that is right or wrong, with several answers a prompt: one attempt, and the best of k (Chen et al. 2021). */
  pass: z
    .object({
      metric: z.string(),
      k: z.number(),
      steps: list(z.object({ step: z.number(), one: z.number(), many: z.number() })),
    })
    .nullable(),
  /** How the scores of the step are spread; `low` and `high` are scores that occur, except in an empty bin. */
  bins: list(z.object({ low: z.number(), high: z.number(), n: z.number() })),
  ends: list(z.object({ why: z.string(), n: z.number() })),
  /** Answers whose text is kept, how many different texts they are, and how many answers share theirs with another. */
  texts: z.object({ answers: z.number(), distinct: z.number(), repeated: z.number() }).nullable(),
  /** Answers of the step, and those that fit the filter. */
  total: z.number(),
  found: z.number(),
  rollouts: list(rollout),
  /**
   * What is rewarded, step by step, where that was asked for: at some steps, evenly spread, the best answers beside all others.
   * A reward that is being gamed shows here before any curve turns: the best answers grow, or become one and the same.
   */
  byStep: list(
    z.object({
      step: z.number(),
      top: z.number(),
      distinct: z.number().nullable(),
      /** Characters, the median over the best answers and over all. */
      topLength: z.number().nullable(),
      length: z.number().nullable(),
      /** The best answer of the median length: neither the shortest nor the longest of them. */
      example: sampleText.extend({ prompt: z.string(), repeat: z.number() }).nullable(),
    }),
  ).nullable(),
})

export type RolloutsFound = z.infer<typeof rolloutsAnswer>

export interface RolloutRequest extends SampleRequest {
  readonly allSteps: boolean
  readonly filter: RolloutFilter
  readonly order: RolloutOrder | null
  readonly from: number
  readonly most: number
  /** Whole texts; else long ones are cut. */
  readonly whole: boolean
  /** At how many steps what is rewarded is wanted. */
  readonly byStep: number | null
}

export async function findRollouts(side: NamedSide, request: RolloutRequest): Promise<RolloutsFound> {
  const { label, run } = side
  const { set, steps, parts, alternatives, conditions } = await chooseSet(side, request)
  const goal = run.meaningOf(set.metric).goal ?? 'max'
  const [opened, tallies] = await Promise.all([openRollouts(run, set), tallySteps(run, set)])
  const order = request.order ?? (goal === 'max' ? 'highest' : 'lowest')
  const [counts, page, pass] = await Promise.all([
    opened.count(),
    opened.page(request.filter, { order, from: request.from, most: request.most }),
    passOverSteps(side, set, tallies, parts),
  ])
  const [figures, texts, byStep] = await Promise.all([
    opened.parts(page.rows, [...parts.values()]),
    opened.wholeTexts(page.rows),
    request.byStep === null ? null : rewardedByStep(run, set, spread(steps, request.byStep), goal),
  ])
  return {
    ...{ run: run.manifest.id, label, metric: set.metric, goal, condition: set.condition, step: set.step },
    ...{ alternatives, conditions },
    steps: steps.map(step => stepOf(step, tallies, goal)),
    pass,
    bins: binsOf(counts.scores, counts.counts),
    ends: counts.ends,
    texts: opened.hasTexts ? { answers: counts.texts, distinct: counts.distinct, repeated: counts.repeated } : null,
    total: counts.counts.reduce((sum, n) => sum + n, 0),
    found: page.found,
    rollouts: page.rows.map(({ sample, ...row }) => {
      const own = figures.get(rolloutKey({ ...row, sample }))
      const text = texts.get(rolloutKey({ ...row, sample }))
      const [input, output] = [text?.input ?? null, text?.output ?? null].map(each => shown(each, request.whole))
      return {
        ...row,
        prompt: sample,
        parts: Object.fromEntries(
          [...parts].flatMap(([name, metric]) => {
            const value = own?.get(metric)
            return value === undefined ? [] : [[name, value] as const]
          }),
        ),
        input,
        output,
        expected: shown(text?.expected ?? null, request.whole),
        choice: shown(text?.choice ?? null, request.whole),
        isCut: input !== (text?.input ?? null) || output !== (text?.output ?? null),
        tokens: tokenScoresIn(text?.tokens ?? null),
      }
    }),
    byStep,
  }
}

async function rewardedByStep(
  run: RunView,
  set: RolloutSet,
  steps: readonly number[],
  goal: 'max' | 'min',
): Promise<RolloutsFound['byStep']> {
  const opened = await openRollouts(run, { ...set, step: null })
  const found = (await opened.best(steps, goal)).map(({ sample, repeat, ...about }) => ({
    ...about,
    place: sample === null || repeat === null ? null : { step: about.step, sample, repeat },
  }))
  const texts = await opened.wholeTexts(found.flatMap(({ place }) => place ?? []))
  return found.map(({ place, ...about }) => {
    const text = place === null ? undefined : texts.get(rolloutKey(place))
    if (place === null || text === undefined) return { ...about, example: null }
    const { tokens: _, ...example } = text
    return { ...about, example: { ...example, prompt: place.sample, repeat: place.repeat } }
  })
}

/** The first and the last among them. */
function spread(steps: readonly number[], count: number): readonly number[] {
  if (steps.length <= count) return steps
  if (count === 1) return steps.slice(-1)
  return Array.from({ length: count }, (_, i) => steps[Math.round((i * (steps.length - 1)) / (count - 1))])
}

/** More of a text than is read at a glance; the rest is asked for. */
const TEXT_SHOWN = 4_000

function shown(text: string | null, whole: boolean): string | null {
  return text === null || whole || text.length <= TEXT_SHOWN ? text : text.slice(0, TEXT_SHOWN).toWellFormed()
}

interface ChosenSet {
  readonly set: RolloutSet
  readonly steps: readonly number[]
  readonly parts: ReadonlyMap<string, string>
  readonly alternatives: readonly string[]
  readonly conditions: RolloutsFound['conditions']
}

/** What training rewarded, where that was kept at several steps or nothing else was; of several data sets the one with most answers. */
async function chooseSet(side: NamedSide, request: RolloutRequest): Promise<ChosenSet> {
  const { run, label } = side
  const all = await countSamples(run)
  if (all.length === 0) throw noSamples(label)
  const fitting = all.filter(set => agrees(set.condition, request.condition))
  const metrics = [...new Set(fitting.map(set => set.metric))]
  const stepsOf = (metric: string): number =>
    new Set(fitting.flatMap(set => (set.metric === metric ? set.step : []))).size
  const trained = metrics.filter(metric => isTraining(metric) && stepsOf(metric) > 1)
  const metric = preferredScore(request.metric === null && trained.length > 0 ? trained : metrics, request.metric, run)
  if (metric === null) {
    throw new Problem('not-found', message('samples.no-metric', { metrics: metrics.slice(0, 12).join(', ') || '–' }))
  }
  const scored = fitting.filter(set => set.metric === metric)
  const answersIn = (sets: typeof scored): number => sets.reduce((sum, { answers }) => sum + answers, 0)
  const byCondition = [...groupBy(scored, set => JSON.stringify(set.condition)).values()]
  const [chosen] = byCondition.toSorted((a, b) => answersIn(b) - answersIn(a))
  const steps = [...new Set(chosen.map(({ step }) => step))].sort((a, b) => a - b)
  const step = request.allSteps ? null : (side.step ?? steps[steps.length - 1])
  if (step !== null && !steps.includes(step)) throw noStep({ ...side, step }, steps)
  const beside = all.filter(set => isSameCondition(set.condition, chosen[0].condition))
  const parts = partsOf(metric, [...new Set(beside.map(set => set.metric))])
  return {
    set: { metric, condition: chosen[0].condition, step, truncated: parts.get('truncated') ?? null },
    steps,
    parts,
    alternatives: metrics.filter(each => each !== metric),
    conditions: byCondition.map(([{ condition }]) => condition),
  }
}

function stepOf(step: number, tallies: readonly StepTally[], goal: 'max' | 'min'): RolloutsFound['steps'][number] {
  const own = tallies.filter(tally => tally.step === step)
  const prompts = own.reduce((sum, tally) => sum + tally.prompts, 0)
  const answers = own.reduce((sum, tally) => sum + tally.prompts * tally.answers, 0)
  const total = own.reduce((sum, tally) => sum + tally.total, 0)
  const best =
    goal === 'max' ? Math.max(...own.map(({ highest }) => highest)) : Math.min(...own.map(({ lowest }) => lowest))
  return { step, prompts, answers, mean: total / answers, best }
}

/** Of the score itself, else of a part of it that is right or wrong. */
async function passOverSteps(
  { run }: NamedSide,
  set: RolloutSet,
  tallies: readonly StepTally[],
  parts: ReadonlyMap<string, string>,
): Promise<RolloutsFound['pass']> {
  const own = passIn(set.metric, tallies)
  if (own !== null || tallies.every(({ answers }) => answers === 1)) return own
  const judged = [...parts.values()].find(metric => SCORE_ORDER.slice(2).includes(lastPart(metric)))
  return judged === undefined ? null : passIn(judged, await tallySteps(run, { ...set, metric: judged }))
}

/** With as many attempts as every prompt has. */
function passIn(metric: string, tallies: readonly StepTally[]): RolloutsFound['pass'] {
  const k = Math.min(...tallies.map(({ answers }) => answers))
  if (!(k > 1) || tallies.some(({ isBinary }) => !isBinary)) return null
  const steps = [...groupBy(tallies, ({ step }) => step)].map(([step, own]) => {
    const prompts = own.reduce((sum, tally) => sum + tally.prompts, 0)
    const over = (share: (tally: StepTally) => number): number =>
      own.reduce((sum, tally) => sum + tally.prompts * share(tally), 0) / prompts
    return {
      step,
      one: over(({ right, answers }) => right / answers),
      many: over(({ right, answers }) => passAtK(answers, right, k)),
    }
  })
  return { metric, k, steps }
}

/** So many different scores have a bin each; more of them are parted into stretches of one length. */
const MOST_SINGLE = 12
const STRETCHES = 24

function binsOf(scores: Float64Array, counts: Float64Array): RolloutsFound['bins'] {
  if (scores.length <= MOST_SINGLE) return Array.from(scores, (score, i) => ({ low: score, high: score, n: counts[i] }))
  const first = scores[0]
  const width = (scores[scores.length - 1] - first) / STRETCHES
  const bins = Array.from({ length: STRETCHES }, (_, i) => ({
    low: first + i * width,
    high: first + (i + 1) * width,
    n: 0,
  }))
  for (const [i, score] of scores.entries()) {
    const bin = bins[Math.min(STRETCHES - 1, Math.floor((score - first) / width))]
    if (bin.n === 0) bin.low = score
    bin.high = score
    bin.n += counts[i]
  }
  return bins
}
