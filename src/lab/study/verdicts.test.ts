import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../stats/random.js'
import { finalVerdicts, type JudgedArm } from './verdicts.js'

const random = seededRandom(8)

function arm(name: string, gap: number, { fresh = 0, isDropped = false } = {}): JudgedArm {
  const scores = Array.from({ length: 5 }, () => gap + random.normal())
  return { name, scores, fresh: Array.from({ length: fresh }, () => gap + random.normal()), isDropped }
}

const ASKED = { margin: null, direction: 'max' } as const

describe('the verdicts of a study', () => {
  it('never claim anything of a dropped arm, and count it among the arms', () => {
    const [dropped, clear] = finalVerdicts(arm('base', 0), [arm('far', -20, { isDropped: true }), arm('up', 20)], ASKED)
    expect(dropped).toMatchObject({ verdict: 'undetermined', p: 1, isDropped: true })
    expect(clear.verdict).toBe('better')
    expect(finalVerdicts(arm('base', 0), [arm('up', 20)], { ...ASKED, direction: 'min' })[0].verdict).toBe('worse')
  })

  it('say nothing where an arm has fewer than three seeds', () => {
    const thin = { ...arm('thin', 9), scores: [9, 9.1] }
    expect(finalVerdicts(arm('base', 0), [thin], ASKED)[0]).toMatchObject({ verdict: 'undetermined', p: null })
  })

  it('keep 5 % with fresh seeds that were bought for the arm that looked best', () => {
    let wrong = 0
    for (let study = 0; study < 600; study += 1) {
      const others = [1, 2, 3].map(i => arm(String(i), 0, { fresh: 4 }))
      const sum = ({ scores }: JudgedArm): number => scores.reduce((total, each) => total + each, 0)
      const best = others.reduce((a, b) => (sum(b) > sum(a) ? b : a))
      const judged = others.map(other => (other === best ? other : { ...other, fresh: [], isDropped: true }))
      const said = finalVerdicts(arm('base', 0, { fresh: 4 }), judged, ASKED)
      if (said.some(({ verdict }) => verdict !== 'undetermined')) wrong += 1
    }
    expect(wrong / 600).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / 600))
  })
})
