import { message } from '../../text/say.js'
import type { AuditDocument } from '../document.js'
import { shown } from '../figures.js'
import { type LossGroup, lossGroups } from '../losses.js'
import { isAdvice, oncePerPart } from '../parts.js'
import type { AuditRule } from '../rule.js'

/**
 * A KL loss that is smaller because its coefficient is: KL loss = coefficient · KL, so the figures must differ by the
 * ratio of the coefficients. Told only where the report's own figures show that ratio.
 */
export const klLossByConstruction: AuditRule = {
  id: 'kl-loss-by-construction',
  kind: 'trivial',
  severity: 'warning',
  example: {
    faulty:
      '## KL\n\n| | KL_BETA=0.1 | KL_BETA=0.2 |\n|---|---|---|\n| mean | 0.0600 | 0.0590 |\n\n## KL Loss\n\n| | KL_BETA=0.1 | KL_BETA=0.2 |\n|---|---|---|\n| mean | 0.0060 | 0.0118 |\n\nKL_BETA=0.1 has a lower KL loss.',
    sound:
      '## KL\n\n| | KL_BETA=0.1 | KL_BETA=0.2 |\n|---|---|---|\n| mean | 0.0600 | 0.0290 |\n\n## KL Loss\n\n| | KL_BETA=0.1 | KL_BETA=0.2 |\n|---|---|---|\n| mean | 0.0060 | 0.0058 |\n\nKL_BETA=0.2 has a lower KL loss.',
  },
  *check(document: AuditDocument) {
    const scaled = scaledPair(lossGroups(document))
    if (scaled === null) return
    const first = oncePerPart(document)
    for (const statement of document.statements) {
      if (statement.kind === 'cell' || statement.kind === 'code') continue
      const said = KL_LOSS.exec(statement.text)
      if (said === null || isAdvice(statement) || !COMPARED.test(statement.text) || !first(statement.section)) continue
      yield {
        offset: statement.offsetOf(said.index),
        message: message('audit.kl-loss-by-construction', scaled),
        found: statement.text.slice(said.index, said.index + said[0].length),
        expected: scaled.coefficients,
      }
    }
  },
}

const KL_LOSS = /(?<![A-Za-z])KL[ _-]?(?:loss|penalty|损失|惩罚)/i
const COMPARED =
  /更低|更高|更小|更大|影响|体现|(?<![a-z])(?:lower|higher|smaller|larger|affects?|reflected|depends|differs?)(?![a-z])/i
/** How close the two ratios must be to be called the same. */
const TOLERANCE = 0.1

/** Each is compared with each. */
const MOST_GROUPS = 40

function scaledPair(all: readonly LossGroup[]) {
  const groups = all.filter(({ terms }) => terms.has('kl-loss')).slice(0, MOST_GROUPS)
  for (const [index, a] of groups.entries()) {
    const [first, coefficient] = [a.terms.get('kl-loss'), a.coefficient?.value]
    if (first === undefined || coefficient === undefined || coefficient === 0) continue
    for (const b of groups.slice(0, index)) {
      const [second, other] = [b.terms.get('kl-loss'), b.coefficient?.value]
      if (second === undefined || other === undefined || other === coefficient || second.quantity.value === 0) continue
      const [losses, coefficients] = [first.quantity.value / second.quantity.value, coefficient / other]
      if (Math.abs(Math.log(losses / coefficients)) > TOLERANCE || !isSameMoment(a, b)) continue
      return {
        losses: `${shown(first.quantity)} / ${shown(second.quantity)} = ${losses.toFixed(2)}`,
        coefficients: `${coefficient} / ${other} = ${coefficients.toFixed(2)}`,
      }
    }
  }
  return null
}

/** Labels are "setting, row": the row must be the same. */
function isSameMoment(a: LossGroup, b: LossGroup): boolean {
  return a.label.split(', ').slice(1).join() === b.label.split(', ').slice(1).join()
}
