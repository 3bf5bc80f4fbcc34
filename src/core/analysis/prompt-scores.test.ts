import { describe, expect, it } from 'vitest'
import { pairedMean } from '../../stats/paired-mean.js'
import {
  areScoresOf,
  differenceByPrompt,
  meanScores,
  onSamePrompts,
  promptScores,
  withPrompts,
} from './prompt-scores.js'

function batch(step: number, scores: { readonly [id: string]: readonly number[] }) {
  const pairs = Object.entries(scores).flatMap(([id, repeats]) => repeats.map(score => ({ id, score })))
  return { metric: 'acc', step, condition: {}, ids: pairs.map(({ id }) => id), scores: pairs.map(({ score }) => score) }
}

describe('scores of single prompts', () => {
  it('average repeats within a prompt, so that a prompt asked often weighs no more', () => {
    const [scores] = promptScores([batch(5, { a: [1, 0], b: [1] })])
    expect([...(scores.byStep.get(5) ?? [])]).toEqual([0.5, 1])
    expect([...meanScores(scores).values]).toEqual([0.75])
  })

  it('leave out a step that asked other prompts', () => {
    const [scores] = promptScores([batch(5, { a: [1], b: [0] }), batch(10, { a: [1], c: [1] })])
    expect([...scores.byStep.keys()]).toEqual([5])
  })

  it('belong to the metric that is their mean', () => {
    const [scores] = promptScores([batch(5, { a: [1], b: [0] })])
    const series = (value: number) => ({ ...meanScores(scores), values: Float64Array.of(value) })
    expect(areScoresOf(series(0.5), scores)).toBe(true)
    expect(areScoresOf(series(0.6), scores)).toBe(false)
  })

  it('line up by prompt, whatever the order of the files, and refuse other prompts', () => {
    const [first] = promptScores([batch(5, { a: [1], b: [0] })])
    const [second] = promptScores([batch(5, { b: [1], a: [1] })])
    const [foreign] = promptScores([batch(5, { a: [1], z: [1] })])
    const same = onSamePrompts([first, second])
    expect([...differenceByPrompt([first], same?.slice(1) ?? [], [5])]).toEqual([0, 1])
    expect(onSamePrompts([first, foreign])).toBeNull()
  })

  it('widen an interval by the luck of the prompts, and lend it to another metric of the same evaluations', () => {
    const course = pairedMean([0.1, 0.12, 0.08, 0.1, 0.11, 0.09, 0.1])
    const differences = Float64Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? 0.3 : -0.1))
    const own = withPrompts(course, course, differences)
    expect(own.standardError).toBeCloseTo(Math.hypot(course.standardError, own.promptError), 12)
    expect(own.promptError).toBeCloseTo(0.0201, 4)
    expect(own.degreesOfFreedom).toBeGreaterThan(course.degreesOfFreedom)
    const twice = { ...course, standardError: 2 * course.standardError }
    expect(withPrompts(twice, course, differences).promptError).toBeCloseTo(2 * own.promptError, 12)
  })
})
