import { readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { fixture, withFolder } from '../../../test/support/reading.js'
import { sharedWorkspace, temporaryWorkspace } from '../../../test/workspace.js'
import { comparisonBlocks } from '../../core/present/comparison.js'
import { runsBlocks } from '../../core/present/runs.js'
import { speakerIn } from '../../core/present/speaker.js'
import { importLogs } from '../../core/store/ingest.js'
import { checkpoints } from './checkpoints.js'
import { compare } from './compare.js'
import { diagnose } from './diagnose.js'
import { report } from './report.js'
import { runTable } from './runs.js'
import { show } from './show.js'

const LM = 'evaluations/lm-eval'

describe('evaluation files', () => {
  const workspace = sharedWorkspace(fixture('evaluations'))
  const compared = (asked: object) => answerTo(workspace(), compare, { sides: ['org/base', 'org/tuned'], ...asked })

  it('are compared item by item over all tasks, and asked nothing about steps', async () => {
    const answer = await compared({})
    const { verdicts, evaluation, headline } = answer
    expect(verdicts.map(({ question }) => question)).toEqual(['checkpoint', 'checkpoint', 'checkpoint'])
    expect(verdicts[headline.verdict]).toMatchObject({
      metric: 'eval',
      answer: 'better',
      method: { id: 'mean-over-tasks' },
    })
    expect(evaluation?.pairs[0]).toMatchObject({ counts: { tasks: 2, up: 2, upHolding: 1, down: 0 } })
    expect(evaluation?.pairs[0]?.tasks.map(({ task, shared }) => [task, shared])).toEqual([
      ['quiz', 40],
      ['sums', 30],
    ])
    expect(verdicts[headline.verdict].reasons[0]).toContain('of 2 tasks 2 are up, 1 holds')
    expect(answer.table.rows).toEqual([])
    expect(answer.costs).toEqual([])
  })

  it('are listed without points and metrics, of which they have none', async () => {
    const answer = await answerTo(workspace(), runTable, {})
    const text = JSON.stringify(runsBlocks(answer, speakerIn('en')))
    expect(text).toContain('org/base')
    expect(text).not.toContain('points')
  })

  it('propose a column that repeats and take none by themselves; a cluster that is asked for widens the interval', async () => {
    const plain = await compared({ metric: 'acc' })
    expect(plain.warnings.join()).toContain('--cluster passage_id')
    const clustered = await compared({ metric: 'acc', cluster: 'passage_id' })
    expect(clustered.evaluation).toMatchObject({ cluster: 'passage_id', pairs: [{ tasks: [{ clusters: 10 }] }] })
    expect(clustered.verdicts[0].method?.id).toBe('clustered-items')
    await expect(compared({ cluster: 'nowhere' })).rejects.toThrow(/evaluations.no-column/)
  })

  it('speak both languages, and every rendering has the tasks', async () => {
    for (const [lang, word] of [
      ['en', 'mean over tasks'],
      ['zh', '各任务均值'],
    ] as const) {
      const blocks = JSON.stringify(comparisonBlocks(await compared({ lang }), speakerIn(lang)))
      for (const text of [word, 'quiz', 'sums', '0.4750 ± 0.0800']) expect(blocks).toContain(text)
    }
    const { blocks } = await answerTo(workspace(), report, { runs: ['org/base', 'org/tuned'], write: false })
    expect(JSON.stringify(blocks)).toContain('0.4750 ± 0.0800')
    expect(JSON.stringify(blocks)).not.toContain('kl-runaway')
  })

  it('refuse a side of several models', async () => {
    const models = answerTo(workspace(), compare, { sides: ['mockllm/*', 'mockllm/tuned/sums'] })
    await expect(models).rejects.toThrow(/evaluations.several-models/)
  })

  it('show every task with the mean and the standard errors that the tool prints', async () => {
    const { results } = JSON.parse(
      readFileSync(fixture(`${LM}/org__base/results_2026-11-17T08-33-01.596381.json`), 'utf8'),
    )
    const { tasks } = await answerTo(workspace(), show, { run: 'org/base' })
    expect(tasks[0]).toMatchObject({ task: 'quiz', metric: 'eval/acc', n: 40 })
    expect(tasks[0]?.mean).toBeCloseTo(results.quiz['acc,none'], 12)
    expect(tasks[0]?.standardError).toBeCloseTo(results.quiz['acc_stderr,none'], 12)
    expect(tasks[1]?.standardError).toBeCloseTo(results.sums['exact_match_stderr,strict-match'], 12)
    const inspect = await answerTo(workspace(), show, { run: 'mockllm/tuned/sums' })
    expect(inspect.tasks[0]).toMatchObject({ cluster: 'passage_id', repeats: 3 })
    // As Inspect 0.3.285 printed them when it made the log.
    expect(inspect.tasks[0]?.standardError).toBeCloseTo(0.07320723677962591, 12)
    expect(inspect.tasks[0]?.clusteredError).toBeCloseTo(0.15435775507218913, 12)
  })

  it('are no training to diagnose, and one model has no checkpoints', async () => {
    const { runs, notChecked } = await answerTo(workspace(), diagnose, { runs: ['org/base'] })
    expect(runs[0]?.silence).toContain('this is an evaluation')
    expect(notChecked).toEqual([])
    await expect(answerTo(workspace(), checkpoints, { run: 'org/base' })).rejects.toThrow(/checkpoints.one-evaluation/)
  })
})

it('evaluations of several checkpoints are ranked', async () => {
  await withFolder(async folder => {
    for (const [step, model] of [
      [100, 'org__base'],
      [200, 'org__tuned'],
    ] as const) {
      await cp(fixture(`${LM}/${model}`), join(folder, 'kl', `checkpoint-${step}`), { recursive: true })
    }
    const workspace = await temporaryWorkspace()
    await importLogs(workspace, [folder])
    const { ranking } = await answerTo(workspace, checkpoints, { run: 'kl', metric: 'eval/acc' })
    expect(ranking.map(({ step, value }) => [step, value])).toEqual([
      [200, 0.625],
      [100, 0.475],
    ])
  })
})

it('means without items are compared as if the items were different ones', async () => {
  await withFolder(async folder => {
    for (const [model, time] of [
      ['org__base', '08-33-01.596381'],
      ['org__tuned', '08-33-11.952628'],
    ] as const) {
      const name = `results_2026-11-17T${time}.json`
      await cp(fixture(`${LM}/${model}/${name}`), join(folder, model, name))
    }
    const workspace = await temporaryWorkspace()
    const { verdicts } = await answerTo(workspace, compare, {
      sides: [join(folder, 'org__base'), join(folder, 'org__tuned')],
    })
    expect(verdicts.map(({ method }) => method?.id)).toEqual(['mean-over-tasks', 'reported-means', 'reported-means'])
  })
})
