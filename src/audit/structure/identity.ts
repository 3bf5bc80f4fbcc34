import { type Matrix, valueAt } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { add, divide, multiply, type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { meets, middle } from '../arithmetic.js'
import type { Fault, Rule } from '../assertion.js'
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
const COEFFICIENT = /^(?:kl[\s_]?)?(?:beta|coef(?:ficient)?|kl_beta|β)$/i

function* check(evidence: Evidence): Generator<Fault> {
  for (const matrix of evidence.matrices) yield* rows(matrix)
  yield* lists(evidence)
}

function* rows(matrix: Matrix): Generator<Fault> {
  const { columns, table } = matrix
  const find = (pattern: RegExp): number => columns.findIndex(({ name }) => pattern.test(name.trim()))
  const [total, policy, kl, coefficient] = [find(TOTAL), find(POLICY), find(KL), find(COEFFICIENT)]
  // A coefficient that changes while an epoch runs does not multiply the mean of the epoch.
  if (total < 0 || policy < 0 || kl < 0 || coefficient !== 0) return
  const lines = matrix.rows.flatMap(({ index, name }) => {
    const cells = [total, policy, kl, coefficient].map(column => valueAt(matrix, index, column) ?? null)
    const [a, b, c, d] = cells
    return a == null || b == null || c == null || d == null
      ? []
      : [{ index, name, total: a, policy: b, kl: c, coefficient: d }]
  })
  const judged = lines.map(line => ({
    ...line,
    sum: add(line.policy.range, multiply(exact(line.coefficient), line.kl.range)),
  }))
  const obeying = judged.filter(({ sum, total: stated }) => meets(sum, stated.range))
  if (obeying.length < 2 || obeying.length < judged.length / 2) return
  for (const line of judged.filter(one => !obeying.includes(one))) {
    const offset = table.rows[line.index]?.[total]?.offset ?? table.offset
    const expected = middle(line.sum).toFixed(Math.max(0, line.total.decimals ?? 5))
    yield fault(
      'loss-identity',
      offset,
      say('audit.loss-identity', {
        row: line.name,
        policy: line.policy.value,
        coefficient: line.coefficient.value,
        kl: line.kl.value,
        found: line.total.value,
        expected,
        count: obeying.length,
      }),
      { found: String(line.total.value) },
    )
  }
}

const exact = ({ value }: Quantity): Range => ({ low: value, high: value })

/** The losses, the KL and the coefficient of one list against what is configured elsewhere. */
function* lists(evidence: Evidence): Generator<Fault> {
  const entries = entriesOf(evidence)
  const configured = entries.filter(
    ({ key, quantities }) =>
      /^kl[\s_]?(?:beta|coef(?:ficient)?)$|^kl_loss_coef$/i.test(key.trim()) && quantities.length === 1,
  )
  for (const [i, acted] of entries.entries()) {
    const [beta] = acted.quantities
    if (!/^(?:beta|kl[\s_]?coef(?:ficient)?|β)$/i.test(acted.key.trim()) || beta === undefined || beta.from > 2)
      continue
    const around = entries.slice(Math.max(0, i - 30), i + 30)
    const beside = (pattern: RegExp): Entry | undefined =>
      around.find(
        one => one.section === acted.section && pattern.test(one.key.trim()) && (one.quantities[0]?.from ?? 9) <= 2,
      )
    const [total, policy, kl] = [TOTAL, POLICY, KL].map(pattern => beside(pattern)?.quantities[0])
    const setting = configured.find(one => one.quantities[0] !== undefined && one.quantities[0].value !== beta.value)
    const wanted = setting?.quantities[0]
    if (total === undefined || policy === undefined || kl === undefined || wanted === undefined) continue
    const implied = divide(subtract(total.range, policy.range), kl.range)
    if (implied === null || !meets(implied, beta.range) || meets(implied, wanted.range)) continue
    yield fault(
      'effective-coefficient',
      acted.offset,
      say('audit.effective-coefficient', {
        found: beta.value,
        low: implied.low.toPrecision(2),
        high: implied.high.toPrecision(2),
        expected: wanted.value,
      }),
      {
        found: String(beta.value),
        expected: String(wanted.value),
        also: setting === undefined ? [] : [setting.offset],
      },
    )
  }
}

export const identity: Rule = { check }
