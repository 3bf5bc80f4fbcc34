import { Problem } from '../../model/problem.js'
import type { Message } from '../../model/run.js'
import { shownName } from '../../store/manifest.js'
import { listSamples, readSamples } from '../../store/samples.js'
import { readSeries } from '../../store/series.js'
import { figure } from '../../text/numbers.js'
import { message } from '../../text/say.js'
import { copiesLeftOut, withoutCopies } from '../conventions.js'
import { metricBehind } from '../read-scores.js'
import type { RunView } from '../run-view.js'
import { accuracyScale, DISCORDANCE } from '../sweep/sweep-resolution.js'
import type { Noise } from './plan.js'
import { type MeasuredNoise, noiseOf, type PlanSide } from './plan-noise.js'

/** What a plan rests on: the noise of runs at hand, figures that are given, and what has to be assumed. */

export interface NoiseAtHand extends MeasuredNoise {
  /** Prompts behind each evaluation, where all runs agree. */
  readonly prompts: number | null
  /** 100 for accuracies in percent, 1 for shares, null for scores that are no accuracies. */
  readonly scale: 1 | 100 | null
}

export async function noiseAtHand(
  sides: readonly { readonly label: string; readonly runs: readonly RunView[] }[],
  wanted: string,
): Promise<NoiseAtHand> {
  const metrics: string[] = []
  const sizes: (number | null)[] = []
  const read: PlanSide[] = []
  const left: Message[] = []
  for (const { label, runs: named } of sides) {
    const { runs, copies } = withoutCopies(named)
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
  return {
    ...noise,
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
