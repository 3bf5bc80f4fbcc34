import { cellValue, type Matrix } from '../../logs/document/matrix.js'
import { add } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { meets, middle, scale } from '../arithmetic.js'
import { type Fault, fault } from '../assertion.js'
import type { ReportEvidence } from '../evidence.js'

/** Total loss = policy loss + coefficient × KL, in a table whose columns bear these names: a row that breaks it where the others obey was copied or mistyped. */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.loss-identity': { en: 'row “{row}”: {policy} + {coefficient} × {kl} is {expected}, not {found}; {count} other row{count||s} {count|obeys|obey} this', zh: '“{row}”行：{policy} + {coefficient} × {kl} = {expected}，不是 {found}；另有 {count} 行符合' },
})

const COEFFICIENT = /^(?:kl[\s_]?)?(?:beta|β|(?:loss[\s_]?)?coef(?:ficient)?)$/i
const TOTAL = /^(?:train(?:ing)?|total)[\s_]?loss$|^训练损失$|^总损失$/i
const POLICY = /^(?:ppo|pg|policy|actor)[\s_]?loss$|^策略损失$/i
const KL = /^kl(?:值|[\s_]?(?:div(?:ergence)?|value|散度))?$/i
const FEWEST_OBEYING = 3

export function* lossIdentity({ matrices }: ReportEvidence): Generator<Fault> {
  for (const matrix of matrices) yield* inTable(matrix)
}

function* inTable(matrix: Matrix): Generator<Fault> {
  const columnOf = (pattern: RegExp): number => matrix.columns.findIndex(({ name }) => pattern.test(name.trim()))
  const columns = [columnOf(COEFFICIENT), columnOf(TOTAL), columnOf(POLICY), columnOf(KL)]
  if (columns[0] !== 0 || columns.includes(-1)) return
  const rows = matrix.rows.flatMap(({ index, name: row }) => {
    const [coefficient, total, policy, kl] = columns.map(column => cellValue(matrix, index, column))
    if (coefficient == null || total == null || policy == null || kl == null) return []
    const sum = add(policy.range, scale(kl.range, coefficient.value))
    return [{ row, index, coefficient, total, policy, kl, sum, isObeying: meets(sum, total.range) }]
  })
  const count = rows.filter(({ isObeying }) => isObeying).length
  if (count < FEWEST_OBEYING || 2 * count < rows.length) return
  for (const { row, index, coefficient, total, policy, kl, sum } of rows.filter(({ isObeying }) => !isObeying)) {
    const expected = middle(sum).toFixed(Math.max(0, total.decimals))
    const terms = { policy: policy.value, coefficient: coefficient.value, kl: kl.value, found: total.value }
    const cell = matrix.table.rows[index]?.[columns[1] ?? 0]
    yield fault(
      'loss-identity',
      cell?.offset ?? matrix.table.offset,
      say('audit.loss-identity', { row, ...terms, expected, count }),
    )
  }
}
