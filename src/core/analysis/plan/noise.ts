import type { SampleScores } from '../../../logs/model/evaluation.js'
import { Problem } from '../../../logs/model/problem.js'
import type { Message } from '../../../logs/model/run.js'
import type { JudgedBy } from '../../../logs/model/vocabulary/judged-by.js'
import { detrended, mean, standardDeviation, variance } from '../../../stats/descriptive.js'
import { FEWEST_EVALUATIONS, pairedMean } from '../../../stats/paired-mean.js'
import { upperScatter } from '../../../stats/sample-size.js'
import { figure } from '../../../text/numbers.js'
import { message } from '../../../text/say.js'
import { sentences } from '../../../text/sentences.js'
import { shownName } from '../../store/manifest.js'
import { listSamples, readSamples } from '../../store/samples.js'
import { readSeries, type SeriesPoints } from '../../store/series.js'
import { align } from '../align.js'
import { promptVarianceOfShares } from '../compare/prompt-error.js'
import { copiesLeftOut, judgedSteps, withoutCopies } from '../conventions.js'
import { judgedBy } from '../goal.js'
import { differenceByPrompt, metricBehind, onSamePrompts, promptScores } from '../prompt-scores.js'
import type { RunView } from '../run-view.js'
import { accuracyScale, DISCORDANCE } from '../sweep/resolution.js'
import type { EvaluationNoise, Noise, PromptNoise } from './plan.js'

/** What a plan rests on: the noise of runs at hand, figures that are given, and what has to be assumed. */

export interface NoiseAtHand extends MeasuredNoise {
  /** Prompts behind each evaluation, where all runs agree. */
  readonly prompts: number | null
  /** 100 for accuracies in percent, 1 for shares, null for scores that are no accuracies. */
  readonly scale: 1 | 100 | null
  readonly judgedBy: JudgedBy | null
}

export async function noiseAtHand(
  sides: readonly { readonly label: string; readonly runs: readonly RunView[] }[],
  wanted: string,
): Promise<NoiseAtHand> {
  const metrics: string[] = []
  const planned: RunView[] = []
  const sizes: (number | null)[] = []
  const read: PlanSide[] = []
  const left: Message[] = []
  for (const { label, runs: named } of sides) {
    const { runs, copies } = withoutCopies(named)
    planned.push(...runs)
    if (copies.length > 0) left.push(copiesLeftOut(label, copies))
    const series = []
    const samples = []
    for (const run of runs) {
      const metric = run.metricsNamed(wanted)[0]
      const points = metric === undefined ? undefined : (await readSeries(run, [metric])).get(metric)
      if (metric === undefined || points === undefined || !points.values.some(Number.isFinite)) {
        throw new Problem('not-found', message('plan.no-metric', { run: shownName(run.manifest), metric: wanted }))
      }
      metrics.push(metric)
      sizes.push(run.validationSize)
      series.push(points)
      const behind = run.manifest.samples > 0 ? metricBehind(await listSamples(run), metric, points) : null
      samples.push(behind === null ? [] : await readSamples(run, { metric: behind }))
    }
    read.push({ label, series, samples, prompts: sizes[sizes.length - 1] })
  }
  const values = read.flatMap(({ series }) =>
    series.flatMap(points => Array.from(points.values).filter(Number.isFinite)),
  )
  const scale = accuracyScale(
    values,
    'max',
    metrics.map(metric => ({ metric, ...(/shot/i.test(metric) && { shots: 1 }) })),
  )
  const noise = noiseOf(read)
  const first = metrics[0]
  return {
    ...noise,
    judgedBy: first === undefined ? null : judgedBy(planned, [first]),
    sources: [...left, ...noise.sources],
    prompts: sizes.every(size => size === sizes[0]) ? sizes[0] : null,
    scale,
  }
}

/** Figures that a person knows; null where they do not. */
export interface GivenNoise {
  /** How much one run's score jitters from evaluation to evaluation. */
  readonly sd: number | null
  readonly seedSd: number | null
  readonly prompts: number | null
  /** Share of prompts on which two checkpoints differ. */
  readonly discordance: number | null
  /** An accuracy. */
  readonly p: number | null
}

