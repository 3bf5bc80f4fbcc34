import { type Evaluation, evaluatedName } from '../../../logs/model/evaluation.js'
import { groupBy } from '../../../logs/model/util/group-by.js'
import { numberOf } from '../../../logs/model/vocabulary/config-value.js'
import { readEvaluations } from '../../store/evaluations.js'
import { shownName } from '../../store/manifest.js'
import { readSeries } from '../../store/series.js'
import { seriesOf } from '../align.js'
import { promptsBehind } from '../compare/evidence.js'
import { type PromptScores, readScores as readScoresBehind } from '../prompt-scores.js'
import type { RunView } from '../run-view.js'
import { type Blocks, blocksOf, type Knob, knobOf } from './knobs.js'
import { conditionKey, type Scores, type SweepRun, settingKey, type Training } from './matrix.js'

/** Runs as a sweep looks at them: which setting each belongs to, and everything it scored and logged. */
export interface LoadedSweep {
  readonly runs: readonly SweepRun[]
  /** The keys swept over, by canonical name where they have one. */
  readonly keys: readonly string[]
  readonly blocks: Blocks
  /** Runs that lack one of the keys. */
  readonly without: readonly RunView[]
  /** Runs whose log prints another KL coefficient than their config. */
  readonly logged: readonly LoggedCoefficient[]
}

export interface LoggedCoefficient {
  readonly run: string
  readonly configured: number
  readonly logged: number
}

export async function loadSweep(
  loaded: readonly RunView[],
  keys: readonly string[],
  metric: string,
): Promise<LoadedSweep> {
  const turned = loaded.map(run => ({ run, knobs: knobsOf(run, keys) }))
  const having = turned.flatMap(({ run, knobs }) => (knobs === null ? [] : [{ run, knobs }]))
  const canonical = keys.map((key, i) => having[0]?.knobs[i].key ?? key)
  const blocks = blocksOf(
    having.map(({ run }) => run),
    canonical,
    having.map(({ knobs }) => settingKey(knobs.map(({ effective }) => effective))),
  )
  const runs: SweepRun[] = []
  // One after the other: ten thousand queries at once would need a connection each.
  for (const [i, { run, knobs }] of having.entries()) {
    const scores = await readScores(run, run.metricsNamed(metric))
    runs.push({
      id: run.manifest.id,
      label: shownName(run.manifest),
      knobs,
      block: blocks.of[i],
      scores,
      promptScores: await readPromptScores(run, scores),
      training: await readTraining(run),
      klCoefficient: run.kl.inLoss.coefficient,
    })
  }
  return {
    runs,
    keys: canonical,
    blocks,
    without: turned.filter(({ knobs }) => knobs === null).map(({ run }) => run),
    logged: canonical.includes('kl.loss.coef') ? having.flatMap(({ run, knobs }) => loggedCoefficient(run, knobs)) : [],
  }
}

function knobsOf(run: RunView, keys: readonly string[]): readonly Knob[] | null {
  const knobs = keys.map(key => knobOf(run, key))
  const found = knobs.filter(knob => knob !== null)
  return found.length === keys.length ? found : null
}

/** Three printed digits apart: less may be rounding. */
const PRINTED_APART = 0.01

function loggedCoefficient({ manifest, carriersAmong }: RunView, knobs: readonly Knob[]): LoggedCoefficient[] {
  // A schedule leaves the configured value, as it was told to.
  if (manifest.config['kl.controller'] === 'scheduled') return []
  const configured = numberOf(knobs.find(({ key }) => key === 'kl.loss.coef')?.effective)
  const raw = carriersAmong([...manifest.metrics.keys()], 'kl.coef')[0]
  const record = raw === undefined ? undefined : manifest.metrics.get(raw)
  if (configured === null || record === undefined || !Number.isFinite(record.last)) return []
  const apart =
    Math.abs(record.last - configured) > PRINTED_APART * Math.max(Math.abs(configured), Math.abs(record.last))
  return apart ? [{ run: shownName(manifest), configured, logged: record.last }] : []
}

