import { Problem } from '../../logs/model/problem.js'
import { type Random, seededRandom } from '../../stats/random.js'
import { sentences } from '../../text/sentences.js'
import { type ChoiceReward, learnedChoiceReward } from './choice-reward.js'
import type { TrainConfig } from './config/selector-settings.js'
import { klRule } from './config/shared-settings.js'
import { NEVER_YIELD, type YieldToEventLoop } from './event-loop.js'
import { grpoEpoch, loggedGroups } from './grpo-epoch.js'
import type { Precision } from './kernels/engine.js'
import { legMetrics, moveReference } from './moving-reference.js'
import { initialise } from './policy/initialise.js'
import type { Policy } from './policy/policy.js'
import { rceEpoch, warmUpGroups } from './rce-epoch.js'
import { type RewardedGroup, trainingQueries } from './rewarded-group.js'
import { afterEvaluation, NOTHING_EVALUATED, shouldStop } from './schedules/early-stopping.js'
import { firstKlCoefficient } from './schedules/kl-coefficient.js'
import { openSession, type Session } from './session.js'
import type { UpdateObserver } from './tally.js'
import { checkShots, type Query, type Task } from './tasks/task.js'
import type { GrpoState, Phase, Start, TrainingState, Values } from './training-state.js'
import {
  meanReward,
  type Validation,
  type ValidationLoss,
  validate,
  validationGroups,
  validationLoss,
} from './validate.js'

const say = sentences({
  'train.nothing-positive': {
    en: 'no training query has a reward of at least 1, which data.require_positive requires',
    zh: '没有任何训练查询的奖励达到 1，而 data.require_positive 要求如此',
  },
})

/**
 * The whole training, top to bottom: a policy is drawn, warmed up by imitating rewarded choices (RCE), frozen in part,
 * and post-trained by GRPO with a KL to where it then stands, or to where it began (`kl.reference`). After every epoch it is validated and handed out. All
 * chance comes from one seeded generator, so the same config and data give the same numbers, in one go or resumed.
 */
export interface Epoch {
  /** From 1, through both phases. */
  readonly epoch: number
  readonly phase: Phase
  readonly metrics: { readonly [name: string]: number }
  /** Null where this epoch is not evaluated. */
  readonly validation: Validation | null
  /** Null where nothing is logged to imitate, or the epoch is neither evaluated nor kept. */
  readonly loss: ValidationLoss | null
  /** The last of its phase, or of all. */
  readonly ends: 'nothing' | 'phase' | 'training'
  readonly policy: Policy
  /** Null in the warm-up, unless the reference is the policy before it. */
  readonly reference: Policy | null
  /** Copies, to be taken before the next epoch is asked for. */
  state(): TrainingState
}

interface TrainOptions {
  readonly start?: Start
  readonly yieldToEventLoop?: YieldToEventLoop
  /** `float64` is the oracle, slow and in plain TypeScript: it tells rounding from a difference. */
  readonly precision?: Precision
  readonly onUpdate?: UpdateObserver | undefined
}

interface Training {
  readonly task: Task
  readonly config: TrainConfig
  readonly session: Session
  readonly random: Random
  readonly queries: readonly Query[]
  readonly judged: readonly RewardedGroup[]
  readonly yieldToEventLoop: YieldToEventLoop
  readonly onUpdate: UpdateObserver | undefined
}

export async function* train(
  task: Task,
  config: TrainConfig,
  { start = { kind: 'fresh' }, yieldToEventLoop = NEVER_YIELD, precision = 'float32', onUpdate }: TrainOptions = {},
): AsyncGenerator<Epoch> {
  checkShots(task, config.policy.shots)
  const random = seededRandom(config.seed)
  const session = openSession(task, config, precision)
  const queries = trainingQueries(task, config)
  if (queries.length === 0) throw new Problem('not-enough', say('train.nothing-positive', {}))
  const judged = validationGroups(task, config)
  const training: Training = { task, config, session, random, queries, judged, yieldToEventLoop, onUpdate }
  if (start.kind === 'resume') random.restore(start.state.random)
  if (start.kind === 'resume' && start.reference !== null && start.state.grpo !== null) {
    const { epoch, parameters, grpo } = start.state
    const reference = { epoch: grpo.referenceEpoch, values: start.reference }
    yield* postTrain(training, { epoch, values: parameters, reference }, { ...start.state, grpo })
    return
  }
  const warmed = yield* warmUp(training, start)
  yield* postTrain(training, warmed, null)
}

/** Where GRPO begins, and which weights are its reference. */
interface Warmed {
  readonly epoch: number
  readonly values: Values
  readonly reference: { readonly epoch: number; readonly values: Values }
}

