import { findWords, indexWords } from './word-index.js'

/**
 * What a sentence claims, by its words, in Chinese and English. A claim is only a candidate: a rule decides whether the
 * document's own numbers support it. Words in a negated or conditional sentence are marked, because "if KL is more
 * stable" claims nothing.
 */
export interface Claim {
  readonly kind: ClaimKind
  readonly from: number
  readonly to: number
  /** "not", "没有": the sentence says the opposite. */
  readonly negated: boolean
  /** "may", "if", "可能", "如果", "expected": the author does not vouch for it. */
  readonly hedged: boolean
}

export type ClaimKind =
  | 'difference'
  | 'extremum-high'
  | 'extremum-low'
  | 'best'
  | 'final'
  | 'order'
  | 'range'
  | 'positive'
  | 'negative'
  | 'all'
  | 'constant'
  | 'rising'
  | 'falling'
  | 'sooner'
  | 'stabler'
  | 'fluctuates'
  | 'significant'
  | 'same'
  | 'identical'
  | 'converged'
  | 'overfitting'
  | 'collapse'
  | 'complete'
  | 'pending'
  | 'cause'
  | 'recommended'
  | 'better'
  | 'worse'
  | 'swing'
  | 'mean'

const WORDS: readonly (readonly [ClaimKind, RegExp])[] = [
  [
    'difference',
    /差异|差距|相差|高出?|低了?|提升|降低|下降|上升|增加|减少|(?<![a-z])(?:differ(?:s|ence)?|gap|improve[sd]?|gain(?:s|ed)?|drop(?:s|ped)?|lower|higher|increase[sd]?|decrease[sd]?)(?![a-z])/gi,
  ],
  ['extremum-high', /最高|最大(?!波动)|峰值|(?<![a-z])(?:highest|largest|maximum|peak(?:s|ed)?|max)(?![a-z])/gi],
  ['extremum-low', /最低|最小|(?<![a-z])(?:lowest|smallest|minimum|min)(?![a-z])/gi],
  ['best', /最佳|最优|最好|(?<![a-z])(?:best|optimal|state-of-the-art|wins?|winner)(?![a-z])/gi],
  ['final', /最终(?!结论|建议)|后期|末期|最后|(?<![a-z])(?:final(?:ly)?|last|end(?:s|ed)? at|late)(?![a-z])/gi],
  ['order', /(?:\d|\)|）)\s*[<>≈=≥≤]{1,2}\s*(?:\d)/g],
  ['range', /之间|范围|区间|(?<![a-z])(?:between|ranges? (?:from|between)|within)(?![a-z])/gi],
  ['positive', /正值|为正|变正|(?<![a-z])positive(?![a-z])/gi],
  ['negative', /负值|为负|变负|(?<![a-z])negative(?![a-z])/gi],
  [
    'all',
    /所有|全部|全都|均为|都在|都是|每个|始终|一直|整个训练|(?<![a-z])(?:all|every|each|always|throughout|entire)(?![a-z])/gi,
  ],
  ['constant', /恒定|不变|没有变化|保持一致|(?<![a-z])(?:constant|unchanged|flat|stays? at)(?![a-z])/gi],
  [
    'rising',
    /持续上升|逐渐上升|稳步上升|逐步提升|逐步增加|单调上升|(?<![a-z])(?:ris(?:es|ing)|increas(?:es|ing)|grow(?:s|ing)?|climb(?:s|ing)?|monotonic(?:ally)?)(?![a-z])/gi,
  ],
  [
    'falling',
    /持续下降|逐渐下降|逐步下降|单调下降|(?<![a-z])(?:fall(?:s|ing)|decreas(?:es|ing)|declin(?:es|ing|ed)?|shrink(?:s|ing)?)(?![a-z])/gi,
  ],
  [
    'sooner',
    /更快|更早|提前|快\s?\d+\s?步|收敛更快|所需step更少|(?<![a-z])(?:faster|sooner|earlier|quicker|speeds? up|fewer steps)(?![a-z])/gi,
  ],
  [
    'stabler',
    /更稳定?|更平滑|稳定性(?:更好|显著提升|提升)|提升.{0,6}稳定性|更温和|训练稳定|(?<![a-z])(?:stabler|more stable|smoother|steadier|less noisy|stabili[sz]es?|stable)(?![a-z])/gi,
  ],
  [
    'fluctuates',
    /波动(?:很大|较大|大)|大幅波动|不稳定|剧烈波动|(?<![a-z])(?:fluctuat(?:es|ion|ions|ing)|unstable|instability|noisy)(?![a-z])/gi,
  ],
  [
    'significant',
    /显著|明显(?!的差异，需要)|(?<![a-z])(?:significant(?:ly)?|substantial(?:ly)?|dramatic(?:ally)?|considerabl[ey])(?![a-z])/gi,
  ],
  [
    'same',
    /差不多|相当(?!于)|几乎相同|几乎一样|基本一致|非常相似|非常接近|接近|没有差别|差异(?:很小|不大|非常小|极小)|(?<![a-z])(?:about the same|comparable|on par|similar|equivalent|no difference|nearly identical|matches)(?![a-z])/gi,
  ],
  [
    'identical',
    /完全相同|完全一致|100\s?%\s?(?:相同|一致)|一模一样|(?<![a-z])(?:identical|exactly the same|bit-identical)(?![a-z])/gi,
  ],
  ['converged', /收敛(?!更快|速度)|(?<![a-z])(?:converge[sd]?|convergence|plateau(?:s|ed)?)(?![a-z])/gi],
  ['overfitting', /过拟合|(?<![a-z])overfit(?:s|ting|ted)?(?![a-z])/gi],
  ['collapse', /崩溃|崩塌|坍塌|(?<![a-z])collaps(?:e|es|ed|ing)(?![a-z])/gi],
  [
    'complete',
    /(?:训练)?已完成|全部完成|完整(?:训练|评估|曲线|的)|(?<![a-z])(?:complete[d]?|finished|full (?:run|curve|evaluation))(?![a-z])/gi,
  ],
  [
    'pending',
    /待评估|待完成|待测|待补|需要评估|仍需|需要更多步数|继续训练|继续监控|(?<![a-z])(?:pending|to be evaluated|TBD|not yet|still running|ongoing|to do)(?![a-z])/gi,
  ],
  [
    'cause',
    /因为|由于|导致|说明|使得|从而|归因|有助于|原因|(?<![a-z])(?:because|due to|caused? by|leads? to|thanks to|therefore|hence|shows that|indicates|suggests)(?![a-z])/gi,
  ],
  [
    'recommended',
    /推荐|建议使用|可以作为标准|生产环境|(?<![a-z])(?:recommend(?:ed|s)?|should use|ready for production|use it as)(?![a-z])/gi,
  ],
  ['better', /更好|优于|更优|略好|胜过|表现更好|(?<![a-z])(?:better|outperforms?|beats?|superior)(?![a-z])/gi],
  ['worse', /更差|不如|略差|变差|(?<![a-z])(?:worse|underperforms?|inferior)(?![a-z])/gi],
  [
    'swing',
    /最大波动|最大变化|最大跌幅|最大涨幅|(?<![a-z])(?:largest (?:swing|change|drop)|max(?:imum)? (?:swing|change|fluctuation))(?![a-z])/gi,
  ],
  ['mean', /平均|均值|(?<![a-z])(?:mean|average[ds]?|avg)(?![a-z])/gi],
]

