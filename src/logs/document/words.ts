import { once } from '../model/util/memo.js'
/**
 * What the words in a report's headers, labels and headings stand for. A table says nothing about its own layout, so
 * its words decide: does a column hold steps, a metric, a run, or a remark? Everything here looks at short text only;
 * a header longer than a line is no header.
 */

export type StepUnit = 'step' | 'epoch'

const STEP_HEADER =
  /^(?:(?:global|training|train)[\s_]?)?(?:steps?|iterations?|iters?)$|^(?:训练)?(?:步|步数|迭代|迭代次数)$/i
const EPOCH_HEADER = /^(?:(?:training|train)[\s_]?)?epochs?$|^(?:训练)?(?:轮|轮次|轮数)$/i

/** The unit that a column of steps counts in; null for any other column. */
export function stepUnitOf(header: string): StepUnit | null {
  const bare = withoutBrackets(header)
  if (STEP_HEADER.test(bare)) return 'step'
  return EPOCH_HEADER.test(bare) ? 'epoch' : null
}

const STEP_CELL =
  /^(?:(?:step|epoch|iteration|iter|第)[\s_#:：-]*)?(\d{1,3}(?:,\d{3})+|\d{1,12})(k?)(?:\/\d+)?\s*(?:步|轮|steps?|epochs?)?$/i

/** The step that a cell of a step column names: `5`, `Step 5`, `第 5 轮`, `2k`, `40 (best)`. */
export function stepOfCell(text: string): number | null {
  const match = STEP_CELL.exec(text) ?? STEP_CELL.exec(withoutBrackets(text))
  if (match === null) return null
  const [, digits = '', thousands = ''] = match
  return Number(digits.replaceAll(',', '')) * (thousands === '' ? 1 : 1000)
}

interface NamedStep {
  readonly step: number
  readonly unit: StepUnit
  /** The text without the step: `甲组` of `甲组（Epoch 2）`. */
  readonly rest: string
}

/** A range such as `Step 1-5` names no step. */
const NAMED_STEP =
  /[(（[【,，]?\s{0,9}(?:(?<![a-z])(?:(step|iteration|iter)|(epoch))s?[\s_#:：=-]{0,9}(\d{1,12})|第\s{0,9}(\d{1,12})\s{0,9}(?:(步)|轮|个?\s?epoch))(?!\d|\.\d|\s{0,9}[-–—~～至到]\s{0,9}\d)\s{0,9}[)）\]】]?/i

/** The step that a heading, a column header or a cell mentions. */
export function namedStep(text: string): NamedStep | null {
  const match = NAMED_STEP.exec(text)
  if (match === null) return null
  const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`.trim()
  const unit = match[1] === undefined && match[5] === undefined ? 'epoch' : 'step'
  return { step: Number(match[3] ?? match[4]), unit, rest }
}

const SHOTS = /^(?:shot(?:_num)?s?[\s_=-]?(\d{1,3})|(\d{1,3})[\s_-]?shots?)$/i

/** The number of examples shown with each question, from a name such as `Shot 2`. */
export function shotsOf(metric: string): number | null {
  const match = SHOTS.exec(metric)
  return match === null ? null : Number(match[1] ?? match[2])
}

const STATISTIC =
  /^(?:平均值?|均值|初始值?|起始值?|最终值?|末值|最小值?|最低值?|最大值?|最高值?|最佳值?|最优值?|中位数|标准差|方差|变化[率量]?|变化幅度|mean|average|avg\.?|median|first|initial|start|last|final|end|min(?:imum)?|max(?:imum)?|best|std(?:\.?\s?dev)?\.?|standard deviation|variance|change)$/i

/** A word that summarises a series without saying which. */
export function isStatistic(label: string): boolean {
  return STATISTIC.test(withoutBrackets(label))
}

const METRIC_COLUMN = /^(?:指标|度量|维度|统计量?|项目?|metrics?|measures?|statistics?|stat|quantity|item)$/i
const SETTING = /配置|超参|设置|config|setting|hyper-?\s?param/i
const SETTING_COLUMN = /^(?:参数|parameters?|params?|option|key)$/i
const VALUE_COLUMN = /^(?:值|数值|取值|结果|values?|results?)$/i

export const namesMetrics = (header: string): boolean => METRIC_COLUMN.test(withoutBrackets(header))
export const namesSettings = (header: string): boolean => SETTING.test(header) || SETTING_COLUMN.test(header)
export const namesValues = (header: string): boolean => VALUE_COLUMN.test(withoutBrackets(header))

/** The text without what stands in brackets, unless nothing else is there. */
export function withoutBrackets(text: string): string {
  const bare = text.replace(/[(（[【][^()（）[\]【】]{0,200}[)）\]】]/g, ' ').trim()
  return bare === '' ? text : bare.replace(/\s+/g, ' ')
}

/** What further words of a report stand for, to whom its tables are data. */

const SAMPLE_COUNT =
  /(\d{1,3}(?:,\d{3})+|\d{1,9})\s{0,9}个?\s{0,9}(?:样本|样例|题|条|samples?\b|prompts?\b|questions?\b|examples?\b)|\bn\s{0,9}=\s{0,9}(\d{1,9})/i

/** How many samples a heading says its scores rest on: `200样本`, `n=200`. */
export function sampleCount(text: string): number | null {
  const match = SAMPLE_COUNT.exec(text)
  return match === null ? null : Number((match[1] ?? match[2] ?? '').replaceAll(',', ''))
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

const ASSIGNMENT = once(() => /([\p{L}_][\p{L}\p{N}_.]{0,99})\s{0,9}[=＝]\s{0,9}([^\s,，;；()（）=＝]{1,99})/gu)

/** The settings that a name spells out: `KL_BETA=0.12` in a header or heading. */
export function assignmentsIn(text: string): readonly { readonly key: string; readonly value: string }[] {
  return Array.from(text.matchAll(ASSIGNMENT()), ([, key = '', value = '']) => ({ key, value }))
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
