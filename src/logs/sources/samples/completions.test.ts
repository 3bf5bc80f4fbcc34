import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fixture, rowsOf, sourceFile } from '../../../../test/support/reading.js'
import { importFile, importText, warningsIn } from '../../../../test/support/tables.js'
import { temporaryFolder } from '../../../../test/workspace.js'
import type { RunEvent } from '../../model/events.js'
import { discover } from '../discover.js'
import { completions, completionsParquet } from './completions.js'

const scoresIn = (events: readonly RunEvent[]) =>
  events.flatMap(event => (event.type === 'samples' ? [event.samples] : []))
const textsIn = (events: readonly RunEvent[]) => events.flatMap(event => (event.type === 'texts' ? [event.texts] : []))
const lines = (...objects: readonly object[]) => objects.map(object => `${JSON.stringify(object)}\n`).join('')

async function eventsOf(text: string | Uint8Array, name = 'val_40.jsonl') {
  const { recognised, runs } = await importText(completions, text, { name })
  expect({ recognised, runs: runs.length }).toEqual({ recognised: true, runs: 1 })
  return runs[0].events
}

describe('dumps of verl', () => {
  it('are read as scores, parts of the reward, texts and means', async () => {
    const { recognised, runs } = await importFile(completions, fixture('completions/verl/kl/val_dump/45.jsonl'))
    expect(recognised).toBe(true)
    const { name, events } = runs[0]
    expect(name).toBe('kl')
    const scores = scoresIn(events)
    expect(scores.map(({ metric, step }) => [metric, step])).toEqual([
      ['val/score', 45],
      ['val/reward', 45],
      ['val/acc', 45],
      ['val/format', 45],
    ])
    const [{ table, ids, inputs, outputs, expected, choices }] = textsIn(events)
    expect({ table, n: ids.length, expected: expected[0], choice: choices[0] }).toEqual({
      table: 'val',
      n: 40,
      expected: '84',
      choice: '84',
    })
    expect(inputs[0]).toContain('What is 12 times 7?')
    expect(outputs[0]).toContain('\\boxed{84}')
    expect(rowsOf(events)[0]).toMatchObject({ step: 45, 'val/score': 0.8 })
  })

  it('know a prompt again in another run by the hash of its text', async () => {
    const read = (path: string) => importFile(completions, fixture(`completions/verl/${path}`))
    const [first, second] = [await read('kl/val_dump/45.jsonl'), await read('no-kl/val_dump/40.jsonl')]
    expect(scoresIn(first.runs[0].events)[0].ids).toEqual(scoresIn(second.runs[0].events)[0].ids)
  })

  it('number the answers to one prompt', async () => {
    const { runs } = await importFile(completions, fixture('completions/verl/kl/rollout/1.jsonl'))
    const [scores] = scoresIn(runs[0].events)
    expect(scores).toMatchObject({ metric: 'rollout/score', step: 1 })
    expect(scores.repeats?.slice(0, 4)).toEqual([0, 1, 0, 1])
  })

  it('of one folder are one run, whatever their prompts begin with', async () => {
    const folder = join(temporaryFolder(), 'exp')
    await mkdir(join(folder, 'val_dump'), { recursive: true })
    for (const step of [1, 2]) {
      const rows = [0, 1].map(i => ({ input: `${'s'.repeat(100_000)}${i}`, output: `${step}`, score: step % 2, step }))
      writeFileSync(join(folder, 'val_dump', `${step}.jsonl`), lines(...rows))
    }
    const { runs } = await discover([folder])
    expect(runs.map(({ name, logs }) => [name, logs.length])).toEqual([['exp', 2]])
  })

  it('join the log in the folder above', async () => {
    const folder = join(temporaryFolder(), 'exp')
    await mkdir(join(folder, 'validation'), { recursive: true })
    writeFileSync(join(folder, 'log.jsonl'), lines({ step: 1, data: { loss: 1 } }, { step: 2, data: { loss: 2 } }))
    writeFileSync(join(folder, 'validation/2.jsonl'), lines({ input: 'a', output: 'b', score: 1, step: 2 }))
    const { runs } = await discover([folder])
    expect(runs.map(({ source, tables }) => [source.id, tables.length])).toEqual([['verl', 1]])
  })
})

describe('completions of TRL', () => {
  it('are read from Parquet, each reward function a metric of its own', async () => {
    const path = fixture('completions/trl/fast/completions/completions_00003.parquet')
    const { recognised, runs } = await importFile(completionsParquet, path)
    expect(recognised).toBe(true)
    expect(runs[0].folder).toBe(dirname(dirname(path)))
    const scores = scoresIn(runs[0].events)
    expect(scores.map(({ metric, step, ids }) => [metric, step, ids.length])).toEqual([
      ['completions/digits_share', 3, 80],
      ['completions/short', 3, 80],
      ['completions/advantage', 3, 80],
    ])
    const [texts] = textsIn(runs[0].events)
    const at = texts.inputs.indexOf('5+1=')
    expect(texts.repeats[at]).toBe(0)
    expect(texts.outputs[at]).toHaveLength(12)
  })
})

