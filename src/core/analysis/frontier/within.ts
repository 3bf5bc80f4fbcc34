import type { WithinKl } from '../../../logs/model/study/terms.js'
import { bestByScore, mayBeBest } from './candidates.js'
import { klFigure } from './frontier.js'
import type { FrontierSetting } from './setting.js'

/** The best setting within a KL: what a budget of distance from the reference leaves to choose from. Pure. */

/**
 * The truly best of the settings that are truly within is a candidate in at least 95 % of cases: half of the error is that
 * its KL is shown to be beyond, half that another setting is shown to be better.
 */
export function bestWithin(settings: readonly FrontierSetting[], max: number, sign: 1 | -1): WithinKl {
  const placed = settings.map(setting => {
    const kl = klFigure(setting.runs)
    return { setting, kl, state: stateOf(kl, max) }
  })
  const having = (...states: readonly string[]): readonly FrontierSetting[] =>
    placed.filter(({ state }) => states.includes(state)).map(({ setting }) => setting)
  const likely = placed.filter(({ kl, state }) => state !== 'beyond' && kl !== null && kl.estimate <= max)
  const best = bestByScore(
    likely.map(({ setting }) => setting),
    sign,
  )
  // A setting that may lie beyond the limit beats nothing that lies within.
  const candidates = mayBeBest(having('within', 'open'), having('within'), sign)
  return {
    max,
    best: best?.label ?? null,
    candidates: (best === null || candidates.includes(best) ? candidates : [best, ...candidates]).map(
      each => each.label,
    ),
    settings: placed.map(({ setting, kl, state }) => ({
      setting: setting.label,
      kl: kl?.estimate ?? null,
      interval: kl?.interval ?? null,
      state,
    })),
  }
}

function stateOf(kl: ReturnType<typeof klFigure>, max: number): WithinKl['settings'][number]['state'] {
  if (kl === null) return 'unknown'
  if (kl.interval === null) return 'open'
  if (kl.interval[1] <= max) return 'within'
  return kl.interval[0] > max ? 'beyond' : 'open'
}
