import { numberOf } from '../../model/vocabulary/config-value.js'
import type { Curve } from '../curve.js'
import type { Subject } from '../subject.js'

/** The logged rate; verl before 0.4 logged it in units of 1e-4 and said so in the name. */
export function loggedRate({ curve }: Subject): Curve | undefined {
  const logged = curve('lr')
  if (logged === undefined || !logged.metric.includes('(1e-4)')) return logged
  return { ...logged, values: logged.values.map(rate => rate * 1e-4) }
}

export function configuredRate({ settings }: Subject): number | null {
  return numberOf(settings.get('lr')?.effective ?? undefined)
}
