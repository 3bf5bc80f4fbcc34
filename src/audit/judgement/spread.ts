import type { Cell } from '../../document/document.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { type Hit, hitOnRow, once } from './hits.js'

/** Two scores with their spread, and a difference between them that is smaller than either spread. */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.within-spread': { en: '“{quote}”: the difference is smaller than the spread printed beside the scores (lines {lines}); test it, or write that the scores do not differ', zh: '“{quote}”：差异小于分数旁标出的波动（第 {lines} 行）；应做检验，或写明分不出高下' },
})

export function* spread(evidence: Evidence): Generator<Fault> {
  const hits = evidence.matrices.flatMap(({ table, columns }) =>
    columns.some(({ role }) => role === 'difference') ? table.rows.flatMap(withinSpread) : [],
  )
  yield* once(evidence, 'within-spread', hits, said => say('audit.within-spread', said))
}

/** "71.2 ± 8.1 | 72.4 ± 7.9 | +1.2". */
function withinSpread(row: readonly Cell[]): readonly Hit[] {
  const scores = row.flatMap(({ quantities: [mean, by, more] }) =>
    mean !== undefined && by?.plusMinus === true && more === undefined ? [{ mean: mean.value, by: by.value }] : [],
  )
  const [a, b, more] = scores
  if (a === undefined || b === undefined || more !== undefined) return []
  return Math.abs(a.mean - b.mean) < Math.min(a.by, b.by) ? [hitOnRow(row)] : []
}
