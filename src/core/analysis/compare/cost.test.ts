import { describe, expect, it } from 'vitest'
import { points } from '../../../../test/support/real-runs.js'
import { type Cost, type CostMetric, compareCosts, reportedRanges } from './cost.js'

const STEPS = Array.from({ length: 30 }, (_, i) => i + 1)
const series = (seconds: number) =>
  points(
    STEPS,
    STEPS.map(step => seconds + (step % 3)),
  )
const side = (label: string, cost: Partial<Cost>, metric: CostMetric = 'time.step') => ({
  label,
  costs: new Map<CostMetric, Cost>([[metric, { series: [], range: null, ...cost }]]),
})

describe('comparing costs', () => {
  it('calls a slower step worse', () => {
    const [verdict] = compareCosts(
      side('A', { series: [series(10)] }),
      side('B', {
        series: [
          points(
            STEPS,
            STEPS.map(s => 12 + (s % 4)),
          ),
        ],
      }),
    )
    expect(verdict).toMatchObject({ question: 'cost', metric: 'time.step', answer: 'worse', scope: 'runs' })
  })

  it('makes no number out of two ranges', () => {
    const [verdict] = compareCosts(
      side('no-kl', { range: { low: 193, high: 205 } }),
      side('kl', { range: { low: 205, high: 220 } }),
    )
    expect(verdict).toMatchObject({ answer: 'undetermined', estimate: null, interval: [0, 27] })
    expect(verdict.reasons[0].params).toMatchObject({ least: '0', most: '14' })
  })

  it('answers for step time even when nobody logged it, and for others only when both did', () => {
    const verdicts = compareCosts(side('A', { series: [series(1)] }, 'mfu'), side('B', {}, 'throughput'))
    expect(verdicts.map(({ metric, answer }) => [metric, answer])).toEqual([['time.step', 'undetermined']])
  })

  const clock = (seconds: number) =>
    points(
      STEPS,
      STEPS.map(() => seconds),
    )

  it('calls clocks that show the same at every step the same, rounding errors aside', () => {
    const [verdict] = compareCosts(
      side('A', { series: [clock(0.1 + 0.2), clock(0.3), clock(0.3)] }),
      side('B', { series: [clock(0.3), clock(0.3), clock(0.3)] }),
    )
    expect(verdict).toMatchObject({ answer: 'same', estimate: 0 })
    const [single] = compareCosts(side('A', { series: [series(3)] }), side('B', { series: [series(3)] }))
    expect(single).toMatchObject({ answer: 'same', estimate: 0 })
  })

  it('says nothing of clocks that are apart by the same at every step: nobody read them', () => {
    const [verdict] = compareCosts(side('A', { series: [clock(10)] }), side('B', { series: [clock(5)] }))
    expect(verdict).toMatchObject({ answer: 'undetermined', estimate: -5 })
  })
})

describe('figures that a report gives as ranges', () => {
  it('are read from the settings, and nothing else is', () => {
    const ranges = reportedRanges({ 'report.timing_s/step': '193-205', 'report.note': 'good', lr: '1-2' })
    expect([...ranges]).toEqual([['timing_s/step', { low: 193, high: 205 }]])
  })
})
