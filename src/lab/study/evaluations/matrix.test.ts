import { describe, expect, it } from 'vitest'
import { Problem } from '../../../logs/model/problem.js'
import { render } from '../../../text/sentences.js'
import { type Cell, reasonText } from '../cell.js'
import { readStudy } from '../file/read.js'
import { evaluationSuspicions } from '../lineage/suspicious-evaluations.js'
import { plannedArms } from '../plan/arms.js'
import type { RunResult } from '../status/run-results.js'
import { type TrialCheckpoint, trialsOf } from '../trial.js'
import { evaluationCells, isToEvaluate } from './matrix.js'
import { planEvaluations } from './plan-evaluations.js'
import type { EvaluationRecord } from './records.js'

/** A study of two trials that were trained, whose runs have checkpoints at the steps 0, 2, 4 and 5. */
function planned(evaluations: object, base: object = {}) {
  const text = JSON.stringify({
    ...{ question: 'does it matter?', base, evaluations, seeds: 1 },
    arms: { kl: { 'kl.loss.coef': 0.1 }, 'no-kl': { 'kl.loss.coef': 0 } },
  })
  const study = readStudy('kl.yaml', text)
  const arms = plannedArms(study)
  return { trials: trialsOf(study.name, arms, [1]), conditions: planEvaluations(study, arms) }
}

function checkpoint(arm: string, step: number): TrialCheckpoint {
  return { step, contentHash: `${arm}@${step}`, path: `/${arm}/${step}`, run: `run-${arm}`, settings: null }
}

function stand(evaluations: object, records: readonly EvaluationRecord[] = [], result: Partial<RunResult> = {}) {
  const { trials, conditions } = planned(evaluations)
  const results = new Map<string, RunResult>()
  const cells = trials.map((trial): Cell => {
    const { name } = trial.arm
    const checkpoints = [0, 2, 4, 5].map(step => checkpoint(name, step))
    results.set(`run-${name}`, {
      ...{ figure: { last: 0.5, n: 5 }, course: name, checkpoints, best: 2, chosen: 4, seconds: 1, ...result },
    })
    const last = checkpoints[3]
    return {
      ...{ trial, condition: null, state: 'done', step: null, runs: [`run-${name}`], checkpoint: last },
      ...{ value: 0.5, n: 5, record: null, suspicious: [], reasons: [] },
    }
  })
  return { cells: evaluationCells(cells, conditions, results, records), trials, conditions }
}

/** As if the checkpoint had been evaluated under the first condition of its arm. */
function recordOf(arm: string, step: number, made: Partial<EvaluationRecord> = {}, nth = 0): EvaluationRecord {
  const { trials, conditions } = planned({ held: { shots: [1, 2] } })
  return {
    condition: conditions.get(arm)?.[nth].hash ?? '',
    contentHash: `${arm}@${step}`,
    trial: trials.find(({ arm: { name } }) => name === arm)?.id ?? '',
    ...{ step, run: `run-${arm}`, dataset: 'digits-1', split: 'test', value: 0.5, n: 60, missing: 0, reasons: [] },
    ...{ scores: `s-${arm}-${step}`, choices: `c-${arm}-${step}`, distinctScores: 2, distinctChoices: 50 },
    ...{ origin: 'evaluated', seconds: 1, at: 0, ...made },
  }
}

const steps = (evaluations: object): readonly (number | null)[] =>
  stand(evaluations)
    .cells.filter(({ trial }) => trial.arm.name === 'kl')
    .map(({ step }) => step)

