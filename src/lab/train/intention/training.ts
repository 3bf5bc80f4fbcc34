import { join } from 'node:path'
import type { Workspace } from '../../../core/store/workspace.js'
import type { RunEvent } from '../../../logs/model/events.js'
import type { CheckpointIdentity } from '../../../logs/model/lineage.js'
import { metricsInJson } from '../checkpoint.js'
import { configHash, flatConfig } from '../config/hash.js'
import { type IntentionConfig, intentionDefaults } from '../config/language-settings.js'
import type { YieldToEventLoop } from '../event-loop.js'
import { createEngine } from '../kernels/engine.js'
import type { LanguageCheckpoint } from '../load-start.js'
import {
  type EpochTimes,
  type EvaluatedEpoch,
  type MadeStep,
  type Place,
  stepRow,
  type Trainable,
  type Underway,
} from '../run/trainable.js'
import { type KeptStep, keepStep, keptSteps, newestStep, stepFolder } from './checkpoints.js'
import type { GymSetup } from './gym-setup.js'
import { type StartModel, startModel } from './start.js'
import { type IntentionStep, type Threads, trainInGym } from './train.js'
import { validationEvents } from './validate.js'

/** The language model's training as a run: a step is a round of dialogues and the updates on them, a checkpoint a folder. */

/** The stored state has the form of these. */
const FIXED = Object.keys(flatConfig(intentionDefaults())).filter(key =>
  /^(?:model|start|data)\.|^gym\.language$/.test(key),
)

/** `from`: a checkpoint to start from instead of the supervised start; it is then the reference. */
export function intentionTraining(
  config: IntentionConfig,
  workspace: Workspace,
  setup: GymSetup,
  { from = null, threads = 1 }: { readonly from?: LanguageCheckpoint | null; readonly threads?: Threads } = {},
): Trainable {
  const start = async (yieldToEventLoop: YieldToEventLoop): Promise<StartModel> =>
    from ?? startModel(workspace, config, setup, createEngine('float32'), yieldToEventLoop)
  return {
    name: config.name,
    task: config.task,
    seed: config.seed,
    settings: flatConfig(config),
    settingsHash: configHash(config),
    dataHash: setup.dataHash,
    from,
    samplesPerStep: config.batch.prompts * config.group.size,
    defaults: flatConfig(intentionDefaults()),
    fixed: FIXED,
    begin: place => underway(config, setup, start, place, null, threads),
    async findResumption(folder, notAfter) {
      const { point, damaged } = await newestStep(folder, notAfter)
      if (point === null) return { point, damaged }
      const resume = (place: Place): Underway => underway(config, setup, async () => point.start, place, point, threads)
      return { point: { step: point.progress.step, changes: point.changes, resume }, damaged }
    },
  }
}

function underway(
  config: IntentionConfig,
  setup: GymSetup,
  start: (yieldToEventLoop: YieldToEventLoop) => Promise<StartModel>,
  { folder, about, changes }: Place,
  point: KeptStep | null,
  threads: Threads,
): Underway {
  const evaluations: EvaluatedEpoch[] = [...(point?.evaluations ?? [])]
  let reference: Omit<CheckpointIdentity, 'run'> | null = null
  const said = { ...about, config: flatConfig(config) }

  async function keep(made: IntentionStep): Promise<void> {
    const { step, isLast, validation } = made
    const forGood = step % config.save.every === 0 || isLast
    if (validation !== null) evaluations.push({ epoch: step, metrics: metricsInJson(validation.metrics) })
    if (!forGood && validation === null) return
    const hash = await keepStep(folder, made, said, { evaluations, changes }, forGood)
    if (step === 0) reference = { contentHash: hash, path: join(folder, stepFolder(0)), step: 0 }
  }

  return {
    get reference() {
      return reference
    },
    evaluations,
    checkpoints: () => keptSteps(folder),
    async *steps(yieldToEventLoop): AsyncGenerator<MadeStep> {
      const model = await start(yieldToEventLoop)
      for await (const made of trainInGym(config, setup, model, point, yieldToEventLoop, threads)) {
        const { step, metrics, isLast } = made
        yield { step, metrics, isLast, phase: 'grpo', events: times => stepEvents(made, times), keep: () => keep(made) }
      }
    },
  }
}

function stepEvents({ step, metrics, validation }: IntentionStep, { time, ...times }: EpochTimes): readonly RunEvent[] {
  // Nothing is worked through before the first step, so there is nothing to time.
  const row = stepRow(step, metrics, { time, ...(step > 0 && times) })
  return [row, ...(validation === null ? [] : validationEvents(step, validation))]
}
