import { canMeet, divide, type Range, subtract } from '../../stats/rounding.js'
import { message } from '../../text/say.js'
import type { AuditDocument } from '../document.js'
import { shown, spanOf } from '../figures.js'
import { type Coefficient, configuredCoefficient, type LossGroup, lossGroups } from '../losses.js'
import type { AuditRule, Fault } from '../rule.js'

/**
 * The KL coefficient that acts, as the report's own figures show it, is not the configured one. An error where a printed
 * coefficient and the losses agree against the setting; a warning where only one of them speaks. An adaptive coefficient
 * moves by design.
 */
export const effectiveCoefficient: AuditRule = {
  id: 'effective-coefficient',
  kind: 'impossible',
  severity: 'error',
  example: {
    faulty: 'KL_BETA: 0.1\n\n- Train Loss: 0.00009\n- PPO Loss: 0.00005\n- KL: 0.03565\n- Beta: 0.0010',
    sound: 'KL_BETA: 0.001\n\n- Train Loss: 0.00009\n- PPO Loss: 0.00005\n- KL: 0.03565\n- Beta: 0.0010',
  },
  *check(document: AuditDocument) {
    const configured = configuredCoefficient(document)
    if (configured === null || ADAPTIVE.test(document.text)) return
    const groups = lossGroups(document).filter(({ coefficient }) => coefficient?.value === configured.value)
    const implied = groups.map(impliedBy)
    if (implied.some(found => found !== null && canMeet(found.range, configured.range))) return
    const [fault] = groups.flatMap((group, i) => mismatch(group, implied[i], configured) ?? [])
    if (fault !== undefined) yield fault
  },
}

const ADAPTIVE = /adaptive|target[ _-]?kl|kl[ _-]?(?:anneal|decay|warm)|自适应|退火/i
/** A coefficient that differs by less may be one that drifted or was rounded for print. */
const LEAST_FACTOR = 1.5

interface Implied {
  readonly range: Range
  readonly formula: string
  readonly offset: number
}

function impliedBy({ terms }: LossGroup): Implied | null {
  const [total, policy, kl] = (['total', 'policy', 'kl'] as const).map(term => terms.get(term))
  if (total === undefined || policy === undefined || kl === undefined) return null
  const range = divide(subtract(total.quantity.range, policy.quantity.range), kl.quantity.range)
  if (range === null) return null
  const formula = `(${shown(total.quantity)} − ${shown(policy.quantity)}) / ${shown(kl.quantity)}`
  return { range, formula, offset: total.offset }
}

function mismatch({ terms }: LossGroup, implied: Implied | null, configured: Coefficient): Fault | null {
  const printed = terms.get('coefficient')
  const far = implied !== null && implied.range.low > 0 && isFar(implied.range, configured.value)
  const expected = String(configured.value)
  if (printed === undefined) {
    if (!far) return null
    const span = spanOf(implied.range, 2)
    const params = { formula: implied.formula, implied: span, configured: configured.value }
    const words = message('audit.effective-coefficient.implied', params)
    return { offset: implied.offset, severity: 'warning', message: words, found: span, expected }
  }
  if (!isFar(printed.quantity.range, configured.value)) return null
  const params = { printed: shown(printed.quantity), configured: configured.value }
  const place = { offset: printed.offset, found: params.printed, expected }
  if (!far || !canMeet(implied.range, printed.quantity.range)) {
    return { ...place, severity: 'warning', message: message('audit.effective-coefficient.printed', params) }
  }
  const both = { ...params, implied: spanOf(implied.range, 2), formula: implied.formula }
  return { ...place, message: message('audit.effective-coefficient', both) }
}

function isFar({ low, high }: Range, configured: number): boolean {
  return high * LEAST_FACTOR < configured || low > configured * LEAST_FACTOR
}
