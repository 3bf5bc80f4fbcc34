import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { substance, eventsOf as typed } from '../../../../test/support/binary.js'
import {
  eventsOf,
  fixture,
  readEvents,
  readInTwoSteps,
  rowsOf,
  sourceFile,
  withFile,
} from '../../../../test/support/reading.js'
import { numberFromJson } from '../../model/json.js'
import { detectFramework } from '../../model/vocabulary/detect.js'
import { meaningOf, vocabularyFor } from '../../model/vocabulary/resolve.js'
import { discover } from '../discover.js'
import { openrlhfConsole } from './console.js'

type Printed = [number, Record<string, number | string>]

/** What the script that made the logs printed into them. */
const expected: { steps: Printed[]; evaluations: Printed[]; bars: [number, Record<string, number>[]][] } = JSON.parse(
  readFileSync(fixture('openrlhf/expected.json'), 'utf8'),
)

function rowOf([step, values]: Printed): object {
  return { step, ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, numberFromJson(value)])) }
}

const read = (name: string) => readEvents(openrlhfConsole, fixture(`openrlhf/${name}`))

describe('the console of a Ray job', () => {
  it('gives every step and evaluation in full, and no bar beside them', async () => {
    const rows = rowsOf(await read('console.log'))
    const steps = rows.filter(row => 'policy_loss' in row)
    expect(steps).toEqual(expected.steps.map(rowOf))
    expect(rows.filter(row => !('policy_loss' in row))).toEqual(expected.evaluations.map(rowOf))
  })

  it('sees the restart between steps 4 and 4', async () => {
    const events = (await read('console.log')).filter(({ type }) => type === 'restart' || type === 'row')
    const at = events.findIndex(({ type }) => type === 'restart')
    expect(rowsOf(events.slice(0, at)).map(({ step }) => step)).toEqual([1, 2, 2, 3, 4, 4])
    expect(rowsOf(events.slice(at)).map(({ step }) => step)).toEqual([4, 4, 5])
  })

  it('reads the arguments under the names of their flags', async () => {
    const [{ config }] = typed(await read('console.log'), 'config')
    expect(config).toMatchObject({
      'algo.kl.init_coef': 0.01,
      'algo.kl.use_loss': true,
      'actor.adam.betas': [0.9, 0.95],
      'reward.remote_url': ['http://127.0.0.1:5000/get_reward?a=1,2'],
      'eval.dataset': null,
    })
  })

  it('is finished when the last episode is whole, and named as the arguments say', async () => {
    expect(typed(await read('console.log'), 'status').at(-1)?.status).toBe('finished')
    const { runs } = await discover([fixture('openrlhf/console.log')])
    expect(runs.map(({ name, source }) => [name, source.id])).toEqual([['qwen3-8b-kl-0.01', 'openrlhf']])
  })
})

describe('a console with nothing but bars', () => {
  it('gives each step the mean of its micro-batches, as precise as the bars are', async () => {
    const rows = rowsOf(await read('console-bars.log'))
    expect(rows.map(({ step }) => step)).toEqual([1, 2, 3])
    for (const [i, [, batches]] of expected.bars.entries()) {
      for (const metric of ['act_loss', 'reward', 'kl', 'act_lr', 'grad_norm']) {
        const mean = batches.reduce((sum, batch) => sum + batch[metric], 0) / batches.length
        expect(rows[i][metric]).toBeCloseTo(mean, metric === 'act_lr' ? 12 : 3)
      }
    }
  })

  it('prefers the means that old versions print behind the episode', async () => {
    const train = (i: number, postfix: string) =>
      `\rTrain epoch [1/1]:  50%|##   | ${i}/2 [00:01<00:01,  1.0s/it${postfix}]`
    const phase = (loss: number) => `${train(0, '')}${train(1, `, pg=${loss}`)}${train(2, `, pg=${loss + 2}`)}`
    const episode = (done: number, loss: number) =>
      `\rEpisode [1/1]:  50%|##   | ${done}/2 [00:01<00:01, 1.0s/it, policy_loss=${loss}]`
    const text = `${phase(1)}${episode(0, 2.25)}${phase(5)}${episode(1, 6)}\n`
    expect(rowsOf(await eventsOf(openrlhfConsole, text))).toEqual([
      { step: 1, policy_loss: 2.25 },
      { step: 2, policy_loss: 6 },
    ])
  })
})

describe('a log that grows', () => {
  it.each(['console.log', 'console-bars.log'])('says the same read in two steps: %s', async name => {
    const bytes = readFileSync(fixture(`openrlhf/${name}`))
    const whole = substance(await read(name))
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length }), async cut => {
        expect(substance(await readInTwoSteps(openrlhfConsole, bytes, cut))).toEqual(whole)
      }),
      { numRuns: 25 },
    )
  })

  it('leaves a text that has no end for later, and says how long it is', async () => {
    const events = await eventsOf(openrlhfConsole, "✨ Global step 1: {'kl': 0.1}\n✨ Global step 2: {'kl': 0.25}")
    expect(rowsOf(events)).toEqual([{ step: 1, kl: 0.1 }])
    expect(events.at(-1)).toEqual({ type: 'tail', unreadBytes: 31 })
  })
})

