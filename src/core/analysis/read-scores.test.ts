import { expect, it } from 'vitest'
import { metricBehind } from './prompt-scores.js'

const set = (metric: string, step: number, mean: number) => ({ metric, step, mean, condition: {}, prompts: 40 })

function series(values: Readonly<Record<number, number>>) {
  const steps = Float64Array.from(Object.keys(values), Number)
  const none = new Float64Array(steps.length)
  return { steps, values: Float64Array.from(Object.values(values)), times: none, segments: none }
}

it('takes the samples whose mean the metric is, of its own name if it can', () => {
  const sets = [
    set('rollout/score', 5, 0.2),
    set('val/acc', 5, 0.5),
    set('val/score', 5, 0.5),
    set('val/format', 5, 0.9),
  ]
  expect(metricBehind(sets, 'val/score', series({ 5: 0.5 }))).toBe('val/score')
  expect(metricBehind(sets, 'val-core/gsm8k/acc/mean@1', series({ 5: 0.5 }))).toBe('val/acc')
  expect(metricBehind(sets, 'val/format', series({ 5: 0.9 }))).toBe('val/format')
})

it('lends no samples of training batches to a validation', () => {
  const sets = [set('rollout/score', 5, 0.2), set('val/score', 5, 0.5)]
  expect(metricBehind(sets, 'val/other', series({ 5: 0.7 }))).toBe('val/score')
  expect(metricBehind(sets.slice(0, 1), 'val/other', series({ 5: 0.7 }))).toBeNull()
})