export interface KnownNoise {
  readonly noise: Noise
  readonly prompts: number | null
  readonly level: number | null
  readonly assumptions: readonly Message[]
}

/** What is given stands above what was measured; what is still missing is assumed, aloud. */
export function knownNoise(given: GivenNoise, measured: NoiseAtHand | null): KnownNoise {
  const { sd, p: share, discordance } = given
  const prompts = given.prompts ?? measured?.prompts ?? null
  const scale = measured?.scale ?? 1
  const level = share ?? measured?.level ?? null
  const accuracy =
    share ?? (measured !== null && measured.scale !== null && prompts !== null ? measured.level / scale : null)
  const assumptions: Message[] = [...(measured?.sources ?? [])]

  const fromJitter = sd !== null && prompts !== null ? sd * Math.sqrt(prompts) : null
  const ofAccuracy = accuracy === null ? null : scale * Math.sqrt(accuracy * (1 - accuracy))
  const ofPrompts = share === null && measured !== null ? measured.promptScatter : null
  const promptScatter = ofPrompts ?? ofAccuracy ?? fromJitter
  if (fromJitter !== null && promptScatter === fromJitter) {
    assumptions.push(message('plan.assume.jitter', { scatter: figure(fromJitter, 4) }))
  }
  let pairedVariance = discordance === null ? (measured?.pairedVariance ?? null) : discordance * scale ** 2
  if (pairedVariance === null && accuracy !== null) {
    // Settings of real runs differ on a tenth to a third of the prompts: a plan for fewer would buy too few.
    pairedVariance = DISCORDANCE.high * scale ** 2
    assumptions.push(message('plan.assume.discordance', { share: 100 * DISCORDANCE.high }))
  } else if (pairedVariance === null && promptScatter !== null) {
    // Two scores of one prompt that share half of their variance: 2 σ² (1 − ½).
    pairedVariance = promptScatter ** 2
    assumptions.push(message('plan.assume.correlation', {}))
  }
  const evaluations =
    sd === null ? (measured?.evaluations ?? null) : { spread: sd * Math.SQRT2, autocorrelation: USUAL_AUTOCORRELATION }
  if (sd !== null) assumptions.push(message('plan.assume.autocorrelation', { r: USUAL_AUTOCORRELATION }))
  const seedScatter = given.seedSd ?? measured?.seedScatter ?? null
  if (seedScatter === null) assumptions.push(message('plan.assume.no-seeds', {}))
  const promptLuck = measured?.promptLuck ?? null
  const noise = { pairedVariance, promptScatter, evaluations, promptLuck, seedScatter }
  return { noise, prompts, level, assumptions }
}

/** The mean of real validation curves (0.06–0.35), and the floor of the paired test. */
const USUAL_AUTOCORRELATION = 0.3

/** The noise of runs at hand, for planning the next ones; every figure comes with the sentence that says where from. */

export interface PlanSide {
  readonly label: string
  /** One per run. */
  readonly series: readonly SeriesPoints[]
  /** Scores of single prompts, one list of batches per run. */
  readonly samples: readonly (readonly SampleScores[])[]
  /** Prompts behind each evaluation, where something tells. */
  readonly prompts?: number | null
}

export interface MeasuredNoise extends Noise {
  /** Mean score of the first side over its window: what a percentage is a percentage of. */
  readonly level: number
  readonly sources: readonly Message[]
}

export function noiseOf(sides: readonly PlanSide[]): MeasuredNoise {
  const evaluations = evaluationNoise(sides)
  const seeds = seedNoise(sides)
  const prompts = promptNoise(sides)
  const luck = luckOfPrompts(sides)
  return {
    pairedVariance: prompts?.pairedVariance ?? null,
    promptScatter: prompts?.promptScatter ?? null,
    evaluations: evaluations?.noise ?? null,
    promptLuck: luck?.noise ?? null,
    seedScatter: seeds?.scatter ?? null,
    level: mean(sides[0].series.map(summary)),
    sources: [
      ...(evaluations?.sources ?? []),
      ...(luck === null ? [] : [luck.source]),
      ...(seeds?.sources ?? []),
      ...(prompts === null ? [] : [prompts.source]),
    ],
  }
}

