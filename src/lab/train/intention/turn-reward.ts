import { type Random, seededRandom, shuffled } from '../../../stats/random.js'
import type { SparseRow } from '../../../stats/ridge.js'
import type { IntentionConfig } from '../config/language-settings.js'
import { fitRewardModel, type LabelledSample, labelRandom, type RewardModel } from '../learned-reward.js'
import type { Rollout } from '../lm/rollouts.js'
import type { GymSetup } from './gym-setup.js'
import { type Players, playDialogues } from './play.js'

/**
 * A reward model of the gym's turns: it reads which words a question has, and which of them the policy has used before in the
 * dialogue, and not what the user answers. So it can learn what good questions look like and that asking again is worth
 * less; with few labels it also believes in words that only happened to stand in a good question.
 */
export interface TurnReward {
  /** The rollout with what the model pays for its turns in place of what they earned. */
  paid(rollout: Rollout): Rollout
}

/** Labels are of turns that `players`' model takes, which must be the one that training starts from. */
export async function learnedTurnReward(
  players: Players,
  setup: GymSetup,
  config: IntentionConfig,
): Promise<TurnReward> {
  const { labels, noise } = config.reward
  const size = 2 * players.tokenizer.size
  const random = labelRandom(config.seed)
  const samples: LabelledSample[] = []
  while (samples.length < labels) {
    const played = await labelledDialogues(players, setup, config, random)
    for (const { rollout, dialogue } of played) {
      if (dialogue.end.why === 'failed') continue
      const features = turnFeatures(rollout, players.tokenizer.size)
      samples.push(...rollout.turns.map(({ reward }, i) => ({ features: features[i], worth: reward })))
    }
  }
  const model = fitRewardModel(samples.slice(0, labels), { size, noise, random })
  return { paid: rollout => paidBy(model, rollout, players.tokenizer.size) }
}

/** As many as fit beside each other, about requests drawn for it. */
function labelledDialogues(
  players: Players,
  { gym, trainTasks, trainRules }: GymSetup,
  config: IntentionConfig,
  random: Random,
) {
  const tasks = shuffled(trainTasks, random).slice(0, config.batch.prompts * config.group.size)
  return playDialogues(
    players,
    gym,
    tasks.map(task => ({ task, attempts: [seededRandom(random.below(2 ** 32))] })),
    {
      rules: trainRules,
      decoding: { kind: 'sample', temperature: config.temperature, topP: 1 },
      turnTokens: config.gym.turn_tokens,
    },
  )
}

function paidBy(model: RewardModel, rollout: Rollout, vocabulary: number): Rollout {
  const features = turnFeatures(rollout, vocabulary)
  return { ...rollout, turns: rollout.turns.map((turn, i) => ({ ...turn, reward: model(features[i]) })) }
}

/** Of each turn its tokens, once each: those that are new in the dialogue, and behind them those said in earlier turns. */
function turnFeatures({ tokens, turns }: Rollout, vocabulary: number): readonly SparseRow[] {
  const before = new Set<number>()
  return turns.map(({ first, logProbs }) => {
    const own = new Set(tokens.slice(first, first + logProbs.length))
    const indices = [...own].map(token => (before.has(token) ? vocabulary + token : token))
    for (const token of own) before.add(token)
    return { indices, values: new Float64Array(indices.length).fill(1) }
  })
}
