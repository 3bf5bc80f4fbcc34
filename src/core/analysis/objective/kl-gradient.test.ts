import { describe, expect, it } from 'vitest'
import { answerGradient, drawCase, fitOf, termGradient, tokenGradient } from '../../../../calibration/exact-policy.js'
import { seededRandom } from '../../../stats/random.js'
import { isCorrectedWhenStale, KL_FORMS, KL_WEIGHTS, type KlPlacement, klGradient } from './kl-gradient.js'

/** What the objective card says of a gradient, against the gradient: expectations are sums here, so there is no noise. */

const IN_LOSS: readonly KlPlacement[] = KL_FORMS.flatMap(form =>
  KL_WEIGHTS.map(weight => ({ place: 'loss' as const, form, weight })),
)
const IN_REWARD: readonly KlPlacement[] = (['k1', 'k1+', 'k2', 'k3', 'k3+', 'abs'] as const).map(form => ({
  place: 'reward',
  form,
  weight: 'none',
}))

function named({ place, form, weight }: KlPlacement): readonly [string, KlPlacement] {
  return [`${form} in the ${place}, weight ${weight}`, { place, form, weight }]
}

/** Central differences are good to about nine digits. */
const EXACT = 1e-6
const TELLING = 0.01

function measured(placement: KlPlacement, stale: number) {
  const random = seededRandom(34)
  return Array.from({ length: 4 }, () => {
    const given = drawCase(0.6, stale, random)
    const truth = placement.place === 'reward' ? answerGradient(given) : tokenGradient(given)
    return fitOf(termGradient(given, placement), truth)
  })
}

describe('the gradient of a KL term', () => {
  it.each([...IN_LOSS, ...IN_REWARD].map(named))('on-policy is what the card says: %s', (_, placement) => {
    const { gradient } = klGradient(placement)
    for (const { error, size } of measured(placement, 0)) {
      if (gradient === 'right') expect(error).toBeLessThan(EXACT)
      else if (gradient === 'none') expect(size).toBeLessThan(EXACT)
      else expect(Math.min(error, size)).toBeGreaterThan(TELLING)
    }
  })

  it.each(IN_LOSS.filter(placement => klGradient(placement).gradient === 'right').map(named))(
    'stays right on answers of an earlier policy exactly where the card says so: %s',
    (_, placement) => {
      for (const { error } of measured(placement, 0.3)) {
        if (isCorrectedWhenStale(placement)) expect(error).toBeLessThan(EXACT)
        else expect(error).toBeGreaterThan(TELLING)
      }
    },
  )

  it('of k3 in the loss is that of the reversed KL', () => {
    const given = drawCase(0.6, 0, seededRandom(7))
    const found = termGradient(given, { place: 'loss', form: 'k3', weight: 'none' })
    expect(fitOf(found, tokenGradient(given, { reversed: true })).error).toBeLessThan(EXACT)
  })
})
