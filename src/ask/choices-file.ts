import { resolve } from 'node:path'
import { jsonNumber } from '../model/json.js'
import { writeFileAtomically } from '../store/atomic.js'
import type { Evaluated } from '../train/evaluate.js'

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
