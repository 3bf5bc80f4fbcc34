import { type Matrix, valueAt } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { groupBy } from '../../model/util/group-by.js'
import { add, divide, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { meets, middle, scale } from '../arithmetic.js'
import type { Fault } from '../assertion.js'
import { type Entry, entriesOf } from '../entries.js'
import type { Evidence } from '../evidence.js'
import { fault } from '../fault.js'

/**
 * Total loss = policy loss + coefficient × KL. Where most rows of a table obey it, a row that does not was copied or
 * mistyped; and where the losses of one list give another coefficient than the configured one, that one did not act.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.loss-identity': { en: 'row “{row}”: {policy} + {coefficient} × {kl} is {expected}, not {found}, although {count} other rows obey this', zh: '“{row}”行：{policy} + {coefficient} × {kl} 是 {expected}，不是 {found}，而其余 {count} 行都符合' },
  'audit.effective-coefficient': { en: 'the coefficient that acted is {found}, and the losses agree ({low} … {high}); configured was {expected}: find out which one the trainer used', zh: '实际起作用的系数是 {found}，损失也与之相符（{low} … {high}），而配置是 {expected}：应查明训练用的是哪个' },
})

const TOTAL = /^(?:train(?:ing)?|total)[\s_]?loss$|^训练损失$|^总损失$/i
const POLICY = /^(?:ppo|pg|policy|actor)[\s_]?loss$|^策略损失$/i
const KL = /^kl(?:值|[\s_]?(?:div(?:ergence)?|value|散度))?$/i
const MOST_SETTINGS = 100
const COEFFICIENT = /^(?:kl[\s_]?)?(?:beta|β|(?:loss[\s_]?)?coef(?:ficient)?)$/i

/** The losses and the KL among the cells of a row or the lines of a list; null where one is missing. */
function termsIn(fields: readonly (readonly [name: string, quantity: Quantity | null])[]) {
  const [total, policy, kl] = [TOTAL, POLICY, KL].map(
    pattern => fields.find(([name]) => pattern.test(name.trim()))?.[1] ?? null,
  )
  return total === null || policy === null || kl === null ? null : { total, policy, kl }
}

export function* identity(evidence: Evidence): Generator<Fault> {
  for (const matrix of evidence.matrices)
    if (COEFFICIENT.test(matrix.columns[0]?.name.trim() ?? '')) yield* rows(matrix)
  yield* lists(evidence)
}

/** Rows whose first column is the coefficient: one that changes while an epoch runs does not multiply the mean of it. */
function* rows(matrix: Matrix): Generator<Fault> {
  const lines = matrix.rows.flatMap(({ index, name: row }) => {
    const terms = termsIn(matrix.columns.map(({ name, index: column }) => [name, valueAt(matrix, index, column)]))
    const coefficient = valueAt(matrix, index, 0)
    if (terms === null || coefficient === null) return []
    const sum = add(terms.policy.range, scale(terms.kl.range, coefficient.value))
    return [{ row, index, coefficient, ...terms, sum, isObeying: meets(sum, terms.total.range) }]
  })
  const count = lines.filter(({ isObeying }) => isObeying).length
  const column = matrix.columns.findIndex(({ name }) => TOTAL.test(name.trim()))
  for (const { row, index, coefficient, total, policy, kl, sum, isObeying } of lines) {
    if (isObeying || count < 2 || count < lines.length / 2) continue
    const expected = middle(sum).toFixed(Math.max(0, total.decimals ?? 5))
    const terms = { policy: policy.value, coefficient: coefficient.value, kl: kl.value, found: total.value }
    const message = say('audit.loss-identity', { row, ...terms, expected, count })
    yield fault('loss-identity', matrix.table.rows[index][column].offset, message)
  }
}

/** The losses, the KL and the coefficient of one list against what is configured elsewhere. */
function* lists(evidence: Evidence): Generator<Fault> {
  const entries = entriesOf(evidence)
  const isCoefficient = ({ key, quantities }: Entry): boolean => COEFFICIENT.test(key.trim()) && quantities.length === 1
  const settings = entries.filter(one => isCoefficient(one) && /^kl/i.test(one.key)).slice(0, MOST_SETTINGS)
  for (const beside of groupBy(entries, ({ section }) => section).values()) {
    const terms = termsIn(beside.map(({ key, quantities }) => [key, quantities[0] ?? null]))
    const implied = terms === null ? null : divide(subtract(terms.total.range, terms.policy.range), terms.kl.range)
    const isImplied = ({ quantities }: Entry): boolean => implied !== null && meets(implied, quantities[0].range)
    const acted = beside.find(one => isCoefficient(one) && isImplied(one))
    const configured = acted && settings.find(one => !isImplied(one))
    if (implied === null || configured === undefined || acted === undefined) continue
    const [low, high] = [implied.low, implied.high].map(end => end.toPrecision(2))
    const params = { found: acted.quantities[0].value, low, high, expected: configured.quantities[0].value }
    const message = say('audit.effective-coefficient', params)
    yield fault('effective-coefficient', acted.offset, message, { also: [configured.offset] })
  }
}
