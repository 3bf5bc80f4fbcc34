import { describe, expect, it } from 'vitest'
import { madeUpSubject } from '../../../test/support/subject.js'
import type { Segment } from '../../logs/model/run.js'
import { examine } from './diagnose.js'
import type { Subject } from './subject.js'

const STEPS = Array.from({ length: 120 }, (_, i) => i + 1)

/** Answers of this length, with a little noise; all else is well. */
function lengths(lengthAt: (step: number) => number, segments: readonly Segment[]): Subject {
  const noise = (step: number): number => 1 + 0.02 * Math.sin(7 * step)
  const subject = madeUpSubject({
    metrics: {
      'response_length/mean': STEPS.map(step => lengthAt(step) * noise(step)),
      'critic/rewards/mean': STEPS.map(step => 0.5 + 0.01 * Math.sin(step)),
    },
  })
  return { ...subject, manifest: { ...subject.manifest, segments } }
}

function rulesOf(subject: Subject): string[] {
  return examine(subject).findings.map(({ rule }) => rule)
}

describe('a step at which a training was started again', () => {
  const seam: Segment[] = [
    { firstStep: 1, lastStep: 64 },
    { firstStep: 61, lastStep: 120 },
  ]

  it('is no collapse, however different the two sides are', () => {
    const jump = (step: number): number => (step <= 60 ? 400 : 50)
    expect(rulesOf(lengths(jump, []))).toContain('length-collapse')
    const { findings, passed } = examine(lengths(jump, seam))
    expect(findings.map(({ rule }) => rule)).not.toContain('length-collapse')
    expect(passed).toContain('length-collapse')
  })

  it('does not hide a collapse on one side of it', () => {
    const collapse = (step: number): number => (step <= 90 ? 400 : 50)
    const [finding] = examine(lengths(collapse, seam)).findings.filter(({ rule }) => rule === 'length-collapse')
    expect(finding?.steps[0]).toBeGreaterThan(80)
  })

  it('that has not been reached again leaves the steps behind it out', () => {
    const stale: Segment[] = [
      { firstStep: 1, lastStep: 120 },
      { firstStep: 11, lastStep: 70 },
    ]
    const collapse = (step: number): number => (step <= 90 ? 400 : 50)
    expect(rulesOf(lengths(collapse, stale))).not.toContain('length-collapse')
  })
})
