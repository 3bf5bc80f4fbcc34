import { expect, it } from 'vitest'
import { exampleRun } from '../../../../test/support/example-run.js'
import { type MadeUp, madeUpSubject } from '../../../../test/support/subject.js'
import { seededRandom } from '../../../stats/random.js'
import { examine } from '../diagnose.js'
import { learningStalled } from './learning-stalled.js'

const random = seededRandom(3)

function look(madeUp: MadeUp) {
  const { findings, notChecked } = examine(madeUpSubject(madeUp), [learningStalled])
  return { findings, notChecked: notChecked.map(({ reason }) => reason.key) }
}

/** Evaluations every five steps and a score at each of 400, both of a course of training. */
function run(level: (step: number) => number, noise = 0.03): MadeUp {
  const around = (step: number): number => level(step) + noise * random.normal()
  return {
    metrics: {
      'critic/score/mean': Array.from({ length: 400 }, (_, i) => around(i + 1)),
      'val-core/task/reward/mean@1': Array.from({ length: 80 }, (_, i): [number, number] => [5 * i, around(5 * i)]),
    },
  }
}

it('sees that the second half brought nothing', () => {
  const [finding] = look(run(step => 0.4 + 0.3 * Math.min(1, step / 120), 0.02)).findings
  expect(finding).toMatchObject({ severity: 'note', message: { key: 'learning-stalled' } })
  expect(finding.steps[0]).toBeGreaterThan(95)
  expect(finding.steps[1]).toBeGreaterThan(390)
})

/** As many evaluations, but of few prompts: noisier than the batch by far. */
function long(level: (step: number) => number, validation: (step: number) => number, steps = 2_000): MadeUp {
  return {
    metrics: {
      'critic/score/mean': Array.from({ length: steps }, (_, i) => level(i + 1) + 0.03 * random.normal()),
      'critic/score/max': Array<number>(steps).fill(1),
      'val-core/task/reward/mean@1': Array.from({ length: steps / 20 }, (_, i): [number, number] => [
        20 * i,
        validation(20 * i) + 0.06 * random.normal(),
      ]),
    },
  }
}

it('warns of 2,000 steps in which nothing was learned', () => {
  const { findings } = look(
    long(
      () => 0.4,
      () => 0.3,
    ),
  )
  expect(findings).toMatchObject([
    { severity: 'warning', steps: [1, 2_000], message: { key: 'learning-stalled.never' } },
  ])
})

it.each([
  [
    'the batch gains a tenth',
    long(
      step => 0.4 + (0.04 * step) / 2_000,
      () => 0.3,
    ),
  ],
  [
    'validation rises',
    long(
      () => 0.4,
      step => 0.3 + (0.1 * step) / 2_000,
    ),
  ],
  [
    'the task was solved from the start',
    long(
      () => 0.97,
      () => 0.96,
    ),
  ],
  [
    'there are fewer than 200 steps',
    long(
      () => 0.4,
      () => 0.3,
      180,
    ),
  ],
])('does not where %s', (_, madeUp) => {
  expect(look(madeUp).findings.filter(({ severity }) => severity !== 'note')).toEqual([])
})

it.each([
  ['rises slowly', run(step => 0.6 + (0.1 * step) / 400)],
  ['falls', run(step => 0.7 - (0.2 * step) / 400)],
  ['is too noisy to tell', run(() => 0.2, 0.2)],
])('says nothing of a score that %s', (_, madeUp) => {
  expect(look(madeUp)).toEqual({ findings: [], notChecked: [] })
})

it('needs all scores to agree', () => {
  const flat = run(() => 0.6)
  const rising = run(step => 0.5 + (0.2 * step) / 400)
  const score = { 'critic/score/mean': rising.metrics['critic/score/mean'] }
  expect(look({ metrics: { ...flat.metrics, ...score } }).findings).toEqual([])
})

it('claims it of a run that levels off about once in forty when it still gains the margin', () => {
  const claims = Array.from({ length: 60 }, () => look(run(step => 0.6 + (0.06 * step) / 400)).findings.length)
  expect(claims.filter(count => count > 0).length).toBeLessThanOrEqual(4)
})

it('leaves a dead run to run-dead', () => {
  const dead = { 'actor/grad_norm': Array<number>(400).fill(0), 'actor/pg_loss': Array<number>(400).fill(0) }
  expect(look({ metrics: { ...run(() => 0.6).metrics, ...dead } }).findings).toEqual([])
})

it('does not judge by a few evaluations', () => {
  const few = Array.from({ length: 9 }, (_, i): [number, number] => [10 * i, 0.5])
  expect(look({ metrics: { 'val-core/task/reward/mean@1': few } }).notChecked).toEqual(['diagnose.too-short'])
})

it.each(['kl-0.0', 'kl-0.1', 'kl-0.3'].flatMap(group => [0, 1, 2].map(seed => `${group}/seed${seed}`)))(
  'knows that a healthy real run still learns: %s',
  folder => {
    expect(look(exampleRun(`grpo-addition/${folder}`)).findings).toEqual([])
  },
)
