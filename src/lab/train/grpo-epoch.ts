import { mean } from '../../stats/descriptive.js'
import type { Random } from '../../stats/random.js'
import type { ChoiceReward } from './choice-reward.js'
import type { TrainConfig } from './config/selector-settings.js'
import { klInLoss, klIsInReward } from './config/shared-settings.js'
import type { YieldToEventLoop } from './event-loop.js'
import { advantagesOf } from './objectives/advantages.js'
import { exactAlongPointers, type StepShape } from './objectives/exact.js'
import { grpo } from './objectives/grpo.js'
import { klEstimates } from './objectives/kl-estimators.js'
import { penalisedRewards } from './objectives/rewards.js'
import type { Optimiser } from './optimiser/adamw.js'
import { type DropoutMask, drawDropoutIfAny } from './policy/dropout.js'
import type { PolicyQuery } from './policy/embeddings.js'
import type { Evaluation, Policy } from './policy/policy.js'
import { AnswerCount, learnedGroup, type RewardedGroup, rewardedGroup } from './rewarded-group.js'
import { beamsInEpoch, bestBeams, queryOrder } from './schedules/curriculum.js'
import { type KlCoefficientState, type KlRule, nextKlCoefficient } from './schedules/kl-coefficient.js'
import { learningRateAt } from './schedules/learning-rate.js'
import type { Session } from './session.js'
import { type Metrics, meansOf, Tally, type UpdateObserver } from './tally.js'
import { scoredGroup } from './tasks/groups.js'
import { type Choice, loggedByQuery, type Query, type Task } from './tasks/task.js'

/** One pass of GRPO: for each query a group, its advantages, and some updates on it. */
interface GrpoEpoch {
  readonly session: Session
  readonly task: Task
  readonly policy: Policy
  readonly reference: Policy
  /** Where the reference began, if it has moved since. */
  readonly start: Policy | null
  readonly optimiser: Optimiser
  readonly queries: readonly Query[]
  /** By query; where a query has none, the policy is sampled. */
  readonly logged: ReadonlyMap<number, RewardedGroup>
  /** Null where the task pays. */
  readonly learned: ChoiceReward | null
  readonly config: TrainConfig
  readonly random: Random
  readonly rule: KlRule
  readonly kl: KlCoefficientState
  /** From 0. */
  readonly epoch: number
  readonly yieldToEventLoop: YieldToEventLoop
  readonly onUpdate?: UpdateObserver | undefined
}

export async function grpoEpoch(input: GrpoEpoch) {
  const { optimiser, queries, logged, config, random, rule, epoch, policy, yieldToEventLoop, onUpdate } = input
  const { batch, epochs } = config
  const perEpoch = Math.ceil(queries.length / batch.prompts)
  const total = perEpoch * epochs.grpo * epochs.inner
  const tally = new Tally()
  const answers = new AnswerCount()
  let { kl } = input
  const order = queryOrder(
    queries.map(({ index }) => logged.get(index)?.rewards ?? new Float64Array(1)),
    // How hard a query is, only logged rewards tell beforehand.
    logged.size > 0 || config.curriculum.order === 'stored' ? config.curriculum.order : 'shuffled',
    random,
  )
  for (let start = 0; start < order.length; start += batch.prompts) {
    const prepared: Prepared[] = []
    for (const at of order.slice(start, start + batch.prompts)) {
      const made = await prepare(input, queries[at], kl.effective, answers)
      tally.add(made.metrics)
      if (made.group !== null) prepared.push(made.group)
    }
    const seen: Metrics[] = []
    const old: (Float64Array | undefined)[] = []
    for (let inner = 0; prepared.length > 0 && inner < epochs.inner; inner += 1) {
      policy.zeroGradients()
      const updated = prepared.map((group, at) => {
        const { logProbs, metrics } = update(input, group, {
          coefficient: kl.effective,
          groups: prepared.length,
          oldLogProbs: config.clip.old === 'start' ? group.reference.logProbs : old[at],
        })
        // Before the first update no weight has moved: the old policy is the one that has just been evaluated.
        old[at] ??= logProbs
        seen.push(metrics)
        return { logProbs, metrics }
      })
      const step = (epoch * perEpoch + start / batch.prompts) * epochs.inner + inner
      const lr = learningRateAt(step, total, config.lr.grpo, config.lr)
      const { gradientNorm } = optimiser.step(lr)
      tally.add({ 'grad.norm': gradientNorm, lr })
      onUpdate?.({
        phase: 'grpo',
        update: step + 1,
        metrics: { ...meansOf(updated.map(({ metrics }) => metrics)), 'grad.norm': gradientNorm, lr },
        groups: prepared.map(({ group, advantages }, at) => ({
          query: group.query.id,
          choices: group.beams,
          advantages,
          logProbs: updated[at].logProbs,
        })),
      })
    }
    const metrics = meansOf(seen)
    tally.add(metrics)
    const observed = metrics['kl.ref']
    if (observed !== undefined && !Number.isNaN(observed)) {
      kl = nextKlCoefficient(rule, kl, { kl: observed, batchSize: prepared.length, totalSteps: total })
    }
    await yieldToEventLoop(Math.min(start + batch.prompts, order.length), order.length)
  }
  answers.check()
  return { metrics: { ...tally.means(), ...answers.metrics(), 'kl.coef.last': kl.effective }, kl }
}

/** What stays the same through the inner epochs of one group. */
interface Prepared {
  readonly group: RewardedGroup
  readonly advantages: Float64Array
  readonly reference: Evaluation
  readonly mask: DropoutMask | undefined
}

