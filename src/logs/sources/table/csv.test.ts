import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  aboutTheFile,
  fixture,
  isRow,
  lastCursor,
  readEvents,
  readInTwoSteps,
  rowsOf,
  sourceFile,
  withFile,
} from '../../../../test/support/reading.js'
import { importFile, importText, warningsIn } from '../../../../test/support/tables.js'
import type { Row } from '../../model/events.js'
import type { Hints } from '../source.js'
import { csv } from './csv.js'

async function eventsOf(text: string | Uint8Array, hints: Hints = {}, name = 'x.csv') {
  const { recognised, runs } = await importText(csv, text, { name, hints })
  expect({ recognised, runs: runs.length }).toEqual({ recognised: true, runs: 1 })
  return runs[0].events
}

const rowsIn = async (text: string | Uint8Array, hints: Hints = {}) => rowsOf(await eventsOf(text, hints))
const firstRow = async (text: string): Promise<Row | undefined> => (await eventsOf(text)).find(isRow)

describe('reading', () => {
  it('reads a real table with all its digits', async () => {
    const { recognised, runs } = await importFile(csv, fixture('tables/kl-0.1/seed7/truth.csv'))
    expect(recognised).toBe(true)
    const rows = rowsOf(runs[0].events)
    expect(rows).toHaveLength(21)
    expect(rows[0]).toEqual({ step: 0, reward: 0.6176251, exact: 0.41275 })
    expect(runs[0].events.filter(isRow)[1].metrics).toBe(runs[0].events.filter(isRow)[0].metrics)
  })

  it.each([
    ['tabs', 'step\tloss\n1\t0.5\n2\t0.4\n'],
    ['semicolons', 'step;loss\n1;0.5\n2;0.4\n'],
    ['decimal commas', 'step;loss\n1;0,5\n2;0,4\n'],
    ['Windows line ends', 'step,loss\r\n1,0.5\r\n2,0.4\r\n'],
    ['a byte order mark', '\uFEFFstep,loss\n1,0.5\n2,0.4\n'],
    ['quotes', '"step","loss"\n"1","0.5"\n"2","0.4"\n'],
    ['blank lines', 'step,loss\n\n1,0.5\n\n2,0.4\n\n'],
    ['no last line end', 'step,loss\n1,0.5\n2,0.4'],
    ['a delimiter behind the last field', 'step,loss\n1,0.5,\n2,0.4,\n'],
    ['comments', '# of run 7\nstep,loss\n1,0.5\n# resumed\n2,0.4\n'],
    ['names in a comment, as numpy writes', '# step,loss\n1,0.5\n2,0.4\n'],
    ['row numbers, as pandas writes', ',step,loss\n0,1,0.5\n1,2,0.4\n'],
    ['text columns', 'step,note,loss\n1,"a, b",0.5\n2,12,0.4\n'],
  ])('reads %s', async (_, text) => {
    expect(await rowsIn(text)).toEqual([
      { step: 1, loss: 0.5 },
      { step: 2, loss: 0.4 },
    ])
  })

  it('reads UTF-16 as spreadsheets write it, though not piece by piece', async () => {
    const text = '\uFEFFstep\t损失\r\n1\t0.5\r\n2\t0.4'
    const bigEndian = Buffer.from(text, 'utf16le').swap16()
    for (const bytes of [Buffer.from(text, 'utf16le'), bigEndian]) {
      const events = await eventsOf(bytes)
      expect(rowsOf(events)).toEqual([
        { step: 1, 损失: 0.5 },
        { step: 2, 损失: 0.4 },
      ])
      expect(lastCursor(events)).toBeNull()
    }
  })

  it('reads GBK as Chinese Windows writes it', async () => {
    const steps = [0xb2, 0xbd, 0xca, 0xfd]
    const reward = [0xbd, 0xb1, 0xc0, 0xf8]
    const bytes = Buffer.from([...steps, 0x2c, ...reward, ...Buffer.from('\r\n1,0.5\r\n2,0.4\r\n')])
    expect(await rowsIn(bytes)).toEqual([
      { step: 1, 奖励: 0.5 },
      { step: 2, 奖励: 0.4 },
    ])
  })

  it('keeps what is good of damaged UTF-8', async () => {
    const text = Buffer.from(`step,奖励\n${Array.from({ length: 20 }, (_, step) => `${step},0.5\n`).join('')}`)
    const rows = await rowsIn(Buffer.concat([text, Buffer.from([0xff]), Buffer.from(',1\n20,0.5\n')]))
    expect(rows).toEqual(Array.from({ length: 21 }, (_, step) => ({ step, 奖励: 0.5 })))
  })

  it('says nothing for an empty cell, and that a value is missing for a mark', async () => {
    const events = await eventsOf('step,loss,acc\n1,0.5,\n2,,?\n3,n/a,0.3\n4,,\n')
    expect(events.filter(isRow)).toEqual([
      { type: 'row', step: 1, time: null, metrics: ['loss'], values: [0.5] },
      { type: 'row', step: 2, time: null, metrics: ['acc'], values: [Number.NaN], qualities: ['missing'] },
      {
        type: 'row',
        step: 3,
        time: null,
        metrics: ['loss', 'acc'],
        values: [Number.NaN, 0.3],
        qualities: ['missing', 'measured'],
      },
    ])
  })

  it('tells estimates, percentages, grouped digits and words for numbers', async () => {
    const row = await firstRow('step,a,b,c,d,e\n1,~1.85,57.0%,"59,839",nan,-inf\n2,1.9 (est.),58%,"1,000",1,2\n')
    expect(row).toMatchObject({
      values: [1.85, 57, 59839, Number.NaN, Number.NEGATIVE_INFINITY],
      qualities: ['estimated', 'measured', 'measured', 'measured', 'measured'],
    })
  })

  it('keeps the decimals of a column that was printed with a fixed number of them', async () => {
    const rows = (await eventsOf('step,rounded,full\n1,0.50,0.5\n2,0.25,0.25\n3,0.125,0.125\n')).filter(isRow)
    expect(rows.every(row => row.decimals === undefined)).toBe(true)
    const printed = await firstRow('step,rounded,full\n1,0.50,0.5\n2,0.25,0.25\n3,0.10,0.125\n')
    expect(printed?.decimals).toEqual([2, null])
  })

  it('reads the time of a row', async () => {
    expect(await firstRow('step,timestamp,loss\n1,1700000000500,0.5\n')).toMatchObject({ time: 1700000000.5 })
    expect(await firstRow('step,date,loss\n1,2023-11-14T22:13:20Z,0.5\n')).toMatchObject({ time: 1700000000 })
  })

  it('reads names that are longer than the head', async () => {
    const names = Array.from({ length: 3000 }, (_, index) => `some/rather/long/name/of/a_metric_${index}_mean`)
    const rows = await rowsIn(`step,${names}\n1,${names.map((_, index) => index)}\n`)
    expect(rows[0][names[2999]]).toBe(2999)
  })

  it('takes only the metrics that were asked for', async () => {
    expect(await rowsIn('step,loss,kl\n1,0.5,0.1\n', { metrics: ['kl'] })).toEqual([{ step: 1, kl: 0.1 }])
    expect(await rowsIn('step,loss,kl\n1,0.5,0.1\n', { metrics: [] })).toEqual([{ step: 1, loss: 0.5, kl: 0.1 }])
  })

  it('keeps an epoch beside the step as a metric', async () => {
    expect(await rowsIn('epoch,step,loss\n0.5,1,0.1\n1,2,0.2\n')).toEqual([
      { step: 1, epoch: 0.5, loss: 0.1 },
      { step: 2, epoch: 1, loss: 0.2 },
    ])
  })

  it('accepts fractions as steps', async () => {
    expect(await rowsIn('epoch,loss\n0.5,0.1\n-1,0.2\n')).toEqual([
      { step: 0.5, loss: 0.1 },
      { step: -1, loss: 0.2 },
    ])
  })

  it('says when it did not find the step that was asked for', async () => {
    expect(warningsIn(await eventsOf('step,loss\n1,0.5\n', { step: 'tokens' }))).toMatchObject([
      { key: 'table.step-hint-absent', params: { asked: 'tokens', taken: 'step' } },
    ])
  })
})

