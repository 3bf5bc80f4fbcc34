import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventsOf as typed } from '../../../../test/support/binary.js'
import { eventsOf, fixture, readEvents, sourceFile, withFile, withFolder } from '../../../../test/support/reading.js'
import type { RunEvent } from '../../model/events.js'
import { discover } from '../discover.js'
import { inspectLog } from '../inspect/inspect.js'
import { lmEvalResults, lmEvalSamples } from '../lm-eval/lm-eval.js'
import { openaiEvals } from '../openai-evals/openai-evals.js'
import { sources } from '../registry.js'
import { verifiersResults, verifiersTraces } from '../verifiers/verifiers.js'
import { evaluatedModel } from './evaluated-model.js'
import { settingsUnder } from './item-scores.js'

const LM = 'evaluations/lm-eval/org__base'
const RESULTS = `${LM}/results_2026-11-17T08-33-01.596381.json`
const QUIZ = `${LM}/samples_quiz_2026-11-17T08-33-01.596381.jsonl`
const SUMS = `${LM}/samples_sums_2026-11-17T08-33-01.596381.jsonl`
const INSPECT = 'evaluations/inspect/base/2026-11-17T08-33-43-00-00_sums_68sCdmcKAbUyTYzTJFcpEu.eval'
const ROLLOUTS = 'evaluations/verifiers/evals/sums--base/1a2b3c4d'
const TRACES = 'evaluations/verifiers/sums--base--default--a1b2/traces.jsonl'

const meansIn = (events: readonly RunEvent[]) =>
  Object.fromEntries(
    typed(events, 'evaluation').map(({ evaluation: { metric, value, n } }) => [metric, { value, n }] as const),
  )

describe('the means of the items', () => {
  it('are those that lm-eval prints, filter by filter', async () => {
    const { results } = JSON.parse(readFileSync(fixture(RESULTS), 'utf8'))
    const quiz = meansIn(await readEvents(lmEvalSamples, fixture(QUIZ)))
    expect(quiz).toEqual({
      'eval/acc': { value: results.quiz['acc,none'], n: 40 },
      'eval/acc_norm': { value: results.quiz['acc_norm,none'], n: 40 },
    })
    const sums = meansIn(await readEvents(lmEvalSamples, fixture(SUMS)))
    for (const filter of ['strict-match', 'flexible-extract']) {
      expect(sums[`eval/exact_match,${filter}`]?.value).toBeCloseTo(results.sums[`exact_match,${filter}`], 12)
    }
  })

  it('are those that verifiers and OpenAI’s evals report', async () => {
    const { avg_reward: reward } = JSON.parse(readFileSync(fixture(`${ROLLOUTS}/metadata.json`), 'utf8'))
    const rollouts = meansIn(await readEvents(verifiersResults, fixture(`${ROLLOUTS}/results.jsonl`)))
    expect(rollouts['eval/reward']?.value).toBeCloseTo(reward, 12)
    expect(rollouts['eval/reward']?.n).toBe(20)
    const path = fixture('evaluations/openai-evals/base.jsonl')
    const last = JSON.parse(readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '')
    const answers = meansIn(await readEvents(openaiEvals, path))
    expect(answers).toEqual({ 'eval/accuracy': { value: last.final_report.accuracy, n: 30 } })
  })

  it('of Inspect, packed with Zstandard or deflate or plain, agree with its header without a warning', async () => {
    for (const path of [INSPECT, 'evaluations/inspect/older/passages.eval', 'evaluations/inspect/json/sums.json']) {
      const events = await readEvents(inspectLog, fixture(path))
      expect(typed(events, 'warning'), path).toEqual([])
      expect(typed(events, 'samples').length, path).toBe(1)
      expect(typed(events, 'status').at(-1)?.status, path).toBe('finished')
    }
    const [{ samples }] = typed(await readEvents(inspectLog, fixture(INSPECT)), 'samples')
    expect(samples.ids.length).toBe(72)
    expect(samples.repeats?.slice(0, 3)).toEqual([0, 0, 0])
    expect(samples.columns?.[0]).toMatchObject({ passage_id: '0', level: 'easy' })
  })

  it('of traces weigh the parts of a reward', async () => {
    const means = meansIn(await readEvents(verifiersTraces, fixture(TRACES)))
    expect(means['eval/reward']?.value).toBe(means['eval/reward/exact']?.value)
    expect(means['eval/reward']?.n).toBe(12)
  })

  it('are the reported ones, with their standard errors, where no items were kept', async () => {
    const events = await withFolder(async folder => {
      const path = join(folder, 'results_2026-11-17T08-33-01.596381.json')
      await cp(fixture(RESULTS), path)
      return readEvents(lmEvalResults, path)
    })
    expect(meansIn(events)).toMatchObject({
      'eval/acc': { value: 0.475, n: 40 },
      'eval/acc_stderr': { value: 0.07996393417804533, n: 40 },
      'eval/exact_match,strict-match': { value: 0.4, n: 30 },
    })
  })

  it('of an older results.json are read too, and its groups are no tasks', async () => {
    const old = {
      results: { arc: { acc: 0.5, acc_stderr: 0.05, alias: 'arc' }, all: { acc: 0.5, alias: 'all' } },
      group_subtasks: { all: ['arc'], arc: [] },
      config: { model_args: 'pretrained=org/m,dtype=float16', limit: 100 },
    }
    const events = await withFile(JSON.stringify(old), path => readEvents(lmEvalResults, path), 'results.json')
    expect(
      typed(events, 'evaluation').map(({ evaluation }) => [evaluation.condition.dataset, evaluation.metric]),
    ).toEqual([
      ['arc', 'eval/acc'],
      ['arc', 'eval/acc_stderr'],
    ])
    expect(typed(events, 'config')[0]?.config).toMatchObject({ model: 'org/m', limit: 100, 'task.arc.metric': 'acc' })
  })
})

