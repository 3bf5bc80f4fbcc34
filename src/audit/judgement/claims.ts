import type { Statement } from '../../document/document.js'
import type { Severity } from '../../model/finding.js'
import { sentences } from '../../text/sentences.js'
import type { Fault, FaultKind, Rule } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { fault } from '../fault.js'
import { has, places, type Sense } from '../lexicon.js'
import { isDenied, stanceOf } from '../stance.js'

/**
 * Words that need more than a pair of figures behind them: significant, stable, converged, the same, because, ready. One
 * table says for each what would support it; a report that brings that is left alone. Said once per report and rule,
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
})

interface Claim {
  readonly rule:
    | 'significance-untested'
    | 'stability-untested'
    | 'convergence-untested'
    | 'same-untested'
    | 'cause-untested'
    | 'ready-untested'
    | 'overfitting-untested'
  readonly kind: FaultKind
  readonly severity: Severity
  readonly sense: Sense
  /** A report that holds this brings what the claim needs. */
  readonly supported?: RegExp
  /** What else must stand in the sentence for it to be such a claim. */
  readonly only?: RegExp
  readonly never?: RegExp
  readonly headings?: boolean
}

/** Intervals and tests: who brings them has earned the words. */
export const TESTED =
  /(?<![a-z])p\s?[<=≤]\s?0?\.\d|p[- ]?values?|置信区间|(?:confidence|9\d\s?%) intervals?|(?<![a-z])t[- ]?test|wilcoxon|bootstrap|mann-whitney|显著性检验|假设检验|standard error|标准误/i

/** What is measured in such reports: an effect, a score, a course of training. */
const OUTCOME =
  /效果|性能|正确率|准确率|表现|提升|下降|奖励|得分|泛化|过拟合|不稳定|退化|崩溃|差异|收益|梯度|信号|reward|accuracy|score|performance|improve|better|worse|collapse|instab|overfit|gain|degrad|quality|loss|results?|rolls?/i

const CLAIMS: readonly Claim[] = [
  {
    rule: 'significance-untested',
    kind: 'untested',
    severity: 'warning',
    sense: 'significant',
    never: /significant (?:digits?|figures?|bugs?|challenges?|issues?|milestone)|显著特征/i,
  },
  {
    rule: 'stability-untested',
    kind: 'untested',
    severity: 'note',
    sense: 'stable',
    never:
      /稳定性(?:问题|分析|检验|优化|指标|对比)|stability (?:issues?|fix(?:es)?|analysis|problems?|improvements?)|stable[- ]?baselines?|for stability|数值稳定|numerical stability|stable diffusion/i,
  },
  {
    rule: 'convergence-untested',
    kind: 'untested',
    severity: 'note',
    sense: 'converged',
    supported: /收敛判据|收敛标准|convergence criterion|early stopping patience/i,
    never:
      /(?:faster|slower|slow|improve|better|更快|加速|加快|促进|帮助|影响)[^,，。]{0,10}(?:converge|收敛)|convergence (?:speed|rate|criterion)|收敛(?:速度|性|更快|较慢)/i,
  },
  {
    rule: 'same-untested',
    kind: 'untested',
    severity: 'note',
    sense: 'same',
    supported: /等效|等价性检验|equivalence test|TOST|非劣效|non-?inferior/i,
  },
  {
    rule: 'cause-untested',
    kind: 'untested',
    severity: 'note',
    sense: 'causes',
    only: OUTCOME,
    never: /代码|bug|修复|错误地|crash|error:|exception|import|fix(?:ed)?(?![a-z])/i,
  },
  { rule: 'overfitting-untested', kind: 'untested', severity: 'note', sense: 'overfit' },
  { rule: 'ready-untested', kind: 'untested', severity: 'warning', sense: 'ready', headings: true },
]

function* check(evidence: Evidence): Generator<Fault> {
  const { document } = evidence
  if (TESTED.test(document.text)) return
  for (const claim of CLAIMS) {
    const found: { readonly offset: number; readonly quote: string }[] = []
    if (claim.supported?.test(document.text)) continue
    for (const statement of document.statements) {
      const quote = claimIn(statement, claim)
      if (quote !== null) found.push(quote)
    }
    const [first] = found
    if (first === undefined) continue
    yield fault(
      claim.rule,
      first.offset,
      say(`audit.${claim.rule}`, { quote: first.quote, lines: linesOf(evidence, found) }),
      { kind: claim.kind, severity: claim.severity, found: first.quote, also: found.map(({ offset }) => offset) },
    )
  }
}

const MOST_LISTED = 8

export function linesOf({ document }: Evidence, found: readonly { readonly offset: number }[]): string {
  const lines = [...new Set(found.map(({ offset }) => document.placeOf(offset).line))]
  return lines.slice(0, MOST_LISTED).join(', ') + (lines.length > MOST_LISTED ? ', …' : '')
}

function claimIn(statement: Statement, claim: Claim): { readonly offset: number; readonly quote: string } | null {
  const { text, kind } = statement
  if (kind === 'code' || (kind === 'heading' && claim.headings !== true)) return null
  if (!has(text, claim.sense) || claim.never?.test(text) || (claim.only !== undefined && !claim.only.test(text)))
    return null
  if (QUESTION.test(text)) return null
  for (const { from, to, text: quote } of places(text, claim.sense)) {
    if (isDenied(text, from) || /^不/.test(quote)) continue
    if (stanceOf(statement, from, to) === 'said')
      return { offset: statement.offsetOf(from), quote: around(text, from, to) }
  }
  return null
}

/** Questions and goals claim nothing. */
const QUESTION = /[?？]\s*$|^(?:why|how|what|when|为什么|如何|怎么|是否)/i

/** The word with a little of what it is said of. */
function around(text: string, from: number, to: number): string {
  const start = Math.max(0, from - 10)
  const end = Math.min(text.length, to + 10)
  return text.slice(start, end).trim()
}

export const claims: Rule = { check }
