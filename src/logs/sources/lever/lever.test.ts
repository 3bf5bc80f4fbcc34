import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { substance, eventsOf as typed } from '../../../../test/support/binary.js'
import {
  eventsOf,
  fixture,
  isRow,
  readEvents,
  readInTwoSteps,
  sourceFile,
  withFile,
} from '../../../../test/support/reading.js'
import type { RunEvent } from '../../model/events.js'
import { detectFramework } from '../../model/vocabulary/detect.js'
import { meaningOf, vocabularyFor } from '../../model/vocabulary/resolve.js'
import { discover } from '../discover.js'
import type { FoundRun } from '../run-identity.js'
import { jsonTable } from '../table/json.js'
import { leverChoices } from './choices.js'
import { leverConsole } from './console.js'
import { leverScores } from './scores.js'

const LOG = fixture('lever/kl012/train.log')

type Metrics = { readonly [metric: string]: number }

/** The numbers that the script put into the files. */
const expected: { rce: Metrics[]; grpo: Metrics[] } = JSON.parse(readFileSync(fixture('lever/expected.json'), 'utf8'))

async function eventsOfRun({ logs, tables }: FoundRun): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for (const { file, source, run } of [...logs, ...tables]) {
    for await (const batch of source.read(file, { run, cursor: null, hints: {} })) events.push(...batch)
  }
  return events
}

describe('the table of epochs on the console', () => {
  it.each(['kl012', 'kl012-v4'])(
    'gives every GRPO epoch to the printed decimal, negative and not finite ones too: %s',
    async name => {
      const rows = (await readEvents(leverConsole, fixture(`lever/${name}/train.log`)))
        .filter(isRow)
        .filter(({ axis }) => axis === undefined)
      expect(rows.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6])
      for (const [i, { metrics, values, decimals }] of rows.entries()) {
        metrics.forEach((metric, column) => {
          const printed = expected.grpo[i][metric]
          if (i === 4 && /grpo_loss|ppo_loss/.test(metric)) expect(values[column]).toBeNaN()
          else expect(values[column]).toBe(Number(printed.toFixed(decimals?.[column] ?? 0)))
        })
      }
      expect(rows.some(({ values }) => values[2] < 0)).toBe(true)
    },
  )

  it('keeps the warm-up apart, on an axis of its own', async () => {
    const rows = (await readEvents(leverConsole, LOG)).filter(isRow).filter(({ axis }) => axis === 'rce_epoch')
    expect(rows.map(({ step, values }) => [step, values[0]])).toEqual(
      expected.rce.map(({ rce_loss: loss }, i) => [i + 1, Number(loss.toFixed(5))]),
    )
    expect(rows[0].metrics).toEqual(['rce_loss', 'rce_val_loss', 'temperature'])
  })

  it('reads the flags of the command and the end', async () => {
    const events = await readEvents(leverConsole, LOG)
    expect(typed(events, 'config')[0].config).toMatchObject({ kl_beta: 0.12, grpo_lr: 5e-6, disable_adaptive_kl: true })
    expect(typed(events, 'status').at(-1)?.status).toBe('finished')
  })

  it('speaks names that Lever-Plus is known by', async () => {
    const rows = (await readEvents(leverConsole, LOG)).filter(isRow)
    const names = [...new Set(rows.flatMap(({ metrics }) => metrics))]
    expect(detectFramework(names, [])).toBe('lever-plus')
    const vocabulary = vocabularyFor({ framework: 'lever-plus' })
    const unknown = names.filter(name => meaningOf(name, vocabulary).canonical === null)
    expect(unknown).toEqual(['rce_val_loss'])
  })

  it('says the same read in two steps', async () => {
    const bytes = readFileSync(LOG)
    const whole = substance(await readEvents(leverConsole, LOG))
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length }), async cut => {
        expect(substance(await readInTwoSteps(leverConsole, bytes, cut))).toEqual(whole)
      }),
      { numRuns: 20 },
    )
  })

  it('sees that training was started again', async () => {
    const log = readFileSync(LOG, 'utf8')
    const events = await eventsOf(leverConsole, log + log)
    expect(events.filter(({ type }) => type === 'restart')).toHaveLength(1)
  })

  it('survives any text', async () => {
    const piece = fc.constantFrom(
      ' Epoch   Train Loss     Val Loss  Temperature\n',
      '     1',
      '      0.10000',
      ' nan',
      '\n',
      '\r',
      '阶段3：GRPO训练',
      '=',
      ' [',
      ']',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async pieces => {
        await eventsOf(leverConsole, pieces.join(''))
      }),
      { numRuns: 50 },
    )
  })
})

