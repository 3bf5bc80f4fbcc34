import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTrainConfig } from '../src/lab/train/config/read.js'
import type { TrainConfig } from '../src/lab/train/config/selector-settings.js'
import { klRule } from '../src/lab/train/config/shared-settings.js'
import { NEVER_YIELD } from '../src/lab/train/event-loop.js'
import { grpoEpoch, loggedGroups } from '../src/lab/train/grpo-epoch.js'
import type { ParameterSet } from '../src/lab/train/matrix/parameters.js'
import { openTask } from '../src/lab/train/open-task.js'
import { createAdamW, DEFAULT_ADAMW, type Optimiser } from '../src/lab/train/optimiser/adamw.js'
import { trainingQueries } from '../src/lab/train/rewarded-group.js'
import { firstKlCoefficient } from '../src/lab/train/schedules/kl-coefficient.js'
import { openSession } from '../src/lab/train/session.js'
import type { Update } from '../src/lab/train/tally.js'
import type { Task } from '../src/lab/train/tasks/task.js'
import { train } from '../src/lab/train/train.js'
import { validationGroups, validationLoss } from '../src/lab/train/validate.js'
import { seededRandom } from '../src/stats/random.js'
import {
  METRIC_NAMES,
  type OriginalCase,
  type OriginalEpoch,
  original,
  originalCases,
  originalConfig,
  startValues,
  writeOriginalInputs,
} from './support/lever-original.js'
import { temporaryFolder, temporaryWorkspace } from './workspace.js'

/**
 * The same training in float64, the original's own precision in these fixtures, where rounding cannot hide a difference:
 * all must agree to the digits that the fixture prints. `lever-parity.test.ts` holds `klens train` itself against them.
 */
const PRINTED = 1e-8

interface Opened {
  readonly task: Task
  readonly config: TrainConfig
}

/** Embeddings as the fixture has them; files of embeddings are read as float32. */
async function open(one: OriginalCase): Promise<Opened> {
  const folder = temporaryFolder()
  await writeOriginalInputs(folder, one)
  const read = readTrainConfig({ file: { name: join(folder, 'config.yaml'), text: originalConfig(one) } })
  if (read.kind !== 'config') throw new Error(JSON.stringify(read.problems))
  const task = await openTask(read.config, await temporaryWorkspace(), {})
  const embeddings = { ...task.queryEmbeddings, values: Float64Array.from(original.embeddings.flat()) }
  return { config: read.config, task: { ...task, queryEmbeddings: embeddings, candidateEmbeddings: embeddings } }
}

function expectEpoch(metrics: { readonly [name: string]: number }, epoch: OriginalEpoch): void {
  for (const [theirs, ours] of Object.entries(METRIC_NAMES[epoch.phase])) {
    expect(Math.abs(metrics[ours] - epoch[theirs]), ours).toBeLessThan(PRINTED)
  }
}

/** The fixture's updates have eight digits. */
function expectUpdates(updates: readonly Update[], epoch: OriginalEpoch): void {
  const norms = epoch.phase === 'rce' ? epoch.grad_norms : epoch.updates.map(([, , , , , , norm]) => norm)
  expect(updates).toHaveLength(norms.length)
  for (const [u, norm] of norms.entries()) expectClose(updates[u].metrics['grad.norm'], norm)
  if (epoch.phase === 'rce') return
  for (const [u, [loss, policy, kl, ratio]] of epoch.updates.entries()) {
    const { metrics } = updates[u]
    expectClose(metrics['loss.total'], loss)
    expectClose(metrics['loss.policy'], policy)
    expectClose(metrics['kl.ref'], kl)
    expectClose(metrics['ratio.mean'], ratio)
  }
}

/** Absolute below one, relative above: an update that is clipped whole has a gradient of 0. */
function expectClose(found: number, expected: number): void {
  expect(Math.abs(found - expected) / Math.max(1, Math.abs(expected))).toBeLessThan(1e-7)
}

function expectWeights({ parameters_after }: OriginalCase, values: ReturnType<ParameterSet['read']>): void {
  for (const [name, { sum, l2, every5 }] of Object.entries(parameters_after)) {
    const found = Array.from(values.get(name) ?? [])
    for (const [i, value] of every5.entries()) expect(Math.abs(found[i * 5] - value), name).toBeLessThan(PRINTED)
    const total = found.reduce((all, value) => all + value, 0)
    expect(Math.abs(total - sum), `sum of ${name}`).toBeLessThan(PRINTED)
    expect(Math.hypot(...found) / l2, `norm of ${name}`).toBeCloseTo(1, 8)
  }
}

