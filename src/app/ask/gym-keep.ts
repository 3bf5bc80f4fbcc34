import type { Workspace } from '../../core/store/workspace.js'
import { EMBEDDED_USER } from '../../lab/gym/intention/embedded/embedded.js'
import type { Policy } from '../../lab/gym/policy.js'
import { type Dialogue, type DialogueFigures, transcript } from '../../lab/gym/rollout.js'
import type { TaskFacts } from '../../lab/gym/scene.js'
import { dialogueScores } from '../../logs/model/dialogue.js'
import type { Condition } from '../../logs/model/evaluation.js'
import type { RunEvent } from '../../logs/model/events.js'
import { idFromHash, sha256 } from '../../logs/model/id.js'
import type { Message } from '../../logs/model/run.js'
import { mean } from '../../stats/descriptive.js'
import { ASKED_METRIC, keepEvents } from './keep-evaluations.js'

/**
 * Dialogues become samples of a run that stands for the policy, so that `compare` and `samples` see them like any other
 * scores: the same policy asked again is the same run. A dialogue that failed has a text and no score.
 */

export interface PlayedDialogue {
  readonly id: string
  readonly facts: TaskFacts
  readonly repeat: number
  readonly dialogue: Dialogue
  readonly figures: DialogueFigures
}

export interface Circumstances {
  readonly data: string
  readonly split: string
  readonly temperature: number | null
  readonly simulator: string
  /** Where a model plays the user, whose prompts it was given; left out: klens's. */
  readonly prompts?: string | null
  readonly maxTurns: number | null
  readonly gym: string
  readonly quirk: readonly string[]
}

export async function keepDialogues(
  workspace: Workspace,
  { label, settings }: Pick<Policy<unknown>, 'label' | 'settings'>,
  played: readonly PlayedDialogue[],
  circumstances: Circumstances,
  remark: ((remark: Message) => void) | undefined,
): Promise<string> {
  const { id, config, condition } = dialoguePlace(settings, circumstances)
  const events: readonly RunEvent[] = [
    { type: 'about', about: { name: label } },
    { type: 'config', config },
    ...eventsOf(played, condition),
    { type: 'status', status: 'finished' },
  ]
  await keepEvents(workspace, { id, name: label, source: 'gym' }, events, remark)
  return id
}

/** Where the dialogues of a policy are kept, or are already. */
export function dialoguePlace(
  settings: Policy<unknown>['settings'],
  { data, split, temperature, simulator, prompts = null, maxTurns, gym, quirk }: Circumstances,
) {
  const config = {
    ...{ ...settings, simulator, max_turns: maxTurns },
    // What was always so is not said, so that a policy that was asked before stays the same run.
    ...(gym !== 'intention' && { gym }),
    // Another user than before: scores under the two are not to be mixed.
    ...(gym === 'intention' && simulator === 'embedded' && { user: EMBEDDED_USER }),
    ...(prompts !== null && { prompts }),
    ...(quirk.length > 0 && { quirks: [...quirk].sort().join(' ') }),
  }
  const condition: Condition = { dataset: data, split, ...(temperature !== null && { temperature }) }
  return { id: idFromHash(sha256(JSON.stringify(config))), config, condition }
}

function* eventsOf(played: readonly PlayedDialogue[], condition: Condition): Generator<RunEvent> {
  const at = { step: 0, condition }
  for (const [metric, scored] of scoresByMetric(played)) {
    const scores = scored.map(({ score }) => score)
    const ids = scored.map(({ id }) => id)
    const n = new Set(ids).size
    yield { type: 'evaluation', evaluation: { metric, ...at, value: mean(scores), n, quality: 'measured' } }
    yield { type: 'samples', samples: { metric, ...at, ids, scores, repeats: scored.map(({ repeat }) => repeat) } }
  }
  yield {
    type: 'texts',
    texts: {
      table: ASKED_METRIC,
      ...at,
      ids: played.map(({ id }) => id),
      repeats: played.map(({ repeat }) => repeat),
      inputs: played.map(({ facts }) => facts.request),
      outputs: played.map(({ dialogue }) => transcript(dialogue)),
      expected: played.map(({ facts }) => facts.wanted),
      choices: played.map(() => null),
    },
  }
}

interface Scored {
  readonly id: string
  readonly repeat: number
  readonly score: number
}

function scoresByMetric(played: readonly PlayedDialogue[]): ReadonlyMap<string, readonly Scored[]> {
  const byMetric = new Map<string, Scored[]>()
  for (const { id, facts, repeat, figures } of played) {
    const { score, turns, wasted, compound, malformed, gained } = figures
    if (score === null) continue
    const coverage = gained / facts.details
    for (const [metric, value] of dialogueScores('eval.', { score, turns, coverage, wasted, compound, malformed })) {
      byMetric.set(metric, [...(byMetric.get(metric) ?? []), { id, repeat, score: value }])
    }
  }
  return byMetric
}
