/**
 * The whole training of a language model in the gym, top to bottom: the supervised start is the first policy and the
 * reference, which stays or follows (`ref.sync`); each step plays, judges and learns (grpo-step.ts); now and then the policy is validated greedily. All
 * chance comes from one seeded generator and all that moves is in the state, so a training that is taken up again goes on
 * bit by bit the same.
 */
import { seededRandom, shuffled } from '../../../stats/random.js'
import { coefficientRules, type IntentionConfig } from '../config/language-settings.js'
import { adamWSettings } from '../config/shared-settings.js'
import type { YieldToEventLoop } from '../event-loop.js'
import { createEngine } from '../kernels/engine.js'
import type { SavedModel } from '../lm/checkpoint/model-folder.js'
import type { LanguageTrainingState } from '../lm/checkpoint/training-file.js'
import { createLanguageModel } from '../lm/language-model.js'
import { startPartner } from '../lm/partner/partner.js'
import { openVoices } from '../lm/voices.js'
import { legMetrics, moveReference } from '../moving-reference.js'
import { createAdamW } from '../optimiser/adamw.js'
import { type Coefficients, firstKlCoefficient, nextCoefficients } from '../schedules/kl-coefficient.js'
import { frameworkLearningRate } from '../schedules/learning-rate.js'
import type { Values } from '../training-state.js'
import { grpoStep } from './grpo-step.js'
import type { GymSetup } from './gym-setup.js'
import type { Players } from './play.js'
import type { StartModel } from './start.js'
import { learnedTurnReward } from './turn-reward.js'
import { type IntentionValidation, validateDialogues } from './validate.js'

/** Threads that one training may use; how many there are changes no number. */
export type Threads = 1 | 2

/** What a training moves beside weights and optimiser. */
interface Progress {
  readonly step: number
  readonly coefficients: Coefficients
  /** Requests of this pass through the data that are still to come. */
  readonly queue: readonly number[]
}

export interface IntentionStep {
  /** 0: before anything is learned. */
  readonly step: number
  readonly metrics: { readonly [name: string]: number }
  readonly validation: IntentionValidation | null
  readonly isLast: boolean
  readonly model: SavedModel
  readonly progress: Progress
  /** Copies, to be taken before the next step is asked for. */
  state(): Omit<LanguageTrainingState, 'trainer'>
}

export interface Resumed {
  readonly values: Values
  readonly state: Omit<LanguageTrainingState, 'trainer'>
  readonly progress: Progress
}

export async function* trainInGym(
  config: IntentionConfig,
  setup: GymSetup,
  { shape, tokenizer, values }: StartModel,
  resumed: Resumed | null,
  yieldToEventLoop: YieldToEventLoop,
  threads: Threads = 1,
): AsyncGenerator<IntentionStep> {
  const engine = createEngine('float32')
  const model = createLanguageModel(engine, shape)
  const reference = createLanguageModel(engine, shape, { trainable: false })
  model.parameters.load(values)
  reference.parameters.load(resumed?.state.reference ?? values)
  const { sync } = config.ref
  const begun = sync.steps === null ? null : createLanguageModel(engine, shape, { trainable: false })
  begun?.parameters.load(values)
  const optimiser = createAdamW(model.parameters, adamWSettings(config))
  const random = seededRandom(config.seed)
  if (resumed !== null) {
    optimiser.restore(resumed.state.optimiser)
    random.restore(resumed.state.random)
  }
  const dialogues = Math.max(config.batch.prompts * config.group.size, setup.validationTasks.length)
  const size = { count: dialogues, capacity: shape.positions }
  const partner = threads === 2 ? startPartner(model, size) : null
  const players: Players = { model, tokenizer, voices: openVoices(model, size, partner), partner }
  const learned = config.reward.source === 'learned' ? await learnedTurnReward(players, setup, config) : null
  if (resumed !== null) model.parameters.load(resumed.values)
  const rules = coefficientRules(config)
  let progress: Progress = resumed?.progress ?? {
    step: 0,
    coefficients: { kl: firstKlCoefficient(rules.kl), entropy: firstKlCoefficient(rules.entropy) },
    queue: [],
  }

  const made = async (metrics: IntentionStep['metrics']): Promise<IntentionStep> => {
    const { step } = progress
    const isLast = step === config.steps
    setup.enter(step)
    const isDue = step % config.eval.every === 0 || isLast
    const validation = isDue ? await validateDialogues(players, setup, config, learned, reference) : null
    const moved = begun === null ? null : reference.parameters
    const state = () => ({ optimiser: optimiser.state(), random: random.state(), reference: moved?.read() ?? null })
    const saved = { shape, parameters: model.parameters, tokenizer }
    return { step, metrics: { ...metrics, ...validation?.metrics }, validation, isLast, model: saved, progress, state }
  }

  try {
    yield* steps()
  } finally {
    await partner?.stop()
  }

  async function* steps(): AsyncGenerator<IntentionStep> {
    if (resumed === null) yield await made({})
    while (progress.step < config.steps) {
      const step = progress.step + 1
      const { tasks, queue } = nextTasks(config.batch.prompts)
      setup.enter(step)
      moveReference(reference.parameters, model.parameters, sync, progress.step)
      const { coefficients } = progress
      const learningRate = frameworkLearningRate(step - 1, config.steps, config.lr.grpo, config.lr)
      const parts = { config, setup, players, learned, reference, start: begun, optimiser, random }
      const done = await grpoStep({ ...parts, tasks, coefficients, learningRate })
      const batchSize = config.batch.prompts * config.group.size
      const seen = done.seen === null ? null : { ...done.seen, batchSize, totalSteps: config.steps }
      progress = {
        step,
        queue,
        coefficients: seen === null ? coefficients : nextCoefficients(rules, coefficients, seen),
      }
      yield await made({ ...done.metrics, ...legMetrics(sync, step - 1) })
      await yieldToEventLoop(step, config.steps)
    }
  }

  /** Every request once in random order, then all again in another one. */
  function nextTasks(count: number) {
    let { queue } = progress
    while (queue.length < count) {
      queue = [...queue, ...shuffled([...setup.trainTasks.keys()], random)]
    }
    return { tasks: queue.slice(0, count).map(index => setup.trainTasks[index]), queue: queue.slice(count) }
  }
}
