import type { Condition, Evaluation } from '../model/evaluation.js'
import type { RunEvent } from '../model/events.js'
import { idFromHash } from '../model/id.js'
import { Problem } from '../model/problem.js'
import type { Message } from '../model/run.js'
import { loadRun } from '../store/catalogue.js'
import { readEvaluations } from '../store/evaluations.js'
import type { Manifest } from '../store/manifest.js'
import { readManifest } from '../store/manifest-file.js'
import { RunWriter } from '../store/run-writer.js'
import type { Workspace } from '../store/workspace.js'
import type { Evaluated } from '../train/evaluate.js'
import type { LoadedCheckpoint } from '../train/load-checkpoint.js'

/**
 * Scores and choices go to the run that wrote the checkpoint. Where the store does not have it, because the weights are
 * the original's or came from another machine, they get a run of their own that is named by the content of the
 * weights: the same weights in another file, or evaluated again, are the same run.
 */

/** What prompts score that were asked of a checkpoint. */
export const ASKED_METRIC = 'eval.score'
const SOURCE = 'checkpoint'

/** Returns the run's id. What is there already, on as many queries or more, stays as it is. */
export async function keepEvaluations(
  workspace: Workspace,
  name: string,
  evaluated: readonly Evaluated[],
  remark: ((remark: Message) => void) | undefined,
): Promise<string> {
  const [{ loaded }] = evaluated
  const known = await knownRun(workspace, loaded)
  const id = runOf(loaded, known)
  const fresh = await notKeptYet(workspace, id, evaluated)
  if (fresh.length === 0) return id
  try {
    const identity = known === null ? { id, name, source: SOURCE } : { id, name: known.name, source: known.source }
    const writer = await RunWriter.open(workspace, identity, 'evaluate')
    try {
      if (known === null) await writer.write(introduction(loaded, name), null)
      await writer.write(fresh.flatMap(eventsOf), null)
    } finally {
      await writer.close()
    }
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'busy')) throw error
    remark?.(error.sentence)
  }
  return id
}

/** Where the scores of a checkpoint go, or are already. */
export async function keepingRun(workspace: Workspace, loaded: LoadedCheckpoint): Promise<string> {
  return runOf(loaded, await knownRun(workspace, loaded))
}

async function knownRun(workspace: Workspace, { run }: LoadedCheckpoint): Promise<Manifest | null> {
  return run === null ? null : readManifest(workspace, run)
}

function runOf({ contentHash }: LoadedCheckpoint, known: Manifest | null): string {
  return known?.id ?? idFromHash(contentHash)
}

async function evaluationsOf(workspace: Workspace, id: string): Promise<readonly Evaluation[]> {
  const run = await loadRun(workspace, id)
  return run === null ? [] : readEvaluations(run)
}

async function notKeptYet(
  workspace: Workspace,
  id: string,
  evaluated: readonly Evaluated[],
): Promise<readonly Evaluated[]> {
  const kept = new Map<string, number>()
  for (const { metric, step, condition, n } of await evaluationsOf(workspace, id)) {
    if (metric === ASKED_METRIC) kept.set(keyOf(step, condition), n ?? 0)
  }
  return evaluated
    .filter(({ validation, load }) => validation.ids.length > 0 && load === 'whole')
    .filter(one => (kept.get(keyOf(stepOf(one.loaded), conditionOf(one))) ?? -1) < one.validation.ids.length)
}

function keyOf(step: number, { dataset, shots, split }: Condition): string {
  return JSON.stringify([step, dataset, shots, split])
}

function introduction({ path, contentHash, step, run }: LoadedCheckpoint, name: string): readonly RunEvent[] {
  return [
    { type: 'about', about: { name } },
    { type: 'config', config: { checkpoint: path, checkpoint_hash: contentHash } },
    { type: 'lineage', lineage: { parent: { contentHash, path, step, run } } },
  ]
}

export function stepOf({ step }: LoadedCheckpoint): number {
  return step ?? 0
}

export function conditionOf({ task, shots, split }: Pick<Evaluated, 'task' | 'shots' | 'split'>): Condition {
  return { dataset: `${task.name}-${task.dataHash.slice(0, 8)}`, shots, split }
}

function eventsOf(one: Evaluated): readonly RunEvent[] {
  const { ids, scores, asked, metrics } = one.validation
  const step = stepOf(one.loaded)
  const condition = conditionOf(one)
  const nothing = asked.map(() => null)
  return [
    {
      type: 'evaluation',
      evaluation: {
        metric: ASKED_METRIC,
        step,
        condition,
        value: metrics['val.score'],
        n: ids.length,
        quality: 'measured',
      },
    },
    { type: 'samples', samples: { metric: ASKED_METRIC, step, condition, ids, scores } },
    {
      type: 'texts',
      texts: {
        table: ASKED_METRIC,
        step,
        condition,
        ids: asked.map(({ id }) => id),
        repeats: asked.map(() => 0),
        inputs: nothing,
        outputs: nothing,
        expected: nothing,
        choices: asked.map(({ choice }) => choice.join(' ')),
      },
    },
  ]
}