/** In the original, frozen weights keep the warm-up's last gradient: told apart below. */
const STALE_GRADIENT = 'rce-then-frozen'

describe.each(originalCases.filter(({ name }) => name !== STALE_GRADIENT))("the original's $name, $form", one => {
  it('gives the same to every printed digit in float64', async () => {
    const { task, config } = await open(one)
    const start = { kind: 'weights', values: startValues(one) } as const
    let updates: Update[] = []
    const onUpdate = (update: Update): number => updates.push(update)
    const expected = one.epochs.values()
    for await (const { metrics, policy, ends } of train(task, config, { start, precision: 'float64', onUpdate })) {
      const epoch = expected.next().value
      if (epoch === undefined) throw new Error('one epoch too many')
      expectEpoch(metrics, epoch)
      expectUpdates(updates, epoch)
      updates = []
      if (ends === 'training') expectWeights(one, policy.parameters.read())
    }
    expect(expected.next().done).toBe(true)
  })
})

describe.each(originalCases.filter(({ name }) => name === STALE_GRADIENT))("the original's $name, $form", one => {
  it('differs by nothing but the gradient that frozen weights keep', async () => {
    const { task, config } = await open(one)
    const start = { kind: 'weights', values: startValues(one) } as const
    const updates: Update[] = []
    const onUpdate = (update: Update): number => updates.push(update)
    const warmUp = { ...config, epochs: { ...config.epochs, grpo: 0 } }
    let warmed: ParameterSet | null = null
    for await (const { policy } of train(task, warmUp, { start, precision: 'float64', onUpdate })) {
      warmed = policy.parameters
    }
    if (warmed === null) throw new Error('no warm-up')

    const session = openSession(task, config, 'float64')
    const policy = session.policyWith(config.freeze.grpo)
    const reference = session.frozenPolicy()
    policy.parameters.load(warmed.read())
    reference.parameters.load(start.values)
    const kept = warmed.all.filter(parameter => !policy.parameters.get(parameter.name).trainable)
    const gradients = kept.flatMap(parameter => Array.from(warmed.readGradient(parameter.name)))
    const clip = clipScale(updates[updates.length - 1].metrics['grad.norm'])
    const optimiser = besideStaleGradient(policy.parameters, Math.hypot(...gradients) * clip)

    const queries = trainingQueries(task, config)
    const logged = loggedGroups(task, queries, config)
    const rule = klRule(config.kl)
    const random = seededRandom(config.seed)
    const judged = validationGroups(task, config)
    let kl = firstKlCoefficient(rule)
    for (const [i, epoch] of one.epochs.filter(({ phase }) => phase === 'grpo').entries()) {
      updates.length = 0
      const policies = { policy, reference, start: null, learned: null }
      const parts = { session, task, ...policies, optimiser, queries, logged, config, random, rule }
      const done = await grpoEpoch({ ...parts, kl, epoch: i, yieldToEventLoop: NEVER_YIELD, onUpdate })
      kl = done.kl
      expectUpdates(updates, epoch)
      expectEpoch({ ...done.metrics, 'val.loss': validationLoss(session, policy, judged)?.mean ?? Number.NaN }, epoch)
    }
    expectWeights(one, policy.parameters.read())
  })
})

/** As torch clips to a norm of 1. */
function clipScale(norm: number): number {
  return Math.min(1, 1 / (norm + 1e-6))
}

/** AdamW whose clip also counts a gradient that belongs to nobody, and shrinks it with every clip. */
function besideStaleGradient(parameters: ParameterSet, staleNorm: number): Optimiser {
  const { engine, trainable } = parameters
  const adamw = createAdamW(parameters, { ...DEFAULT_ADAMW, clipNorm: Number.POSITIVE_INFINITY })
  let stale = staleNorm
  return {
    ...adamw,
    step(learningRate) {
      const own = trainable.map(({ name }) => Math.hypot(...parameters.readGradient(name)))
      const gradientNorm = Math.hypot(...own, stale)
      const scale = clipScale(gradientNorm)
      const numbers = engine.numbers()
      for (const { gradient, length } of trainable) {
        for (let i = gradient.dense; i < gradient.dense + length; i += 1) numbers[i] *= scale
      }
      stale *= scale
      return { ...adamw.step(learningRate), gradientNorm }
    },
  }
}
