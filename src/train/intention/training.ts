import { join } from 'node:path'
import type { CheckpointIdentity } from '../../model/checkpoint.js'
import type { RunEvent } from '../../model/events.js'
import { jsonNumber } from '../../model/json.js'
import type { Workspace } from '../../store/workspace.js'
import { configHash, flatConfig } from '../config/hash.js'
import { INTENTION_DEFAULTS, type IntentionConfig } from '../config/language-settings.js'
import { createEngine } from '../kernels/engine.js'
import type { LanguageCheckpoint } from '../load-start.js'
import type { Pace } from '../pace.js'
import type { EpochTimes, EvaluatedEpoch, MadeStep, Place, Trainable, Underway } from '../run/trainable.js'
import { type KeptStep, keepStep, keptSteps, newestStep, stepFolder } from './checkpoints.js'
import { openStage, type Stage } from './stage.js'
import { type StartModel, startModel } from './start.js'
import { type IntentionStep, trainInGym } from './train.js'
import { validationEvents } from './validate.js'

/** The language model's training as a run: a step is a round of dialogues and the updates on them, a checkpoint a folder. */

/** The stored state has the form of these. */
const FIXED = Object.keys(flatConfig(INTENTION_DEFAULTS)).filter(key => /^(?:model|start)\.|^gym\.language$/.test(key))

/** `from`: a checkpoint to start from instead of the supervised start; it is then the reference. */
export function intentionTraining(
  config: IntentionConfig,
  workspace: Workspace,
  from: LanguageCheckpoint | null = null,
): Trainable {
  const stage = openStage(config)
  const start = async (pace: Pace): Promise<StartModel> =>
    from ?? startModel(workspace, config, stage, createEngine('float32'), pace)
  return {
    name: config.name,
    task: config.task,
    seed: config.seed,
    settings: flatConfig(config),
    settingsHash: configHash(config),
    dataHash: stage.dataHash,
    from,
    samplesPerStep: config.batch.prompts * config.group.size,
    defaults: flatConfig(INTENTION_DEFAULTS),
    fixed: FIXED,
    begin: place => underway(config, stage, start, place, null),
    async findResumption(folder, notAfter) {
      const { point, damaged } = await newestStep(folder, notAfter)
      if (point === null) return { point, damaged }
      const resume = (place: Place): Underway => underway(config, stage, async () => point.start, place, point)
      return { point: { step: point.progress.step, changes: point.changes, resume }, damaged }
    },
  }
}

function underway(
  config: IntentionConfig,
  stage: Stage,
  start: (pace: Pace) => Promise<StartModel>,
  { folder, about, changes }: Place,
  point: KeptStep | null,
): Underway {
  const evaluations: EvaluatedEpoch[] = [...(point?.evaluations ?? [])]
  let reference: Omit<CheckpointIdentity, 'run'> | null = null
  const said = { ...about, config: flatConfig(config) }

  async function keep(made: IntentionStep): Promise<void> {
    const { step, isLast, validation } = made
    const forGood = step % config.save.every === 0 || isLast
    if (validation !== null) evaluations.push({ epoch: step, metrics: inJson(validation.metrics) })
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
    async *steps(pace): AsyncGenerator<MadeStep> {
      for await (const made of trainInGym(config, stage, await start(pace), point, pace)) {
        const { step, metrics, isLast } = made
        yield { step, metrics, isLast, phase: 'grpo', events: times => stepEvents(made, times), keep: () => keep(made) }
      }
    },
  }
}

function stepEvents({ step, metrics, validation }: IntentionStep, { time, ...times }: EpochTimes): readonly RunEvent[] {
  const logged: { readonly [name: string]: number } = { ...metrics, ...(step > 0 && times) }
  const names = Object.keys(logged)
  return [
    { type: 'row', step, time, metrics: names, values: names.map(name => logged[name]) },
    ...(validation === null ? [] : validationEvents(step, validation)),
  ]
}

function inJson(metrics: { readonly [name: string]: number }): EvaluatedEpoch['metrics'] {
  return Object.fromEntries(
    Object.entries(metrics).flatMap(([name, value]) => {
      const written = jsonNumber(value)
      return written === null ? [] : [[name, written]]
    }),
  )
}
