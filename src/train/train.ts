import { seededRandom } from '../stats/random.js'
import { earlyStopping, klRule } from './config/options.js'
import type { TrainConfig } from './config/schema.js'
import { grpoEpoch } from './grpo-epoch.js'
import { initialise } from './policy/initialise.js'
import type { Policy } from './policy/policy.js'
import { rceEpoch, warmUpGroups } from './rce-epoch.js'
import { afterEvaluation, NOTHING_EVALUATED, shouldStop } from './schedules/early-stopping.js'
import { firstKlCoefficient } from './schedules/kl-coefficient.js'
import { openSession, type Session } from './session.js'
import { checkShots, queriesOf, type Task } from './tasks/task.js'
import { type Validation, validate } from './validate.js'

/**
 * The whole training, top to bottom: a policy is drawn, warmed up by imitating rewarded choices (RCE), frozen in part,
 * and post-trained by GRPO with a KL to where it then stands. After every epoch it is validated and handed out. All
 * chance comes from one seeded generator, so the same config and data give the same numbers.
 */
export interface Epoch {
  /** From 1, through both phases. */
  readonly epoch: number
  readonly phase: 'rce' | 'grpo'
  readonly metrics: { readonly [name: string]: number }
  /** Null where this epoch is not evaluated. */
  readonly validation: Validation | null
  readonly policy: Policy
  readonly session: Session
}

export async function* train(task: Task, config: TrainConfig): AsyncGenerator<Epoch> {
  checkShots(task, config.policy.shots)
  const random = seededRandom(config.seed)
  const session = openSession(task, config)
  const {
    epochs,
    eval: evaluating,
    policy: { shots },
  } = config
  const queries = queriesOf(task, 'train')
  let epoch = 0
  const record = async (phase: Epoch['phase'], policy: Policy, metrics: Epoch['metrics']): Promise<Epoch> => {
    epoch += 1
    const due = epoch % evaluating.every === 0 || epoch === epochs.rce + epochs.grpo
    const validation = due
      ? await validate(session, policy, task, { split: 'val', shots, samples: evaluating.samples })
      : null
    return { epoch, phase, metrics: { ...metrics, ...validation?.metrics }, validation, policy, session }
  }

  const warming = session.policyWith(config.freeze.rce)
  initialise(warming.parameters, random)
  if (epochs.rce > 0) {
    const groups = await warmUpGroups(task, queries, config)
    const optimiser = session.optimiserOf(warming)
    for (let i = 0; i < epochs.rce; i += 1) {
      yield record('rce', warming, rceEpoch({ session, policy: warming, optimiser, groups, config, random, epoch: i }))
    }
  }

  const policy = session.policyWith(config.freeze.grpo)
  const reference = session.policyWith([])
  policy.parameters.load(warming.parameters.read())
  reference.parameters.load(warming.parameters.read())
  const optimiser = session.optimiserOf(policy)
  const rule = klRule(config)
  let kl = firstKlCoefficient(rule)
  let stopping = NOTHING_EVALUATED
  const rules = earlyStopping(config)
  for (let i = 0; i < epochs.grpo; i += 1) {
    const done = await grpoEpoch({
      session,
      task,
      policy,
      reference,
      optimiser,
      queries,
      config,
      random,
      rule,
      kl,
      epoch: i,
    })
    kl = done.kl
    const made = await record('grpo', policy, done.metrics)
    yield made
    const value = made.metrics[config.early_stopping.metric]
    if (made.validation === null || value === undefined) continue
    stopping = afterEvaluation(rules, stopping, made.epoch, value)
    if (shouldStop(rules, stopping)) return
  }
}
