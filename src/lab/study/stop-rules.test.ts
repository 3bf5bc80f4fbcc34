import { describe, expect, it } from 'vitest'
import { heldOut, isSick, readLab } from '../../../test/support/labs.js'
import { testMessage } from '../../../test/support/message.js'
import type { Finding } from '../../logs/model/finding.js'
import { type Random, seededRandom } from '../../stats/random.js'
import { decideStop, type StopInput, stopRules } from './stop-rules.js'

function look(values: readonly number[], more: Partial<StopInput> & { readonly goal?: 'max' | 'min' } = {}): StopInput {
  const { goal = 'max', ...rest } = more
  const steps = values.map((_, i) => 5 * (i + 1))
  return {
    step: steps[steps.length - 1] ?? 0,
    hours: null,
    score: { metric: 'val', goal, steps, values, prompts: null },
    findings: [],
    ...rest,
  }
}

/** The step at which the rules first say stop when they are asked after every evaluation. */
function stopStep(values: readonly number[], goal: 'max' | 'min' = 'max', rules = stopRules(null)): number | null {
  for (let seen = 1; seen <= values.length; seen += 1) {
    const decision = decideStop(rules, look(values.slice(0, seen), { goal }))
    if (decision !== null) return decision.step
  }
  return null
}

/** 26 evaluations that rise from 1.69 to 2.2 as the 4B run of UserRL did, then its own last ones. */
function collapsing(random: Random): readonly number[] {
  const course = Array.from({ length: 25 }, (_, i) => 1.69 + 0.48 * (1 - Math.exp(-i / 6)) + 0.1 * random.normal())
  return [...course, 2.148, 1.597, 0.425, 0.02, 0, 0]
}

describe('a collapse', () => {
  it('is stopped at its second evaluation, whatever the noise before it was', () => {
    const random = seededRandom(4)
    for (let i = 0; i < 200; i += 1) {
      const values = collapsing(random)
      expect(stopStep(values)).toBeLessThanOrEqual(140)
      expect(stopStep(values)).toBeGreaterThanOrEqual(135)
    }
  })

  it('is seen in a reward below zero, and in a loss that rises again after a steep fall', () => {
    const random = seededRandom(5)
    const reward = [...Array.from({ length: 20 }, (_, i) => -1 + i / 20 + 0.03 * random.normal()), -0.9, -0.95]
    expect(stopStep(reward)).toBe(110)
    const descent = Array.from({ length: 20 }, (_, i) => 3 + 4 * Math.exp(-i / 4) + 0.03 * random.normal())
    expect(stopStep([...descent, 6.5, 6.6], 'min')).toBe(110)
  })

  it('is seen in spite of loud evaluations where nearly everything stays lost', () => {
    const random = seededRandom(9)
    const found = Array.from({ length: 50 }, () => {
      const loud = (i: number): number => (i < 40 ? Math.max(0, 1 + 0.2 * random.normal()) : 0.02)
      return stopStep(Array.from({ length: 60 }, (_, i) => loud(i)))
    })
    expect(found.filter(step => step !== null && step > 200).length).toBeGreaterThan(35)
  })

  it('is not one bad evaluation, and not a fall that it came back from before', () => {
    const random = seededRandom(6)
    const calm = (): number => 0.7 + 0.02 * random.normal()
    const outlier = Array.from({ length: 40 }, (_, i) => (i === 25 ? 0 : calm()))
    expect(stopStep(outlier)).toBeNull()
    const wander = Array.from({ length: 60 }, (_, i) => 0.7 + 0.09 * Math.sin(i / 4) + 0.02 * random.normal())
    expect(stopStep(wander)).toBeNull()
  })

  it('is not found in the two runs of UserRL, or in any healthy run of two labs', () => {
    const baseline = [1.818, 2.14, 1.84, 1.83, 1.75, 1.788, 2.04, 2.003, 2.202]
    const other = [1.785, 1.825, 1.972, 1.998, 1.893, 1.99, 2.093, 2.148, 1.988]
    expect([stopStep(baseline), stopStep(other)]).toEqual([null, null])
    for (const isHeldOut of [false, true]) {
      const stopped = { healthy: 0, sick: 0 }
      let saved = 0
      for (const lab of ['addition', 'sorting'] as const) {
        for (const run of readLab(lab).filter(each => heldOut(lab, each) === isHeldOut)) {
          const [curve] = [...run.metrics].filter(([name]) => /^val.*reward\/mean/.test(name))
          const at = stopStep(curve[1].values)
          if (at === null) continue
          stopped[isSick(run) ? 'sick' : 'healthy'] += 1
          saved += 1 - at / (5 * curve[1].values.length)
        }
      }
      expect(stopped.healthy).toBe(0)
      // Of 22 a half, those whose score falls and stays down; the others are sick in other ways.
      expect(stopped.sick).toBeGreaterThanOrEqual(8)
      expect(saved / stopped.sick).toBeGreaterThan(0.7)
    }
  })

  it('stops under one healthy run in a hundred, asked after each of 93 evaluations', () => {
    const random = seededRandom(7)
    let stops = 0
    for (let i = 0; i < 300; i += 1) {
      let noise = random.normal()
      const values = Array.from({ length: 93 }, (_, at) => {
        noise = 0.8 * noise + Math.sqrt(1 - 0.8 ** 2) * random.normal()
        return 1.75 + 0.28 * (1 - Math.exp(-at / 20)) + 0.13 * noise
      })
      if (stopStep(values) !== null) stops += 1
    }
    expect(stops).toBeLessThanOrEqual(3)
  })
})

describe('other reasons', () => {
  const found = (rule: string, severity: Finding['severity'] = 'error'): Finding => ({
    rule,
    severity,
    run: 'r',
    steps: [1, 2],
    message: testMessage('stop.unknown'),
    evidence: {},
    remedy: testMessage('stop.unknown'),
  })

  it('are errors of the diagnosis; an outage explains the others, and a warning is no reason', () => {
    const flat = Array.from({ length: 10 }, () => 1)
    const decide = (...findings: readonly Finding[]) => decideStop(stopRules(null), look(flat, { findings }))?.rule
    expect(decide(found('run-dead'))).toBe('dead')
    expect(decide(found('run-dead'), found('environment-outage'))).toBe('outage')
    expect(decide(found('kl-runaway', 'warning'))).toBeUndefined()
  })

  it('are limits that a person names', () => {
    const values = [0.1, 0.5, 0.4, 0.45, 0.3, 0.3]
    expect(stopStep(values, 'max', stopRules('patience=4'))).toBe(30)
    expect(stopStep(values, 'max', stopRules('drop=30%'))).toBe(25)
    expect(stopStep(values, 'max', stopRules('drop=0.15'))).toBe(25)
    expect(stopStep(values, 'max', stopRules('steps=10'))).toBe(10)
    const decision = decideStop(stopRules('hours=12'), look(values, { hours: 12.5 }))
    expect(decision).toMatchObject({ rule: 'budget', evidence: { hours: 12.5, limit: 12 } })
  })

  it('are refused with what there is where they are none', () => {
    expect(() => stopRules('luck')).toThrow(/stop.unknown/)
    expect(() => stopRules('patience')).toThrow(/stop.bad-number/)
    expect(() => stopRules('constructor=3')).toThrow(/stop.unknown/)
  })
})
