import type { Cell, Table } from '../../logs/document/document.js'
import type { PrintedFigure } from './figure.js'
import type { LogRun } from './log.js'
import { type MetricMention, meaningOf } from './metric-mentions.js'
import { atStep, isExtreme, type PartMention, partsIn } from './part-mentions.js'
import type { RunMention } from './run-mentions.js'
import { type LogNames, masked } from './sentence.js'

/** What the headers of a row or column say. */
export interface TableAxis {
  readonly text: string
  readonly runs: readonly LogRun[] | null
  /** A setting names them beside words that name nothing known: "many labels, β = 0.3" may be others with that setting. */
  readonly isLoose: boolean
  readonly seed: number | null
  readonly metric: MetricMention | null
  readonly parts: readonly PartMention[]
  readonly isMean: boolean
  readonly isChange: boolean
  readonly isStepOfBest: boolean
  /** It has words that name nothing known: perhaps what is measured. */
  readonly isUnknown: boolean
}

export interface TableCell {
  readonly figure: PrintedFigure
  readonly isPercent: boolean
  readonly row: TableAxis
  readonly column: TableAxis
  readonly at: readonly [row: number, column: number]
  /** A deviation stands beside it. */
  readonly hasDeviation: boolean
  /** The steps that its row names: its own, and those in other columns. */
  readonly rowSteps: readonly RowStep[]
}

interface RowStep {
  readonly step: number | null
  /** Right behind the cell: where its own value is. */
  readonly isOwn: boolean
}

/** The seed that a cell stands under. */
export const seedOf = ({ row, column }: TableCell): number | null => row.seed ?? column.seed