async function* warmUp(training: Training, start: Start): AsyncGenerator<Epoch, Warmed> {
  const { task, config, session, random, queries, yieldToEventLoop, onUpdate } = training
  const policy = session.policyWith(config.freeze.rce)
  const { parameters } = policy
  const before = start.kind === 'resume' ? start.state : null
  if (before !== null) parameters.load(before.parameters)
  else if (start.kind === 'weights') parameters.load(start.values)
  else initialise(parameters, random)
  const beginning = start.kind === 'resume' ? start.reference : parameters.read()
  const first = config.kl.reference === 'before-rce' && beginning !== null ? session.frozenPolicy() : null
  if (first !== null && beginning !== null) first.parameters.load(beginning)
  const done = before?.phaseEpoch ?? 0
  let epoch = before?.epoch ?? 0
  if (done < config.epochs.rce) {
    const groups = await warmUpGroups(task, queries, config, yieldToEventLoop)
    const optimiser = session.optimiserOf(policy)
    if (before !== null) optimiser.restore(before.optimiser)
    for (let i = done; i < config.epochs.rce; i += 1) {
      const metrics = await rceEpoch({
        session,
        policy,
        optimiser,
        groups,
        config,
        random,
        epoch: i,
        yieldToEventLoop,
        onUpdate,
      })
      epoch += 1
      const isLast = i + 1 === config.epochs.rce
      const ends = !isLast ? 'nothing' : config.epochs.grpo > 0 ? 'phase' : 'training'
      const made = await evaluated(training, policy, { epoch, ends, metrics })
      const state = (): TrainingState => ({
        epoch: made.epoch,
        phase: 'rce',
        phaseEpoch: i + 1,
        parameters: parameters.read(),
        optimiser: optimiser.state(),
        random: random.state(),
        grpo: null,
        movedReference: null,
      })
      yield { ...made, phase: 'rce', ends, policy, reference: first, state }
    }
  }
  const values = parameters.read()
  const reference = first === null ? { epoch, values } : { epoch: 0, values: first.parameters.read() }
  return { epoch, values, reference }
}

async function* postTrain(
  training: Training,
  warmed: Warmed,
  before: (TrainingState & { readonly grpo: GrpoState }) | null,
): AsyncGenerator<Epoch> {
  const { task, config, session, random, queries, yieldToEventLoop, onUpdate } = training
  const policy = session.policyWith(config.freeze.grpo)
  const reference = session.frozenPolicy()
  policy.parameters.load(warmed.values)
  reference.parameters.load(before?.movedReference ?? warmed.reference.values)
  const start = config.ref.sync.steps === null ? null : session.frozenPolicy()
  start?.parameters.load(warmed.reference.values)
  const learned = config.reward.source === 'learned' ? await rewardFrom(training, warmed.reference.values) : null
  const optimiser = session.optimiserOf(policy)
  if (before !== null) optimiser.restore(before.optimiser)
  const rule = klRule(config.kl)
  const { early_stopping: stoppingRule } = config
  const logged = loggedGroups(task, queries, config)
  let kl = before?.grpo.kl ?? firstKlCoefficient(rule)
  let stopping = before?.grpo.stopping ?? NOTHING_EVALUATED
  let { epoch } = warmed
  for (let i = before?.phaseEpoch ?? 0; i < config.epochs.grpo && !shouldStop(stoppingRule, stopping); i += 1) {
    moveReference(reference.parameters, policy.parameters, config.ref.sync, i)
    const parts = {
      session,
      task,
      policy,
      reference,
      start,
      learned,
      optimiser,
      queries,
      logged,
      config,
      random,
      rule,
      yieldToEventLoop,
      onUpdate,
    }
    const done = await grpoEpoch({ ...parts, kl, epoch: i })
    kl = done.kl
    epoch += 1
    const isLast = i + 1 === config.epochs.grpo
    const made = await evaluated(training, policy, {
      epoch,
      ends: isLast ? 'training' : 'nothing',
      metrics: { ...done.metrics, ...legMetrics(config.ref.sync, i) },
      learned,
    })
    const value = made.metrics[stoppingRule.metric]
    if ((made.validation !== null || made.loss !== null) && value !== undefined) {
      stopping = afterEvaluation(stoppingRule, stopping, epoch, value)
    }
    const grpo: GrpoState = { referenceEpoch: warmed.reference.epoch, kl, stopping }
    const state = (): TrainingState => ({
      epoch: made.epoch,
      phase: 'grpo',
      phaseEpoch: i + 1,
      parameters: policy.parameters.read(),
      optimiser: optimiser.state(),
      random: random.state(),
      grpo,
      movedReference: start === null ? null : reference.parameters.read(),
    })
    const ends = isLast || shouldStop(stoppingRule, stopping) ? 'training' : 'nothing'
    yield { ...made, phase: 'grpo', ends, policy, reference, state }
  }
}

/** The policy that training starts from says what is labelled: its reference, which a resumed run has too. */
function rewardFrom(training: Training, values: Values): Promise<ChoiceReward> {
  const policy = training.session.frozenPolicy()
  policy.parameters.load(values)
  return learnedChoiceReward(training, policy)
}

async function evaluated(
  { session, task, config, judged, yieldToEventLoop }: Training,
  policy: Policy,
  {
    epoch,
    ends,
    metrics,
    learned = null,
  }: Pick<Epoch, 'epoch' | 'ends' | 'metrics'> & { readonly learned?: ChoiceReward | null },
): Promise<Pick<Epoch, 'epoch' | 'metrics' | 'validation' | 'loss'>> {
  const { every, samples } = config.eval
  const { shots } = config.policy
  const due = epoch % every === 0 || ends === 'training'
  const kept = epoch % config.save.every === 0 || ends !== 'nothing'
  const scored = due ? await validate(session, policy, task, { split: 'val', shots, samples, yieldToEventLoop }) : null
  // Logged data holds no score for most choices, and some data has no validation split: then there is nothing to average.
  const validation = scored?.ids.length === 0 ? null : scored
  const loss = due || kept ? validationLoss(session, policy, judged) : null
  return {
    epoch,
    metrics: {
      ...metrics,
      ...validation?.metrics,
      ...(validation !== null && learned !== null && { 'val.reward': meanReward(task, validation, learned) }),
      ...(scored !== null && scored.missing > 0 && { 'val.missing': scored.missing }),
      ...(loss !== null && { 'val.loss': loss.mean }),
    },
    validation,
    loss,
  }
}
