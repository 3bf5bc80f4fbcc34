import { KL_FORMS, KL_WEIGHTS, type KlPlacement } from '../../src/core/analysis/objective/kl-gradient.js'
import { answerGradient, drawCase, fitOf, termGradient, tokenGradient } from '../exact-policy.js'
import { at, type Cell, grid, type Study } from '../study.js'

/**
 * The gradient of every KL term against that of the KL itself, on policies whose expectations are sums: no sampling noise,
 * so that a difference is a bias. A repetition draws a reference, a policy `spread` away from it, and who sampled.
 */
export const klGradients: Study = {
  name: 'kl-gradient',
  cells: [
    { spread: 0.1, stale: 0 },
    { spread: 0.6, stale: 0 },
    { spread: 0.6, stale: 0.3 },
  ].flatMap(where =>
    [
      ...grid({ place: ['loss'], form: KL_FORMS, weight: ['none'] }),
      ...grid({ place: ['loss'], form: ['k1', 'k2', 'k3'], weight: KL_WEIGHTS.filter(weight => weight !== 'none') }),
      ...grid({ place: ['reward'], form: ['k1', 'k2', 'k3', 'abs'], weight: ['none'] }),
    ].map(cell => ({ ...cell, ...where })),
  ),
  // Policies differ, samples do not: there are none.
  share: () => 0.0025,
  once(cell, random) {
    const given = drawCase(at(cell, 'spread'), at(cell, 'stale'), random)
    const found = termGradient(given, placementOf(cell))
    const token = fitOf(found, tokenGradient(given))
    const answer = fitOf(found, answerGradient(given))
    return {
      cosine: token.cosine,
      error: token.error,
      size: token.size,
      cosineAnswer: answer.cosine,
      errorAnswer: answer.error,
    }
  },
}

function placementOf({ place, form, weight }: Cell): KlPlacement {
  const isLoss = place === 'loss'
  const known = KL_FORMS.find(each => each === form)
  const factor = KL_WEIGHTS.find(each => each === weight)
  if (known === undefined || factor === undefined) throw new Error(`no KL term: ${String(form)} ${String(weight)}`)
  return { place: isLoss ? 'loss' : 'reward', form: known, weight: factor }
}
