import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { jsonLines } from '../../../test/hostile.js'
import { fixture } from '../../../test/support/reading.js'
import { sharedFolder, sharedWorkspace } from '../../../test/workspace.js'
import { importLogs } from '../../core/store/ingest.js'
import { tokenScoresIn, tokenScoresText } from '../../logs/model/token-scores.js'
import { exportTable } from './export.js'
import { resolveAll } from './names.js'
import { notes, setNote } from './note.js'
import { rollouts } from './rollouts.js'
import { runTable } from './runs.js'

/** On real completions of TRL and verl's own dumps, and on a dump whose every count is known. */

const GROUPS = 4
const SIZE = 3
const HOSTILE = `<img src=x onerror=alert(1)> 'quo''ted' "\0 \\ %_ 中文 \u202e`

/** Prompt p at step s: answer k is right where k < (p + s) mod 4; answers 0 of all prompts are the same text. */
function dump(step: number): string {
  const rows = Array.from({ length: GROUPS * SIZE }, (_, i) => {
    const [p, k] = [Math.floor(i / SIZE), i % SIZE]
    const output = k === 0 ? 'I do not know.' : `answer ${k} to ${p} at ${step} ${p === 3 && k === 1 ? HOSTILE : ''}`
    const acc = Number(k < (p + step) % 4)
    return {
      input: `question ${p}`,
      output,
      score: acc + k / 10,
      acc,
      advantage: k - 1,
      finish_reason: k === 2 ? 'length' : 'stop',
      step,
    }
  })
  return jsonLines(rows)
}

