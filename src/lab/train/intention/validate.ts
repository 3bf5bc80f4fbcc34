/** Greedy dialogues about the validation requests: scores as verl names them, and every dialogue to be read. */

import type { RunEvent } from '../../../logs/model/events.js'
import { mean } from '../../../stats/descriptive.js'
import { seededRandom } from '../../../stats/random.js'
import type { IntentionTask } from '../../gym/intention/task.js'
import { type Dialogue, type DialogueFigures, figuresOf, transcript } from '../../gym/rollout.js'
import type { IntentionConfig } from '../config/language-settings.js'
import { evaluationEvents } from '../run/trainable.js'
import type { GymSetup } from './gym-setup.js'
import { type Players, playDialogues } from './play.js'

const VALIDATION = 'val-core/interact_intention/reward/mean@1'

export interface IntentionValidation {
  readonly played: readonly {
    readonly task: IntentionTask
    readonly dialogue: Dialogue
    readonly figures: DialogueFigures
  }[]
  readonly metrics: { readonly [name: string]: number }
}

export function validateDialogues(players: Players, setup: GymSetup, config: IntentionConfig): IntentionValidation {
  // Nothing is drawn: the generators are only there.
  const plan = setup.validationTasks.map(task => ({ task, attempts: [seededRandom(0)] }))
  const played = playDialogues(players, setup.gym, plan, {
    rules: setup.validationRules,
    decoding: { kind: 'greedy' },
    turnTokens: config.gym.turn_tokens,
  }).map(({ task, dialogue }) => ({ task, dialogue, figures: figuresOf(dialogue) }))
  const scores = played.flatMap(({ figures }) => figures.score ?? [])
  const over = (of: (one: (typeof played)[number]) => number): number => mean(played.map(of))
  return {
    played,
    metrics: {
      ...(scores.length > 0 && { [VALIDATION]: mean(scores), 'val.ceiling_frac': mean(scores) / setup.ceiling }),
      ...(scores.length < played.length && { 'val.missing': played.length - scores.length }),
      'val-aux/num_turns/mean': over(({ figures }) => figures.turns),
      'val.tools.malformed': over(({ figures }) => figures.malformed / figures.turns),
    },
  }
}

/** As samples of the run: one of the tasks is one pair in `compare`, its dialogue what `samples` shows. */
export function* validationEvents(step: number, { played, metrics }: IntentionValidation): Generator<RunEvent> {
  const scored = played.flatMap(({ task, figures: { score } }) => (score === null ? [] : [{ id: task.id, score }]))
  if (scored.length > 0) {
    const [ids, scores] = [scored.map(({ id }) => id), scored.map(({ score }) => score)]
    yield* evaluationEvents(VALIDATION, step, metrics[VALIDATION], ids, scores)
  }
  yield {
    type: 'texts',
    texts: {
      ...{ table: VALIDATION, step, condition: {} },
      ids: played.map(({ task }) => task.id),
      repeats: played.map(() => 0),
      inputs: played.map(({ task }) => task.task),
      outputs: played.map(({ dialogue }) => transcript(dialogue)),
      expected: played.map(({ task }) => task.missing_details.map(({ description }) => description).join('; ')),
      choices: played.map(() => null),
    },
  }
}
