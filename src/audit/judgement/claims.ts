import type { Statement } from '../../logs/document/document.js'
import { everyMatch } from '../../logs/document/matches.js'
import { type Line, linesOfMatrix, type Matrix, type Point } from '../../logs/document/matrix.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import { goalOfLine, type ReportEvidence } from '../evidence.js'
import { has, type Sense } from '../lexicon.js'
import { KNOWN_RULES, type RuleId } from '../rules.js'
import { stanceOf } from '../stance.js'
import { once, saidIn } from './hits.js'

/**
 * Words that need more than a pair of figures behind them: significant, stable, converged, the same, because, sooner,
 * ready. A report that brings a test or an interval may use those that these support. Said once per report and rule,
 * with the lines, and only of what the author states of something measured.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.significance-untested': { en: '“{quote}” is the word for a test, and this report has none (lines {lines}); name the test, or write how large the difference is', zh: '“{quote}”是检验用语，而报告没有任何检验（第 {lines} 行）；应给出检验，或只写差异大小' },
  'audit.stability-untested': { en: '“{quote}”: stability is a spread, and none is given (lines {lines}); give a spread over runs or evaluations, with its interval', zh: '“{quote}”：稳定性要看波动，而报告没有给出（第 {lines} 行）；应给出多次评估或多个 run 的波动及区间' },
  'audit.convergence-untested': { en: '“{quote}”: no criterion is given, such as a change below some size over the last evaluations (lines {lines}); state one', zh: '“{quote}”：没有给出判据，例如最后若干次评估变化小于某值（第 {lines} 行）；应说明判据' },
  'audit.same-untested': { en: '“{quote}”: equality needs a margin and an interval that lies within it (lines {lines}); give both, or write the difference', zh: '“{quote}”：说相同需要给出界限，以及落在界限内的区间（第 {lines} 行）；应给出两者，或只写差异' },
  'audit.cause-untested': { en: '“{quote}”: nothing here was varied alone to show this cause (lines {lines}); write “may”, or run the comparison that would show it', zh: '“{quote}”：没有单独改变这一因素的对照，因果未经检验（第 {lines} 行）；应写“可能”，或补做对照' },
  'audit.ready-untested': { en: '“{quote}” rests on one run or on none (lines {lines}); say what was run, and what was not', zh: '“{quote}”只有一次运行甚至没有运行支持（第 {lines} 行）；应写明跑了什么、没跑什么' },
  'audit.overfitting-untested': { en: '“{quote}”: overfitting shows when training and validation of the same metric part; print both (lines {lines})', zh: '“{quote}”：过拟合要看同一指标的训练值与验证值是否分开；应同时给出两者（第 {lines} 行）' },
  'audit.speed-contradicted': { en: '“{quote}”: {other} reached {value} at step {step}, beyond the best of {own} ({best} at step {at}) (lines {lines}); compare the steps to one level', zh: '“{quote}”：{other} 在第 {step} 步就到了 {value}，已超过 {own} 的最佳值（第 {at} 步的 {best}）（第 {lines} 行）；应比较到达同一水平的步数' },
  'audit.speed-untested': { en: '“{quote}”: each run is timed to its own best, and these are different levels (lines {lines}); compare the steps to one level, over several runs', zh: '“{quote}”：各自到达自己的最佳值，水平不同，步数无法相比（第 {lines} 行）；应比较多个 run 到达同一水平的步数' },
})

/** Intervals and tests: who brings them has earned the words. */
const TESTED =
  /(?<![a-z_]|top[- ])p\s?(?:[<≤]\s?0?\.\d|=\s?0?\.\d*[1-9])|p[- ]?values?|置信区间|(?:confidence|9\d\s?%)\s?(?:intervals?|CIs?(?![a-z]))|(?<![a-z])t[- ]?test|wilcoxon|bootstrap|mann-whitney|显著性检验|假设检验|standard error|标准误|等价性检验|equivalence test|TOST|非劣效|non-?inferior/gi

/** 没有做显著性检验, "confidence intervals were not computed", "- [ ] bootstrap": nothing was tested. */
function isLacking(text: string, { index, 0: { length } }: { readonly index: number; readonly 0: string }): boolean {
  const end = index + length
  const before = text.slice(Math.max(text.lastIndexOf('\n', index) + 1, index - AROUND * 2), index)
  const [behind = ''] = text.slice(end, end + AROUND * 2).split(/[\n,，。.;；]/)
  return has(before, 'denial') || has(before, 'plan') || /\[ \]/.test(before) || has(behind, 'denial')
}

/** What is measured in such reports: an effect, a score, a course of training. */
const OUTCOME =
  /效果|性能|正确率|准确率|表现|提升|下降|奖励|得分|泛化|过拟合|不稳定|退化|崩溃|差异|收益|梯度|信号|reward|accuracy|score|performance|improve|better|worse|collapse|instab|overfit|gain|degrad|quality|loss|results?|rolls?|更新|收敛|学习(?!率)|训练失败|发散|成功|best|regress|learn|explo|diverg|success|expected|baseline|reduc|throughput|entropy|polic(?:y|ies)|合规|策略|拟合|偏好/i

interface Claim {
  readonly rule: Extract<RuleId, `${string}-untested`>
  readonly sense: Sense
  /** What else must stand in the sentence for it to be such a claim, and what must not. */
  readonly only?: RegExp
  readonly never?: RegExp
  readonly inHeadings?: boolean
  /** What only another run shows: no test of the figures at hand supports it. */
  readonly isBeyondTests?: boolean
}