describe('what cannot be used', () => {
  it('counts rows of another width and goes on', async () => {
    const events = await eventsOf('step,loss\n1,0.5\n2\n3,0.1,0.2,0.3\n4,0.4\n')
    expect(rowsOf(events).map(row => row.step)).toEqual([1, 4])
    expect(warningsIn(events)).toMatchObject([{ key: 'table.uneven-rows', params: { count: 2, line: 3 } }])
  })

  it('counts rows without a usable step', async () => {
    const rows = ['inf,1', '1e300,1', 'x,1', '9007199254740993e3,1', ',1', '3,1']
    const events = await eventsOf(`step,loss\n${'1,1\n'.repeat(12)}2,1\n${rows.join('\n')}\n`)
    expect(rowsOf(events).map(row => row.step)).toEqual([...Array(12).fill(1), 2, 3])
    expect(warningsIn(events)).toMatchObject([
      { key: 'source.bad-step', params: { count: 4, step: 'inf' } },
      { key: 'table.no-step-rows', params: { count: 1 } },
    ])
  })

  it('numbers columns of the same name', async () => {
    const events = await eventsOf('step,loss,loss\n1,0.5,0.6\n')
    expect(rowsOf(events)).toEqual([{ step: 1, loss: 0.5, 'loss (2)': 0.6 }])
    expect(warningsIn(events)).toMatchObject([{ key: 'table.repeated-columns', params: { names: 'loss (2)' } }])
  })

  it('leaves a half-written last row for later', async () => {
    const events = await eventsOf('step,loss,kl\n1,0.5,0.1\n2,0.4')
    expect(rowsOf(events).map(row => row.step)).toEqual([1])
    expect(events).toContainEqual({ type: 'tail', unreadBytes: 5 })
  })

  it.each([
    ['prose', 'notes.txt', 'Dear all,\nthe step, it seems, is 3, not 4.\nBest, A.\n'],
    ['numbers without names', 'x.csv', '1,0.5\n2,0.4\n'],
    ['one column', 'x.csv', 'step\n1\n2\n'],
    ['text only', 'x.csv', 'step,note\na,b\n'],
    ['binary', 'x.csv', 'step,loss\n1,\0\n'],
    ['JSON', 'x.csv', '{"step":1,"loss":2}\n'],
    ['nothing', 'x.csv', ''],
    ['a table without steps by another name', 'x.txt', 'a,b\n1,2\n3,4\n'],
  ])('does not claim %s', async (_, name, text) => {
    expect((await importText(csv, text, { name })).recognised).toBe(false)
  })

  it('claims a table without a step but finds no run in it until it is named', async () => {
    const text = 'tokens,loss\n100,0.5\n200,0.4\n'
    expect(await importText(csv, text)).toEqual({ recognised: true, runs: [] })
    expect(await rowsIn(text, { step: 'tokens' })).toEqual([
      { step: 100, loss: 0.5 },
      { step: 200, loss: 0.4 },
    ])
  })
})

