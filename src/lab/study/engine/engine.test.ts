import { expect, it } from 'vitest'
import { refusal } from '../../../../test/support/refusal.js'
import { temporaryWorkspace } from '../../../../test/workspace.js'
import { planStudyText } from '../plan/plan-study.js'
import { withStudyLease } from './engine.js'

it('one process at a time runs a study; the second learns which, and what it can do', async () => {
  const workspace = await temporaryWorkspace()
  const text = 'question: q?\nbase: {task: digits}\nvary: {kl.loss.coef: [0, 1]}\nseeds: 1\n'
  const plan = await planStudyText({ path: 'doses.yaml', text, base: null })
  const second = await withStudyLease(workspace, plan, () => refusal(withStudyLease(workspace, plan, async () => null)))
  expect(second).toContain(`the study "doses" is being run by process ${process.pid} on `)
  expect(second).toContain('klens study status')
  expect(second).not.toContain('--fresh')
})
