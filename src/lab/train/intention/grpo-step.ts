/**
 * One step of multi-turn GRPO: some requests, several dialogues about each, what each turn earned, advantages against the
 * other dialogues about the same request, and updates on them. A dialogue whose simulator failed has no score: it is
 * left out of its group, which is then smaller, and never counts as 0.
 */

import { type Random, seededRandom } from '../../../stats/random.js'
import type { IntentionTask } from '../../gym/intention/task.js'
import { type DialogueFigures, figuresOf } from '../../gym/rollout.js'
import type { IntentionConfig } from '../config/language-settings.js'
import { klInLoss, klIsInReward } from '../config/shared-settings.js'
import type { LanguageModel } from '../lm/language-model.js'
import { penalised, type Rollout, rewardOf, rolloutAdvantages, rolloutKl } from '../lm/rollouts.js'
import { type JudgedRollout, updatePolicy } from '../lm/update.js'
import { addedSums, NO_SUMS, type TokenGrpoOptions, type TokenGrpoSums } from '../objectives/token-grpo.js'
import type { Optimiser } from '../optimiser/adamw.js'
import type { Coefficients } from '../schedules/kl-coefficient.js'
import { Tally } from '../tally.js'
import type { GymSetup } from './gym-setup.js'
import { type Played, type Players, playDialogues } from './play.js'
import type { TurnReward } from './turn-reward.js'

interface GrpoStep {
  readonly config: IntentionConfig
  readonly setup: GymSetup
  readonly players: Players
  /** Null where the gym pays. */
  readonly learned: TurnReward | null
  readonly reference: LanguageModel
  /** Where the reference began, if it may have moved since. */
  readonly start: LanguageModel | null
  readonly optimiser: Optimiser
  readonly tasks: readonly IntentionTask[]
  readonly coefficients: Coefficients
  readonly learningRate: number
  readonly random: Random
}

interface GrpoStepResult {
  readonly metrics: { readonly [name: string]: number }
  /** Means over the dialogues' own tokens, for the controllers; null where there was nothing to learn from. */
  readonly seen: { readonly kl: number; readonly entropy: number } | null
}

export async function grpoStep(step: GrpoStep): Promise<GrpoStepResult> {
  const { config, setup, players, learned, tasks, random } = step
  const played = await playDialogues(
    players,
    setup.gym,
    tasks.map(task => ({ task, attempts: attempts(config.group.size, random) })),
    {
      rules: setup.trainRules,
      decoding: { kind: 'sample', temperature: config.temperature, topP: 1 },
      turnTokens: config.gym.turn_tokens,
    },
  )
  const paid = learned === null ? played : played.map(one => ({ ...one, rollout: learned.paid(one.rollout) }))
  const figures = played.map(({ dialogue }) => figuresOf(dialogue))
  const groups = tasks
    .map(task => paid.filter((one, i) => one.task === task && figures[i].score !== null))
    .filter(group => group.length > 0)
    .map(group => judged(step, group))
  const judgedRollouts = groups.map(({ rollouts }) => rollouts)
  const distance = startMetrics(step, judgedRollouts.flat())
  const update = judgedRollouts.length === 0 ? null : learn(step, judgedRollouts)
  return {
    metrics: {
      ...dialogueMetrics(played, figures),
      ...(learned !== null && paidMetrics(paid)),
      ...groupMetrics(groups),
      ...distance,
      ...update?.metrics,
    },
    seen: update?.seen ?? null,
  }
}

/** The way from where the training began, of dialogues as they were drawn: the same axis whatever the reference does. */
function startMetrics(
  { players, start, config }: GrpoStep,
  judged: readonly JudgedRollout[],
): { readonly [name: string]: number } {
  if (start === null || judged.length === 0) return {}
  const rollouts = judged.map(({ rollout }) => rollout)
  const options = { estimator: 'exact', temperature: config.temperature } as const
  const perToken = rolloutKl(players.model, start, rollouts, options)
  const total = perToken.reduce((sum, each) => each.reduce((a, b) => a + b, sum), 0)
  return { 'kl.start.exact': total / rollouts.length }
}

/** Each dialogue draws from a generator of its own. */
function attempts(count: number, random: Random): readonly Random[] {
  return Array.from({ length: count }, () => seededRandom(random.below(2 ** 32)))
}

interface JudgedGroup {
  readonly rollouts: readonly JudgedRollout[]
  /** What is optimised: with what compound questions are paid and with the KL, where they are in it. */
  readonly rewards: readonly number[]
  readonly hasSpread: boolean
}

function judged(
  { config, players, reference, coefficients }: GrpoStep,
  group: readonly Played<IntentionTask>[],
): JudgedGroup {
  const { credit, adv, kl, reward, temperature } = config
  let rollouts: readonly Rollout[] = group.map(one => withCompoundPay(one, reward.compound))
  if (klIsInReward(config.kl)) {
    const perToken = rolloutKl(players.model, reference, rollouts, { estimator: kl.reward.estimator, temperature })
    rollouts = rollouts.map((rollout, i) => penalised(rollout, perToken[i], coefficients.kl.effective))
  }
  const { scores, advantages } = rolloutAdvantages(rollouts, {
    ...{ score: credit.score, credit: credit.turn, discount: credit.discount },
    isScaled: adv.scale,
  })
  return {
    rollouts: rollouts.map((rollout, i) => ({ rollout, advantages: advantages[i] })),
    rewards: rollouts.map(rewardOf),
    hasSpread: scores.some(score => score !== scores[0]),
  }
}

