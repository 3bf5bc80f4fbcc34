import { canMeet } from '../../stats/rounding.js'
import { message } from '../../text/say.js'
import type { AuditDocument } from '../document.js'
import { shown } from '../figures.js'
import { type LossGroup, type LossTerm, lossGroups } from '../losses.js'
import type { AuditRule } from '../rule.js'

/**
 * Two reports on one setting of the KL coefficient with other figures for the first epoch. They may be different runs,
 * hence a warning; then one of the reports should say so.
 */
export const crossSetting: AuditRule = {
  id: 'cross-setting',
  kind: 'cross-report',
  severity: 'warning',
  example: {
    faulty:
      '## Epoch 1\n\n| KL_BETA | KL | Train Loss | PPO Loss |\n|---|---|---|---|\n| 0.1 | 0.0700 | 0.0170 | 0.0100 |\n| 0.2 | 0.0650 | 0.0230 | 0.0100 |',
    sound:
      '## Epoch 2\n\n| KL_BETA | KL | Train Loss | PPO Loss |\n|---|---|---|---|\n| 0.1 | 0.0700 | 0.0170 | 0.0100 |\n| 0.2 | 0.0650 | 0.0230 | 0.0100 |',
    beside:
      '## Epoch 1\n\n| KL_BETA | KL | Train Loss | PPO Loss |\n|---|---|---|---|\n| 0.1 | 0.0700 | 0.0170 | 0.0100 |\n| 0.2 | 0.0710 | 0.0230 | 0.0100 |',
  },
  *check(document: AuditDocument, others: readonly AuditDocument[]) {
    const mine = firstFigures(document)
    for (const other of others) {
      const theirs = firstFigures(other)
      for (const [coefficient, group] of mine) {
        const twin = theirs.get(coefficient)
        const differing = twin === undefined ? [] : TERMS.flatMap(term => differs(term, group, twin) ?? [])
        if (differing.length === 0) continue
        const [first] = differing
        yield {
          offset: first.offset,
          message: message('audit.cross-setting', {
            coefficient,
            values: differing.map(({ words }) => words).join('; '),
            file: other.file,
            line: other.placeOf(first.there).line,
          }),
          found: first.here,
          expected: first.expected,
        }
      }
    }
  },
}

const TERMS: readonly LossTerm[] = ['kl', 'policy', 'total', 'kl-loss']
const NAMES: Record<LossTerm, string> = {
  kl: 'KL',
  policy: 'PPO loss',
  total: 'total loss',
  'kl-loss': 'KL loss',
  coefficient: 'beta',
}

function firstFigures(document: AuditDocument): ReadonlyMap<number, LossGroup> {
  const found = new Map<number, LossGroup>()
  for (const group of lossGroups(document)) {
    if (group.isFirst && group.coefficient !== null && group.terms.size > 0 && !found.has(group.coefficient.value)) {
      found.set(group.coefficient.value, group)
    }
  }
  return found
}

function differs(term: LossTerm, here: LossGroup, there: LossGroup) {
  const [mine, theirs] = [here.terms.get(term), there.terms.get(term)]
  if (mine === undefined || theirs === undefined || canMeet(mine.quantity.range, theirs.quantity.range)) return null
  const [a, b] = [shown(mine.quantity), shown(theirs.quantity)]
  return { offset: mine.offset, there: theirs.offset, here: a, expected: b, words: `${NAMES[term]} ${a} / ${b}` }
}