async function prepare(input: GrpoEpoch, query: Query, coefficient: number, answers: AnswerCount) {
  const { session, policy, reference, start, config, random } = input
  const whole = input.logged.get(query.index) ?? (await sampledGroup(input, query))
  answers.add(whole)
  const group = narrowed(whole, config, input.epoch)
  const metrics = { 'score.mean': group.hard, 'reward.soft': group.soft, 'group.missing': group.missing }
  if (group.beams.length === 0) return { group: null, metrics }
  const { dropout } = config
  const mask = drawDropoutIfAny(session.shape, query.pool.length, dropout, random)
  const asked = session.queryOf(query)
  const ofReference = dropout.reference === 'same' ? mask : undefined
  const fromReference = reference.evaluate(asked, group.beams, { dropout: ofReference })
  const rewards = klIsInReward(config.kl)
    ? penalised(group, policy.evaluate(asked, group.beams, { dropout: mask }), fromReference, config, coefficient)
    : group.rewards
  const { values, degenerate } = advantagesOf(rewards, config.adv)
  const all = {
    ...metrics,
    ...(start !== null && { 'kl.start.exact': exactKl(policy, start, asked, group.beams) }),
    'reward.mean': rewards.reduce((sum, value) => sum + value, 0) / rewards.length,
    'group.zero_std_frac': degenerate === null ? 0 : 1,
  }
  if (degenerate !== null && config.adv.degenerate === 'skip') return { group: null, metrics: all }
  return { group: { group, advantages: values, reference: fromReference, mask }, metrics: all }
}

/** Mean over the beams. */
function exactKl(policy: Policy, other: Policy, asked: PolicyQuery, beams: readonly Choice[]): number {
  const own = policy.evaluate(asked, beams)
  return mean(exactAlongPointers(own.nodeLogProbs, other.evaluate(asked, beams).nodeLogProbs, stepsOf(own)).kl)
}

function stepsOf({ shots, candidateCount: candidates, nodeOf }: Evaluation): StepShape {
  return { shots, candidates, nodeOf }
}

/** The groups that the data has, where they are wanted. */
export function loggedGroups(
  task: Task,
  queries: readonly Query[],
  config: TrainConfig,
): ReadonlyMap<number, RewardedGroup> {
  if (config.group.source === 'policy' || config.reward.source === 'learned') return new Map()
  const groups = loggedByQuery(task)
  return new Map(
    queries.flatMap(query => {
      const group = groups.get(query.index)
      return group === undefined ? [] : [[query.index, rewardedGroup(query, group, config)]]
    }),
  )
}

/** Samples of the policy as it stands, where nothing is logged. */
async function sampledGroup(input: GrpoEpoch, query: Query): Promise<RewardedGroup> {
  const { session, task, policy, learned, config, random } = input
  const { beams } = policy.sample(session.queryOf(query), random, config.group.size)
  if (learned !== null) return learnedGroup(query, beams, learned, config)
  const proposed = beams.map(choice => ({ choice, method: 'policy', logProbability: null }))
  return rewardedGroup(query, await scoredGroup(task, query, proposed), config)
}

function narrowed(group: RewardedGroup, config: TrainConfig, epoch: number): RewardedGroup {
  const kept = bestBeams(group.rewards, beamsInEpoch(epoch, config.curriculum), config.curriculum.ties)
  if (kept.length === group.beams.length) return group
  return { ...group, beams: kept.map(i => group.beams[i]), rewards: Float64Array.from(kept, i => group.rewards[i]) }
}

function penalised(
  { rewards }: RewardedGroup,
  old: Evaluation,
  reference: Evaluation,
  { kl }: TrainConfig,
  coefficient: number,
): Float64Array {
  const { estimator } = kl.reward
  const perBeam =
    estimator === 'exact'
      ? exactAlongPointers(old.nodeLogProbs, reference.nodeLogProbs, stepsOf(old)).kl
      : klEstimates(old.logProbs, reference.logProbs, estimator)
  return penalisedRewards(rewards, perBeam, coefficient)
}

/** Adds one group's gradient; the optimiser steps when the batch is through. */
function update(
  { session, policy, config }: GrpoEpoch,
  { group, advantages, reference, mask }: Prepared,
  {
    coefficient,
    groups,
    oldLogProbs,
  }: {
    readonly coefficient: number
    readonly groups: number
    /** Absent in the first update, unless the ratio is to the start. */
    readonly oldLogProbs: Float64Array | undefined
  },
) {
  const evaluation = policy.evaluate(session.queryOf(group.query), group.beams, { dropout: mask })
  const { gradient, metrics } = grpo(
    {
      logProbs: evaluation.logProbs,
      oldLogProbs: oldLogProbs ?? evaluation.logProbs,
      referenceLogProbs: reference.logProbs,
      advantages,
      // The same beams grow the same tree in the reference.
      steps: { ...stepsOf(evaluation), policy: evaluation.nodeLogProbs, reference: reference.nodeLogProbs },
    },
    {
      clip: config.clip,
      klCoefficient: klInLoss(config.kl, coefficient),
      klEstimator: config.kl.loss.estimator,
      klIsWeighted: config.kl.loss.bias_correction,
      surrogate: config.loss.type,
      entropyCoefficient: config.entropy.coef,
    },
  )
  const scaled = (slope: Float64Array): Float64Array => slope.map(value => value / groups)
  policy.backward(evaluation, {
    logProbs: scaled(gradient.logProbs),
    ...(gradient.nodeLogProbs !== null && { nodeLogProbs: scaled(gradient.nodeLogProbs) }),
  })
  return { logProbs: evaluation.logProbs, metrics: { ...metrics, 'kl.coef': coefficient } }
}
