import { createHash } from 'node:crypto'
import type { IntentionTask } from '../gym/intention/task.js'
import type { Policy } from '../gym/policy.js'
import type { Dialogue, DialogueFigures, Turn } from '../gym/rollout.js'
import { dialogueScores, dialogueText, type KeptTurn } from '../model/dialogue.js'
import type { Condition } from '../model/evaluation.js'
import type { RunEvent } from '../model/events.js'
import { idFromHash } from '../model/id.js'
import { Problem } from '../model/problem.js'
import type { Message } from '../model/run.js'
import { mean } from '../stats/descriptive.js'
import { RunWriter } from '../store/run-writer.js'
import type { Workspace } from '../store/workspace.js'

/**
 * Dialogues become samples of a run that stands for the policy, so that `compare` and `samples` see them like any other
 * scores: the same policy asked again is the same run. A dialogue that failed has a text and no score.
 */

const METRIC = 'eval.score'

export interface PlayedDialogue {
  readonly task: IntentionTask
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
}

export async function keepDialogues(
  workspace: Workspace,
  policy: Policy<IntentionTask>,
  played: readonly PlayedDialogue[],
  { data, split, temperature, simulator, maxTurns }: Circumstances,
  remark: ((remark: Message) => void) | undefined,
): Promise<string> {
  const config = { ...policy.settings, simulator, max_turns: maxTurns }
  const id = idFromHash(createHash('sha256').update(JSON.stringify(config)).digest('hex'))
  const condition: Condition = { dataset: data, split, ...(temperature !== null && { temperature }) }
  const events: readonly RunEvent[] = [
    { type: 'about', about: { name: policy.label } },
    { type: 'config', config },
    ...eventsOf(played, condition),
    { type: 'status', status: 'finished' },
  ]
  try {
    const writer = await RunWriter.open(workspace, { id, name: policy.label, source: 'gym' }, 'evaluate')
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
      table: METRIC,
      ...at,
      ids: played.map(({ task }) => task.id),
      repeats: played.map(({ repeat }) => repeat),
      inputs: played.map(({ task }) => task.task),
      outputs: played.map(({ dialogue }) => dialogueText(dialogue.turns.map(keptTurn), dialogue.end.why)),
      expected: played.map(({ task }) => task.missing_details.map(({ description }) => description).join('; ')),
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
  for (const { task, repeat, figures } of played) {
    const { score, turns, wasted, compound, malformed, gained } = figures
    if (score === null) continue
    const coverage = gained / task.missing_details.length
    for (const [metric, value] of dialogueScores('eval.', { score, turns, coverage, wasted, compound, malformed })) {
      byMetric.set(metric, [...(byMetric.get(metric) ?? []), { id: task.id, repeat, score: value }])
    }
  }
  return byMetric
}

function keptTurn({ said, actions, heard, reward }: Turn): KeptTurn {
  return { said: actions.length === 0 ? said : actions.join('\n   '), heard, reward }
}
