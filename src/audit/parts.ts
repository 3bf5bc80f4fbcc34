import type { Claim, ClaimKind } from './claims.js'
import type { AuditDocument, Section, Statement } from './document.js'
import { remembered } from './remember.js'

/**
 * Who says what where: the parts of a report (a claim is reported once in each, however often it is repeated), and
 * whether a sentence vouches for its claim or only asks, plans or supposes it.
 */

/** The chapter that a section belongs to; the document's title is no chapter. */
export function partOf(document: AuditDocument, section: Section | null): Section | null {
  const title = titleOf(document)
  let part = section
  while (part?.parent != null && part.parent !== title) part = part.parent
  return part
}

const titles = new WeakMap<AuditDocument, Section | null>()

/** The only heading of the highest level. */
function titleOf(document: AuditDocument): Section | null {
  const before = titles.get(document)
  if (before !== undefined) return before
  const top = document.sections.reduce((least, { level }) => Math.min(least, level), Number.POSITIVE_INFINITY)
  const highest = document.sections.filter(({ level }) => level === top)
  const title = highest.length === 1 ? highest[0] : null
  titles.set(document, title)
  return title
}

/** Lets the first of each part through, by a key such as the claim's kind. */
export function oncePerPart(document: AuditDocument): (section: Section | null, key?: string) => boolean {
  const seen = new Map<Section | null, Set<string>>()
  return (section, key = '') => {
    const part = partOf(document, section)
    const keys = seen.get(part) ?? new Set<string>()
    if (keys.has(key)) return false
    seen.set(part, keys.add(key))
    return true
  }
}

const CONDITIONAL =
  /如果|若(?!干)|假如|是否|能否|为什么|尝试|计划|预期|希望|应该|建议|需要|待|\?|(?<![a-z])(?:if|whether|why|should|would|could|expect(?:ed|s)?|hope|plan(?:s|ned)?|try|need(?:s|ed)?|aims?|goal|hypothesi[sz]e[sd]?|hypothesis|assum(?:e|ing)|question)(?![a-z])/i
/** Others said so: a paper, or an entry in a list of news. */
const CITED = /(?<![a-z])et al(?![a-z])|^\[\d{4}\/\d{1,2}/i
const ADVICE =
  /建议|下一步|后续|预期|计划|待办|待完成|何时|的情况|可能(?:的)?原因|next steps?|recommendations?|to ?do|future|plans?(?![a-z])|expectation|when to use|hypothes|related work|background|相关工作|背景/i

/** The author says so: no question, condition, plan or advice. "May" is still a claim, and judged by its rule. */
export function vouchedFor(statement: Statement): boolean {
  const before = vouched.get(statement)
  if (before !== undefined) return before
  const found = !CONDITIONAL.test(statement.text) && !CITED.test(statement.text) && !isAdvice(statement)
  vouched.set(statement, found)
  return found
}

/** Asked by most rules of most statements. */
const vouched = new WeakMap<Statement, boolean>()

const SUPPOSED = /可能|也许|或许|大概|(?<![a-z])(?:may|might|perhaps|possibly|probably|seems?)(?![a-z])/i

/** "May", "perhaps": a claim that its author takes half back. */
export function isSupposed({ text }: Statement): boolean {
  return SUPPOSED.test(text)
}

export function isAdvice({ section, leads }: Statement): boolean {
  return leads.some(isAdviceLabel) || isAdviceUnder(section, 2)
}

/** One of so many titles above announces advice. */
function isAdviceUnder(section: Section | null, titles: number): boolean {
  if (section === null || titles === 0) return false
  return isAdviceLabel(section.title) || isAdviceUnder(section.parent, titles - 1)
}

const isAdviceLabel = remembered(words => ADVICE.test(words))

/** The first claim of these kinds that the author neither denies nor hedges. */
export function vouchedClaim({ claims }: Statement, ...kinds: readonly ClaimKind[]): Claim | undefined {
  return claims.find(({ kind, negated, hedged }) => kinds.includes(kind) && !negated && !hedged)
}

/** The claims of a kind that stand without negation. */
export function positive({ claims }: Statement, kind: Claim['kind']): readonly Claim[] {
  return claims.length === 0 ? claims : claims.filter(claim => claim.kind === kind && !claim.negated)
}

const TEST =
  /(?<![a-z])p\s?[<=>≤≥]\s?0?\.\d|p-?values?|p ?值|置信区间|confidence interval|(?<![a-z])(?:95|90|99) ?% ?(?:CI|interval)|(?<![A-Za-z])CIs?(?![A-Za-z])|bootstrap|t-?test|t ?检验|显著性检验|假设检验|等效|wilcoxon|mann-?whitney|mcnemar|(?<![A-Z])TOST(?![A-Z])|anova|标准误|standard errors?|(?<![A-Za-z])SEM?(?![A-Za-z])|\d ?± ?\d/i
const SEEDS =
  /(?:(?<!\d)\d+|two|three|four|five|ten|several|multiple|多个?|三个|五个|两个)\s?(?:个|random )?\s?(?:seeds|随机种子|种子)/i

const tested = new WeakMap<AuditDocument, boolean>()
const seeded = new WeakMap<AuditDocument, boolean>()

/**
 * The report speaks of a test, an interval or repeated seeds, and not only as a plan. Whether it used them rightly is not
 * for these rules.
 */
export function hasTest(document: AuditDocument): boolean {
  return hasInterval(document) || speaksOf(document, SEEDS, seeded)
}

/** A test or an interval; seeds that were only repeated are none. */
export function hasInterval(document: AuditDocument): boolean {
  return speaksOf(document, TEST, tested)
}

function speaksOf(document: AuditDocument, words: RegExp, known: WeakMap<AuditDocument, boolean>): boolean {
  const before = known.get(document)
  if (before !== undefined) return before
  const inCells = document.tables.some(({ header, rows }) =>
    [header, ...rows].some(cells => cells.some(({ text }) => words.test(text))),
  )
  const found =
    inCells || document.statements.some(said => words.test(said.text) && !isAdvice(said) && !PLANNED.test(said.text))
  known.set(document, found)
  return found
}

const PLANNED =
  /如果|计划|建议|需要|待|缺少|没有|(?<![a-z])(?:if|plan|should|need|todo|without|no|missing|future)(?![a-z])/i