const say = sentences({
  'plan.upper-evaluations': {
    en: 'evaluations: planned with {upper}, the 80 % upper limit from {n} of them, for longer training (denser evaluations are more correlated)',
    zh: '验证：按 {n} 次验证所能给出的 80% 上限 {upper} 规划；适用于训练更久，而非验证更密（更密则自相关更强）',
  },
  'plan.upper-seeds': {
    en: 'seeds: planned with {upper}, the 80 % upper limit from so few runs',
    zh: '种子：run 数很少，按其 80% 上限 {upper} 规划',
  },
  'plan.luck-of-prompts': {
    en: 'runs: sampling noise of the {prompts} prompt{prompts||s} moves their difference by {error}; more evaluations do not change that',
    zh: 'run：{prompts} 个样本的抽样偶然性会使两者之差偏移 {error}，验证再多也不会减小',
  },
})

/**
 * By the scores of single prompts over what runs are judged by, else by the rule of thumb of a comparison, which takes
 * shares and a known number of prompts. Null where neither tells.
 */
function luckOfPrompts(sides: readonly PlanSide[]): { noise: PromptNoise; source: Message } | null {
  const [first, second] = pairOf(sides.map(({ samples, series, prompts = null }) => ({ samples, series, prompts })))
  const found = luckFromSamples(first, second) ?? luckFromNumber(first)
  if (found === null || !(found.error > 0)) return null
  return {
    noise: found,
    source: say('plan.luck-of-prompts', { prompts: found.prompts, error: figure(found.error, 2) }),
  }
}

interface PlanRun {
  readonly batches: readonly SampleScores[]
  readonly series: SeriesPoints
  readonly prompts: number | null
}

/** The first run of two sides, or two of one; one alone where there is no other. */
function pairOf(
  sides: readonly Required<Pick<PlanSide, 'samples' | 'series' | 'prompts'>>[],
): readonly [PlanRun, PlanRun | null] {
  const runs = sides.map(({ samples, series, prompts }) =>
    series.map((each, i): PlanRun => ({ batches: samples[i] ?? [], series: each, prompts })),
  )
  return [runs[0][0], sides.length > 1 ? runs[1][0] : (runs[0][1] ?? null)]
}

function luckFromSamples(first: PlanRun, second: PlanRun | null): PromptNoise | null {
  if (second === null || first.batches.length === 0 || second.batches.length === 0) return null
  const metric = first.batches[0].metric
  const scores = [first, second].map(({ batches }) => promptScores(batches.filter(batch => batch.metric === metric))[0])
  if (scores.some(each => each === undefined)) return null
  const same = onSamePrompts(scores)
  if (same === null) return null
  const steps = judgedSteps([...same[0].byStep.keys()].filter(step => same[1].byStep.has(step)).sort((a, b) => a - b))
  if (steps.length === 0) return null
  const differences = differenceByPrompt([same[0]], [same[1]], steps)
  return { error: Math.sqrt(variance(differences) / differences.length), prompts: differences.length }
}

function luckFromNumber({ series, prompts }: PlanRun): PromptNoise | null {
  const level = summary(series)
  if (prompts === null || Array.from(series.values).some(value => value < 0 || value > 1)) return null
  return { error: Math.sqrt(promptVarianceOfShares(level, prompts, 'final')), prompts }
}

