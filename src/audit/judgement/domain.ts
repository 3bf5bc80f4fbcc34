import type { Statement } from '../../logs/document/document.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import type { ReportEvidence } from '../evidence.js'
import { has } from '../lexicon.js'
import { hitOn, once } from './hits.js'

/**
 * What somebody who trains such policies would not say: the sign or size of a policy loss is no measure of learning, a KL
 * divergence is not negative, a curve of the first steps is not complete, and what is done need not be asked for.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.loss-sign': { en: '“{quote}”: the sign, size or trend of a policy loss says nothing about learning; its mean is zero by construction (lines {lines}); leave it out, or use the score', zh: '“{quote}”：策略损失的正负、大小或升降不说明学得好坏，其期望本来就是零（第 {lines} 行）；应去掉，或改用得分' },
  'audit.kl-negative': { en: '“{quote}”: a KL divergence is never negative; a negative estimate is noise of the estimator, or a fault in it (lines {lines}); say which estimator it is', zh: '“{quote}”：KL 散度不会为负；负的估计值来自估计量的噪声或错误（第 {lines} 行）；应说明用的是哪种估计量' },
  'audit.complete-but-partial': { en: '“{quote}”: the evaluations shown end at step {expected} (lines {lines}); show the rest, or say how far they go', zh: '“{quote}”：列出的评估只到第 {expected} 步（第 {lines} 行）；应补全，或说明范围' },
  'audit.progress-contradicted': { en: '“{quote}” asks for what is done: {expected} steps (lines {lines}); update one of the two', zh: '“{quote}”要求的训练早已完成，已有 {expected} 步（第 {lines} 行）；应更新其中之一' },
})

const NEGATIVE_KL =
  /(?<![a-z])kl(?![a-z])[^\d=:：(（→]{0,24}[=:：(（→]\s?[(（]?-\d+(?:\.\d+)?(?![\d.]|\s?%)|(?<![a-z])kl trajectory:[^→]{0,16}→\s?-\d/i
const DONE = /(?:已训练|已完成|训练已完成|trained for|completed)\s?(\d{1,6})\s?(?:步|steps?)/i
const COMPLETE =
  /完整(?:的)?(?:训练)?(?:曲线|评估|过程)|(?:full|complete|entire) (?:training )?(?:curve|evaluation|course|run)s?/i
/** An advice to train on to so many steps, or from so many to so many. */
const ASKED =
  /(?:训练|train)[^\d,，。;；]{0,8}(?:到|至|for|to|until)\s?(?:step\s?)?(?:\d{1,6}\s?[-–~]\s?)?(\d{1,6})\s?(?:步|steps?)/i
/** What ends so early in the training does not show all of it. */
const PART = 0.2

export function* domain(evidence: ReportEvidence): Generator<Fault> {
  const read = evidence.document.statements.filter(({ kind }) => kind !== 'code')
  const hits = (pattern: RegExp) => read.filter(({ text }) => pattern.test(text)).map(hitOn)
  yield* once(evidence, 'loss-sign', read.filter(praisesLoss).map(hitOn), said => say('audit.loss-sign', said))
  yield* once(evidence, 'kl-negative', hits(NEGATIVE_KL), said => say('audit.kl-negative', said))
  const done = read.find(({ text }) => DONE.test(text))
  if (done === undefined) return
  const total = Number(DONE.exec(done.text)?.[1])
  const last = Math.max(0, ...evidence.matrices.flatMap(({ rows }) => rows.flatMap(({ step }) => step ?? [])))
  const complete = last > 0 && last < PART * total ? hits(COMPLETE) : []
  yield* once(evidence, 'complete-but-partial', complete, said =>
    say('audit.complete-but-partial', { ...said, expected: `${last} / ${total}` }),
  )
  const asked = read.filter(({ text }) => Number(ASKED.exec(text)?.[1]) < total)
  yield* once(evidence, 'progress-contradicted', asked.length === 0 ? [] : [...asked, done].map(hitOn), said =>
    say('audit.progress-contradicted', { ...said, expected: total }),
  )
}

const POLICY_LOSS =
  /(?<![a-z])(?:ppo|pg|policy|grpo|actor)[\s_-]?(?:gradient[\s_-]?)?loss|策略损失|(?:(?<![a-z])loss(?![a-z])|损失).*(?:more negative|负得更多|越负)/i
const LEARNS = /更合理|说明[^,，。]{0,8}(?:学习|更新)|参数更新|(?:indicates|means|shows) [^,.]{0,20}(?:learning|updat)/i

/** A remark in a table stands beside the name of its row. */
function praisesLoss({ text, cell, table }: Statement): boolean {
  const subject = `${table?.rows[cell?.row ?? -1]?.[0]?.text ?? ''} ${text}`
  const isPraised = LEARNS.test(text) || (has(text, 'positive', 'negative') && has(text, 'sensible'))
  return isPraised && POLICY_LOSS.test(subject)
}