/** Scores of single prompts behind each metric, or behind another of the same evaluations, as a comparison reads them. */
export async function readPromptScores(
  run: RunView,
  scores: readonly Scores[],
): Promise<ReadonlyMap<string, PromptScores>> {
  const found = new Map<string, PromptScores>()
  for (const { metric, points } of scores) {
    const steps = [...points.keys()].sort((a, b) => a - b)
    const values = steps.map(step => points.get(step) ?? Number.NaN)
    const behind = found.has(metric) ? null : await readScoresBehind(run, metric, seriesOf(steps, values))
    if (behind !== null) found.set(metric, behind.scores)
  }
  return found
}

/** One entry for each (metric, condition) that carries the metric asked for, the best carrier first. */
export async function readScores(run: RunView, metrics: readonly string[]): Promise<readonly Scores[]> {
  const evaluations = run.manifest.evaluations > 0 ? await readEvaluations(run) : []
  const byMetric = groupBy(evaluations, ({ metric }) => metric)
  const bySeries = groupBy(evaluations, evaluatedName)
  const found = metrics.map(async metric => {
    const evaluated = byMetric.get(metric) ?? bySeries.get(metric)
    return evaluated === undefined ? [await fromSeries(run, metric)] : fromEvaluations(metric, evaluated)
  })
  return (await Promise.all(found)).flat()
}

function fromEvaluations(metric: string, evaluations: readonly Evaluation[]): readonly Scores[] {
  return [...groupBy(evaluations, ({ condition }) => conditionKey(condition)).values()].map(group => {
    const measured = group.filter(({ quality, value }) => quality === 'measured' && Number.isFinite(value))
    const counts = group.flatMap(({ n }) => (n === null ? [] : [n]))
    return {
      metric,
      condition: group[0].condition,
      points: new Map(measured.map(({ step, value }) => [step, value])),
      marked: group.filter(({ quality }) => quality === 'missing').map(({ step }) => step),
      estimated: group.filter(({ quality }) => quality === 'estimated').length,
      n: counts.length === 0 ? null : Math.min(...counts),
      prompts: null,
    }
  })
}

async function fromSeries(run: RunView, metric: string): Promise<Scores> {
  const measured = (await readSeries(run, [metric])).get(metric)
  const missing = (await readSeries(run, [metric], { quality: 'missing' })).get(metric)
  return {
    metric,
    condition: {},
    points: finitePoints(measured),
    marked: Array.from(missing?.steps ?? []),
    estimated: run.manifest.metrics.get(metric)?.estimated ?? 0,
    n: null,
    prompts: await promptsBehind(run, metric),
  }
}

/**
 * Outcomes of a training step. What follows from the data, the schedule or the clock (advantage statistics, rates,
 * counters, times) may rightly be equal in two runs and is not among them.
 */
const OUTCOMES = ['loss.total', 'loss.policy', 'kl.ref', 'entropy', 'grad.norm', 'reward.mean', 'kl.old', 'val.loss']

export async function readTraining(run: RunView): Promise<Training> {
  const names = [...run.manifest.metrics.keys()]
  const carriers = new Map<string, string>()
  for (const canonical of OUTCOMES) {
    const name = run.carriersAmong(names, canonical).find(raw => ![...carriers.values()].includes(raw))
    if (name !== undefined) carriers.set(canonical, name)
  }
  const series = await readSeries(run, [...carriers.values()])
  return new Map([...carriers].map(([canonical, raw]) => [canonical, finitePoints(series.get(raw))]))
}

function finitePoints(points: { steps: Float64Array; values: Float64Array } | undefined): Map<number, number> {
  const entries = Array.from(points?.steps ?? [], (step, i): [number, number] => [
    step,
    points?.values[i] ?? Number.NaN,
  ])
  return new Map(entries.filter(([, value]) => Number.isFinite(value)))
}
