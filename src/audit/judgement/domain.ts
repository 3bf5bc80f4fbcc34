import type { Statement } from '../../document/document.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { has } from '../lexicon.js'
import { hitOn, once } from './hits.js'

/**
 * What the quantities of policy optimisation cannot say: the sign or size of a policy loss is no measure of learning, and
 * a KL divergence is not negative.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.loss-sign': { en: '“{quote}”: the sign, size or trend of a policy loss says nothing about learning; its mean is zero by construction (lines {lines}); leave it out, or use the score', zh: '“{quote}”：策略损失的正负、大小或升降不说明学得好坏，其期望本来就是零（第 {lines} 行）；应去掉，或改用得分' },
  'audit.kl-negative': { en: '“{quote}”: a KL divergence is never negative; a negative estimate is noise of the estimator, or a fault in it (lines {lines}); say which estimator it is', zh: '“{quote}”：KL 散度不会为负；负的估计值来自估计量的噪声或错误（第 {lines} 行）；应说明用的是哪种估计量' },
})

const LONGEST = 300

const MISREAD = {
  'loss-sign': praisesLoss,
  'kl-negative': ({ text }: Statement): boolean => NEGATIVE_KL.test(text),
} as const

export function* domain(evidence: Evidence): Generator<Fault> {
  const read = evidence.document.statements.filter(({ kind, text }) => kind !== 'code' && text.length <= LONGEST)
  for (const rule of ['loss-sign', 'kl-negative'] as const)
    yield* once(evidence, rule, read.filter(MISREAD[rule]).map(hitOn), params => say(`audit.${rule}`, params))
}

const POLICY_LOSS = /(?<![a-z])(?:ppo|pg|policy|grpo|actor)[\s_-]?(?:gradient[\s_-]?)?loss|策略损失/i
const ANY_LOSS = /(?<![a-z])loss(?![a-z])|损失/i
const LEARNS = /更合理|说明[^,，。]{0,8}(?:学习|更新)|参数更新|(?:indicates|means|shows) [^,.]{0,20}(?:learning|updat)/i

/** A remark in a table stands beside the name of its row. */
function praisesLoss({ text, cell, table }: Statement): boolean {
  const subject = `${text} ${table?.rows[cell?.row ?? -1]?.[0]?.text ?? ''}`
  if (!ANY_LOSS.test(subject) && !POLICY_LOSS.test(subject)) return false
  const isSigned = has(text, 'positive', 'negative') && has(text, 'sensible')
  if (POLICY_LOSS.test(subject) && (isSigned || LEARNS.test(text))) return true
  return ANY_LOSS.test(subject) && /more negative|负得更多|越负/i.test(text) && has(text, 'sensible', 'better')
}

const NEGATIVE_KL =
  /(?<![a-z])kl(?![a-z])[^\d=:：(（→]{0,24}[=:：(（→]\s?[(（]?-\d+(?:\.\d+)?(?![\d.]|\s?%)|(?<![a-z])kl trajectory:[^→]{0,16}→\s?-\d/i
