import type { Statement } from '../../document/document.js'
import { sentences } from '../../text/sentences.js'
import type { Fault, Rule } from '../assertion.js'
import { entriesOf } from '../entries.js'
import type { Evidence } from '../evidence.js'
import { fault } from '../fault.js'
import { has } from '../lexicon.js'
import { linesOf } from './claims.js'

/**
 * What the quantities of policy optimisation cannot say: the sign or size of a policy loss is no measure of learning, a
 * KL divergence is not negative, and a checkpoint of an early epoch shows nothing about the epochs after it.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.loss-sign': { en: '“{quote}”: the sign, size or trend of a policy loss says nothing about learning; its mean is zero by construction (lines {lines}); leave it out, or use the score', zh: '“{quote}”：策略损失的正负、大小或升降不说明学得好坏，其期望本来就是零（第 {lines} 行）；应去掉，或改用得分' },
  'audit.kl-negative': { en: '“{quote}”: a KL divergence is never negative; a negative estimate is noise of the estimator, or a fault in it (lines {lines}); say which estimator it is', zh: '“{quote}”：KL 散度不会为负；负的估计值来自估计量的噪声或错误（第 {lines} 行）；应说明用的是哪种估计量' },
  'audit.checkpoint-vs-schedule': { en: '“{quote}”: the checkpoint taken is that of epoch {epoch}; what came after it cannot have made it better or worse (lines {lines}); speak of epoch {epoch} only', zh: '“{quote}”：采用的是第 {epoch} 轮的 checkpoint，其后的训练与它无关（第 {lines} 行）；只应就第 {epoch} 轮下结论' },
})

const POLICY_LOSS = /(?<![a-z])(?:ppo|pg|policy|grpo|actor)[\s_-]?(?:gradient[\s_-]?)?loss|策略损失/i
const ANY_LOSS = /(?<![a-z])loss(?![a-z])|损失/i

function* check(evidence: Evidence): Generator<Fault> {
  const { document } = evidence
  const loss: Hit[] = []
  const kl: Hit[] = []
  for (const statement of document.statements) {
    if (statement.kind === 'code' || statement.text.length > 300) continue
    const subject = `${statement.text} ${rowName(statement)}`
    if (speaksOfLoss(subject, statement.text)) loss.push(hit(statement))
    if (NEGATIVE_KL.test(statement.text)) kl.push(hit(statement))
  }
  yield* once(evidence, 'loss-sign', loss)
  yield* once(evidence, 'kl-negative', kl)
  yield* schedule(evidence)
}

interface Hit {
  readonly offset: number
  readonly quote: string
}

function hit({ offsetOf, text }: Statement): Hit {
  return { offset: offsetOf(0), quote: text.slice(0, 48) }
}

/** A remark stands beside the name of its row. */
function rowName({ cell, table }: Statement): string {
  return cell === null || table === null ? '' : (table.rows[cell.row]?.[0]?.text ?? '')
}

function speaksOfLoss(subject: string, text: string): boolean {
  const ofPolicy = POLICY_LOSS.test(subject)
  if (ofPolicy && has(text, 'positive', 'negative') && has(text, 'sensible')) return true
  if (
    ofPolicy &&
    /更合理|说明[^,，。]{0,8}(?:学习|更新)|参数更新|(?:indicates|means|shows) [^,.]{0,20}(?:learning|updat)/i.test(text)
  )
    return true
  return ANY_LOSS.test(subject) && /more negative|负得更多|越负/i.test(text) && has(text, 'sensible', 'better')
}

const NEGATIVE_KL =
  /(?<![a-z])kl(?![a-z])[^\d=:：(（→]{0,24}[=:：(（→]\s?[(（]?-\d+(?:\.\d+)?(?![\d.]|\s?%)|(?<![a-z])kl trajectory:[^→]{0,16}→\s?-\d/i

function* once(evidence: Evidence, rule: 'loss-sign' | 'kl-negative', hits: readonly Hit[]): Generator<Fault> {
  const [first] = hits
  if (first === undefined) return
  yield fault(rule, first.offset, say(`audit.${rule}`, { quote: first.quote, lines: linesOf(evidence, hits) }), {
    kind: 'trivial',
    severity: 'warning',
    found: first.quote,
    also: hits.map(({ offset }) => offset),
  })
}

/** "40 epochs work / converged / overfit" where the checkpoint in use is that of an early epoch. */
function* schedule(evidence: Evidence): Generator<Fault> {
  const taken = entriesOf(evidence).flatMap(({ key, steps, value }) =>
    /(?:最[优佳]|best|chosen|selected)\s?checkpoint|checkpoint.*(?:最[优佳]|best)/i.test(key) &&
    steps.length === 1 &&
    /epoch/i.test(value)
      ? steps
      : [],
  )
  const epochs = new Set(taken)
  const [epoch] = epochs
  if (epoch === undefined || epochs.size > 2) return
  const latest = Math.max(...epochs)
  const hits = evidence.document.statements.filter(({ text, quantities, kind }) => {
    if (kind === 'code' || kind === 'cell') return false
    const total = quantities.find(({ unit }) => unit === 'epoch')
    return (
      total !== undefined &&
      total.value >= 5 * latest &&
      (has(text, 'works', 'converged', 'overfit') || /提升有限|更多训练/.test(text))
    )
  })
  const [first] = hits
  if (first === undefined) return
  yield fault(
    'checkpoint-vs-schedule',
    first.offsetOf(0),
    say('audit.checkpoint-vs-schedule', {
      quote: first.text.slice(0, 48),
      epoch: latest,
      lines: linesOf(evidence, hits.map(hit)),
    }),
    { found: first.text.slice(0, 48), expected: `epoch ${latest}`, also: hits.map(({ offsetOf }) => offsetOf(0)) },
  )
}

export const domain: Rule = { check }
