import { describe, expect, it } from 'vitest'
import { type MadeUp, type MadeUpSeries, madeUpSubject } from '../../../../test/support/subject.js'
import type { Finding } from '../../../logs/model/finding.js'
import { seededRandom } from '../../../stats/random.js'
import { examine } from '../diagnose.js'
import type { RunRule } from '../run-rule.js'
import { rewardHacking } from './reward-hacking.js'
import { validationCollapse, validationWorsened } from './validation.js'

/** Many validation sets, and levels that wander: neither may raise alarms by itself, and neither may hide a real fall. */

type Random = ReturnType<typeof seededRandom>

interface Course {
  readonly sets?: number
  readonly evaluations?: number
  readonly prompts: number
  /** The true share of right answers of a set at an evaluation, `time` being its share of the run. */
  readonly level: (set: number, time: number, wander: number) => number
}

/** Evaluations every ten steps on right-or-wrong prompts, beside a training reward that rises. */
function run(random: Random, { sets = 1, evaluations = 60, prompts, level }: Course): MadeUp {
  const metrics: { [name: string]: MadeUpSeries } = {
    'critic/rewards/mean': Array.from(
      { length: 10 * evaluations },
      (_, i) => 0.3 + (0.04 * i) / evaluations + 0.03 * random.normal(),
    ),
  }
  for (let set = 0; set < sets; set += 1) {
    let wander = random.normal()
    metrics[`val-core/set${set}/acc/mean@1`] = Array.from({ length: evaluations }, (_, i) => {
      const share = level(set, i / evaluations, wander)
      wander = 0.95 * wander + Math.sqrt(1 - 0.95 ** 2) * random.normal()
      const right = Array.from({ length: prompts }, () => (random.next() < share ? 1 : 0)).filter(Boolean).length
      return [10 * (i + 1), right / prompts] as const
    })
  }
  return { metrics, config: { 'data.val_size': prompts, 'actor_rollout_ref.actor.use_kl_loss': false } }
}

function findingsIn(rules: readonly RunRule[], course: Course, runs: number): readonly Finding[] {
  return Array.from({ length: runs }, (_, i) => madeUpSubject(run(seededRandom(1_000 + i), course))).flatMap(
    subject => examine(subject, rules).findings,
  )
}

const told = (findings: readonly Finding[]): string[] =>
  findings.filter(({ severity }) => severity !== 'note').map(({ rule, severity }) => `${rule} ${severity}`)

describe('many validation sets', () => {
  it('do not collapse by chance: twenty flat ones of 50 prompts at 5 %, twelve runs', () => {
    const flat = { sets: 20, evaluations: 100, prompts: 50, level: () => 0.05 }
    expect(told(findingsIn([validationCollapse], flat, 12))).toEqual([])
  })

  it('do not worsen by wandering', () => {
    const wandering: Course = { sets: 20, evaluations: 100, prompts: 100, level: (_, __, by) => 0.4 + 0.04 * by }
    expect(told(findingsIn([validationWorsened, rewardHacking], wandering, 2))).toEqual([])
  })

  it('do not hide the one among twenty that lost half', () => {
    const one: Course = { sets: 20, prompts: 100, level: (set, time) => (set === 7 && time > 0.6 ? 0.28 : 0.6) }
    expect(told(findingsIn([validationCollapse], one, 1))).toEqual(['validation-collapse error'])
  })

  it('that fall together are a warning', () => {
    const all: Course = { sets: 5, prompts: 200, level: (_, time) => (time < 0.6 ? 0.6 : 0.53) }
    expect(told(findingsIn([validationWorsened], all, 1))).toContain('validation-worsened warning')
  })

  it('of which one falls while their mean holds are a note', () => {
    const one: Course = { sets: 5, prompts: 300, level: (set, time) => (set === 0 && time > 0.6 ? 0.5 : 0.6) }
    expect(findingsIn([validationWorsened, rewardHacking], one, 1)).toMatchObject([
      {
        rule: 'validation-worsened',
        severity: 'note',
        message: { key: 'validation-worsened.alone', params: { sets: 5 } },
      },
    ])
  })

  it('tell together what none of them can tell alone', () => {
    const all: Course = { sets: 16, prompts: 40, level: (_, time) => (time < 0.6 ? 0.6 : 0.54) }
    const findings = findingsIn([validationWorsened], all, 1)
    expect(findings).toMatchObject([{ severity: 'warning', evidence: { metric: 'val.score (16)' } }])
  })
})

describe('a level that wanders', () => {
  /** Down by 0.1 and back in the middle of the run, and down again at its end. */
  const dips = (last: number): Course => ({
    evaluations: 100,
    prompts: 400,
    level: (_, time) => (time > 0.3 && time < 0.5 ? 0.5 : time > 0.8 ? 0.6 - last : 0.6),
  })

  it('is noted, where it fell no further than it came back from before, and is no hacking', () => {
    expect(findingsIn([validationWorsened, rewardHacking], dips(0.1), 1)).toMatchObject([
      { rule: 'validation-worsened', severity: 'note', message: { key: 'validation-worsened.wander' } },
    ])
  })

  it('is a warning where it falls further', () => {
    expect(told(findingsIn([validationWorsened, validationCollapse], dips(0.16), 1))).toHaveLength(1)
  })

  it('is a warning where nothing like it was seen before', () => {
    const first: Course = { evaluations: 100, prompts: 400, level: (_, time) => (time > 0.8 ? 0.5 : 0.6) }
    expect(told(findingsIn([validationWorsened, validationCollapse], first, 1))).toHaveLength(1)
  })
})
