import { message } from '../../text/say.js'
import { comparisonSets } from '../comparison-sets.js'
import { isAdvice, progressOf } from '../progress.js'
import type { AuditRule } from '../rule.js'

/**
 * A "complete curve" or "full evaluation" whose table ends long before the training did.
 */
export const completeButPartial: AuditRule = {
  id: 'complete-but-partial',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      'Training is complete: 400 steps.\n\n## Complete training curve\n| step | reward |\n|---|---|\n| 5 | 1.0 |\n| 10 | 1.1 |\n| 15 | 1.2 |',
    sound:
      'Training is complete: 15 steps.\n\n## Complete training curve\n| step | reward |\n|---|---|\n| 5 | 1.0 |\n| 10 | 1.1 |\n| 15 | 1.2 |',
  },
  *check(document) {
    const { total } = progressOf(document)
    const curves = comparisonSets(document).filter(({ isCurve, items }) => isCurve && STEPS.test(items[0]?.name ?? ''))
    const last = curves.flatMap(({ items }) => items).reduce((most, { step }) => Math.max(most, step ?? 0), 0)
    if (total === null || last === 0 || last >= total * MOST_MISSING) return
    const count = curves.reduce((most, { items }) => Math.max(most, items.length), 0)
    for (const statement of document.statements) {
      const word = COMPLETE.exec(statement.text)
      if (word === null || isAdvice(statement) || WANTED.test(statement.text.slice(0, word.index))) continue
      const share = `${((100 * last) / total).toFixed(1)}`
      yield {
        offset: statement.offsetOf(word.index),
        message: message('audit.complete-but-partial', { found: word[0], count, last, total, share }),
        found: word[0],
        expected: `${share} %`,
        ...(/评估|评测/.test(word[0]) ? { severity: 'warning' } : {}),
      }
    }
  },
}

/** Of the steps that were trained; a curve that ends a little early may still be called complete. */
const MOST_MISSING = 0.5
const STEPS = /step|步|iter/i
const COMPLETE =
  /完整的?(?:训练|验证|学习)?(?:曲线|评估|评测)|(?<![a-z])(?:complete|full|entire|whole) (?:training |validation |learning )?curves?(?![a-z])/i
const WANTED = /观察|需要|等待|有待|对比不同|(?<![a-z])(?:need|wait|await|want|until)(?![a-z])/i
