import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fixture, rowsOf } from '../../../../test/support/reading.js'
import { importFile, importText, warningsIn } from '../../../../test/support/tables.js'
import type { RunEvent } from '../../model/events.js'
import { csv } from '../table/csv.js'
import { jsonl } from '../table/json.js'
import { samples } from './samples.js'

async function eventsOf(text: string, name = 'val_exact.csv') {
  const { recognised, runs } = await importText(samples, text, { name })
  expect({ recognised, runs: runs.length }).toEqual({ recognised: true, runs: 1 })
  return runs[0].events
}

const scoresIn = (events: readonly RunEvent[]) =>
  events.flatMap(event => (event.type === 'samples' ? [event.samples] : []))
const meansIn = (events: readonly RunEvent[]) =>
  events.flatMap(event => (event.type === 'evaluation' ? [event.evaluation] : []))

const indices = Array.from({ length: 20 }, (_, index) => index)
const lines = (...objects: readonly object[]) => objects.map(object => `${JSON.stringify(object)}\n`).join('')

describe('wide tables', () => {
  it('reads real validation scores, one event and one mean per step', async () => {
    const { recognised, runs } = await importFile(samples, fixture('tables/kl-0.1/seed7/val_exact.csv'))
    expect(recognised).toBe(true)
    const scores = scoresIn(runs[0].events)
    expect(scores.map(({ step }) => step)).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55])
    expect(scores[0]).toMatchObject({ metric: 'val_exact', condition: {} })
    expect(scores[0].ids.slice(0, 2)).toEqual(['p0', 'p1'])
    expect(scores[1].ids).toBe(scores[0].ids)
    expect(meansIn(runs[0].events)[0]).toEqual({
      metric: 'val_exact',
      step: 0,
      condition: {},
      value: 0.38,
      n: 200,
      quality: 'measured',
    })
  })

  it('reads JSONL as well, with names like q_1', async () => {
    const row = (step: number) => ({ step, ...Object.fromEntries(indices.map(index => [`q_${index}`, index % 2])) })
    const events = await eventsOf(lines(row(0), row(5)), 'val.jsonl')
    expect(meansIn(events).map(({ step, value, n }) => [step, value, n])).toEqual([
      [0, 0.5, 20],
      [5, 0.5, 20],
    ])
  })

  it('leaves out scores that are not there or not finite', async () => {
    const events = await eventsOf(`step,${indices.map(i => `p${i}`)}\n0,1,,?,nan${',1'.repeat(16)}\n`)
    expect(scoresIn(events)[0].ids).not.toContain('p1')
    expect(meansIn(events)).toMatchObject([{ value: 1, n: 17 }])
    expect(warningsIn(events)).toMatchObject([{ key: 'samples.bad-scores', params: { count: 1 } }])
  })

  it('keeps the other numbers as metrics', async () => {
    const events = await eventsOf(`step,mean,${indices.map(i => `p${i}`)}\n0,0.9${',1'.repeat(20)}\n`)
    expect(rowsOf(events)).toEqual([{ step: 0, mean: 0.9 }])
  })

  it('knows a header that is longer than the head', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `prompt${index}`)
    const events = await eventsOf(`step,${many}\n7,${many.map(() => 1)}\n`)
    expect(meansIn(events)).toMatchObject([{ step: 7, n: 20_000 }])
  })

  it.each([
    ['fewer than 20 samples', `step,${indices.slice(1).map(i => `p${i}`)}\n0${',1'.repeat(19)}\n`],
    ['no step', `x,${indices.map(i => `p${i}`)}\n0${',1'.repeat(20)}\n`],
    ['layers', `step,${indices.map(i => `grad/layer_${i}`)}\n0${',1'.repeat(20)}\n`],
    ['names that come and go', `step,${indices.map(i => `p${i}`)}\n0,1${','.repeat(19)}\n1,,1${','.repeat(18)}\n`],
    ['many other columns', `step,a,b,c,d,e,f,${indices.map(i => `p${i}`)}\n0${',1'.repeat(26)}\n`],
  ])('are not claimed with %s', async (_, text) => {
    expect((await importText(samples, text)).recognised).toBe(false)
  })
})

