import type { RunEvent } from '../../../logs/model/events.js'
import { Problem } from '../../../logs/model/problem.js'
import { message } from '../../../text/say.js'
import { configHash, flatConfig } from '../config/hash.js'
import { defaultConfig, type TrainConfig } from '../config/selector-settings.js'
import type { LoadedCheckpoint } from '../load-checkpoint.js'
import { queriesOf, type Task } from '../tasks/task.js'
import { type Epoch, train } from '../train.js'
import type { Start } from '../training-state.js'
import { checkpointKeeper } from './keep-checkpoints.js'
import { changeText } from './open-run.js'
import { openOriginalFiles } from './original-files.js'
import { checkpointsIn, findResumePoint, type ResumePoint } from './resume-point.js'
import {
  type EpochTimes,
  evaluationEvents,
  type MadeStep,
  type Place,
  stepRow,
  type Trainable,
  type Underway,
} from './trainable.js'

/** The selector's training as a run: a step is an epoch, a checkpoint one file. */
export interface SelectorRequest {
  readonly config: TrainConfig
  readonly task: Task
  /** Weights to start from. */
  readonly from: LoadedCheckpoint | null
  /** A folder for every epoch as Lever-Plus writes it. */
  readonly out?: string | undefined
}

/** The stored state has the form of these: other ones need a run of their own, started from the weights. */
const FIXED = [
  'policy.form',
  'policy.hidden',
  'policy.heads',
  'policy.layers',
  'freeze.rce',
  'freeze.grpo',
  'data.width',
  'kl.reference',
]

export function selectorTraining(request: SelectorRequest): Trainable {
  const { config, task, from } = request
  return {
    name: config.name,
    task: config.task,
    seed: config.seed,
    settings: flatConfig(config),
    settingsHash: configHash(config),
    dataHash: task.dataHash,
    from,
    samplesPerStep: queriesOf(task, 'train').length,
    defaults: flatConfig({ ...defaultConfig(), task: 'llm' }),
    fixed: FIXED,
    begin: place => underway(request, place, null),
    async findResumption(folder, notAfter, run) {
      const { point, damaged } = await findResumePoint(folder, notAfter)
      if (point === null) return { point, damaged }
      checkWidth(point, request, run)
      const { epoch: step } = point.start.state
      return { point: { step, changes: point.changes, resume: place => underway(request, place, point) }, damaged }
    },
  }
}

function underway(
  { config, task, from, out }: SelectorRequest,
  { folder, about, changes }: Place,
  point: ResumePoint | null,
): Underway {
  const keeper = checkpointKeeper({ folder, config, about, from: from?.contentHash ?? null, point, changes })
  const start: Start = point?.start ?? (from === null ? { kind: 'fresh' } : { kind: 'weights', values: from.values })
  return {
    get reference() {
      return keeper.reference
    },
    evaluations: keeper.evaluations,
    checkpoints: async () => (await checkpointsIn(folder)).map(({ name }) => name),
    async *steps(yieldToEventLoop): AsyncGenerator<MadeStep> {
      const files = out === undefined ? null : await openOriginalFiles(out, config)
      for await (const made of train(task, config, { start, yieldToEventLoop, onUpdate: files?.update })) {
        const { epoch: step, phase, metrics, ends } = made
        yield {
          ...{ step, phase, metrics, isLast: ends === 'training' },
          events: times => epochEvents(made, times),
          async keep() {
            // Files first: an epoch that was not kept is trained again and writes them again, one that was kept is not.
            await files?.write(made)
            await keeper.save(made)
          },
        }
      }
    },
  }
}

/** Other embeddings may be of another width, which no setting tells. */
function checkWidth({ start }: ResumePoint, { config, task }: SelectorRequest, run: string): void {
  const stored = start.state.parameters.get('input_proj.weight')
  const from = stored === undefined ? config.policy.hidden : stored.length / config.policy.hidden
  const to = task.queryEmbeddings.width
  if (from === to) return
  throw new Problem(
    'bad-request',
    message('train.cannot-change', { run, list: changeText({ key: 'data.width', from, to }) }),
  )
}

function epochEvents({ epoch, metrics, validation, loss }: Epoch, times: EpochTimes): readonly RunEvent[] {
  const ofLoss = loss === null ? [] : evaluationEvents('val.loss', epoch, loss.mean, loss.ids, loss.losses)
  const logged = [stepRow(epoch, metrics, { ...times }), ...ofLoss]
  if (validation === null) return logged
  const { ids, scores, choices } = validation
  const nothing = ids.map(() => null)
  return [
    ...logged,
    ...evaluationEvents('val.score', epoch, metrics['val.score'], ids, scores),
    {
      type: 'texts',
      texts: {
        ...{ table: 'val.score', step: epoch, condition: {}, ids, repeats: ids.map(() => 0) },
        ...{ inputs: nothing, outputs: nothing, expected: nothing },
        choices: choices.map(choice => choice.join(' ')),
      },
    },
  ]
}
