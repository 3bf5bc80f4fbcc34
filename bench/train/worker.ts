import process, { argv, stdin, version } from 'node:process'
import { createInterface } from 'node:readline'
import { defaultConfig, type TrainConfig } from '../../src/lab/train/config/selector-settings.js'
import type { Task } from '../../src/lab/train/tasks/task.js'
import { train } from '../../src/lab/train/train.js'
import type { Spent } from '../measure.js'
import type { TrainAnswer, TrainRequest } from './contestant.js'
import { readTrainData, type TrainData } from './data.js'

/**
 * klens as a contestant: `train` itself, as `klens train` runs it, on the made-up data as a task with logged groups.
 * All that an epoch does is timed, the reference and the metrics included; only the validation is put off for ever.
 */

/** More epochs than will ever be run. */
const ENDLESS = 1_000_000

const data = readTrainData(argv[2])
const task = taskOf(data)
console.log(JSON.stringify({ version: `Node ${version}` }))
for await (const line of createInterface({ input: stdin }))
  console.log(JSON.stringify(await answerTo(JSON.parse(line))))

async function answerTo(request: TrainRequest): Promise<TrainAnswer> {
  const passes: { readonly spent: Spent; readonly loss: number; readonly norm: number }[] = []
  const loss = request.phase === 'rce' ? 'loss.rce' : 'loss.total'
  let total = 0
  let clock = startClock()
  for await (const { metrics } of train(task, configOf(request, data))) {
    const spent = clock()
    total += spent.seconds
    passes.push({ spent, loss: metrics[loss], norm: metrics['grad.norm'] })
    if (total >= request.seconds && passes.length >= request.epochs) break
    clock = startClock()
  }
  return {
    seconds: passes.map(({ spent }) => spent.seconds),
    cpuSeconds: passes.map(({ spent }) => spent.cpuSeconds),
    losses: passes.map(pass => pass.loss),
    norms: passes.map(({ norm }) => norm),
  }
}

function startClock(): () => Spent {
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  return () => {
    const { user, system } = process.cpuUsage(cpuBefore)
    return { seconds: (performance.now() - start) / 1000, cpuSeconds: (user + system) / 1e6 }
  }
}

function configOf({ phase, frozen, beams, dropout }: TrainRequest, { settings }: TrainData): TrainConfig {
  const { lr, weightDecay, clip, klCoefficient, temperature, seed } = settings
  const base = defaultConfig()
  return {
    ...base,
    seed,
    dropout: { ...base.dropout, hidden: dropout[0], attention: dropout[1] },
    freeze: { rce: [], grpo: frozen ? ['backbone'] : [] },
    epochs: { ...base.epochs, rce: 0, grpo: 0, [phase]: ENDLESS },
    lr: { ...base.lr, rce: lr, grpo: lr },
    optimiser: { ...base.optimiser, weight_decay: weightDecay },
    grad: { clip },
    rce: { weights: 'raw', temperature: { start: temperature, end: temperature } },
    reward: { ...base.reward, mode: 'soft' },
    kl: { ...base.kl, loss: { ...base.kl.loss, coef: klCoefficient, estimator: 'k3-inverse' } },
    curriculum: { ...base.curriculum, late_beams: beams, order: 'stored' },
    eval: { ...base.eval, every: ENDLESS },
  }
}

function taskOf({ width, queries, embeddings }: ReturnType<typeof readTrainData>): Task {
  const images = embeddings.subarray(queries.length * width)
  return {
    name: 'made up',
    headline: 'hard',
    dataHash: '',
    queryEmbeddings: { rows: queries.length, width, values: embeddings.subarray(0, queries.length * width) },
    candidateEmbeddings: { rows: images.length / width, width, values: images },
    queries: queries.map(([row, pool], index) => ({
      ...{ index, id: String(index), split: 'train', row },
      pool: Int32Array.from(pool, image => image - queries.length),
    })),
    logged: queries.map(([, , beams, rewards], query) => ({
      query,
      members: beams.map((choice, i) => ({
        choice,
        outcome: { kind: 'scored', hard: null, soft: rewards[i] },
        method: 'made up',
        logProbability: null,
      })),
    })),
    remarks: [],
    score: () => Promise.reject(new Error('every choice of the made-up task is logged')),
    baselines: () => Promise.reject(new Error('the made-up task has no baselines')),
  }
}