describe('the matrix of a study', () => {
  it('has the checkpoints that are asked for', () => {
    expect(steps({ held: {} })).toEqual([5])
    expect(steps({ held: { checkpoints: 'best' } })).toEqual([2])
    expect(steps({ held: { checkpoints: 'chosen' } })).toEqual([4])
    expect(steps({ held: { checkpoints: 'all' } })).toEqual([0, 2, 4, 5])
    expect(steps({ held: { checkpoints: { every: 4 } } })).toEqual([0, 4, 5])
    expect(steps({ held: { checkpoints: [2, 3], shots: [1, 2] } })).toEqual([2, 3, 2, 3])
  })

  it('says of a step that was not kept that it is missing, and does not try it', () => {
    const [there, missing] = stand({ held: { checkpoints: [2, 3] } }).cells
    expect([there.state, missing.state]).toEqual(['pending', 'missing'])
    expect([isToEvaluate(there), isToEvaluate(missing)]).toEqual([true, false])
    expect(reasonText(missing.reasons[0], 'en')).toBe('the run kept no checkpoint at step 3; it has 0, 2, 4, 5')
  })

  it('knows a score by weights and condition: of others it counts for nothing', () => {
    const { cells } = stand({ held: { shots: [1, 2] } }, [
      recordOf('no-kl', 5, { contentHash: 'kl@5' }),
      recordOf('kl', 5, { value: 0.7 }),
    ])
    expect(cells.map(({ state, value }) => [state, value])).toEqual([
      ['done', 0.7],
      ['pending', null],
      ['pending', null],
      ['pending', null],
    ])
    const [, , other] = evaluationSuspicions(cells)
    expect(render(other[0].message, 'en')).toContain('those of kl/kl/seed1')
  })

  it('has no figure where some samples have none, and tries it again', () => {
    const why = 'the endpoint did not answer'
    const [cell] = stand({ held: { shots: [1] } }, [recordOf('kl', 5, { missing: 3, n: 57, reasons: [why] })]).cells
    expect(cell).toMatchObject({ state: 'missing', value: null })
    expect(reasonText(cell.reasons[0], 'en')).toBe(`3 of 60 samples have no score: ${why}`)
    expect(isToEvaluate(cell)).toBe(true)
  })
})

describe('equal results of other weights', () => {
  const pair = (made: Partial<EvaluationRecord>, second: Partial<EvaluationRecord> = made) => [
    ...[0, 1].map(nth => recordOf('kl', 5, { scores: 'same', ...made }, nth)),
    ...[0, 1].map(nth => recordOf('no-kl', 5, { scores: 'same', ...second }, nth)),
  ]
  const told = (records: readonly EvaluationRecord[]): readonly string[] =>
    evaluationSuspicions(stand({ held: { shots: [1, 2] } }, records).cells).flatMap(found =>
      found.map(({ message }) => render(message, 'en')),
    )
  const pieces = (letter: string): string => Array.from({ length: 16 }, (_, i) => `${letter}${i}`).join(' ')

  it('are told with the cause that the evidence allows', () => {
    const choices = pieces('a')
    expect(told(pair({ choices }))[0]).toContain('the weights differ too little to change one')
    expect(told(pair({ choices, distinctChoices: 2 }))[0]).toContain('at most 2 different choices over 60 samples')
    expect(told(pair({ choices }, { choices, origin: 'store' }))[0]).toContain('found in the store')
    expect(told(pair({ choices }, { choices: pieces('b') }))[0]).toContain('scores do not depend on the choice')
  })

  it('are no wonder where a few choices differ, on a few samples, or in one condition of two', () => {
    const choices = pieces('a')
    expect(told(pair({ choices }, { choices: choices.replace('a3', 'b3') }))).toEqual([])
    expect(told(pair({ choices, n: 5 }))).toEqual([])
    const [one, , three, four] = pair({ choices })
    expect(told([one, recordOf('kl', 5, { choices: pieces('b') }, 1), three, four])).toEqual([])
  })
})

describe('evaluations that cannot be made', () => {
  const complaint = (evaluations: object, base?: object): string => {
    try {
      planned(evaluations, base)
    } catch (error) {
      if (error instanceof Problem) return render(error.sentence, 'en')
      throw error
    }
    throw new Error('nothing was refused')
  }

  it.each([
    ['shots that are none', { held: { shots: [0] } }, '"evaluations.held.shots.0" must be different numbers of shots'],
    ['a slip', { held: { shot: [1] } }, 'a study has no "evaluations.held.shot"'],
    ['checkpoints that are none', { held: { checkpoints: 'first' } }, 'must be last, best, chosen, all'],
    ['data that are none', { held: { set: { 'data.vall': 'x' } } }, 'evaluation "held", arm "kl"'],
    ['what is for dialogues', { held: { repeats: 2 } }, '"repeats" is for language models'],
  ])('are refused: %s', (_, evaluations, said) => {
    expect(complaint(evaluations)).toContain(said)
  })

  it('are refused: shots of a language model', () => {
    expect(complaint({ held: { shots: [1] } }, { task: 'intention' })).toContain('"shots" is for selectors')
  })
})
