import { describe, expect, it } from 'vitest'
import { testMessage } from '../../../../test/support/message.js'
import type { Finding } from '../../../logs/model/finding.js'
import { stopRules } from '../stop-rules.js'
import type { Glance } from './glance.js'
import { newMemory, observe } from './observe.js'

const HELD = [1.688, 1.75, 1.8, 1.82, 1.9, 1.95, 1.92, 2, 2.05, 2.02, 2.1, 2.08, 2.12, 2.2, 2.21, 2.1, 2.15, 2.18]

function glance(values: readonly number[], more: Partial<Glance> = {}): Glance {
  const steps = values.map((_, i) => 5 * (i + 1))
  return {
    id: 'r1',
    name: 'run',
    status: 'running',
    ending: [],
    step: steps[steps.length - 1] ?? null,
    planned: 400,
    startedAt: null,
    newestAt: null,
    pace: { secondsPerStep: 10, longestPause: 60 },
    score: { metric: 'val', goal: 'max', steps, values, prompts: null },
    firstValidation: 0,
    interval: null,
    kl: [],
    curves: [],
    findings: [],
    ...more,
  }
}

/** What is told by looks at these, a minute apart. */
function told(glances: readonly Glance[], apart = 60): readonly string[] {
  let memory = newMemory(0)
  return glances.flatMap((seen, i) => {
    const observed = observe(memory, seen, { now: i * apart, rules: stopRules(null) })
    memory = observed.memory
    return observed.events.map(event => ('step' in event ? `${event.event} ${event.step}` : event.event))
  })
}

describe('what has happened to a run', () => {
  it('is each step and evaluation once, of the past only the last', () => {
    const looks = [glance(HELD.slice(0, 3)), glance(HELD.slice(0, 3)), glance(HELD.slice(0, 5))]
    expect(told(looks)).toEqual(['step 15', 'evaluation 15', 'step 25', 'evaluation 20', 'evaluation 25'])
  })

  it('is once that the starting model was not evaluated, where the first evaluation is later', () => {
    const findings = (firstValidation: number | null, status: Glance['status'] = 'running') =>
      told([3, 4, 5].map(n => glance(HELD.slice(0, n), { firstValidation, status }))).filter(
        event => event === 'finding',
      )
    expect(findings(5)).toHaveLength(1)
    expect(findings(0)).toEqual([])
    expect(findings(null)).toEqual([])
    expect(findings(5, 'finished')).toEqual([])
    const { events } = observe(newMemory(0), glance(HELD, { firstValidation: 5 }), { now: 0, rules: [] })
    expect(events.find(({ event }) => event === 'finding')).toMatchObject({
      rule: 'no-start-evaluation',
      severity: 'note',
      steps: [0, 5],
    })
  })

  it('is a reason to stop at the same step, however many evaluations arrive between two looks', () => {
    const all = [...HELD, 1.597, 0.425, 0.02, 0, 0]
    const stop = (looks: readonly Glance[]) => told(looks).filter(event => event.startsWith('stop'))
    expect(stop([glance(all)])).toEqual(['stop 100'])
    expect(stop(all.map((_, i) => glance(all.slice(0, i + 1))))).toEqual(['stop 100'])
  })

  it('is a stall when nothing comes for far longer than ever, told once, and again after it went on', () => {
    const [still, further] = [glance(HELD.slice(0, 4)), glance(HELD.slice(0, 5))]
    expect(told([still, still, still], 140)).not.toContain('stall 20')
    expect(told([still, still, still, still, further, further, further, further], 200)).toEqual([
      'step 20',
      'evaluation 20',
      'stall 20',
      'step 25',
      'evaluation 25',
      'stall 25',
    ])
  })

  it('is a stall also where the log tells no times, by when its steps arrived', () => {
    const quiet = HELD.slice(0, 5).map((_, i) => glance(HELD.slice(0, i + 1), { pace: null }))
    const last = quiet[quiet.length - 1]
    expect(told([...quiet, last, last, last, last, last, last], 50)).toContain('stall 25')
    expect(told([...quiet, last, last, last, last], 50)).not.toContain('stall 25')
  })

  it('is a crash with its reasons, or an end', () => {
    expect(told([glance(HELD, { status: 'failed' })]).slice(-2)).toEqual(['crash 90', 'end 90'])
    expect(told([glance(HELD), glance(HELD, { status: 'finished' })]).slice(-1)).toEqual(['end 90'])
  })

  it('is no crash where klens itself stopped the training, and an end though the log says nothing of it', () => {
    let memory = newMemory(0)
    const look = (seen: Glance, now: number, stoppedAt: number | null) => {
      const observed = observe(memory, seen, { now, rules: [], stoppedAt })
      memory = observed.memory
      return observed.events.flatMap(event => (event.event === 'end' ? [event.status] : event.event))
    }
    look(glance(HELD), 0, null)
    expect(look(glance(HELD), 105, 100)).toEqual([])
    expect(look(glance(HELD), 111, 100)).toEqual(['killed'])
    expect(look(glance(HELD, { status: 'killed' }), 200, 100)).toEqual([])
    memory = newMemory(0)
    expect(look(glance(HELD, { status: 'failed' }), 101, 100)).toContain('failed')
    expect(look(glance(HELD, { status: 'failed' }), 101, 100)).not.toContain('crash')
  })

  it('is a finding once, again when it became graver, and never a note', () => {
    const found = (severity: Finding['severity']): Finding => ({
      rule: 'kl-inert',
      severity,
      run: 'r1',
      steps: [1, 2],
      message: testMessage('x'),
      evidence: {},
      remedy: testMessage('x'),
    })
    const looks = (['note', 'warning', 'warning', 'error'] as const).map(each =>
      glance(HELD, { findings: [found(each)] }),
    )
    expect(told(looks).filter(event => event === 'finding')).toHaveLength(2)
  })
})