describe('rollouts', () => {
  const workspace = sharedWorkspace()
  const folder = sharedFolder()
  beforeAll(async () => {
    const known = join(folder, 'known/rollout')
    mkdirSync(known, { recursive: true })
    for (const step of [1, 2]) writeFileSync(join(known, `${step}.jsonl`), dump(step))
    await importLogs(workspace(), [join(folder, 'known'), fixture('completions')])
  })
  const found = (asked: object) => answerTo(workspace(), rollouts, { run: 'known', ...asked })

  it('are those of the last step, the highest score first, with their group, parts and texts', async () => {
    const answer = await found({ most: 2 })
    expect(answer).toMatchObject({ metric: 'rollout/score', step: 2, total: 12, found: 12, goal: 'max' })
    expect(answer.steps.map(({ step, prompts, answers }) => [step, prompts, answers])).toEqual(
      [
        [1, 4, 3],
        [2, 4, 3],
      ].map(([step, prompts, size]) => [step, prompts, prompts * size]),
    )
    expect(answer.rollouts).toHaveLength(2)
    const [best] = answer.rollouts
    // (p + 2) mod 4 = 3 at p = 1: all three are right, and the last has 0.2 more.
    expect(best).toMatchObject({
      score: 1.2,
      repeat: 2,
      group: 3,
      ended: 'length',
      same: 1,
      input: 'question 1',
      isCut: false,
    })
    expect(best.groupMean).toBeCloseTo(1.1, 12)
    expect(best.parts).toEqual({ acc: 1, advantage: 1, truncated: 1 })
  })

  it('are counted exactly: bins, reasons of ending, identical texts, pass@1 and pass@k', async () => {
    const { bins, ends, texts, pass } = await found({})
    expect(bins.reduce((sum, { n }) => sum + n, 0)).toBe(12)
    expect(ends).toEqual([
      { why: 'stop', n: 8 },
      { why: 'length', n: 4 },
    ])
    expect(texts).toEqual({ answers: 12, distinct: 9, repeated: 4 })
    // Right answers by prompt are 1, 2, 3, 0 at step 1 and 2, 3, 0, 1 at step 2; with k = n, pass@k is "any".
    expect(pass).toEqual({
      metric: 'rollout/acc',
      k: 3,
      steps: [1, 2].map(step => ({ step, one: expect.closeTo(0.5, 12), many: 0.75 })),
    })
  })

  it('are found by score, reason, prompt, repetition and words, and by nothing else', async () => {
    const counted = async (asked: object) => (await found(asked)).found
    expect(await counted({ scores: '1:1.3' })).toBe(6)
    expect(await counted({ ended: 'length' })).toBe(4)
    expect(await counted({ search: 'ANSWER 2 to' })).toBe(4)
    expect(await counted({ search: 'question 3' })).toBe(3)
    expect(await counted({ search: "%_ 中文 '" })).toBe(0)
    expect(await counted({ search: HOSTILE.slice(0, 20) })).toBe(1)
    expect(await counted({ search: `'); DROP TABLE x; --` })).toBe(0)
    expect(await counted({ repeated: true })).toBe(4)
    expect(await counted({ allSteps: true, repeated: true })).toBe(8)
    const { prompt } = (await found({ search: 'question 3' })).rollouts[0]
    expect(await counted({ prompt })).toBe(3)
    expect(await counted({ prompt: `${prompt}' OR 1=1` })).toBe(0)
    expect((await found({ from: 11, most: 5, order: 'lowest' })).rollouts).toHaveLength(1)
    expect(await counted({ from: 100 })).toBe(12)
  })

  it('give back a text byte for byte, and cut a long one until all of it is asked for', async () => {
    const {
      rollouts: [one],
    } = await found({ search: HOSTILE.slice(0, 20) })
    expect(one.output).toContain(HOSTILE.trimEnd())
    const long = 'x'.repeat(10_000)
    const dumped = join(folder, 'long/rollout')
    mkdirSync(dumped, { recursive: true })
    writeFileSync(join(dumped, '1.jsonl'), jsonLines([{ input: 'q', output: long, score: 1, step: 1 }]))
    await importLogs(workspace(), [join(folder, 'long')])
    const cut = (await found({ run: 'long' })).rollouts[0]
    expect([cut.isCut, cut.output?.length, cut.length]).toEqual([true, 4000, 10_000])
    expect((await found({ run: 'long', whole: true })).rollouts[0].output).toBe(long)
  })

  it('of TRL have each reward function and the advantage, by prompt and attempt', async () => {
    const answer = await answerTo(workspace(), rollouts, { run: 'fast@3', metric: 'digits_share' })
    expect(answer).toMatchObject({ metric: 'completions/digits_share', total: 80 })
    expect(Object.keys(answer.rollouts[0].parts)).toEqual(['advantage', 'short'])
  })

  it('refuse a step without answers, and a run without any', async () => {
    await expect(found({ run: 'known@7' })).rejects.toThrow()
    await expect(found({ scores: '2:1' })).rejects.toThrow()
  })

  it('keep tokens as they were scored, and take nothing else for them', () => {
    const tokens = [{ text: '</script>', logProb: -0.123456, kl: null }]
    expect(tokenScoresIn(tokenScoresText(tokens))).toEqual([{ text: '</script>', logProb: -0.1235, kl: null }])
    for (const text of [null, '', '{}', '[["a"]]', '[[1,2,3]]']) expect(tokenScoresIn(text)).toBeNull()
  })

  it('of a run can be noted, found by the note, and exported with it', async () => {
    const written = '**look** at https://example.org/a?b=1 <script>alert(1)</script>\n\nsecond 段'
    await answerTo(workspace(), setNote, { sides: ['known'], text: `  ${written}\n` })
    expect((await answerTo(workspace(), notes, { sides: ['known'] }))[0].note).toBe(written)
    const { runs } = await answerTo(workspace(), runTable, { search: 'example.org second' })
    expect(runs.map(({ name, note }) => [name, note])).toEqual([['known', written]])
    const path = join(folder, 'runs.jsonl')
    const named = await resolveAll(workspace(), ['known'], {})
    await exportTable(workspace(), named, path, { wide: 'runs', format: 'jsonl', metrics: null })
    const { readFileSync } = await import('node:fs')
    expect(JSON.parse(readFileSync(path, 'utf8').split('\n')[0]).note).toBe(written)
    await answerTo(workspace(), setNote, { sides: ['known'], text: '' })
    expect((await answerTo(workspace(), runTable, { search: 'example.org' })).found).toBe(0)
  })

  it('of two runs have a note of their own, whichever way they are named', async () => {
    const [{ runs }] = await answerTo(workspace(), setNote, { sides: ['known', 'fast'], text: 'tied' })
    expect((await answerTo(workspace(), notes, { sides: runs }))[0]).toMatchObject({
      about: ['known', 'fast'],
      note: 'tied',
    })
    expect((await answerTo(workspace(), notes, { sides: ['fast', 'known'] }))[0].note).toBe('')
  })
})
