import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { sharedWorkspace, temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { checkpoints } from './checkpoints.js'
import { compare } from './compare.js'
import { diagnose } from './diagnose.js'
import { type EvaluationAnswer, evaluate } from './eval.js'
import { runs } from './runs.js'
import { train } from './train.js'
import type { TrainEvent } from './training-answers.js'

/** A training is a run in the store like an imported one, and its weights say what they are. */

const QUICK = ['epochs.rce=1', 'epochs.grpo=2', 'policy.hidden=32', 'data.width=24', 'data.candidates=24']

const workspace = sharedWorkspace()
const told: TrainEvent[] = []
let run = ''
const file = (epoch: number): string => join(workspace().root, 'runs', run, 'checkpoints', `epoch${epoch}.safetensors`)

beforeAll(async () => {
  const input = { name: 'mine', seed: '5', set: QUICK, baselines: true }
  const answer = await answerTo(workspace(), train, input, { onProgress: event => told.push(event) })
  if (!('run' in answer)) throw new Error('one training was asked for')
  run = answer.run
  expect(answer).toMatchObject({ status: 'finished', lastEpoch: 3 })
  expect(answer.checkpoints).toEqual(['epoch1.safetensors', 'epoch2.safetensors', 'epoch3.safetensors'])
  expect(answer.evaluations).toHaveLength(3)
})

describe('train', () => {
  it('tells how it begins and what came of each epoch', () => {
    const [started] = told
    expect(started).toMatchObject({ event: 'started', resumedAfter: null, about: { id: run, name: 'mine' } })
    expect(started.event === 'started' && started.about?.baselines.map(({ name }) => name)).toContain('random')
    const epochs = told.flatMap(event => (event.event === 'epoch' ? [event.report] : []))
    expect(epochs.map(({ epoch, phase }) => [epoch, phase])).toEqual([
      [1, 'rce'],
      [2, 'grpo'],
      [3, 'grpo'],
    ])
  })

  it('puts the run into the store like an imported one, and keeps checkpoints that carry their config', async () => {
    const [listed] = await answerTo(workspace(), runs, {})
    expect(listed).toMatchObject({ id: run, name: 'mine', status: 'finished' })
    expect(listed.config).toMatchObject({ seed: 5, 'kl.loss.coef': 0.1 })
    const bytes = readFileSync(file(3))
    const header = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE())).toString())
    expect(Object.keys(header)).toContain('query_proj.weight')
    const config = { 'kl.loss.coef': 0.1 }
    expect(JSON.parse(header.__metadata__.klens)).toMatchObject({ run, epoch: 3, seed: 5, config })
    expect((await answerTo(workspace(), diagnose, { runs: ['mine'] })).runs).toHaveLength(1)
    const ranked = await answerTo(workspace(), checkpoints, { run: 'mine' })
    expect(ranked.ranking).toHaveLength(3)
    expect(ranked.best.heldOut).toBeGreaterThan(0)
  })

  it('stops at the next clean point when it is asked to', async () => {
    const stopping = new AbortController()
    const onProgress = ({ event }: TrainEvent): void => {
      if (event === 'epoch') stopping.abort()
    }
    const { signal } = stopping
    const answer = await answerTo(await temporaryWorkspace(), train, { set: QUICK }, { signal, onProgress })
    expect(answer).toMatchObject({ status: 'killed', lastEpoch: 1 })
  })

  it('is trained once, however many ask for it at the same time', async () => {
    const workspace = await temporaryWorkspace()
    const input = { set: [...QUICK, 'epochs.grpo=0'], name: 'one', once: true }
    const answers = await Promise.all([1, 2].map(() => answerTo(workspace, train, input)))
    expect(answers).toContainEqual(expect.objectContaining({ status: 'finished' }))
    expect(answers).toContainEqual(expect.objectContaining({ known: 1 }))
    expect(await answerTo(workspace, runs, {})).toHaveLength(1)
  })

  it.each([
    ['a setting that does not exist', { set: ['kl.los.coef=1'] }, { key: 'train.problems' }],
    ['a file that is not there', { config: 'nope.yaml' }, { key: 'train.no-config', params: { path: 'nope.yaml' } }],
    ['a task without its data', { task: 'lever' }, { key: 'train.problems' }],
    ['two ways to begin', { resume: 'x', fresh: true }, { key: 'train.not-together' }],
    ['a run that klens did not train', { resume: 'nobody' }, { key: 'run.unknown' }],
  ])('refuses %s', async (_, input, sentence) => {
    await expect(answerTo(workspace(), train, input)).rejects.toMatchObject({ sentence })
  })
})

