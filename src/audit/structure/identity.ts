import { type Matrix, valueAt } from '../../document/matrix.js'
import { add, divide, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { meets, middle, scale } from '../arithmetic.js'
import type { Fault, Rule } from '../assertion.js'
import { entriesOf } from '../entries.js'
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

/** Rows whose first column is the coefficient: one that changes while an epoch runs does not multiply the mean of it. */
function* rows(matrix: Matrix): Generator<Fault> {
  const columns = [TOTAL, POLICY, KL].map(pattern => matrix.columns.findIndex(({ name }) => pattern.test(name.trim())))
  if (columns.includes(-1) || !COEFFICIENT.test(matrix.columns[0]?.name.trim() ?? '')) return
  const lines = matrix.rows.flatMap(({ index, name: row }) => {
    const [coefficient, total, policy, kl] = [0, ...columns].map(column => valueAt(matrix, index, column))
    if (total == null || policy == null || kl == null || coefficient == null) return []
    const sum = add(policy.range, scale(kl.range, coefficient.value))
    const cell = matrix.table.rows[index]?.[columns[0] ?? 0]
    return [{ row, coefficient, total, policy, kl, sum, cell, isObeying: meets(sum, total.range) }]
  })
  const count = lines.filter(({ isObeying }) => isObeying).length
  if (count < 2 || count < lines.length / 2) return
  for (const { row, coefficient, total, policy, kl, sum, cell, isObeying } of lines) {
    if (isObeying || cell === undefined) continue
    const expected = middle(sum).toFixed(Math.max(0, total.decimals ?? 5))
    const terms = { policy: policy.value, coefficient: coefficient.value, kl: kl.value, found: total.value }
    yield fault('loss-identity', cell.offset, say('audit.loss-identity', { row, ...terms, expected, count }))
  }
}

const CONFIGURED = /^kl[\s_]?(?:beta|coef(?:ficient)?)$|^kl_loss_coef$/i
const ACTED = /^(?:beta|kl[\s_]?coef(?:ficient)?|β)$/i
/** So many entries before and behind one may be of its list. */
const AROUND = 30

/** The losses, the KL and the coefficient of one list against what is configured elsewhere. */
function* lists(evidence: Evidence): Generator<Fault> {
  const entries = entriesOf(evidence)
  const configured = entries.filter(({ key, quantities }) => CONFIGURED.test(key.trim()) && quantities.length === 1)
  for (const [i, { key, quantities, section, offset }] of entries.entries()) {
    const [acted] = quantities
    if (!ACTED.test(key.trim()) || acted === undefined || acted.from > 2) continue
    const beside = entries.slice(Math.max(0, i - AROUND), i + AROUND).filter(one => one.section === section)
    const [total, policy, kl] = [TOTAL, POLICY, KL].map(
      pattern => beside.find(one => pattern.test(one.key.trim()) && (one.quantities[0]?.from ?? 9) <= 2)?.quantities[0],
    )
    const setting = configured.find(one => one.quantities[0]?.value !== acted.value)
    const wanted = setting?.quantities[0]
    if (total === undefined || policy === undefined || kl === undefined || wanted === undefined) continue
    const implied = divide(subtract(total.range, policy.range), kl.range)
    if (implied === null || !meets(implied, acted.range) || meets(implied, wanted.range)) continue
    const [low, high] = [implied.low, implied.high].map(end => end.toPrecision(2))
    const params = { found: acted.value, low: low ?? '', high: high ?? '', expected: wanted.value }
    const also = setting === undefined ? [] : [setting.offset]
    yield fault('effective-coefficient', offset, say('audit.effective-coefficient', params), { also })
  }
}

export const identity: Rule = { check }
