import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { comparisonSets, setsNamed, stretchOf } from '../comparison-sets.js'
import { goalOf } from '../direction.js'
import { mentionsOf } from '../mentions.js'
import { printed } from '../printed-curves.js'
import type { AuditRule } from '../rule.js'

/**
 * A "top 10" that lists epoch 50 at 5.234, while the text says that epochs 6-20, which the list leaves out, lie between
 * 5.17 and 5.22. One of the two is wrong.
 */
export const rankingOmits: AuditRule = {
  id: 'ranking-omits',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '## Top 5 by val loss\n| epoch | val loss |\n|---|---|\n| 2 | 5.151 |\n| 1 | 5.153 |\n| 50 | 5.234 |\n\n## Trend\n- Epoch 6-20: val loss between 5.17 and 5.22',
    sound:
      '## Top 5 by val loss\n| epoch | val loss |\n|---|---|\n| 2 | 5.151 |\n| 1 | 5.153 |\n| 3 | 5.165 |\n\n## Trend\n- Epoch 6-20: val loss between 5.17 and 5.22',
  },
  *check(document) {
    const rankings = comparisonSets(document).filter(({ metric, isCurve, section }) => {
      const title = section?.title ?? ''
      return isCurve && TOP.test(title) && mentionsOf(title, [metric]).length > 0 && goalOf([metric]) !== null
    })
    for (const statement of rankings.length === 0 ? [] : document.statements) {
      const stretch = stretchOf(statement)
      const bounds =
        stretch === null || statement.kind === 'cell' ? null : boundsOf(statement.text, statement.quantities)
      if (stretch === null || bounds === null) continue
      const [ranking] = setsNamed(statement, rankings)
      if (ranking === undefined) continue
      const isLow = goalOf([ranking.metric]) === 'low'
      const listed = ranking.items.flatMap(({ step, name, quantity }) =>
        quantity === null ? [] : [{ step, name, quantity }],
      )
      // All of the stretch must be missing: a part of it in the list may be its better part.
      if (listed.some(({ step }) => step !== null && step >= stretch.first && step <= stretch.last)) continue
      const worse = listed.filter(({ quantity: { range } }) =>
        isLow ? range.low > bounds.high : range.high < bounds.low,
      )
      if (worse.length === 0) continue
      const [{ name, quantity }] = worse
      yield {
        offset: statement.offsetOf(stretch.from),
        message: message('audit.ranking-omits', {
          first: stretch.first,
          last: stretch.last,
          name,
          value: printed(quantity),
          title: ranking.section?.title ?? '',
          line: document.placeOf(ranking.table.offset).line,
        }),
        found: `${stretch.first}–${stretch.last}`,
        expected: `${name}: ${printed(quantity)}`,
      }
    }
  },
}

const TOP = /(?<![a-z])(?:top|best)[\s-]?\d+|前\s?\d+\s?名?|最[好佳优]的\s?\d+/i

/** "5.17-5.22", "between 5.17 and 5.22". */
function boundsOf(
  text: string,
  quantities: readonly Quantity[],
): { readonly low: number; readonly high: number } | null {
  const ranges = quantities.filter(({ ends }) => ends !== null)
  if (ranges.length === 1) return ranges[0].range
  const [low, high] = quantities
  if (quantities.length !== 2 || !/(?<![a-z])between\s+$/i.test(text.slice(Math.max(0, low.from - 12), low.from)))
    return null
  return { low: low.range.low, high: high.range.high }
}