describe('eval', () => {
  it('scores checkpoints at several shots, keeps scores and choices with their run, and says how far choices agree', async () => {
    const scored: EvaluationAnswer[] = []
    const input = { checkpoints: [file(1), file(3)], shots: '1,2', samples: '50' }
    const answer = await answerTo(workspace(), evaluate, input, { onProgress: one => scored.push(one) })
    expect(answer).toMatchObject({ run, evaluations: scored, reasons: [] })
    expect(scored.map(({ shots, n }) => [shots, n])).toEqual([
      [1, 50],
      [2, 50],
      [1, 50],
      [2, 50],
    ])
    expect(answer.agreements.map(({ shots }) => shots)).toEqual([1, 2])
    for (const { share, n } of answer.agreements) expect([n, share >= 0 && share <= 1]).toEqual([50, true])
    expect(await answerTo(workspace(), runs, {})).toMatchObject([{ id: run, evaluations: 3 + 4 }])

    // Scores that were made here are series like those of a log, with the scores of single prompts behind them.
    const { metric, ranking } = await answerTo(workspace(), checkpoints, { run, metric: 'eval.score' })
    expect(metric).toMatch(/^eval\.score\/dataset=digits-[0-9a-f]{8}\/split=test\/shots=1$/)
    expect(ranking.map(({ step }) => step).sort()).toEqual([1, 3])
    const sides = [`${run}@1`, `${run}@3`]
    const { verdicts } = await answerTo(workspace(), compare, { sides, metric: 'eval.score/shots=2' })
    expect(verdicts[0]).toMatchObject({ question: 'checkpoint', metric: metric.replace('shots=1', 'shots=2') })
    const [first, second] = [1, 3].map(at => Number(scored[at].metrics['eval.score']))
    expect(verdicts[0].estimate).toBeCloseTo(second - first, 12)
    expect(verdicts[0].method?.numbers.prompts).toBe(50)

    const elsewhere = await temporaryWorkspace()
    const moved = await answerTo(elsewhere, evaluate, { checkpoints: [file(3)], shots: '2', samples: 50 })
    expect(moved.evaluations[0].metrics).toEqual(scored[3].metrics)
    expect(await answerTo(elsewhere, runs, {})).toMatchObject([{ source: 'checkpoint', evaluations: 1 }])
  })

  it('refuses weights that were changed after they were written, what is no selector, and shots that are none', async () => {
    const folder = temporaryFolder()
    const damaged = readFileSync(file(3))
    damaged[8 + Number(damaged.readBigUInt64LE()) + 3] ^= 1
    writeFileSync(join(folder, 'damaged.safetensors'), damaged)
    writeFileSync(join(folder, 'x.safetensors'), 'nothing')
    const refusal = (name: string, shots = '1') =>
      answerTo(workspace(), evaluate, { checkpoints: [join(folder, name)], shots }).catch((error: unknown) => error)
    expect(await refusal('damaged.safetensors')).toMatchObject({ sentence: { key: 'weights.damaged' } })
    expect(await refusal('x.safetensors')).toMatchObject({ code: 'unreadable' })
    expect(await refusal('x.safetensors', 'many')).toMatchObject({ sentence: { key: 'eval.bad-shots' } })
  })
})
