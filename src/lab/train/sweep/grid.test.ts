import { describe, expect, it } from 'vitest'
import { render } from '../../../text/sentences.js'
import { type GridRequest, gridOf } from './grid.js'

function names(request: GridRequest): readonly (string | null)[] | string {
  const grid = gridOf(request)
  if (grid.kind === 'trials') return grid.trials.map(({ name }) => name)
  return grid.problems.map(problem => render(problem, 'en')).join(' ')
}

describe('a grid of trainings', () => {
  it('is one training without a name of its own where nothing varies', () => {
    expect(names({})).toEqual([null])
    expect(names({ seed: '4', sets: ['name=mine'] })).toEqual(['mine'])
  })

  it('has one for each combination, named by what differs', () => {
    expect(names({ seed: '1,2', over: ['kl.loss.coef=0,1e-1'] })).toEqual([
      'digits/kl.loss.coef=0/seed1',
      'digits/kl.loss.coef=0/seed2',
      'digits/kl.loss.coef=0.1/seed1',
      'digits/kl.loss.coef=0.1/seed2',
    ])
    expect(names({ seed: '1,2', sets: ['name=mine'] })).toEqual(['mine/seed1', 'mine/seed2'])
  })

  it('puts settings into a name that asks for them', () => {
    const sets = ['name="kl-{kl.loss.coef}/seed{seed}"']
    expect(names({ sets, seed: '1,2', over: ['kl.loss.coef=0.5'] })).toEqual(['kl-0.5/seed1', 'kl-0.5/seed2'])
    expect(names({ sets })).toEqual(['kl-0.1/seed1'])
    expect(names({ sets: ['name="x{kl.beta}"'] })).toContain('{kl.beta}')
    expect(names({ sets: ['name="x{seed}"'], seed: '1,2', over: ['kl.loss.coef=0,1'] })).toContain('called x1')
  })

  it('refuses what is no list of values, no setting, or no value of it', () => {
    expect(names({ over: ['kl.loss.coef'] })).toContain('--over needs')
    expect(names({ over: ['kl.loss.coef=0,,1'] })).toContain('--over needs')
    expect(names({ over: ['kl.los.coef=0,1'] })).toContain('Did you mean "kl.loss.coef"?')
    expect(names({ seed: '1,x' })).toContain('"seed" must be')
  })
})