function withCompoundPay({ rollout, dialogue }: Played<IntentionTask>, pay: number): Rollout {
  if (pay === 0) return rollout
  const turns = rollout.turns.map((turn, i) => ({
    ...turn,
    reward: turn.reward + pay * Math.max(0, dialogue.turns[i].gained - 1),
  }))
  return { ...rollout, turns }
}

function learn(step: GrpoStep, groups: readonly (readonly JudgedRollout[])[]) {
  const { config, players, reference, optimiser, learningRate } = step
  const objective = objectiveOf(step)
  const perUpdate = config.batch.mini ?? groups.length
  const tally = new Tally()
  let first: TokenGrpoSums = NO_SUMS
  for (let inner = 0; inner < config.epochs.inner; inner++) {
    for (let at = 0; at < groups.length; at += perUpdate) {
      const { sums, loss, gradientNorm } = updatePolicy(
        players.model,
        reference,
        optimiser,
        groups.slice(at, at + perUpdate).flat(),
        {
          objective,
          aggregation: config.loss.aggregation,
          longestResponse: players.voices.capacity,
          temperature: config.temperature,
          learningRate,
        },
        players.partner,
      )
      tally.add({ 'actor/grad_norm': gradientNorm, 'loss.total': loss, ...updateMetrics(sums) })
      if (inner === 0) first = addedSums(first, sums)
    }
  }
  const sequences = groups.flat().length
  return {
    metrics: {
      ...tally.means(),
      'actor/lr': learningRate,
      'actor/kl_coef': step.coefficients.kl.effective,
      'entropy.coef': step.coefficients.entropy.effective,
      // Over all dialogues of the step and whole dialogues, before anything was learned from them where one update is made.
      'kl.ref.exact': first.klExact / sequences,
      'kl.ref.k1': first.klByK1 / sequences,
      'kl.ref.k3': first.klByK3 / sequences,
      ...advantageMetrics(groups.flat()),
    },
    seen: { kl: first.klExact / first.tokens, entropy: first.entropyOfTokens / first.tokens },
  }
}

function objectiveOf({ config, coefficients }: GrpoStep): TokenGrpoOptions {
  const { clip, kl } = config
  return {
    clip,
    ratio: clip.ratio,
    klCoefficient: klInLoss(kl, coefficients.kl.effective),
    klEstimator: kl.loss.estimator,
    klIsWeighted: kl.loss.bias_correction,
    surrogate: config.loss.type,
    entropyCoefficient: coefficients.entropy.effective,
  }
}

/** Under verl's names; its `actor/kl_loss` holds the last micro-batch of one rank, this one all dialogues. */
function updateMetrics({ tokens, ...sums }: TokenGrpoSums): { readonly [name: string]: number } {
  return {
    'actor/pg_loss': sums.policy,
    'actor/kl_loss': sums.kl,
    'actor/entropy': sums.entropyOfTokens / tokens,
    'actor/ppo_kl': sums.movedByK1 / tokens,
    'actor/ratio_mean': sums.ratio / tokens,
    'actor/pg_clipfrac': sums.clipped / tokens,
    'actor/pg_clipfrac_lower': sums.clippedDual / tokens,
  }
}

function advantageMetrics(rollouts: readonly JudgedRollout[]): { readonly [name: string]: number } {
  return spread(
    'critic/advantages',
    rollouts.flatMap(({ advantages }) => [...advantages]),
  )
}

function groupMetrics(groups: readonly JudgedGroup[]): { readonly [name: string]: number } {
  if (groups.length === 0) return {}
  return {
    ...spread(
      'critic/rewards',
      groups.flatMap(({ rewards }) => rewards),
    ),
    'group.zero_std_frac': groups.filter(({ hasSpread }) => !hasSpread).length / groups.length,
  }
}

/** In place of what the dialogues are truly worth, which training does not see: what the reward model says of them. */
function paidMetrics(paid: readonly Played<IntentionTask>[]): { readonly [name: string]: number } {
  return spread(
    'critic/score',
    paid.map(({ rollout }) => rewardOf(rollout)),
  )
}

function dialogueMetrics(
  played: readonly Played<IntentionTask>[],
  figures: readonly DialogueFigures[],
): { readonly [name: string]: number } {
  const scores = figures.flatMap(({ score }) => score ?? [])
  const turns = figures.map(figure => figure.turns)
  const responses = played.map(({ rollout: { tokens, turns: own } }) => tokens.length - (own[0]?.first ?? 0))
  const calls = turns.reduce((sum, count) => sum + count, 0)
  const total = (member: 'malformed' | 'wasted' | 'compound'): number =>
    figures.reduce((sum, figure) => sum + figure[member], 0) / calls
  return {
    ...(scores.length > 0 && spread('critic/score', scores)),
    ...spread('num_turns', turns),
    ...spread('response_length', responses),
    'prompt_length/mean': played.reduce((sum, { rollout }) => sum + (rollout.turns[0]?.first ?? 0), 0) / played.length,
    'perf/total_num_tokens': played.reduce((sum, { rollout }) => sum + rollout.tokens.length, 0),
    'tools.malformed': total('malformed'),
    'tools.wasted': total('wasted'),
    'tools.compound': total('compound'),
    'response/aborted_ratio': 1 - scores.length / figures.length,
  }
}

function spread(name: string, values: readonly number[]): { readonly [name: string]: number } {
  let [sum, least, most] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    sum += value
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  return { [`${name}/mean`]: sum / values.length, [`${name}/max`]: most, [`${name}/min`]: least }
}