const CLAIMS: readonly Claim[] = [
  {
    rule: 'significance-untested',
    sense: 'significant',
    never:
      /significant (?:digits?|figures?|bugs?|challenges?|issues?|milestone|spikes?|amounts?|portion|overhead|effort)|显著特征|\d\s?(?:倍|×|times)/i,
  },
  {
    rule: 'stability-untested',
    sense: 'stable',
    never:
      /稳定性(?:问题|分析|检验|优化|指标|对比)|stability (?:issues?|fix(?:es)?|analysis|problems?|improvements?)|stable[- ]?baselines?|for stability|数值稳定|numerical stability|stable diffusion/i,
  },
  {
    rule: 'convergence-untested',
    sense: 'converged',
    isBeyondTests: true,
    never:
      /(?:faster|slower|slow|improve|better|更快|加速|加快|促进|帮助|影响)[^,，。]{0,10}(?:converge|收敛)|convergence (?:speed|rate|criterion)|收敛(?:速度|性|更快|较慢|判据|标准)/i,
  },
  { rule: 'same-untested', sense: 'same' },
  {
    rule: 'cause-untested',
    sense: 'causes',
    only: OUTCOME,
    isBeyondTests: true,
    never:
      /^(?:查看|确认|检查|(?:check|look|inspect|make sure)(?![a-z]))|luck|by chance|运气|偶然|代码|bug|修复|错误地|crash|error:|exception|import|fix(?:ed)?(?![a-z])/i,
  },
  { rule: 'overfitting-untested', sense: 'overfit', isBeyondTests: true },
  { rule: 'ready-untested', sense: 'ready', inHeadings: true, isBeyondTests: true },
  { rule: 'speed-untested', sense: 'faster', only: /步|step|epoch|轮|最佳|最优|best|收敛|converge|峰值|peak/i },
]

export function* claims(evidence: ReportEvidence): Generator<Fault> {
  const { text, statements } = evidence.document
  const isTested = everyMatch(text, TESTED).some(match => !isLacking(text, match))
  const open = CLAIMS.filter(({ isBeyondTests = false }) => isBeyondTests || !isTested)
  // All claims of a sentence in turn, so that its words are looked up once.
  const made = statements.flatMap(statement => open.flatMap(claim => madeIn(statement, claim) ?? []))
  for (const { rule } of CLAIMS) {
    const hits = made.filter(one => one.rule === rule)
    const race = rule === 'speed-untested' && hits.length > 0 ? raceIn(evidence) : null
    if (race === null) yield* once(evidence, rule, hits, said => say(`audit.${rule}`, said))
    else
      yield* once(evidence, 'speed-contradicted', hits, said => say('audit.speed-contradicted', { ...said, ...race }))
  }
}

/** The word is quoted with a little of what it is said of. */
const AROUND = 10

function madeIn(statement: Statement, { rule, sense, only, never, inHeadings = false }: Claim) {
  const { text, kind } = statement
  if (kind === 'code' || (kind === 'heading' && !inHeadings)) return null
  const word = saidIn(statement, sense)
  if (word === undefined || never?.test(text) || only?.test(text) === false) return null
  // A warning must hold however the titles above it are read.
  if (KNOWN_RULES[rule].severity === 'warning' && stanceOf(statement, word.from, word.to) !== 'said') return null
  const quote = text.slice(Math.max(0, word.from - AROUND), word.to + AROUND).trim()
  return { rule, offset: statement.offsetOf(word.from), quote }
}

/**
 * "Reaches its best sooner": each run is timed to its own best, which is a level of its own. Where a table shows that the
 * other run was beyond that level earlier, the claim is false, and this is the proof; else it is merely no speed.
 */
function raceIn({ matrices }: ReportEvidence) {
  return matrices.flatMap(matrix => raceOf(matrix) ?? []).at(0) ?? null
}

const FEWEST_POINTS = 5

/** Two curves over the same steps: the one with the earlier best, and the point where the other was beyond it before. */
function raceOf(matrix: Matrix) {
  const isCurve = ({ isColumn, of, points }: Line): boolean =>
    isColumn && of.role === 'value' && points.length >= FEWEST_POINTS && points.every(({ at }) => at.step !== null)
  const [a, b, more] = linesOfMatrix(matrix).filter(isCurve)
  if (a === undefined || b === undefined || more !== undefined) return null
  const sign = goalOfLine(a) === 'min' ? -1 : 1
  const isBeyond = (one: Point, other: Point): boolean => sign * (one.quantity.value - other.quantity.value) > 0
  const bestOf = ({ points }: Line): Point => points.reduce((best, one) => (isBeyond(one, best) ? one : best))
  const [own, other] = stepOf(bestOf(a)) < stepOf(bestOf(b)) ? [a, b] : [b, a]
  const best = bestOf(own)
  const isSooner = (one: Point): boolean => stepOf(one) < stepOf(best) && one.quantity.hedge === null
  const sooner = other.points.find(one => isSooner(one) && isBeyond(one, best))
  if (sooner === undefined) return null
  const reached = { value: sooner.cell.text, step: stepOf(sooner) }
  return { own: own.of.name, other: other.of.name, best: best.cell.text, at: stepOf(best), ...reached }
}

const stepOf = ({ at }: Point): number => at.step ?? 0