describe('headers in the middle', () => {
  it('begins a new segment at a repeated header, with its columns', async () => {
    const events = await eventsOf('step,loss\n1,0.5\n2,0.4\nstep,kl,loss\n2,0.1,0.3\n3,0.2,0.2\n')
    expect(events.filter(({ type }) => type === 'restart')).toHaveLength(1)
    expect(rowsOf(events)).toEqual([
      { step: 1, loss: 0.5 },
      { step: 2, loss: 0.4 },
      { step: 2, kl: 0.1, loss: 0.3 },
      { step: 3, kl: 0.2, loss: 0.2 },
    ])
    expect(warningsIn(events)).toEqual([])
  })
})

it('does not take a row for a header because it holds the word for the step', async () => {
  const rows = Array.from({ length: 12 }, (_, step) => `${step},0.5,a`)
  const events = await eventsOf(`t,loss,note\n${rows.join('\n')}\nx,0.5,t\n12,0.5,a\n`)
  expect(events.filter(({ type }) => type === 'restart')).toEqual([])
  expect(rowsOf(events)).toHaveLength(13)
})

describe('several runs in one file', () => {
  it('reads each run by its name', async () => {
    const { runs } = await importText(csv, 'run,step,loss\na,1,0.5\n"b, c",1,0.6\na,2,0.4\n', { name: 'sweep.csv' })
    expect(runs.map(({ name, events }) => [name, rowsOf(events)])).toEqual([
      [
        'a',
        [
          { step: 1, loss: 0.5 },
          { step: 2, loss: 0.4 },
        ],
      ],
      ['b, c', [{ step: 1, loss: 0.6 }]],
    ])
    expect(new Set(runs.map(({ run }) => run)).size).toBe(2)
  })

  it('reads a long table, by run and metric', async () => {
    const text = 'experiment,step,metric,value\nA,1,loss,0.5\nA,1,kl,0.1\nB,1,loss,~0.7\nA,2,loss,0.4\n'
    const { runs } = await importText(csv, text)
    expect(runs.map(({ name, events }) => [name, rowsOf(events)])).toEqual([
      [
        'A',
        [
          { step: 1, loss: 0.5 },
          { step: 1, kl: 0.1 },
          { step: 2, loss: 0.4 },
        ],
      ],
      ['B', [{ step: 1, loss: 0.7 }]],
    ])
  })

  it('reads a long table of one run, and of it the metrics asked for', async () => {
    const text = 'step,tag,value\n1,loss,0.5\n1,kl,0.1\n2,loss,?\n'
    expect(await rowsIn(text)).toEqual([
      { step: 1, loss: 0.5 },
      { step: 1, kl: 0.1 },
      { step: 2, loss: Number.NaN },
    ])
    expect(await rowsIn(text, { metrics: ['kl'] })).toEqual([{ step: 1, kl: 0.1 }])
  })

  it('stops at ten thousand runs and says so once', async () => {
    const lines = Array.from({ length: 10_002 }, (_, i) => `r${i},1,0.5`)
    await withFile(
      `run,step,loss\n${lines.join('\n')}\n`,
      async path => {
        const file = await sourceFile(path)
        const runs = await csv.describe(file, {})
        expect(runs).toHaveLength(10_000)
        const said = []
        for (const { run } of runs.slice(0, 3)) {
          for await (const events of csv.read(file, { run, cursor: null, hints: {} })) said.push(...warningsIn(events))
        }
        expect(said).toMatchObject([{ key: 'table.too-many-runs', params: { limit: 10_000 } }])
      },
      'x.csv',
    )
  })
})

