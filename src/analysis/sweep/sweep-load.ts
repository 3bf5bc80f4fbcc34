import { numberOf } from '../../model/vocabulary/config-value.js'
import { shownName } from '../../store/manifest.js'
import type { RunView } from '../run-view.js'
import { type SweepRun, settingKey } from './sweep-cells.js'
import { type Blocks, blocksOf, type Knob, knobOf } from './sweep-knob.js'
import { readPromptScores, readScores, readTraining } from './sweep-read.js'

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