describe('which files make a run', () => {
  it('takes the results and samples of one call together, and each Inspect log by itself', async () => {
    const { runs, skipped } = await discover([fixture('evaluations')])
    const found = runs.map(({ name, source, logs }) => [source.id, name, logs.length])
    expect(found).toContainEqual(['lm-eval', 'org/base', 3])
    expect(found).toContainEqual(['inspect', 'mockllm/base/sums', 1])
    expect(found).toContainEqual(['verifiers', 'base/sums', 1])
    expect(found).toContainEqual(['openai-evals', 'tuned/sums.dev.v0', 1])
    expect(skipped).toEqual([])
  })

  it('takes the samples along when only the results are named', async () => {
    const { runs } = await discover([fixture(RESULTS)])
    expect(runs.map(({ logs }) => logs.length)).toEqual([3])
  })

  it('gives scores of a checkpoint to the training that lies above them, and other scores to none', async () => {
    await withFolder(async folder => {
      await mkdir(join(folder, 'kl', 'evals', 'step_500'), { recursive: true })
      await writeFile(join(folder, 'kl', 'metrics.jsonl'), '{"step":1,"loss":1}\n{"step":2,"loss":0.5}\n')
      for (const place of ['checkpoint-400', 'evals/step_500']) {
        await cp(fixture(LM), join(folder, 'kl', place), { recursive: true })
      }
      await cp(fixture(LM), join(folder, 'kl'), { recursive: true })
      const { runs } = await discover([folder])
      expect(runs.map(({ name, logs, tables }) => [name, logs.length, tables.length]).sort()).toEqual([
        ['kl', 1, 6],
        ['org/base', 3, 0],
      ])
    })
  })

  it.each([
    ['/r/kl/checkpoint-500/eval/results.json', null, { name: 'kl', step: 500, training: '/r/kl' }],
    ['/r/lm/__runs__kl__checkpoint-500/results.json', null, { name: 'kl', step: 500 }],
    ['/r/logs/a.eval', 'hf/org/kl-global_step_45', { name: 'kl', step: 45 }],
    ['/r/logs/a.eval', 'openai/gpt-4', { name: 'openai/gpt-4', step: null }],
    ['/r/logs-2026/a.eval', 'x', { name: 'x', step: null }],
  ])('reads the checkpoint off %s and %s', (path, model, expected) => {
    expect(evaluatedModel(path, model)).toMatchObject(expected)
  })
})

describe('bad content', () => {
  it('leaves a setting that JSON can carry: an infinity as a word', () => {
    expect(settingsUnder('task.', JSON.parse('{"temperature":-1e999,"seed":1}'))).toEqual({
      'task.temperature': '-Infinity',
      'task.seed': 1,
    })
  })

  it('is no reason to throw: files that are cut off anywhere', async () => {
    const all = [RESULTS, QUIZ, INSPECT, `${ROLLOUTS}/results.jsonl`, TRACES, 'evaluations/openai-evals/base.jsonl']
    for (const name of all) {
      expect(existsSync(fixture(name))).toBe(true)
      const bytes = readFileSync(fixture(name))
      const source = sources.find(each =>
        each.recognise({ path: name, size: bytes.length, modifiedMs: 0, head: bytes.subarray(0, 65_536) }),
      )
      if (source === undefined) throw new Error(`no source wants ${name}`)
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: bytes.length }), async cut => {
          await eventsOf(source, bytes.subarray(0, cut))
        }),
        { numRuns: 8 },
      )
    }
  })

  it('is not taken for an evaluation: rollouts of a training, tables, other archives', async () => {
    const train = readFileSync(fixture(TRACES), 'utf8').replaceAll('"run":{"type":"eval"', '"run":{"type":"train"')
    expect(verifiersTraces.recognise(await withFile(train, sourceFile))).toBe(false)
    const others = ['{"results":{"a":{"loss":1}}}', '{"doc_id":1,"x":2}\n', '{"spec":{"x":1}}\n', 'PK\u0003\u0004other']
    for (const text of others) {
      const file = await withFile(text, sourceFile)
      for (const source of [lmEvalResults, lmEvalSamples, inspectLog, verifiersResults, verifiersTraces, openaiEvals]) {
        expect(source.recognise(file), `${source.id}: ${text}`).toBe(false)
      }
    }
  })
})
