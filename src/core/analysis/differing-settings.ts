import type { Confound } from './confounds.js'

/** How many settings differ, and which: counted here for every answer, every document and the page. */

/** The knobs that were turned, in the order of the table. The length of a run is none; unknown keys may be notes. */
export function knobsTurned(differing: readonly Confound[]): readonly string[] {
  return [...new Set(differing.flatMap(({ knob }) => (knob === null || knob === 'steps' ? [] : [knob])))]
}

/**
 * The settings that differ, as every answer counts and names them: those of the knobs that were turned, each by its main
 * key, and beside them what is no setting of the method. Where no knob was turned, all keys that differ are counted.
 */
export function differingSettings<Differing extends Confound>(
  confounds: readonly Differing[],
): { readonly turned: readonly Differing[]; readonly beside: readonly Differing[] } {
  const shown = withoutSwitches(confounds)
  const knobs = knobsTurned(confounds)
  const isTurned = ({ key, knob }: Differing): boolean =>
    knobs.length === 0 || (knob !== null && knobs.includes(knob) && key.split('.')[0] === knob)
  return { turned: shown.filter(isTurned), beside: shown.filter(each => !isTurned(each)) }
}

/**
 * `kl.loss.on` beside `kl.loss.coef` says nothing that "off" in its place does not; nor does an estimator that is the same
 * wherever the term is on.
 */
export function withoutSwitches<Differing extends Confound>(confounds: readonly Differing[]): readonly Differing[] {
  return confounds.filter(({ key, values }) => {
    const term = key.slice(0, key.lastIndexOf('.'))
    const coefficient = confounds.find(other => other.key === `${term}.coef` && other.key !== key)
    if (coefficient === undefined) return true
    const isOff = (i: number): boolean => coefficient.values[i] === null || coefficient.values[i] === 0
    const whereOn = values.filter((_, i) => !isOff(i)).map(value => JSON.stringify(value))
    const isUnset = values.every((value, i) => !isOff(i) || value === null)
    return !(key.endsWith('.on') || (isUnset && new Set(whereOn).size <= 1))
  })
}
