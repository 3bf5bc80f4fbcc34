import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from '../../test/workspace.js'
import { freeze } from '../study/file/frozen.js'
import { readStudy } from '../study/file/read.js'
import { ask } from './question.js'
import { studies } from './studies.js'
import { studyArm } from './study-arm.js'
import { studyView } from './study-view.js'

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
    const { arms } = await ask(workspace, studyView, { name: 'doses' })
    expect(arms.map(({ standing }) => standing)).toEqual(['open', 'open', 'dropped'])
    expect(await ask(workspace, studyArm, { name: 'doses', arm, word: 'keep' })).toMatchObject({
      dropped: [],
      kept: [arm],
    })
    const baseline = ask(workspace, studyArm, { name: 'doses', arm: 'kl.loss.coef=0', word: 'drop' })
    await expect(baseline).rejects.toMatchObject({ code: 'bad-request' })
  })

  it('never becomes a path', async () => {
    const workspace = await temporaryWorkspace()
    await expect(ask(workspace, studyView, { name: '../../etc' })).rejects.toMatchObject({ code: 'not-found' })
  })
})
