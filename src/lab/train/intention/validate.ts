/** Dialogues about the validation requests: scores as verl names them, and every dialogue to be read. */

import type { RunEvent } from '../../../logs/model/events.js'
import { mean } from '../../../stats/descriptive.js'
import type { IntentionTask } from '../../gym/intention/task.js'
import { type Dialogue, type DialogueFigures, figuresOf, transcript } from '../../gym/rollout.js'
import type { IntentionConfig } from '../config/language-settings.js'
import type { LanguageModel } from '../lm/language-model.js'
import { rewardOf } from '../lm/rollouts.js'
import { evaluationEvents } from '../run/trainable.js'
import type { GymSetup } from './gym-setup.js'
import { type Players, playDialogues } from './play.js'
import { decodingAt, taskRandom } from './policy.js'
import { tokenScores } from './token-scores.js'
import type { TurnReward } from './turn-reward.js'

const VALIDATION = 'val-core/interact_intention/reward/mean@1'
/** The gym's own score, where a reward model pays: nothing in training feeds it. */
const GOLD = 'val-core/interact_intention/gold/mean@1'

/** Dialogues whose tokens are kept with their probabilities: enough to look at, and too few to be noticed. */
const SHOWN_BY_TOKEN = 4

export interface IntentionValidation {
  readonly played: readonly {
    readonly task: IntentionTask
    readonly dialogue: Dialogue
    readonly figures: DialogueFigures
    /** Of a few of them: the dialogue token by token, as it is kept. */
    readonly tokens: string | null
  }[]
  /** Which metric the dialogues' scores are of. */
  readonly scored: string
  readonly metrics: { readonly [name: string]: number }
}

export async function validateDialogues(
  players: Players,
  setup: GymSetup,
  config: IntentionConfig,
  learned: TurnReward | null,
  reference: LanguageModel,
): Promise<IntentionValidation> {
  const plan = setup.validationTasks.map(task => ({ task, attempts: [taskRandom(task, 0)] }))
  const dialogues = await playDialogues(players, setup.gym, plan, {
    rules: setup.validationRules,
    decoding: decodingAt(config.eval.temperature),
    turnTokens: config.gym.turn_tokens,
  })
  const played = dialogues.map(one => ({ ...one, figures: figuresOf(one.dialogue) }))
  const scored = learned === null ? VALIDATION : GOLD
  const scores = played.flatMap(({ figures }) => figures.score ?? [])
  const over = (of: (one: (typeof played)[number]) => number): number => mean(played.map(of))
  const shown = played.slice(0, SHOWN_BY_TOKEN).map(({ rollout }) => rollout)
  const tokens = tokenScores(players.model, reference, players.tokenizer, shown)
  return {
    played: played.map((one, i) => ({ ...one, tokens: tokens[i] ?? null })),
    scored,
    metrics: {
      ...(learned !== null && { [VALIDATION]: over(({ rollout }) => rewardOf(learned.paid(rollout))) }),
      ...(scores.length > 0 && { [scored]: mean(scores), 'val.ceiling_frac': mean(scores) / setup.ceiling }),
      ...(scores.length < played.length && { 'val.missing': played.length - scores.length }),
      'val-aux/num_turns/mean': over(({ figures }) => figures.turns),
      'val.tools.malformed': over(({ figures }) => figures.malformed / figures.turns),
    },
  }
}

/** As samples of the run: one of the tasks is one pair in `compare`, its dialogue what `samples` shows. */
export function* validationEvents(
  step: number,
  { played, scored: metric, metrics }: IntentionValidation,
): Generator<RunEvent> {
  const scored = played.flatMap(({ task, figures: { score } }) => (score === null ? [] : [{ id: task.id, score }]))
  if (scored.length > 0) {
    const [ids, scores] = [scored.map(({ id }) => id), scored.map(({ score }) => score)]
    yield* evaluationEvents(metric, step, metrics[metric], ids, scores)
  }
  yield {
    type: 'texts',
    texts: {
      ...{ table: metric, step, condition: {} },
      ids: played.map(({ task }) => task.id),
      repeats: played.map(() => 0),
      inputs: played.map(({ task }) => task.task),
      outputs: played.map(({ dialogue }) => transcript(dialogue)),
      expected: played.map(({ task }) => task.missing_details.map(({ description }) => description).join('; ')),
      choices: played.map(() => null),
      tokens: played.map(({ tokens }) => tokens),
    },
  }
}
