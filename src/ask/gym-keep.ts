import { createHash } from 'node:crypto'
import type { Policy } from '../gym/policy.js'
import type { Dialogue, DialogueFigures } from '../gym/rollout.js'
import { transcript } from '../gym/transcript.js'
import type { Condition } from '../model/evaluation.js'
import type { RunEvent } from '../model/events.js'
import { idFromHash } from '../model/id.js'
import { Problem } from '../model/problem.js'
import type { Message } from '../model/run.js'
import { mean } from '../stats/descriptive.js'
import { RunWriter } from '../store/run-writer.js'
import type { Workspace } from '../store/workspace.js'
import type { TaskFacts } from './gym-scene.js'

/**
 * Dialogues become samples of a run that stands for the policy, so that `compare` and `samples` see them like any other
 * scores: the same policy asked again is the same run. A dialogue that failed has a text and no score.
 */

const METRIC = 'eval.score'

export interface PlayedDialogue {
  readonly id: string
  readonly facts: TaskFacts
  readonly repeat: number
  readonly dialogue: Dialogue
  readonly figures: DialogueFigures
}

interface Circumstances {
  readonly data: string
  readonly split: string
  readonly temperature: number | null
  readonly simulator: string
  readonly maxTurns: number | null
  readonly gym: string
  readonly quirk: readonly string[]
}

export async function keepDialogues(
  workspace: Workspace,
  { label, settings }: Pick<Policy<unknown>, 'label' | 'settings'>,
  played: readonly PlayedDialogue[],
  { data, split, temperature, simulator, maxTurns, gym, quirk }: Circumstances,
  remark: ((remark: Message) => void) | undefined,
): Promise<string> {
  const config = {
    ...{ ...settings, simulator, max_turns: maxTurns },
    // What was always so is not said, so that a policy that was asked before stays the same run.
    ...(gym !== 'intention' && { gym }),
    ...(quirk.length > 0 && { quirks: [...quirk].sort().join(' ') }),
  }
  const id = idFromHash(createHash('sha256').update(JSON.stringify(config)).digest('hex'))
  const condition: Condition = { dataset: data, split, ...(temperature !== null && { temperature }) }
  const events: readonly RunEvent[] = [
    { type: 'about', about: { name: label } },
    { type: 'config', config },
    ...eventsOf(played, condition),
    { type: 'status', status: 'finished' },
  ]
  try {
    const writer = await RunWriter.open(workspace, { id, name: label, source: 'gym' }, 'evaluate')
    try {
      await writer.write(events, null)
    } finally {
      await writer.close()
    }
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'busy')) throw error
    remark?.(error.sentence)
  }
  return id
}

function* eventsOf(played: readonly PlayedDialogue[], condition: Condition): Generator<RunEvent> {
  const at = { step: 0, condition }
  const scored = played.flatMap(({ id, repeat, figures: { score } }) => (score === null ? [] : [{ id, repeat, score }]))
  if (scored.length > 0) {
    const scores = scored.map(({ score }) => score)
    const n = new Set(scored.map(({ id }) => id)).size
    yield { type: 'evaluation', evaluation: { metric: METRIC, ...at, value: mean(scores), n, quality: 'measured' } }
    yield {
      type: 'samples',
      samples: {
        metric: METRIC,
        ...at,
        ids: scored.map(({ id }) => id),
        scores,
        repeats: scored.map(one => one.repeat),
      },
    }
  }
  yield {
    type: 'texts',
    texts: {
      table: METRIC,
      ...at,
      ids: played.map(({ id }) => id),
      repeats: played.map(({ repeat }) => repeat),
      inputs: played.map(({ facts }) => facts.request),
      outputs: played.map(({ dialogue }) => transcript(dialogue)),
      expected: played.map(({ facts }) => facts.wanted),
      choices: played.map(({ figures }) => figures.why),
    },
  }
}
