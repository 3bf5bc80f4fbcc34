import { describe, expect, it } from 'vitest'
import { testMessage } from '../../../../test/support/message.js'
import type { Verdict } from '../../../logs/model/verdict.js'
import { choose, chooseAmong } from './choose.js'

function verdict(
  estimate: number | null,
  interval: readonly [number, number] | null,
  scope: Verdict['scope'] = 'runs',
): Verdict {
  return {
    question: 'level',
    metric: 'acc',
    baseline: 'A',
    other: 'B',
    scope,
    answer: 'undetermined',
    estimate,
    interval,
    p: null,
    margin: null,
    smallestMargin: null,
    level: null,
    tags: [],
    reasons: [],
    toSettle: {},
    method: null,
  }
}

const NO_SCATTER = { size: 0, source: 'user' } as const

describe('choosing today', () => {
  it('names the likelier side, its probability, and the mean loss when it is wrong', () => {
    // One standard error below zero: P = Φ(1), E[loss | wrong] = φ(1)/Φ(−1) − 1 standard errors.
    const choice = choose(verdict(-1, [-1 - 1.959964, -1 + 1.959964]), 'max', [1, 1], NO_SCATTER)
    expect(choice).toMatchObject({ side: 'A' })
    expect(choice?.probability).toBeCloseTo(0.8413, 4)
    expect(choice?.lossIfWrong).toBeCloseTo(0.5251, 4)
  })

  it('turns round for a loss', () => {
    expect(choose(verdict(-1, [-3, 1]), 'min', [1, 1], NO_SCATTER)?.side).toBe('B')
  })

  it('is less sure when seeds scatter, but not when several seeds were measured', () => {
    const sure = choose(verdict(-1, [-3, 1]), 'max', [1, 1], NO_SCATTER)?.probability ?? 0
    const unsure = choose(verdict(-1, [-3, 1]), 'max', [1, 1], { size: 2, source: 'assumed' })?.probability ?? 1
    expect(unsure).toBeLessThan(sure)
    const ofSettings = (scatter: number) =>
      choose(verdict(-1, [-3, 1], 'configs'), 'max', [4, 4], { size: scatter, source: 'assumed' })?.probability
    expect(ofSettings(2)).toBe(ofSettings(0))
  })

  it('chooses nothing without a direction or an interval', () => {
    expect(choose(verdict(-1, [-3, 1]), null, [1, 1], NO_SCATTER)).toBeNull()
    expect(choose(verdict(-1, null), 'max', [1, 1], NO_SCATTER)).toBeNull()
  })

  it('takes of several the one most likely to beat the baseline', () => {
    const at = (side: string, probability: number) => ({
      side,
      probability,
      lossIfWrong: 1,
      gainIfRight: 1,
      error: 1,
      assumption: testMessage(''),
    })
    expect(chooseAmong([at('B', 0.6), at('C', 0.9), at('A', 0.7)], 'A')?.side).toBe('C')
    expect(chooseAmong([at('A', 0.6), at('A', 0.9)], 'A')?.probability).toBe(0.6)
    expect(chooseAmong([null], 'A')).toBeNull()
  })
})
