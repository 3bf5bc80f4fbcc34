import { describe, expect, it } from 'vitest'
import type { PathMark } from './chart.js'
import { frontierChart } from './frontier.js'

const path = (score: number, evaluations = 4) =>
  Array.from({ length: evaluations }, (_, i) => ({
    step: 10 * (i + 1),
    kl: ((i + 1) / evaluations) ** 2,
    score: score + i / 100,
    optimised: score + i / 10,
  }))

const REQUEST = {
  language: 'en',
  metric: { name: 'gold', goal: 'max' },
  optimised: { name: 'reward' },
  peak: [0.25, 0.36],
} as const

function pathsOf(chart: ReturnType<typeof frontierChart>): readonly PathMark[] {
  return chart.panels[0].marks.flatMap(mark => (mark.kind === 'path' ? [mark] : []))
}

describe('score against √KL', () => {
  it('has a path for each of a few runs, with the root of KL and the steps at its ends and half way', () => {
    const settings = [
      { label: 'a', runs: [path(0.4), path(0.5)] },
      { label: 'b', runs: [path(0.6)] },
    ]
    const paths = pathsOf(frontierChart({ ...REQUEST, settings }))
    expect(paths.map(({ name, style }) => [name, style])).toEqual([
      ['a 1', 0],
      ['a 2', 0],
      ['b', 1],
    ])
    expect(paths[0].x).toEqual([0.25, 0.5, 0.75, 1])
    expect(paths[0].labels.map(({ text }) => text)).toEqual(['10', '30', '40'])
  })

  it('has the mean path of each of many settings, of stretches of long ones, and marks the peak', () => {
    const settings = ['a', 'b'].map(label => ({
      label,
      runs: [path(0.4, 40), path(0.5, 40), path(0.6, 40), path(0.7, 40)],
    }))
    const chart = frontierChart({ ...REQUEST, settings })
    const [first, ...rest] = pathsOf(chart)
    expect(rest).toHaveLength(1)
    expect(first.x).toHaveLength(10)
    expect(first.y[0]).toBeCloseTo(0.55 + 0.015)
    expect(chart.panels[0].marks[0]).toMatchObject({ kind: 'box', x: [0.5, 0.6] })
    expect(chart.panels).toHaveLength(2)
  })

  it('has no panel for a reward that was not validated, and no path for a setting without KL', () => {
    const bare = path(0.4).map(point => ({ ...point, optimised: null }))
    const chart = frontierChart({
      ...REQUEST,
      peak: null,
      settings: [
        { label: 'a', runs: [bare] },
        { label: 'b', runs: [[]] },
      ],
    })
    expect(chart.panels).toHaveLength(1)
    expect(pathsOf(chart)).toHaveLength(1)
  })
})