describe('growing files', () => {
  /** Long enough for a settled head, with everything that a cursor must carry over. */
  const line = fc.oneof(
    { weight: 8, arbitrary: fc.tuple(fc.nat(500), fc.double({ noNaN: true }), fc.double()).map(row => row.join(',')) },
    fc.constantFrom(
      'step,loss,kl',
      'kl,step,loss,acc',
      '7,"a\n1,2,3\nb",0.5',
      '8,~0.5,?',
      '9',
      '',
      '#x',
      '10,"1,000",5%',
    ),
  )
  const log = fc
    .array(line, { minLength: 150, maxLength: 400 })
    .map(lines => Buffer.from(`step,loss,kl\n${lines.join('\n')}\n`))

  it('gives the same events in two readings as in one', async () => {
    await fc.assert(
      fc.asyncProperty(log, fc.double({ min: 0, max: 1, noNaN: true }), async (content, at) => {
        const whole = aboutTheFile(await withFile(content, path => readEvents(csv, path)))
        expect(await readInTwoSteps(csv, content, Math.floor(at * content.length))).toEqual(whole)
      }),
      { numRuns: 60 },
    )
  })

  it('goes on from a cursor without reading the head again', async () => {
    const rows = Array.from({ length: 150 }, (_, step) => `${step},0.5`)
    const events = await withFile(`step,loss\n${rows.join('\n')}\n`, path => readEvents(csv, path))
    expect(lastCursor(events)).toMatchObject({ line: 151, columns: ['step', 'loss'] })
  })
})

it('survives any bytes', async () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 30 }),
    fc.constantFrom(...['step,', '"', '\n', ',', '1', '\r\n'].map(text => Buffer.from(text))),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async pieces => {
      const { runs } = await importText(csv, Buffer.concat(pieces))
      for (const { events } of runs) expect(events.length).toBeGreaterThan(0)
    }),
    { numRuns: 300 },
  )
})
