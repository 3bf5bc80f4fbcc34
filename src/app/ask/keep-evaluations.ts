import { basename, dirname, extname, resolve } from 'node:path'
import { writeFileAtomically } from '../../core/store/atomic.js'
import { loadRun } from '../../core/store/catalogue.js'
import { readEvaluations } from '../../core/store/evaluations.js'
import type { Manifest } from '../../core/store/manifest.js'
import { readManifest } from '../../core/store/manifest-file.js'
import { RunWriter } from '../../core/store/run-writer.js'
import type { Workspace } from '../../core/store/workspace.js'
import type { Evaluated } from '../../lab/train/evaluate.js'
import type { LoadedCheckpoint } from '../../lab/train/load-checkpoint.js'
import type { Condition, Evaluation } from '../../logs/model/evaluation.js'
import type { RunEvent } from '../../logs/model/events.js'
import { idFromHash } from '../../logs/model/id.js'
import { jsonNumber } from '../../logs/model/json.js'
import { Problem } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'

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
  const identity = known === null ? { id, name, source: SOURCE } : { id, name: known.name, source: known.source }
  const events = [...(known === null ? introduction(loaded, name) : []), ...fresh.flatMap(eventsOf)]
  await keepEvents(workspace, identity, events, remark)
  return id
}

/** Into the run of an evaluation; one that another process is writing is left to it, which is remarked. */
export async function keepEvents(
  workspace: Workspace,
  identity: { readonly id: string; readonly name: string; readonly source: string },
  events: Iterable<RunEvent>,
  remark: ((remark: Message) => void) | undefined,
): Promise<void> {
  try {
    const writer = await RunWriter.open(workspace, identity, 'evaluate')
    try {
      await writer.write([...events], null)
    } finally {
      await writer.close()
    }
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'busy')) throw error
    remark?.(error.sentence)
  }
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

/**
 * What was chosen, for one's own inference: for each checkpoint and number of shots the examples of every query, by the
 * numbers that the data gives them (`icd_idx_list`, as Lever-Plus calls it), whether or not the choice could be scored;
 * and its scores in the form of Lever-Plus's result files (`info`).
 */
export async function writeChoices(
  path: string,
  evaluated: readonly Evaluated[],
  nameOf: (checkpoint: string) => string,
): Promise<void> {
  const checkpoints = [...new Set(evaluated.map(({ checkpoint }) => checkpoint))].map(checkpoint => {
    const own = evaluated.filter(one => one.checkpoint === checkpoint)
    const [{ task, split, load }] = own
    return {
      checkpoint: resolve(checkpoint),
      name: nameOf(checkpoint),
      task: task.name,
      split,
      loaded: load,
      info: Object.fromEntries(own.map(one => [shotKey(one), jsonNumber(one.validation.metrics['val.score'])])),
      query_ids: own[0].validation.asked.map(({ id }) => id),
      icd_idx_list: Object.fromEntries(
        own.map(one => [shotKey(one), one.validation.asked.map(({ examples }) => examples)]),
      ),
    }
  })
  await writeFileAtomically(resolve(path), `${JSON.stringify({ version: 1, checkpoints })}\n`)
}

function shotKey({ shots }: Evaluated): string {
  return `shot_num=${shots}`
}

/**
 * Short names for checkpoints in one table. klens's own lie in `runs/<id>/checkpoints` and are told by their run; of
 * others a file name will do, and where several files have the same one, as many of the folders before it as it takes.
 */
export function checkpointNames(paths: readonly string[]): ReadonlyMap<string, string> {
  const parts = new Map(paths.map(path => [path, partsOf(path)]))
  const nameOf = (path: string, length: number): string => parts.get(path)?.slice(-length).join('/') ?? path
  return new Map(
    paths.map(path => {
      const others = paths.filter(other => resolve(other) !== resolve(path))
      const most = parts.get(path)?.length ?? 1
      let length = 1
      while (length < most && others.some(other => nameOf(other, length) === nameOf(path, length))) length += 1
      return [path, nameOf(path, length)]
    }),
  )
}

function partsOf(path: string): readonly string[] {
  const whole = resolve(path)
  const folders = dirname(whole).split(/[\\/]/)
  const file = basename(whole, extname(whole))
  if (folders.at(-1) !== 'checkpoints') return [...folders, file]
  return [...folders.slice(0, -2), `${folders.at(-2)}/${file}`]
}
