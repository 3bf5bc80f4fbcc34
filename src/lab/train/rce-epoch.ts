import type { Random } from '../../stats/random.js'
import type { TrainConfig } from './config/selector-settings.js'
import type { YieldToEventLoop } from './event-loop.js'
import { rce } from './objectives/rce.js'
import type { Optimiser } from './optimiser/adamw.js'
import { drawDropoutIfAny } from './policy/dropout.js'
import type { Policy } from './policy/policy.js'
import { AnswerCount, type RewardedGroup, rewardedGroup } from './rewarded-group.js'
import { queryOrder } from './schedules/curriculum.js'
import { learningRateAt, temperatureAt } from './schedules/learning-rate.js'
import type { Session } from './session.js'
import { meansOf, Tally, type UpdateObserver } from './tally.js'
import { generateGroup } from './tasks/groups.js'
import { loggedByQuery, type Query, type Task } from './tasks/task.js'

/** One pass of the warm-up over all groups. */
interface RceEpoch {
  readonly session: Session
  readonly policy: Policy
  readonly optimiser: Optimiser
  readonly groups: readonly RewardedGroup[]
  readonly config: TrainConfig
  readonly random: Random
  /** From 0. */
  readonly epoch: number
  readonly yieldToEventLoop: YieldToEventLoop
  readonly onUpdate?: UpdateObserver | undefined
}

export async function rceEpoch(input: RceEpoch) {
  const { session, policy, optimiser, groups, config, random, epoch, yieldToEventLoop, onUpdate } = input
  const { batch, epochs, dropout, rce: settings } = config
  const perEpoch = Math.ceil(groups.length / batch.prompts)
  const total = perEpoch * epochs.rce
  const order = queryOrder(
    groups.map(({ rewards }) => rewards),
    config.curriculum.order,
    random,
  )
  const tally = new Tally()
  for (let start = 0; start < order.length; start += batch.prompts) {
    const step = epoch * perEpoch + start / batch.prompts
    const members = order.slice(start, start + batch.prompts)
    const temperature = temperatureAt(step, total, settings.temperature)
    policy.zeroGradients()
    const updated = members.map(at => {
      const { query, beams, rewards } = groups[at]
      const mask = drawDropoutIfAny(session.shape, query.pool.length, dropout, random)
      const evaluation = policy.evaluate(session.queryOf(query), beams, { dropout: mask })
      const { gradient, metrics } = rce(
        { logProbs: evaluation.logProbs, rewards, shots: evaluation.shots },
        { weights: settings.weights, temperature },
      )
      policy.backward(evaluation, { logProbs: gradient.logProbs.map(slope => slope / members.length) })
      tally.add(metrics)
      return { query, beams, metrics, logProbs: evaluation.logProbs }
    })
    const lr = learningRateAt(step, total, config.lr.rce, config.lr)
    const { gradientNorm } = optimiser.step(lr)
    tally.add({ 'grad.norm': gradientNorm, lr })
    onUpdate?.({
      phase: 'rce',
      update: step + 1,
      metrics: { ...meansOf(updated.map(({ metrics }) => metrics)), 'grad.norm': gradientNorm, lr },
      groups: updated.map(({ query, beams, logProbs }) => ({
        query: query.id,
        choices: beams,
        advantages: null,
        logProbs,
      })),
    })
    await yieldToEventLoop(start + members.length, order.length)
  }
  return tally.means()
}

/** Groups to imitate: logged ones where the data has them, else proposals by similarity and chance, scored once. */
export async function warmUpGroups(
  task: Task,
  queries: readonly Query[],
  config: TrainConfig,
  yieldToEventLoop: YieldToEventLoop,
): Promise<readonly RewardedGroup[]> {
  const logged = loggedByQuery(task)
  const { shots } = config.policy
  const { proposals } = config.group
  const groups: RewardedGroup[] = []
  const answers = new AnswerCount()
  for (const query of queries) {
    const group = logged.get(query.index) ?? (await generateGroup(task, query, { shots, seed: config.seed, proposals }))
    const rewarded = rewardedGroup(query, group, config)
    answers.add(rewarded)
    if (rewarded.beams.length > 0) groups.push(rewarded)
    await yieldToEventLoop(groups.length, queries.length)
  }
  answers.check()
  return groups
}
