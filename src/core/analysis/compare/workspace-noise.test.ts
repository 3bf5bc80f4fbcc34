import { describe, expect, it } from 'vitest'
import { points } from '../../../../test/support/real-runs.js'
import { elsewhere, workspaceNoise } from './workspace-noise.js'

const STEPS = [1, 2, 3, 4, 5, 6, 7, 8]
const at = (level: number) =>
  points(
    STEPS,
    STEPS.map(() => level),
  )

describe('the noise of the house', () => {
  it('counts the pairs of replicates that differ as much, and takes the typical seedSd', () => {
    const noise = workspaceNoise(
      [
        [at(1), at(2), at(3)],
        [at(10), at(10.5)],
      ],
      { from: 1, to: 8 },
      1,
    )
    expect(noise).toMatchObject({ runs: 5, settings: 2, pairs: 4, asLarge: 3 })
    expect(noise?.seedSd).toBeCloseTo(Math.sqrt((1 + 0.125) / 2), 12)
  })

  it('does not speak from too few shared evaluations, nor without replicates', () => {
    expect(workspaceNoise([[at(1), at(2)]], { from: 1, to: 5 }, 1)).toBeNull()
    expect(workspaceNoise([], { from: 1, to: 8 }, 1)).toBeNull()
  })

  it('knows real runs elsewhere by the number of evaluations nearest to it', () => {
    expect(elsewhere(9)).toEqual({ evaluations: 9, percent: 2 })
    expect(elsewhere(100)).toEqual({ evaluations: 80, percent: 9 })
  })
})