describe('what a log may hold besides', () => {
  it('reads asynchronous training, replays, repeated lines and values that are no plain numbers', async () => {
    const text = [
      "(PPOTrainerAsync pid=7, ip=10.0.0.2) INFO 11-15 10:36:12 ppo_trainer_async.py:244] Global step 1: {'kl': np.float64(0.5), 'note': 'x', 'reward': None}",
      "Global step 2 [replay]: {'kl': nan} [repeated 2x across cluster]",
      "(PPOTrainerAsync pid=7) INFO 11-15 10:36:13 ppo_trainer_async.py:214] Eval at step 2: {'eval_math_pass1': 0.25}",
      "the answer of a sample: Global step 3: {'kl': 9}",
      "✨ Global step 4: {'kl': 0.1, 'rew",
      "Job 'raysubmit_x1' failed",
      '',
    ].join('\n')
    const events = await eventsOf(openrlhfConsole, text)
    expect(rowsOf(events)).toEqual([
      { step: 1, kl: 0.5 },
      { step: 2, kl: Number.NaN },
      { step: 2, eval_math_pass1: 0.25 },
    ])
    expect(typed(events, 'status').at(-1)?.status).toBe('failed')
    expect(typed(events, 'warning')).toMatchObject([
      { message: { key: 'openrlhf.bad-status', params: { count: 1, step: 4 } } },
    ])
  })

  it('is not taken for a log when a script or a list quotes one', async () => {
    const line = "✨ Global step 1: {'kl': 0.1}\n"
    for (const name of ['notes.md', 'run.sh']) {
      expect(openrlhfConsole.recognise(await withFile(line, sourceFile, name))).toBe(false)
    }
    expect(openrlhfConsole.recognise(await withFile(line, sourceFile))).toBe(true)
    expect(openrlhfConsole.recognise(await withFile('step:1 - actor/kl_loss:0.1\n', sourceFile))).toBe(false)
  })

  it('survives any text', async () => {
    const piece = fc.constantFrom(
      '✨ Global step ',
      '1',
      ': ',
      '{',
      "'a'",
      ': 1',
      '}',
      '\r',
      '\n',
      'Train epoch [1/1]:',
      '%|',
      '| 1/2 [',
      'a=',
      'namespace(',
      ')',
      '\x1b[0m',
      '(PPOTrainer pid=1) ',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async pieces => {
        await eventsOf(openrlhfConsole, pieces.join(''))
      }),
      { numRuns: 60 },
    )
  })
})

describe('the names', () => {
  it('all have a meaning, in the console as in TensorBoard', () => {
    const vocabulary = vocabularyFor({ framework: 'openrlhf' })
    const names = [
      ...Object.keys(expected.steps[0][1]),
      ...Object.keys(expected.evaluations[0][1]),
      ...Object.keys(expected.bars[0][1][0]),
    ]
    const older = ['pg', 'rm', 'ret', 'glen', 'tlen', 'cri', 'vals', 'cri_lr', 'score', 'critic_grad_norm']
    for (const name of [...names, ...older]) {
      const prefix = name.startsWith('eval_') ? 'eval/' : 'train/'
      for (const raw of [name, `${prefix}${name}`])
        expect.soft(meaningOf(raw, vocabulary).canonical, raw).not.toBeNull()
    }
  })
})

describe('its TensorBoard files', () => {
  it('are one run at the global steps, under names that all have a meaning', async () => {
    const { runs } = await discover([fixture('openrlhf/tensorboard')])
    expect(runs.map(({ name, source }) => [name, source.id])).toEqual([['qwen3-8b-kl-0.01', 'tensorboard']])
    const rows = typed(await readEvents(runs[0].source, runs[0].logs[0].file.path), 'row')
    const series = (metric: string) => rows.filter(row => row.metrics[0] === metric).map(({ step }) => step)
    expect(series('train/kl')).toEqual([1, 2, 3, 4, 5])
    expect(series('eval/eval_gsm8k_pass1')).toEqual([2, 4])
    const names = [...new Set(rows.map(({ metrics }) => metrics[0]))]
    expect(detectFramework(names, [])).toBe('openrlhf')
    const pass = meaningOf('eval/eval_gsm8k_pass1', vocabularyFor({ framework: 'openrlhf' }))
    expect(pass).toMatchObject({ canonical: 'val.score', condition: { dataset: 'gsm8k', aggregate: 'pass@1' } })
  })
})