const KEY =
  /^(?:#|no\.?|id|seeds?|随机?种子|step|epoch|iter|轮次?|step 数|runs?|arms?|groups?|models?|settings?|variants?|methods?|experiments?|names?|配置|组别?|实验|方案|方法|模型|名称)$/i
/** "Seed of the free arm", "种子 (return)" over numbers. */
const SEED = /(?<![a-z])seeds?(?![a-z])|(?:随机)?种子/i
const HOW_MANY = /^\s*(?:#\s?|n_?\s?|no\. of )?(?:seeds|runs)\s*$|种子数|run 数/i
const CHANGE =
  /^(?:diff(?:erence)?s?|gain|Δ.*|delta|change|improvement|gap|差(?:异|值|距)?|提升|变化|增益|涨幅|降幅)(?![a-z])|\bvs\.?\b|(?<!标准|最|极)(?:差|提升|变化)[)）]?$/i
export const GAP = /(?<![a-z])(?:minus|gap|excess|less the)(?![a-z])|\s[−–-]\s|减|之差|差距/i
const STEP = /steps?(?![a-z])|epochs?(?![a-z])|步数?|轮/i

export function keyColumns({ header, rows }: Table): ReadonlySet<number> {
  const keys = new Set([0])
  for (const [i, { text }] of header.entries()) {
    const isWord = rows.every(row => (row[i]?.quantities.length ?? 0) === 0)
    const follows = keys.has(i - 1)
    if (
      follows &&
      (KEY.test(text.trim()) || (isWord && rows.some(row => row[i]?.text !== ''))) &&
      !/(?:best|max|最)/i.test(text)
    )
      keys.add(i)
  }
  return keys
}

const MOST_ROW_STEPS = 3

/** The columns in which rows name steps. */
export const stepColumns = (header: readonly Cell[], keys: ReadonlySet<number>): readonly number[] =>
  [...header.keys()]
    .filter(i => !keys.has(i) && STEP.test(header[i]?.text ?? '') && !/[()（）\d]/.test(header[i]?.text ?? ''))
    .slice(0, MOST_ROW_STEPS)

export function stepIn(cell: Cell | undefined): number | null {
  const quantity = cell?.quantities[0]
  return quantity === undefined || quantity.decimals !== 0 || quantity.value < 1 ? null : quantity.value
}

/** A bare number in a header is one of what the corner names, and else a step. */
export function columnText({ text }: Cell, corner: Cell | undefined, i: number): string {
  if (i === 0 || !/^[\d.]+$/.test(text.trim())) return text
  const head = (corner?.text ?? '').split(/[\\/]/).at(-1) ?? ''
  const isStep = /^\d{2,}$/.test(text.trim()) && head.trim() !== '' && !KEY.test(head.trim()) && !KNOB.test(head)
  return isStep ? `step ${text}` : `${head} ${text}`
}

const KNOB = /seeds?|种子|shots?|β|λ|beta|lambda|kl|lr|rate|coef|系数|steps?|epochs?|步|轮/i

export function rowText(row: readonly Cell[], header: readonly Cell[], keys: ReadonlySet<number>): string {
  return keyCells(row, header, keys).join(' ; ')
}

export function keyCells(row: readonly Cell[], header: readonly Cell[], keys: ReadonlySet<number>): readonly string[] {
  return [...keys].map(i => {
    const [text, head] = [row[i]?.text ?? '', header[i]?.text ?? '']
    // "Seeds: 4" says how many, "Seed: 4" which one.
    if (HOW_MANY.test(head)) return ''
    const seed = /^\d+$/.test(text.trim()) ? SEED.exec(head) : null
    if (seed !== null) return `${head.slice(0, seed.index)}seed ${text} ${head.slice(seed.index + seed[0].length)}`
    return /^[\d.,eE+-]+%?$/.test(text.trim()) ? `${head} ${text}` : text
  })
}

/** "1–10", "before (190–219)". */
const STRETCH = /(?<![\d.,])(\d{1,7})\s?[-–~～到至]\s?(\d{1,7})(?![\d.%])/

function stretchesIn(text: string): readonly PartMention[] {
  const [all, first, last] = STRETCH.exec(text) ?? []
  if (all === undefined || Number(first) >= Number(last)) return []
  return [{ from: 0, to: text.length, word: 'over', steps: [Number(first), Number(last)] }]
}

/** Of runs of several groups those whose names hold the other words: "return, no KL". */
function withWords(runs: readonly LogRun[], text: string): readonly LogRun[] {
  return (text.toLowerCase().match(/[a-z]{4,}/g) ?? []).reduce((left, word) => {
    const own = left.filter(({ group }) =>
      group
        .toLowerCase()
        .split(/[^a-z]+/)
        .includes(word),
    )
    return own.length > 0 ? own : left
  }, runs)
}

export function axisOf(
  { runs: runNames, metrics }: LogNames,
  text: string,
  cells: readonly string[] = [text],
): TableAxis {
  const exact = cells.flatMap(one => runNames.namedIn(one)).filter(({ refers }) => refers === null)
  const named = exact.length === 1 ? exact : [...runNames.alikeIn(text), ...exact]
  const [seed] = cells.flatMap(one => runNames.seedsIn(one))
  const steps = cells.flatMap(one => {
    const [, en, zh] =
      /(?:(?<![a-z])(?:steps?|epochs?|iters?)|轮次?|步数?|第|(?<![\w])@)\s?(\d{1,7})(?!\s?[-–~]|\d|\.\d)|^(\d{1,7})\s?(?:步|轮)$/i.exec(
        one.trim(),
      ) ?? []
    const digits = en ?? zh
    return digits === undefined ? [] : [{ from: 0, to: one.length, first: Number(digits), last: Number(digits) }]
  })
  const [first] = named
  // The "std" of `frac_reward_zero_std` is no deviation.
  const said = [...cells.flatMap(one => partsIn(masked(one, metrics.namedIn(one)))), ...steps.map(atStep)]
  const parts = [...said, ...(said.some(one => one.steps !== null) ? [] : cells.flatMap(stretchesIn))]
  const isChange = CHANGE.test(text.trim())
  const metric = meaningOf(
    metrics.namedIn(text).filter(one => !named.some(run => run.from < one.to && one.from < run.to)),
  )
  const bySeed =
    seed === undefined || first === undefined ? undefined : first.runs.filter(run => run.seed === seed.seed)
  const narrowed =
    bySeed !== undefined && bySeed.length > 0 ? bySeed : first === undefined ? null : withWords(first.runs, text)
  return {
    text,
    runs: isChange ? null : narrowed,
    isLoose:
      first !== undefined &&
      (first.isLoose === true || (isSetting(text, first) && (first.isShared === true || isUnknownIn(cells, named)))),
    seed: seed?.seed ?? null,
    metric,
    parts,
    isMean: parts.some(({ word }) => word === 'mean' || word === 'ofRuns') && metric === null && first === undefined,
    isChange,
    isStepOfBest:
      (parts.some(isExtreme) ? STEP : NAMED_STEP).test(text) && !steps.length && !STEP_IN_BRACKETS.test(text),
    isUnknown: first === undefined && metric === null && isUnknownIn(cells),
  }
}

/** "Best (step)". */
export const STEP_IN_BRACKETS = /[(（]\s?(?:at |@ ?)?(?:global )?(?:steps?|epochs?|步数?|轮次?)\s?[)）]/i
/** "Turning step", "谷底步": a step that is called something. */
const NAMED_STEP = /\p{L}{3,} (?:step|epoch)$|\p{Script=Han}步$/iu
const PLAIN_WORDS =
  /seeds?|steps?|epochs?|iters?|global|runs?|values?|mean|means|std|evaluations?|eval|over|across|of|the|at|on|in|all|and|by|随机|种子|步|轮|第|值|次|的|平均|±/giu

/** "β = 0.3": by a value, and not by its name. */
const isSetting = (text: string, { from, to, runs: [run] }: RunMention): boolean =>
  run === undefined || !text.slice(from, to).toLowerCase().includes(run.group.toLowerCase())

function isUnknownIn(cells: readonly string[], known: readonly RunMention[] = []): boolean {
  return cells.some(text => {
    const rest = partsIn(masked(text, known))
      .toReversed()
      .reduce((left, { from, to }) => left.slice(0, from) + left.slice(to), masked(text, known))
    return /\p{L}{2}/u.test(rest.replace(PLAIN_WORDS, ' '))
  })
}
