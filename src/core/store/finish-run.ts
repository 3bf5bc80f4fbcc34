import type { Message, RunStatus } from '../../logs/model/run.js'
import { configuredSettings } from '../../logs/model/vocabulary/config-lookup.js'
import { numberOf } from '../../logs/model/vocabulary/config-value.js'
import { meaningOf } from '../../logs/model/vocabulary/resolve.js'
import { validationSize } from '../../logs/model/vocabulary/settings.js'
import type { FoundRun } from '../../logs/sources/run-identity.js'
import { sentences } from '../../text/sentences.js'
import type { ValidationMetric } from './evaluations.js'
import type { KnownRuns } from './identify-runs.js'
import { isAppendedTo, isBeingWritten } from './log-file.js'
import { type Manifest, wholeConfig } from './manifest.js'
import type { RunWriter } from './run-writer.js'
import { frameworkOf, loadVocabulary, vocabularyOf, type WorkspaceVocabulary } from './vocabulary.js'
import type { Workspace } from './workspace.js'

/** What belongs at the end of a reading: evaluations out of validation series, how the run stands, whether it is a copy. */
export async function finishRun(
  workspace: Workspace,
  writer: RunWriter,
  found: FoundRun,
  known: KnownRuns,
): Promise<void> {
  await writer.flushData()
  await writer.evaluate(validationMetrics(writer.state.manifest(), await loadVocabulary(workspace)))
  const { state } = writer
  const { statusTold, status } = state.manifest()
  state.patch({ statusTold: statusTold ?? status, identity: found.identity, joined: found.joined ?? [] })
  state.patch(statusAtEnd(state.manifest(), found))
  state.patch({ duplicateOf: await known.originalOf(state.manifest()) })
}

const say = sentences({
  'ending.steps': { en: '{done} of {total} step{total||s} were logged', zh: '计划 {total} 步，日志到第 {done} 步' },
})

/**
 * How a run stands at the end of a reading. Trackers say so themselves. A console or a JSONL file only falls silent:
 * then its age tells whether it may still be written, and the number of steps it was to have whether it was done.
 */
function statusAtEnd(
  manifest: Manifest,
  { logs }: FoundRun,
): { readonly status: RunStatus; readonly ending: readonly Message[] } {
  const told = manifest.statusTold ?? manifest.status
  const done = lastStep(manifest)
  const planned = plannedSteps(manifest)
  const isAll = planned === null || done === null ? null : done >= planned
  const status = told === 'unknown' ? statusBySilence() : told
  const reasons = manifest.ending.filter(({ key }) => key !== 'ending.steps')
  const isLogged = logs.every(({ source }) => source.role === 'log' || source.role === 'steps')
  const hasStopped = isLogged && (status === 'failed' || status === 'killed' || status === 'unknown')
  const howFar = hasStopped && isAll === false ? [say('ending.steps', { done: done ?? 0, total: planned ?? 0 })] : []
  return { status, ending: [...reasons, ...howFar] }

  function statusBySilence(): RunStatus {
    if (!logs.every(({ source }) => isAppendedTo(source))) return 'unknown'
    if (isAll === true) return 'finished'
    if (isBeingWritten(logs)) return 'running'
    return isAll === false ? 'killed' : 'unknown'
  }
}

/** Of what is counted in steps, and not in epochs. */
function lastStep({ metrics }: Manifest): number | null {
  const steps = [...metrics.values()].flatMap(({ axis, lastStep }) =>
    (axis === null || axis.endsWith('step')) && Number.isFinite(lastStep) ? [lastStep] : [],
  )
  // Not as arguments: 300,000 metrics are more than a call can take.
  return steps.length === 0 ? null : steps.reduce((most, step) => Math.max(most, step))
}

function plannedSteps(manifest: Manifest): number | null {
  const steps = numberOf(configuredSettings(wholeConfig(manifest), frameworkOf(manifest)).get('steps')?.value)
  return steps !== null && Number.isInteger(steps) && steps > 0 ? steps : null
}

/** The validation metrics of a log, whose points are evaluations: with their condition, and n where the config tells it. */
function validationMetrics(manifest: Manifest, words: WorkspaceVocabulary): readonly ValidationMetric[] {
  const vocabulary = vocabularyOf(manifest, words)
  const n = validationSize(wholeConfig(manifest), frameworkOf(manifest), words.user)
  return [...manifest.metrics].flatMap(([metric, record]) => {
    const { validation, condition } = meaningOf(metric, vocabulary)
    return validation ? [{ metric, condition, n, isPlain: !record.stale && record.stored === record.n }] : []
  })
}