/** Two runs as they are, else two replicates, else one run doubled. */
function evaluationNoise(sides: readonly PlanSide[]): { noise: EvaluationNoise; sources: Message[] } | null {
  const pair = sides.length > 1 ? [sides[0].series[0], sides[1].series[0]] : sides[0].series.slice(0, 2)
  const shared = align(pair)
  const n = shared.steps.length
  if (n < FEWEST_EVALUATIONS) return null
  const differences =
    pair.length > 1 ? shared.values[0].map((value, i) => shared.values[1][i] - value) : detrended(shared.values[0])
  const { autocorrelation, degreesOfFreedom } = pairedMean(differences)
  const spread = standardDeviation(differences) * (pair.length > 1 ? 1 : Math.SQRT2)
  if (!(spread > 0)) return null
  const params = { n, spread: figure(spread), autocorrelation: figure(autocorrelation) }
  const source = pair.length > 1 ? message('plan.from.pair', params) : message('plan.from.one-run', params)
  const upper = upperScatter(spread, degreesOfFreedom)
  const sources = [source, say('plan.upper-evaluations', { upper: figure(upper), n })]
  return { noise: { spread: upper, autocorrelation }, sources }
}

function seedNoise(sides: readonly PlanSide[]): { scatter: number; sources: Message[] } | null {
  const groups = sides
    .map(({ series }) => series.map(summary).filter(Number.isFinite))
    .filter(({ length }) => length > 1)
  if (groups.length === 0) return null
  const free = groups.reduce((sum, { length }) => sum + length - 1, 0)
  const scatter = Math.sqrt(groups.reduce((sum, values) => sum + variance(values) * (values.length - 1), 0) / free)
  if (!(scatter > 0)) return null
  const runs = groups.reduce((sum, { length }) => sum + length, 0)
  const upper = upperScatter(scatter, free)
  const source = message('plan.from.seeds', { scatter: figure(scatter), runs, settings: groups.length })
  return { scatter: upper, sources: [source, say('plan.upper-seeds', { upper: figure(upper) })] }
}

/** A run as one number: its mean over what runs are judged by. */
function summary(series: SeriesPoints): number {
  const { steps, values } = align([series])
  return mean(values[0].slice(-judgedSteps(steps).length))
}

/** The last evaluation that two runs share, prompt by prompt; of one run alone, its last two checkpoints. */
function promptNoise(
  sides: readonly PlanSide[],
): { pairedVariance: number | null; promptScatter: number; source: Message } | null {
  const runs = (sides.length > 1 ? [sides[0].samples[0], sides[1].samples[0]] : sides[0].samples.slice(0, 2)).filter(
    batches => batches !== undefined && batches.length > 0,
  )
  const first = runs[0]?.at(-1)
  if (first === undefined) return null
  const scores = meanByPrompt(first)
  const promptScatter = standardDeviation([...scores.values()])
  const second =
    runs.length > 1
      ? runs[1].findLast(({ metric, step }) => metric === first.metric && step === first.step)
      : runs[0].findLast(({ metric, step }) => metric === first.metric && step < first.step)
  const others = second === undefined ? new Map<string, number>() : meanByPrompt(second)
  const differences = [...scores].flatMap(([id, score]) => {
    const other = others.get(id)
    return other === undefined ? [] : [other - score]
  })
  const params = { metric: first.metric, step: first.step, n: scores.size }
  if (differences.length < 2) {
    return {
      pairedVariance: null,
      promptScatter,
      source: message('plan.from.prompts-one', { ...params, scatter: figure(promptScatter) }),
    }
  }
  const pairedVariance = variance(differences)
  const source = message(runs.length > 1 ? 'plan.from.prompts' : 'plan.from.neighbours', {
    ...params,
    n: differences.length,
    variance: figure(pairedVariance),
  })
  return { pairedVariance, promptScatter, source }
}

function meanByPrompt({ ids, scores }: SampleScores): Map<string, number> {
  const sums = new Map<string, { sum: number; count: number }>()
  ids.forEach((id, i) => {
    const { sum, count } = sums.get(id) ?? { sum: 0, count: 0 }
    sums.set(id, { sum: sum + scores[i], count: count + 1 })
  })
  return new Map([...sums].map(([id, { sum, count }]) => [id, sum / count]))
}
