import { add, canMeet, divide, multiply, type Range, subtract } from '../../stats/rounding.js'
import { figure } from '../../text/figure.js'
import { message } from '../../text/say.js'
import type { AuditDocument } from '../document.js'
import { shown, spanOf } from '../figures.js'
import { type LossGroup, lossGroups } from '../losses.js'
import type { AuditRule, Fault } from '../rule.js'

/**
 * total = policy + coefficient · KL, and KL loss = coefficient · KL. Where most of a report's own rows obey, a row that
 * cannot (by no rounding) holds a number that belongs elsewhere. A report in which hardly any obeys has another loss.
 */
export const lossIdentity: AuditRule = {
  id: 'loss-identity',
  kind: 'impossible',
  severity: 'error',
  example: {
    faulty:
      '| KL_BETA | KL | Train Loss | PPO Loss |\n|---|---|---|---|\n| 0.1 | 0.0700 | 0.0170 | 0.0100 |\n| 0.2 | 0.0650 | 0.0230 | 0.0100 |\n| 0.3 | 0.0600 | 0.0170 | 0.0100 |',
    sound:
      '| KL_BETA | KL | Train Loss | PPO Loss |\n|---|---|---|---|\n| 0.1 | 0.0700 | 0.0170 | 0.0100 |\n| 0.2 | 0.0650 | 0.0230 | 0.0100 |\n| 0.3 | 0.0600 | 0.0280 | 0.0100 |',
  },
  *check(document: AuditDocument) {
    const groups = lossGroups(document)
    for (const identity of [totalLoss, klLoss]) {
      const tried = groups.flatMap(group => identity(group) ?? [])
      const broken = tried.filter(({ printed, follows }) => !canMeet(printed, follows))
      const held = tried.length - broken.length
      if (held < FEWEST_HELD || held < 2 * broken.length) continue
      yield* broken.map(faultOf)
    }
  },
}

const FEWEST_HELD = 2

interface Tried {
  readonly group: LossGroup
  readonly printed: Range
  readonly follows: Range
  readonly offset: number
  readonly formula: string
  readonly found: string
  readonly decimals: number
  /** The coefficient that would make it true. */
  readonly implied: Range | null
}

function totalLoss(group: LossGroup): Tried | null {
  const [total, policy, kl, penalty] = (['total', 'policy', 'kl', 'kl-loss'] as const).map(term =>
    group.terms.get(term),
  )
  if (total === undefined || policy === undefined) return null
  const rest = { group, printed: total.quantity.range, offset: total.offset, found: shown(total.quantity) }
  const decimals = total.quantity.decimals ?? 0
  if (penalty !== undefined) {
    const follows = add(policy.quantity.range, penalty.quantity.range)
    const formula = `${shown(policy.quantity)} + ${shown(penalty.quantity)}`
    return { ...rest, follows, formula, decimals, implied: null }
  }
  if (kl === undefined || group.coefficient === null) return null
  const follows = add(policy.quantity.range, multiply(group.coefficient.range, kl.quantity.range))
  const formula = `${shown(policy.quantity)} + ${group.coefficient.value} × ${shown(kl.quantity)}`
  const implied = divide(subtract(total.quantity.range, policy.quantity.range), kl.quantity.range)
  return { ...rest, follows, formula, decimals, implied }
}

function klLoss(group: LossGroup): Tried | null {
  const [kl, penalty] = (['kl', 'kl-loss'] as const).map(term => group.terms.get(term))
  if (kl === undefined || penalty === undefined || group.coefficient === null) return null
  return {
    group,
    printed: penalty.quantity.range,
    follows: multiply(group.coefficient.range, kl.quantity.range),
    offset: penalty.offset,
    formula: `${group.coefficient.value} × ${shown(kl.quantity)}`,
    found: shown(penalty.quantity),
    decimals: penalty.quantity.decimals ?? 0,
    implied: divide(penalty.quantity.range, kl.quantity.range),
  }
}

function faultOf({ group, follows, offset, formula, found, decimals, implied }: Tried): Fault {
  const expected = ((follows.low + follows.high) / 2).toFixed(Math.min(decimals, 20))
  const label = group.label
  const params = { label, formula, expected, found }
  return {
    offset,
    message:
      implied === null
        ? message('audit.loss-identity', params)
        : message('audit.loss-identity.implied', {
            ...params,
            implied: implied.high - implied.low > 0.01 * implied.high ? spanOf(implied) : figure(implied.high),
          }),
    found,
    expected,
  }
}
