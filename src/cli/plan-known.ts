import { copiesLeftOut, withoutCopies } from '../analysis/conventions.js'
import type { Noise } from '../analysis/plan/plan.js'
import { type MeasuredNoise, noiseOf, type PlanSide } from '../analysis/plan/plan-noise.js'
import { metricBehind } from '../analysis/read-scores.js'
import { viewRun } from '../analysis/run-view.js'
import { accuracyScale, DISCORDANCE } from '../analysis/sweep/sweep-resolution.js'
import type { Message } from '../model/run.js'
import { shownName } from '../store/manifest.js'
import { workspaceWords } from '../store/meaning.js'
import { listSamples, readSamples } from '../store/samples.js'
import { readSeries } from '../store/series.js'
import { openWorkspace } from '../store/workspace.js'
import { message } from '../text/say.js'
import { type Context, UserError } from './context.js'
import { findRuns } from './find-runs.js'
import { numberFrom } from './size.js'
import { printable, shortNumber } from './style.js'

/** What a plan rests on: the noise of runs at hand, figures from the command line, and what has to be assumed. */

export interface PlanOptions {
  readonly json?: boolean
  readonly metric?: string
  readonly difference?: string
  readonly margin?: string
  readonly power?: string
  readonly sd?: string
  readonly seedSd?: string
  readonly prompts?: string
  readonly discordance?: string
  readonly p?: string
  readonly evals?: string
  readonly budget?: string
  readonly costRun?: string
  readonly costPrompt?: string
}

export interface Known {
  readonly noise: Noise
  readonly prompts: number | null
  readonly level: number | null
  readonly assumptions: readonly Message[]
}

export async function measuredNoise(
  context: Context,
  names: readonly string[],
  wanted: string,
): Promise<MeasuredNoise & { readonly prompts: number | null; readonly scale: 1 | 100 | null }> {
  const words = await workspaceWords(await openWorkspace())
  const metrics: string[] = []
  const sizes: (number | null)[] = []
  const sides: PlanSide[] = []
  const left: Message[] = []
  for (const name of names) {
    const { runs, copies } = withoutCopies((await findRuns(context, name)).map(run => viewRun(run, words)))
    if (copies.length > 0) left.push(copiesLeftOut(name, copies))
    const series = []
    const samples = []
    for (const run of runs) {
      const metric = run.metricsNamed(wanted)[0]
      const points = metric === undefined ? undefined : (await readSeries(run, [metric])).get(metric)
      if (metric === undefined || points === undefined || !points.values.some(Number.isFinite)) {
        throw new UserError(
          context.say('plan.no-metric', { run: printable(shownName(run.manifest)), metric: printable(wanted) }),
        )
      }
      metrics.push(metric)
      sizes.push(run.validationSize)
      series.push(points)
      const behind = run.manifest.samples > 0 ? metricBehind(await listSamples(run.folder), metric, points) : null
      samples.push(behind === null ? [] : await readSamples(run.folder, { metric: behind }))
    }
    sides.push({ label: name, series, samples, prompts: sizes[sizes.length - 1] })
  }
  const values = sides.flatMap(({ series }) =>
    series.flatMap(points => Array.from(points.values).filter(Number.isFinite)),
  )
  const scale = accuracyScale(
    values,
    'max',
    metrics.map(metric => ({ metric, ...(/shot/i.test(metric) && { shots: 1 }) })),
  )
  const noise = noiseOf(sides)
  const sources = [...left, ...noise.sources]
  return { ...noise, sources, prompts: sizes.every(size => size === sizes[0]) ? sizes[0] : null, scale }
}

/** What was said on the command line stands above what was measured; what is still missing is assumed, aloud. */
export function knownNoise(
  context: Context,
  options: PlanOptions,
  measured: Awaited<ReturnType<typeof measuredNoise>> | null,
): Known {
  const given = (option: string, text: string | undefined, below?: number): number | null =>
    numberFrom(context, option, text, { above: 0, ...(below !== undefined && { below }) })
  const sd = given('--sd', options.sd)
  const seedSd = given('--seed-sd', options.seedSd)
  const share = given('--p', options.p, 1)
  const discordance = given('--discordance', options.discordance, 1)
  const prompts =
    numberFrom(context, '--prompts', options.prompts, { above: 0, whole: true }) ?? measured?.prompts ?? null
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
    assumptions.push(message('plan.assume.jitter', { scatter: shortNumber(fromJitter) }))
  }
  let pairedVariance = discordance === null ? (measured?.pairedVariance ?? null) : discordance * scale ** 2
  if (pairedVariance === null && accuracy !== null) {
    pairedVariance = DISCORDANCE.low * scale ** 2
    assumptions.push(message('plan.assume.discordance', { share: 100 * DISCORDANCE.low }))
  } else if (pairedVariance === null && promptScatter !== null) {
    // Two scores of one prompt that share half of their variance: 2 σ² (1 − ½).
    pairedVariance = promptScatter ** 2
    assumptions.push(message('plan.assume.correlation', {}))
  }
  const evaluations =
    sd === null ? (measured?.evaluations ?? null) : { spread: sd * Math.SQRT2, autocorrelation: USUAL_AUTOCORRELATION }
  if (sd !== null) assumptions.push(message('plan.assume.autocorrelation', { r: USUAL_AUTOCORRELATION }))
  const seedScatter = seedSd ?? measured?.seedScatter ?? null
  if (seedScatter === null) assumptions.push(message('plan.assume.no-seeds', {}))
  const promptLuck = measured?.promptLuck ?? null
  const noise = { pairedVariance, promptScatter, evaluations, promptLuck, seedScatter }
  return { noise, prompts, level, assumptions }
}

/** The floor of facts 1.3, and the mean of real validation curves (0.06–0.35). */
const USUAL_AUTOCORRELATION = 0.3