const NEGATION =
  /(?:没有|没|不|未|无(?!\s?(?:KL|约束))|并非|而非|(?<![a-z])(?:not|no(?![- ]?KL)|never|without(?! KL)|neither|nor|hardly)(?![a-z]))[^，,。.;；]{0,12}$/i
const HEDGE =
  /如果|若|假如|可能|也许|或许|预期|应该|希望|建议|尝试|需要|待|是否|\?|？|(?<![a-z])(?:if|may|might|could|would|should|expect(?:ed|s)?|hope|whether|try|perhaps|probably|possibly|likely|plan(?:ned)?)(?![a-z])/i

/** Longer statements are no sentences; their first part is read. */
const LONGEST = 4_000

const INDEX = indexWords(WORDS)
const NONE: readonly Claim[] = []

export function claimsIn(text: string): readonly Claim[] {
  const read = text.length > LONGEST ? text.slice(0, LONGEST) : text
  const found = findWords(INDEX, read)
  if (found.length === 0) return NONE
  return found.map(({ key, from, to }) => ({
    kind: key,
    from,
    to,
    negated: NEGATION.test(read.slice(Math.max(0, from - 24), from)),
    hedged: HEDGE.test(clauseAround(read, from)),
  }))
}

/** From the last comma or stop before to the next one behind; what stands in brackets is a clause of its own. */
function clauseAround(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 60), at)
  const bracket = before.lastIndexOf('(')
  const isInBrackets = bracket > before.lastIndexOf(')')
  const stops = [',', '，', ';', '；', '。', ':', '：'].map(mark => before.lastIndexOf(mark))
  const start = Math.max(...stops, isInBrackets ? bracket : -1)
  const behind = text.slice(at, at + 60)
  const end = behind.search(isInBrackets ? /[,，;；。)]/ : /[,，;；。]/)
  return before.slice(start + 1) + (end < 0 ? behind : behind.slice(0, end))
}