describe('evaluations', () => {
  it('of several checkpoints are one run, by shots, with the number of questions', async () => {
    const { runs } = await discover([fixture('lever/icl_inference/v3')])
    expect(runs.map(({ name, logs }) => [name, logs.length])).toEqual([['Qwen2.5-VL-3B-Instruct_RandSampler_kl12', 3]])
    const evaluations = typed(await eventsOfRun(runs[0]), 'evaluation').map(({ evaluation }) => evaluation)
    expect(evaluations).toHaveLength(12)
    expect(evaluations[1]).toEqual({
      metric: 'shot_num=2',
      step: 1,
      condition: { shots: 2 },
      value: 0.562,
      n: 200,
      quality: 'measured',
    })
    expect(evaluations.map(({ step }) => step)).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
  })

  it('that differ between two tries of one checkpoint are told, and the last counts', async () => {
    const { runs } = await discover([fixture('lever/icl_inference/v3')])
    const events = await eventsOfRun(runs[0])
    expect(typed(events, 'warning').map(({ message }) => message)).toMatchObject([
      { key: 'lever.evaluated-twice', params: { step: 3, shots: '2' } },
    ])
    expect(typed(events, 'row').at(-1)).toMatchObject({ step: 3, values: [0.576, 0.5, 0.556, 0.546] })
  })

  it('of several retrievers are several runs', async () => {
    const { runs } = await discover([fixture('lever/icl_inference/baselines')])
    expect(runs.map(({ name }) => name)).toEqual(['baselines ZeroShot', 'baselines RandomRetriever'])
    expect(typed(await eventsOfRun(runs[1]), 'row')).toMatchObject([
      { step: 0, metrics: ['shot_num=1', 'shot_num=2'], values: [0.52, 0.53] },
    ])
  })

  it('of evaluate_v3 come with the choices and the answers that lie beside them', async () => {
    const { runs } = await discover([fixture('lever/v3_eval')])
    expect(runs.map(({ name, logs, tables }) => [name, logs.length, tables.length])).toEqual([['v3_eval', 1, 2]])
    const events = await eventsOfRun(runs[0])
    expect(typed(events, 'evaluation')).toMatchObject([
      { evaluation: { metric: 'shot_num=2', step: 2, value: 0.566, n: null } },
    ])
    const texts = typed(events, 'texts').map(event => event.texts)
    const [answers, choices] = [
      texts.find(({ table }) => table === 'answers'),
      texts.find(({ table }) => table === 'icd_idx_list'),
    ]
    expect(choices).toMatchObject({ step: 2, condition: { shots: 2 } })
    expect(choices?.choices.slice(0, 2)).toEqual(['[0,5]', '[37,16]'])
    expect(choices?.ids).toHaveLength(200)
    expect(answers?.ids[0]).toBe('1000')
    expect(answers?.outputs.slice(0, 3)).toEqual(['cat', '狗', 'a "b"'])
    expect(typed(events, 'samples')).toEqual([])
  })

  it('keeps the score that a fork writes beside each answer', async () => {
    const text = JSON.stringify([
      { question_id: 'a', answer: 'x', score: 0.6 },
      { question_id: 'b', answer: 'y' },
    ])
    const events = await withFile(text, path => readEvents(leverChoices, path), 'answers.json')
    expect(typed(events, 'samples')).toMatchObject([
      { samples: { metric: 'answers/score', ids: ['a'], scores: [0.6] } },
    ])
  })

  it('that are cut short are said to be', async () => {
    const path = join(fixture('lever/icl_inference/v3'), 'Qwen2.5-VL-3B-Instruct_RandSampler_kl12_epoch1_metrics.json')
    const half = readFileSync(path).subarray(0, 100)
    await withFile(
      half,
      async path => {
        expect(leverScores.recognise(await sourceFile(path))).toBe(true)
        expect(typed(await readEvents(leverScores, path), 'warning')[0].message.key).toBe('lever.unreadable')
      },
      'x_metrics.json',
    )
  })

  it('is not what every list of lists or every accuracy is', async () => {
    expect(leverChoices.recognise(await withFile('[[1,2],[3,4]]', sourceFile, 'matrix.json'))).toBe(false)
    expect(leverScores.recognise(await withFile('{"accuracy":0.5,"loss":1}', sourceFile, 'x.json'))).toBe(false)
  })
})

it('reads the metrics series of a training with the generic reader, every digit', async () => {
  const path = fixture('lever/training_metrics_kl012.json')
  expect(jsonTable.recognise(await sourceFile(path))).toBe(true)
  const rows = (await readEvents(jsonTable, path)).filter(isRow)
  expect(rows.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6])
  rows.forEach(({ metrics, values }, i) => {
    metrics.forEach((metric, column) => {
      expect(values[column]).toBe(expected.grpo[i][metric])
    })
  })
})
