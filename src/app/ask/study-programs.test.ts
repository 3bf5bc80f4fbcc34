import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { ENGINE, starts, studyIn } from '../../../test/support/study-program.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { type Workspace, workspaceAt } from '../../core/store/workspace.js'
import { Problem } from '../../logs/model/problem.js'
import type { StudyRunAnswer } from '../../logs/model/study/answers.js'
import { studyRun, studySearch, studySettle, studyStop } from './study-run.js'
import { studyStatus } from './study-status.js'

async function study(text: string, engine?: string) {
  const workspace = await temporaryWorkspace()
  const folder = dirname(workspace.root)
  const file = join(folder, studyIn(folder, text, engine))
  return { workspace, folder, file }
}

async function trustedRun(workspace: Workspace, file: string): Promise<StudyRunAnswer> {
  const { programs } = await answerTo(workspace, studyRun, { file, dryRun: true })
  return answerTo(workspace, studyRun, { file, trust: programs?.hash })
}

async function refusal(asked: Promise<unknown>): Promise<string> {
  try {
    await asked
  } catch (error) {
    if (error instanceof Problem) return `${error.code} ${error.sentence.key}`
    throw error
  }
  return 'none'
}

describe('a study of programs', () => {
  const TWO_ARMS = 'arms: {a: {add: 0}, b: {add: 0.1}}\nseeds: 1\nsearch: {knobs: {add: {random: [0, 1]}}}\n'

  it('starts nothing until the shown commands are said yes to, and asks again when they change', async () => {
    const { workspace, folder, file } = await study(TWO_ARMS)
    const needed = 'not-trusted study.trust.needed'
    expect(await refusal(answerTo(workspace, studyRun, { file }))).toBe(needed)
    expect(await refusal(answerTo(workspace, studySettle, { file }))).toBe(needed)
    expect(await refusal(answerTo(workspace, studySearch, { file }))).toBe(needed)
    expect(await refusal(answerTo(workspace, studyStop, { file }))).toBe(needed)
    const wrong = { file, trust: 'f'.repeat(64) }
    expect(await refusal(answerTo(workspace, studyRun, wrong))).toBe('bad-request study.trust.other')
    expect(await refusal(answerTo(workspace, studySettle, wrong))).toBe('bad-request study.trust.other')
    expect(starts(folder)).toEqual([])
    const { trials } = await trustedRun(workspace, file)
    expect(trials.map(({ state }) => state)).toEqual(['done', 'done'])

    // Once is enough, and nothing is started again.
    expect(await answerTo(workspace, studyRun, { file })).toMatchObject({ known: 2 })
    expect(starts(folder)).toHaveLength(2)
    const { cells, cost } = await answerTo(workspace, studyStatus, { file })
    expect(cells.map(({ trial, state, value }) => [trial, state, Number(value).toFixed(3)])).toEqual([
      ['tiny/a/seed1', 'done', '0.521'],
      ['tiny/b/seed1', 'done', '0.621'],
    ])
    expect(cost.trials).toBe(2)
    for (const { id, runs, checkpoint } of cells) {
      const manifest = JSON.parse(readFileSync(join(workspace.root, 'runs', runs[0], 'run.json'), 'utf8'))
      expect(manifest).toMatchObject({ status: 'finished', source: 'jsonl', lineage: { settings: id } })
      expect(checkpoint).toMatchObject({ step: 6, contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    }

    // A yes does not travel with the folder in which it was given.
    const copy = temporaryFolder()
    cpSync(folder, copy, { recursive: true })
    const elsewhere = workspaceAt(join(copy, '.klens'))
    expect(await refusal(answerTo(elsewhere, studyRun, { file: join(copy, 'tiny.yaml') }))).toBe(needed)
    await elsewhere.close()
    studyIn(folder, 'arms: {a: {}, b: {add: 0.2}}\nseeds: 1\n')
    expect(await refusal(answerTo(workspace, studyRun, { file }))).toBe(needed)
  })

  // Of real trainings: test/long/study-settle.test.ts.
  it('buys the seeds of the next look until its budget is spent', async () => {
    const settings = 'seeds: [7]\nbudget: {trials: 10}\nsettle: {most: 12}\nmargin: 1e-6\n'
    const { workspace, folder, file } = await study(`arms: {a: {}, b: {add: 0.0022}}\n${settings}`)
    const { programs } = await answerTo(workspace, studyRun, { file, dryRun: true })
    const answer = await answerTo(workspace, studySettle, { file, trust: programs?.hash })
    expect(answer.bought).toMatchObject([{ look: 5 }])
    expect(answer.bought[0].trials).toHaveLength(10)
    expect(answer.bought[0].trials.at(-1)).toBe('tiny/b/seed11')
    expect(answer).toMatchObject({ looks: [{ other: 'b', seeds: 5 }], answer: null, stopped: 'out-of-budget' })
    expect(answer.cost.trials).toBe(10)
    const again = await answerTo(workspace, studySettle, { file })
    expect(again).toMatchObject({ bought: [], looks: answer.looks, answer: null, stopped: 'out-of-budget' })
    expect(starts(folder)).toHaveLength(10)
  })

  it('says which manifest was cut off, whose trial would be run again', async () => {
    const { workspace, file } = await study(TWO_ARMS)
    const { trials } = await trustedRun(workspace, file)
    writeFileSync(join(workspace.root, 'runs', trials[0].run ?? '', 'run.json'), '{"format":2,"id"')
    const remarks: string[] = []
    const { cells } = await answerTo(workspace, studyStatus, { file }, { remark: ({ key }) => remarks.push(key) })
    expect(cells.map(({ state }) => state)).toEqual(['pending', 'done'])
    expect(remarks).toEqual(['run.damaged'])
  })

  it('asks for what klens trains itself too, where the file brings words to hand trials over', async () => {
    const workspace = await temporaryWorkspace()
    const folder = dirname(workspace.root)
    const queue = '{submit: [sh, -c, "touch stolen"], status: [q], stop: [q], states: {done: [x]}}'
    const file = join(folder, studyIn(folder, `arms: {a: {}}\nseeds: 1\nexecutor: {commands: ${queue}}\n`, ''))
    expect(await refusal(answerTo(workspace, studyRun, { file }))).toBe('not-trusted study.trust.needed')
    const { programs } = await answerTo(workspace, studyRun, { file, dryRun: true })
    expect(programs?.arms).toEqual([])
    expect(programs?.executor.join('\n')).toContain('touch stolen')
  })

  it('says what a program left undone, and does not start it again when only klens looked in the wrong place', async () => {
    const { workspace, folder, file } = await study(TWO_ARMS)
    const reasonsWith = async (text: string, engine = ENGINE): Promise<string> => {
      studyIn(folder, text, engine)
      await trustedRun(workspace, file)
      const { cells } = await answerTo(workspace, studyStatus, { file })
      return cells.map(({ state, reasons }) => `${state}: ${reasons.join(' ')}`).join('\n')
    }
    const one = 'seeds: 1\narms: {a: {'
    expect(await reasonsWith(`${one}fail: 3}}\n`)).toMatch(
      /^failed: its program failed: exit code 3: first line out of luck/,
    )
    expect(await reasonsWith(`${one}}}\n`, ENGINE.replace('node', 'no-such-program'))).toMatch(
      /^failed: its program failed: exit code 127: .*no-such-program.*not found/,
    )
    expect(await reasonsWith(`${one}metric: other}}\n`)).toBe(
      'missing: the metric val.score never appeared; found: other',
    )
    const lost = ENGINE.replace('metrics: metrics.jsonl', 'metrics: elsewhere.jsonl')
    expect(await reasonsWith(`${one}}}\n`, lost)).toMatch(
      /^failed: nothing that klens can read is at elsewhere.jsonl in .*; found: .*metrics.jsonl/,
    )
    const before = starts(folder)
    const elsewhere = ENGINE.replace('kept/*.txt', 'saved/*.pt')
    expect(await reasonsWith(`${one}}}\n`, elsewhere)).toMatch(
      /^failed: no checkpoint matches saved\/\*\.pt in .*; found: .*kept/,
    )
    expect(await reasonsWith(`${one}}}\n`)).toBe('done: ')
    expect(starts(folder)).toEqual(before)
  })

  it('ends a trial that has collapsed, which keeps its last score and is not started again', async () => {
    // It would wait for ever.
    const { workspace, folder, file } = await study(
      'base: {steps: 400, falls: 1, waits: 16}\narms: {a: {}}\nseeds: 1\nstop: collapse\n',
    )
    const { trials } = await trustedRun(workspace, file)
    expect(trials[0].state).toBe('done')
    const { cells } = await answerTo(workspace, studyStatus, { file })
    expect(cells[0]).toMatchObject({ state: 'done', value: 0, n: 16 })
    await answerTo(workspace, studyRun, { file })
    expect(starts(folder)).toEqual(['1 fresh'])
  })
})
