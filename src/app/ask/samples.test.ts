import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { fixture } from '../../../test/support/reading.js'
import { sharedFolder, sharedWorkspace } from '../../../test/workspace.js'
import { importLogs } from '../../core/store/ingest.js'
import { compare } from './compare.js'
import { rollouts } from './rollouts.js'
import { samples } from './samples.js'

/** On real TRL completions and on dumps written by verl's own writer. */

describe('samples', () => {
  const workspace = sharedWorkspace()
  const folder = sharedFolder()
  beforeAll(async () => {
    cpSync(fixture('completions'), join(folder, 'logs'), { recursive: true })
    const dump = readFileSync(fixture('completions/verl/kl/val_dump/45.jsonl'), 'utf8')
    mkdirSync(join(folder, 'logs/other/val'), { recursive: true })
    writeFileSync(join(folder, 'logs/other/val/45.jsonl'), dump.replaceAll('What is', 'How much is'))
    await importLogs(workspace(), [join(folder, 'logs')])
  })
  const found = (...sides: string[]) => answerTo(workspace(), samples, { sides })

  it('counts flips, tests them, and classes failures', async () => {
    const answer = await answerTo(workspace(), samples, { sides: ['no-kl@40', 'kl@45'], flips: true })
    expect(answer).toMatchObject({
      metric: 'val/score',
      n: 40,
      paired: { kind: 'binary', bothRight: 20, bothWrong: 3, toRight: 12, toWrong: 5 },
      test: { answer: 'undetermined' },
    })
    // t = 0.175 / √((17 − 40 · 0.175² + 2)/(40 · 39)) with 39 degrees of freedom; McNemar's exact test has 0.1435.
    expect(answer.test?.p).toBeCloseTo(0.1092, 4)
    expect(answer.flips).toHaveLength(17)
    expect(answer.flips[0]).toMatchObject({ scores: [1, 0], gained: false })
    expect(answer.flips[0].outputs?.[0]).toContain('\\boxed{')
    expect(answer.texts[0][answer.flips[0].id].output).toBe(answer.flips[0].outputs?.[0])
    expect(answer.failures.map(failure => [failure.class, ...failure.counts])).toEqual([
      ['environment', 3, 0],
      ['truncated', 3, 3],
      ['unparsable', 5, 0],
      ['wrong', 4, 5],
    ])
  })

  it('gives compare the same pairs', async () => {
    const { verdicts } = await answerTo(workspace(), compare, { sides: ['no-kl@40', 'kl@45'] })
    expect(verdicts[0]).toMatchObject({ question: 'checkpoint', method: { id: 'paired-prompts' } })
    // The headline's share of the level is 0.7.
    expect(verdicts[0].p).toBeCloseTo(0.1092, 4)
  })

  it('averages several answers to a prompt, and finds two that choose alike', async () => {
    const first = await found('slow@1', 'fast@1')
    expect(first).toMatchObject({ n: 40, paired: { kind: 'graded', equal: 40 }, texts: [{}, {}] })
    expect(first.sides[0]).toMatchObject({ prompts: 40, answers: 80 })
    const { agreement } = await found('kl@45', 'kl@45')
    expect(agreement).toMatchObject({ n: 37, identical: 37 })
  })

  it('shows what was rewarded step by step: TRL completions, verl rollouts and validation dumps', async () => {
    const course = (run: string, more = {}) => answerTo(workspace(), rollouts, { run, byStep: 6, ...more })
    const trl = await course('fast')
    expect(trl.metric).toBe('completions/digits_share')
    expect(trl.steps.map(({ step }) => step)).toEqual([1, 2, 3])
    expect(trl.steps[0]).toMatchObject({ answers: 80, prompts: 40, best: 1 })
    expect(trl.byStep?.[0]).toMatchObject({ step: 1, top: 2, distinct: 2, topLength: 1 })
    expect(trl.byStep?.[0].example?.output).toMatch(/^\d$/)
    expect(await course('kl')).toMatchObject({
      metric: 'val/score',
      byStep: [
        { step: 20, top: 19 },
        { step: 45, top: 32 },
      ],
    })
    expect(await course('kl', { metric: 'rollout/score' })).toMatchObject({ byStep: [{ step: 1 }] })
    expect((await course('fast', { byStep: 2 })).byStep?.map(({ step }) => step)).toEqual([1, 3])
    expect((await course('other')).steps).toHaveLength(1)
    await expect(course('kl', { metric: 'nonsense' })).rejects.toMatchObject({ sentence: { key: 'samples.no-metric' } })
  })

  it('takes the middle of two differences for their median', async () => {
    const lines = (scores: readonly number[]) =>
      scores.map((score, i) => JSON.stringify({ input: `q${i}`, output: `a${i} ${score}`, score })).join('\n')
    for (const [name, scores] of [
      ['two-a', [0.1, 0.2]],
      ['two-b', [0.2, 0.5]],
    ] as const) {
      mkdirSync(join(folder, 'two', name, 'val'), { recursive: true })
      writeFileSync(join(folder, 'two', name, 'val', '5.jsonl'), lines(scores))
    }
    await importLogs(workspace(), [join(folder, 'two')])
    const { paired } = await found('two-a@5', 'two-b@5')
    expect(paired).toMatchObject({ kind: 'graded', quantiles: { 2: expect.closeTo(0.2, 9) } })
  })

  it.each([
    ['no step', { sides: ['kl'] }, { key: 'samples.which-step', params: { steps: '1, 20, 45' } }],
    ['a step without samples', { sides: ['kl@7'] }, { key: 'samples.no-step', params: { step: 7 } }],
    ['sides without a shared prompt', { sides: ['kl@45', 'other@45'] }, { key: 'samples.no-shared' }],
    ['a metric of which there is none', { sides: ['kl@45'], metric: 'nonsense' }, { key: 'samples.no-metric' }],
    ['three sides', { sides: ['kl@45', 'kl@45', 'kl@45'] }, { key: 'samples.too-many-sides' }],
    ['a condition that is none', { sides: ['kl@45'], condition: ['colour=red'] }, { key: 'samples.bad-condition' }],
  ])('refuses %s', async (_, input, sentence) => {
    await expect(answerTo(workspace(), samples, input)).rejects.toMatchObject({ sentence })
  })

  it('takes in steps that were dumped since', async () => {
    const dump = readFileSync(join(folder, 'logs/verl/kl/val_dump/45.jsonl'), 'utf8')
    writeFileSync(join(folder, 'logs/verl/kl/val_dump/50.jsonl'), dump.replaceAll('"step": 45', '"step": 50'))
    await importLogs(workspace(), [join(folder, 'logs/verl/kl')])
    expect((await found('kl@50')).n).toBe(40)
  })
})