describe('completions of much text', () => {
  /** All that is said of a packed fixture, without keeping its texts. */
  async function summaryOf(name: string) {
    const path = join(temporaryFolder(), 'completions', 'completions_00001.parquet')
    await mkdir(dirname(path), { recursive: true })
    writeFileSync(path, gunzipSync(readFileSync(fixture(`long-completions/${name}.parquet.gz`))))
    const file = await sourceFile(path)
    const seen = { scores: 0, texts: 0, characters: 0, largestBatch: 0, warnings: [] as string[] }
    for await (const events of completionsParquet.read(file, { run: '', cursor: null, hints: {} })) {
      const outputs = textsIn(events).flatMap(texts => texts.outputs)
      const characters = outputs.reduce((sum, output) => sum + (output?.length ?? 0), 0)
      seen.scores += scoresIn(events).reduce((sum, { ids }) => sum + ids.length, 0)
      seen.texts += outputs.filter(output => output !== null).length
      seen.characters += characters
      seen.largestBatch = Math.max(seen.largestBatch, characters)
      seen.warnings.push(...warningsIn(events).map(({ key }) => key))
    }
    return seen
  }

  it('are read whole, some million characters at a time', async () => {
    const { largestBatch, ...seen } = await summaryOf('long')
    expect(seen).toEqual({ scores: 2048, texts: 1024, characters: 65_536_938, warnings: [] })
    expect(largestBatch).toBeLessThan(12_000_000)
  })

  it('that come out of a dictionary of one huge text lose only the text', async () => {
    const before = process.memoryUsage().rss
    const { scores, texts, warnings } = await summaryOf('dictionary')
    expect({ scores, texts, warnings }).toEqual({
      scores: 2000,
      texts: 0,
      warnings: ['completions.column-too-large'],
    })
    // What tests before this one have left to the process is not counted.
    expect(process.memoryUsage().rss - before).toBeLessThan(7e8)
  })
})

describe('JSONL of prompts, answers and scores', () => {
  it('takes the step from the file name where no column tells, and the id where there is one', async () => {
    const events = await eventsOf(lines({ id: 'q1', question: '1+1', response: '2', correct: true }), 'eval_40.jsonl')
    expect(scoresIn(events)[0]).toMatchObject({ metric: 'val/correct', step: 40, ids: ['q1'], scores: [1] })
  })

  it('says so where nothing tells the step', async () => {
    const events = await eventsOf(lines({ prompt: 'a', output: 'b', score: 1 }), 'answers.jsonl')
    expect(scoresIn(events)[0]).toMatchObject({ metric: 'answers/score', step: 0 })
    expect(warningsIn(events).map(({ key }) => key)).toEqual(['completions.no-step'])
  })

  it('reads why an answer ended as whether it was cut off', async () => {
    const rows = ['length', 'stop'].map((finish_reason, i) => ({ id: i, output: 'x', score: 0, finish_reason }))
    const cut = scoresIn(await eventsOf(lines(...rows))).find(({ metric }) => metric === 'val/truncated')
    expect(cut?.scores).toEqual([1, 0])
  })

  it('tells chats turn by turn, keeps blanks, and takes an answer beside an output for the right one', async () => {
    const row = { messages: [{ role: 'user', content: 'hi' }], output: ' x\n', answer: '7', score: 1 }
    const [texts] = textsIn(await eventsOf(lines(row)))
    expect(texts).toMatchObject({ inputs: ['user: hi'], outputs: [' x\n'], expected: ['7'], choices: [null] })
  })

  it('leaves out scores that are no number, and survives what is broken', async () => {
    const text = `${lines({ input: 'a', output: '\ud800', score: 1 })}{"input":"b","output":null,"score":NaN}\n{"inp\n`
    const events = await eventsOf(Buffer.concat([Buffer.from(text), Buffer.from([0x7b, 0xff, 0x0a])]))
    expect(scoresIn(events)[0].scores).toEqual([1])
    expect(textsIn(events)[0].outputs).toEqual(['\ufffd'])
    expect(warningsIn(events).map(({ key }) => key)).toEqual(['source.bad-lines', 'samples.bad-scores'])
  })

  it('holds many texts no longer than it must', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => ({ input: `q${i % 30}`, output: 'x'.repeat(200_000), score: 1 }))
    const texts = textsIn(await eventsOf(lines(...rows)))
    expect(texts.length).toBeGreaterThan(1)
    expect(texts.flatMap(({ repeats }) => repeats).filter(repeat => repeat === 1)).toHaveLength(30)
  })

  it.each([
    [
      'a log that shows one answer at each step',
      lines({ step: 1, prompt: 'a', output: 'b', reward: 1 }, { step: 2, prompt: 'a', output: 'b', reward: 1 }),
    ],
    ['data without scores', lines({ prompt: 'a', completion: 'b' })],
    ['answers without a prompt', lines({ output: 'b', score: 1 })],
  ])('is not %s', async (_, text) => {
    expect((await importText(completions, text, { name: 'x.jsonl' })).recognised).toBe(false)
  })

  it('survives any text', async () => {
    const words = [
      '{"input":',
      '"output":',
      '"score":',
      '1',
      'null',
      '"a"',
      ',',
      '}',
      '\n',
      '[',
      '"step":',
      'input,output,score',
    ]
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...words), { maxLength: 30 }), async pieces => {
        const { runs } = await importText(completions, pieces.join(''), { name: '7.jsonl' })
        for (const { ids, outputs } of textsIn(runs.flatMap(({ events }) => events))) {
          expect(outputs).toHaveLength(ids.length)
        }
      }),
      { numRuns: 200 },
    )
  })
})