describe('long tables', () => {
  it('gathers the rows of a step, wherever they stand', async () => {
    const events = await eventsOf('sample,step,score\na,0,1\na,5,1\nb,0,0\nb,5,1\n')
    expect(scoresIn(events)).toEqual([
      { metric: 'val_exact', step: 0, condition: {}, ids: ['a', 'b'], scores: [1, 0] },
      { metric: 'val_exact', step: 5, condition: {}, ids: ['a', 'b'], scores: [1, 1] },
    ])
    expect(meansIn(events)).toMatchObject([
      { step: 0, value: 0.5, n: 2 },
      { step: 5, value: 1, n: 2 },
    ])
  })

  it('tells conditions apart and keeps what else is known', async () => {
    const text = 'step,question_id,correct,dataset,shots,choice\n0,1,True,a,2,x\n0,2,False,a,2,y\n0,1,True,b,4,z\n'
    const events = await eventsOf(text)
    const about = { metric: 'val_exact', step: 0 }
    expect(scoresIn(events)).toEqual([
      { ...about, condition: { dataset: 'a', shots: 2 }, ids: ['1', '2'], scores: [1, 0] },
      { ...about, condition: { dataset: 'b', shots: 4 }, ids: ['1'], scores: [1] },
    ])
    const texts = events.flatMap(event => (event.type === 'texts' ? [event.texts] : []))
    expect(texts.map(({ table, ids, choices }) => [table, ids, choices])).toEqual([
      ['val_exact', ['1', '2'], ['x', 'y']],
      ['val_exact', ['1'], ['z']],
    ])
  })

  it('counts prompts, not attempts', async () => {
    const rows = [0, 1].flatMap(id => [0, 1, 2, 3].map(repeat => ({ step: 0, id, repeat, reward: repeat / 4 })))
    const events = await eventsOf(lines(...rows), 'val.jsonl')
    expect(scoresIn(events)[0].repeats).toEqual([0, 1, 2, 3, 0, 1, 2, 3])
    expect(meansIn(events)).toMatchObject([{ value: 0.375, n: 2, condition: { aggregate: 'mean@4' } }])
  })

  it('numbers attempts that have no number', async () => {
    const events = await eventsOf('step,id,score\n0,a,1\n0,b,0\n0,a,0\n0,b,0\n')
    expect(scoresIn(events)[0]).toMatchObject({ ids: ['a', 'b', 'a', 'b'], repeats: [0, 0, 1, 1] })
  })

  it('says a large file in parts, and the means at the end', async () => {
    const rows = Array.from({ length: 250_000 }, (_, row) => `${row % 2},${row},1`)
    const events = await eventsOf(`step,sample,score\n${rows.join('\n')}\n`)
    expect(scoresIn(events).map(({ step, ids }) => [step, ids.length])).toEqual([
      [0, 100_000],
      [0, 25_000],
      [1, 125_000],
    ])
    expect(meansIn(events)).toMatchObject([
      { step: 0, value: 1, n: null },
      { step: 1, value: 1, n: 125_000 },
    ])
  })

  it('says each step of an ordered file whole, however long the file', async () => {
    const rows = Array.from({ length: 300_000 }, (_, row) => `${Math.floor(row / 1000)},${row % 1000},1`)
    const events = await eventsOf(`step,sample,score\n${rows.join('\n')}\n`)
    expect(scoresIn(events)).toHaveLength(300)
    expect(meansIn(events).every(({ n }) => n === 1000)).toBe(true)
  })

  it('are not claimed where each step has one row', async () => {
    const text = 'step,index,reward\n0,0,0.1\n1,1,0.2\n2,2,0.3\n'
    expect((await importText(samples, text)).recognised).toBe(false)
    expect((await importText(csv, text)).recognised).toBe(true)
  })
})

it('counts bad steps', async () => {
  const events = await eventsOf(
    'step,id,score\n0,a,1\n0,b,0\n1,a,1\n1,b,1\n2,a,1\n2,b,1\n3,a,1\n3,b,1\n4,a,1\n4,b,1\nx,c,1\n,d,1\n',
  )
  expect(warningsIn(events)).toMatchObject([
    { key: 'source.bad-step', params: { count: 1, step: '"x"' } },
    { key: 'table.no-step-rows', params: { count: 1 } },
  ])
})

it('shares no file with the readers of other tables, and survives any text', async () => {
  const words = ['step', 'sample', 'score', ',', '\n', '1', '"', '{"step":1,', '"id":2,', '"score":3}', 'x']
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...words), { maxLength: 40 }), async pieces => {
      const text = pieces.join('')
      const claims = await Promise.all([samples, csv, jsonl].map(source => importText(source, text)))
      expect(claims.filter(({ recognised }) => recognised).length).toBeLessThanOrEqual(1)
    }),
    { numRuns: 300 },
  )
})
