import type { Message } from '../../model/run.js'
import { sentences } from '../../text/sentences.js'
import type { ResultCheckpoint, RunResult } from '../status/results.js'
import type { WhichCheckpoints } from './schema.js'

/** Which of a trial's checkpoints an evaluation asks for; a reason where one that it asks for is not there. */
export type SelectedCheckpoint =
  | { readonly kind: 'there'; readonly checkpoint: ResultCheckpoint }
  | { readonly kind: 'none'; readonly step: number | null; readonly reason: Message }

const say = sentences({
  'study.checkpoint.no-step': {
    en: 'the run kept no checkpoint at step {step}; it has {steps}',
    zh: '该 run 未保留第 {step} 步的检查点；现有 {steps}',
  },
  'study.checkpoint.none': { en: 'the run has no checkpoint that can be read', zh: '该 run 没有可读取的检查点' },
  'study.checkpoint.no-best': {
    en: 'none of its checkpoints was validated, so that none is the best',
    zh: '其检查点均未验证，无从选出最好的一个',
  },
  'study.checkpoint.no-choice': {
    en: 'klens checkpoints advises none of the checkpoints that were kept',
    zh: 'klens checkpoints 未建议任何已保留的检查点',
  },
})

export function selectedCheckpoints(which: WhichCheckpoints, result: RunResult): readonly SelectedCheckpoint[] {
  const { checkpoints, best, chosen } = result
  const last = checkpoints.at(-1)
  if (last === undefined) return [{ kind: 'none', step: null, reason: say('study.checkpoint.none', {}) }]
  const there = (checkpoint: ResultCheckpoint): SelectedCheckpoint => ({ kind: 'there', checkpoint })
  const at = (step: number, otherwise: Message): SelectedCheckpoint => {
    const checkpoint = checkpoints.find(each => each.step === step)
    return checkpoint === undefined ? { kind: 'none', step, reason: otherwise } : there(checkpoint)
  }
  const oneOf = (step: number | null, otherwise: Message): readonly SelectedCheckpoint[] =>
    step === null ? [{ kind: 'none', step: null, reason: otherwise }] : [at(step, otherwise)]
  if (which === 'last') return [there(last)]
  if (which === 'best') return oneOf(best, say('study.checkpoint.no-best', {}))
  if (which === 'chosen') return oneOf(chosen, say('study.checkpoint.no-choice', {}))
  if (which === 'all') return checkpoints.map(there)
  if (Array.isArray(which)) {
    const steps = checkpoints.map(({ step }) => step).join(', ')
    return which.map(step => at(step, say('study.checkpoint.no-step', { step, steps })))
  }
  return checkpoints.filter(({ step }) => step % which.every === 0 || step === last.step).map(there)
}

/** What is in the plan before there are any: one place each, of an unknown number one. */
export function plannedSteps(which: WhichCheckpoints): readonly (number | null)[] {
  return Array.isArray(which) ? which : [null]
}
