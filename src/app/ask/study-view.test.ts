import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from '../../../test/workspace.js'
import { freeze } from '../../lab/study/file/frozen.js'
import { readStudy } from '../../lab/study/file/read.js'
import { keepSettling } from '../../lab/study/ledger.js'
import { ask } from './question.js'
import { studies, studyBegin, studyHalt, studyStart, studyView } from './studies.js'
import { studyArm } from './study-marks.js'

const TEXT = `
question: How strong a KL term?
margin: 0.02
base: {task: digits}
vary: {kl.loss.coef: [0, 0.1, 1]}
seeds: 2
settle: {arms: [kl.loss.coef=0, kl.loss.coef=1], most: 10}
`

describe('a study, by its name', () => {
  it('is shown from what was frozen, without the file', async () => {
    const workspace = await temporaryWorkspace()
    await freeze(workspace, readStudy('/nowhere/doses.yaml', TEXT))
    const { studies: known, damaged } = await ask(workspace, studies, {})
    expect(damaged).toEqual([])
    expect(known).toMatchObject([
      { study: 'doses', question: 'How strong a KL term?', states: { pending: 6 }, best: null },
    ])
    const view = await ask(workspace, studyView, { name: 'doses' })
    expect(view.cells).toHaveLength(6)
    expect(view.cells[0]).toMatchObject({
      arm: 'kl.loss.coef=0',
      seed: 1,
      state: 'pending',
      run: null,
      value: null,
    })
    expect(view.dose).toEqual({ key: 'kl.loss.coef', doses: [0, 0.1, 1] })
    expect(view.settle).toMatchObject({
      baseline: 'kl.loss.coef=0',
      others: [{ arm: 'kl.loss.coef=1', looks: [], verdict: null }],
    })
    expect(view.unplanned).toBe(0)
  })

  it('has arms that a person can drop and keep, but for the baseline', async () => {
    const workspace = await temporaryWorkspace()
    await freeze(workspace, readStudy('doses.yaml', TEXT))
    const arm = 'kl.loss.coef=1'
    expect(await ask(workspace, studyArm, { name: 'doses', arm, word: 'drop' })).toMatchObject({ dropped: [arm] })
    const { arms, cells } = await ask(workspace, studyView, { name: 'doses' })
    expect(arms.map(({ standing }) => standing)).toEqual(['open', 'open', 'dropped'])
    expect(arms[2].drop).toMatchObject({ by: 'person', why: expect.stringContaining(arm) })
    expect(cells.filter(cell => cell.arm === arm).map(({ state }) => state)).toEqual(['dropped', 'dropped'])
    const [summary] = (await ask(workspace, studies, {})).studies
    expect(summary.states).toMatchObject({ pending: 4, dropped: 2 })
    expect(await ask(workspace, studyArm, { name: 'doses', arm, word: 'keep' })).toMatchObject({
      dropped: [],
      kept: [arm],
    })
    const baseline = ask(workspace, studyArm, { name: 'doses', arm: 'kl.loss.coef=0', word: 'drop' })
    await expect(baseline).rejects.toMatchObject({ code: 'bad-request' })
  })

  it('of programs is shown without the folder that they start in, but not run on without it', async () => {
    const workspace = await temporaryWorkspace()
    const text = `
question: Which rate?
engine: {command: [python3, train.py, "{overrides}", "--seed={seed}"], metrics: metrics.jsonl, folder: code}
arms: {low: {lr: 0.1}, high: {lr: 0.2}}
seeds: 2
`
    await freeze(workspace, readStudy('/nowhere/rates.yaml', text))
    const { cells, work, canSettle } = await ask(workspace, studyView, { name: 'rates' })
    expect(cells.map(({ state }) => state)).toEqual(['pending', 'pending', 'pending', 'pending'])
    expect(work).toEqual({ process: null, jobs: 0 })
    expect(canSettle).toBe(true)
    // Neither a file nor a yes to its programs can be given from elsewhere.
    const given = { name: 'rates', trust: 'abc', file: 'x.yaml' }
    expect(Object.keys(studyStart.request.parse(given))).toEqual(['name', 'what', 'lang'])
    const start = ask(workspace, studyStart, { name: 'rates' })
    await expect(start).rejects.toMatchObject({ code: 'bad-request' })
    await expect(start).rejects.toThrow(/folder/)
    await expect(ask(workspace, studyHalt, { name: 'rates' })).rejects.toMatchObject({ code: 'bad-request' })
  })

  it('shows what settle has said where prompts are bought', async () => {
    const workspace = await temporaryWorkspace()
    const text = TEXT.replace('most: 10', 'by: prompts')
    await freeze(workspace, readStudy('doses.yaml', text))
    expect((await ask(workspace, studyView, { name: 'doses' })).settle).toBeNull()
    const look = { prompts: 100, estimate: 0.05, forBaseline: 3, forArm: 8, evidence: Number.POSITIVE_INFINITY }
    const bounds = { claimAt: 20, evidenceSame: null, sameAt: 20 }
    const others = [{ arm: 'kl.loss.coef=1', looks: [{ ...look, ...bounds }], verdict: 'better' as const }]
    const settling = { by: 'prompts' as const, baseline: 'kl.loss.coef=0', planned: [100, 200], others }
    await keepSettling(workspace, 'doses', settling)
    const { settle } = await ask(workspace, studyView, { name: 'doses' })
    expect(settle).toMatchObject({
      by: 'prompts',
      others: [{ verdict: 'better', looks: [{ prompts: 100, forArm: 8 }] }],
    })
  })

  it('is not stopped where nothing works on it', async () => {
    const workspace = await temporaryWorkspace()
    await freeze(workspace, readStudy('doses.yaml', TEXT))
    await expect(ask(workspace, studyHalt, { name: 'doses' })).rejects.toMatchObject({ code: 'not-found' })
  })

  it('never becomes a path', async () => {
    const workspace = await temporaryWorkspace()
    await expect(ask(workspace, studyView, { name: '../../etc' })).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('a study out of a form', () => {
  const form = { name: 'asked', question: 'Which rate?', seeds: '1,2', over: ['kl.loss.coef=0, 0.1'] }

  it('is refused before anything is written where it could not be run', async () => {
    const workspace = await temporaryWorkspace()
    const refused = [
      { ...form, name: '../asked' },
      { ...form, over: [] },
      { ...form, over: ['kl.loss.coef=0,abc'] },
      { ...form, set: ['no.such.setting=1'] },
      { ...form, seeds: 'many' },
    ]
    for (const each of refused) {
      await expect(ask(workspace, studyBegin, each)).rejects.toMatchObject({ code: 'bad-request' })
    }
    expect((await ask(workspace, studies, {})).studies).toEqual([])
  })

  it('becomes a study file that is frozen and can be gone on with', async () => {
    const workspace = await temporaryWorkspace()
    const stop = AbortSignal.abort()
    const { stopped } = await ask(
      workspace,
      studyBegin,
      { ...form, margin: '0.02', set: ['lr.grpo=1e-4'] },
      { signal: stop },
    )
    expect(stopped).toBe('asked')
    const { cells, margin } = await ask(workspace, studyView, { name: 'asked' })
    expect(cells.map(({ trial, state }) => `${trial} ${state}`)).toEqual([
      'asked/kl.loss.coef=0/seed1 pending',
      'asked/kl.loss.coef=0.1/seed1 pending',
      'asked/kl.loss.coef=0/seed2 pending',
      'asked/kl.loss.coef=0.1/seed2 pending',
    ])
    expect(margin).toBe(0.02)
    await expect(ask(workspace, studyBegin, form)).rejects.toThrow(/study.begin.taken/)
  })
})
