import { withoutBrackets } from '../../document/words.js'

/** What further words of a report stand for, to whom its tables are data. */

const SAMPLE_COUNT =
  /(\d{1,3}(?:,\d{3})+|\d{1,9})\s{0,9}个?\s{0,9}(?:样本|样例|题|条|samples?\b|prompts?\b|questions?\b|examples?\b)|\bn\s{0,9}=\s{0,9}(\d{1,9})/i

/** How many samples a heading says its scores rest on: `200样本`, `n=200`. */
export function sampleCount(text: string): number | null {
  const match = SAMPLE_COUNT.exec(text)
  return match === null ? null : Number((match[1] ?? match[2]).replaceAll(',', ''))
}

const REMARK =
  /^(?:[Δ∆]|vs\b|备注|说明|评价|评估|评论|点评|胜者|赢家|结论|判断|状态|趋势|排名|(?:绝对|相对)?(?:差异|差值|差距|变化|提升|改善|降幅|增幅))|\bvs\.?\s|(?:差异|差值|差距|变化|提升|改善|幅度)$/i
const REMARK_WORD =
  /^(?:(?:abs(?:olute)?|rel(?:ative)?)\.?\s)?(?:diff(?:erence)?s?|delta|change|gap|gain|improvement|notes?|remarks?|comments?|winner|verdict|status|trend|rank(?:ing)?|better|conclusion)$/i

/** A column that is computed from others or comments on them. */
export function isRemark(header: string): boolean {
  return REMARK.test(header) || REMARK_WORD.test(withoutBrackets(header))
}

const RUN_COLUMN =
  /^(?:实验(?:名称?)?|试验|方案|方法|模型|名称|版本|runs?|experiments?|exp|models?|methods?|variants?|names?|trials?|policy)$/i
export const namesRuns = (header: string): boolean => RUN_COLUMN.test(withoutBrackets(header))

/** `GRPO_LR`: how scripts spell what they set. No metric is written so. */
export function isSettingName(label: string): boolean {
  return /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(label)
}

const ASSIGNMENT = /([\p{L}_][\p{L}\p{N}_.]{0,99})\s{0,9}[=＝]\s{0,9}([^\s,，;；()（）=＝]{1,99})/gu

/** The settings that a name spells out: `KL_BETA=0.12` in a header or heading. */
export function assignmentsIn(text: string): readonly { readonly key: string; readonly value: string }[] {
  return Array.from(text.matchAll(ASSIGNMENT), ([, key, value]) => ({ key, value }))
}

const NUMBERING =
  /^(?:(?:第?[一二三四五六七八九十]{1,3}(?:、|[章节]\s?|[.．]\s?)|[(（][一二三四五六七八九十\d]{1,3}[)）]\s?|\d\uFE0F?\u20E3|[1-9]\d?(?:\.\d{1,2}){1,3}\.?(?=\s)|\d{1,2}[.、)）](?!\d))\s{0,9})/

/** A heading's words without emoji, numbering and a closing colon. */
export function cleanHeading(text: string): string {
  return text
    .replace(/\p{Extended_Pictographic}|\uFE0F/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(NUMBERING, '')
    .replace(/[:：]$/, '')
    .trim()
}
