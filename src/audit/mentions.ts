import { type Statement, titlesAbove } from '../document/document.js'
import type { Axis, Line, Matrix } from '../document/matrix.js'
import type { Stretch } from '../document/quantity.js'
import { LONGEST_STATEMENT } from '../document/sentences.js'
import { namedStep, stepUnitOf } from '../document/words.js'

/**
 * Which rows and columns a text speaks of. Names are compared word by word (a Chinese character is a word), so that
 * `val_acc`, "val acc" and "Val-Acc" are one name; a part of a name serves where no other row or column has it. A step
 * that the text names stands for the row or column of that step.
 */
export interface Mention {
  readonly matrix: Matrix
  readonly isRow: boolean
  /** More than one where a part of a name is shared, as "Base" by all rows that begin with it. */
  readonly axes: readonly Axis[]
  readonly from: number
  readonly to: number
  /** The whole name stands there, not a part of it. */
  readonly isWhole: boolean
}

export interface Word {
  readonly text: string
  readonly from: number
  readonly to: number
}

const WORD =
  /准确率|正确率|精确率|召回率|奖励|损失|熵|得分|分数|延迟|耗时|时间|显存|内存|长度|吞吐量?|验证|训练|测试|平均|[A-Za-z\u00C0-\u024F\u0370-\u03FF0-9]+(?:\.[0-9]+[A-Za-z]*)*|\p{Script=Han}/gu

export function wordsOf(text: string): readonly Word[] {
  return Array.from(text.matchAll(WORD), match => ({
    text: stem(match[0]),
    from: match.index,
    to: match.index + match[0].length,
  }))
}

/** Plurals are the same word; so are what both languages call the common quantities. */
function stem(word: string): string {
  const lower = word.toLowerCase()
  const single = lower.length > 3 && lower.endsWith('s') && !lower.endsWith('ss') ? lower.slice(0, -1) : lower
  return SYNONYMS.get(single) ?? single
}

const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    accuracy: 'acc 准确率 正确率',
    precision: '精确率',
    recall: '召回率',
    reward: '奖励',
    loss: '损失',
    entropy: '熵',
    score: '得分 分数',
    latency: '延迟',
    time: '耗时 时间',
    memory: '显存 内存',
    length: '长度 len',
    throughput: '吞吐 吞吐量',
    val: 'validation valid 验证',
    train: 'training 训练',
    test: '测试',
    mean: 'avg average averaged 平均',
  }).flatMap(([word, others]) => others.split(' ').map((other): [string, string] => [other, word])),
)

/** What is measured, by the last word of its name: people say 准确率 of 验证准确率, "accuracy" of "val acc". */
const QUANTITIES: ReadonlySet<string> = new Set(
  'accuracy precision recall reward loss entropy score latency time memory length throughput kl'.split(' '),
)

interface Name {
  readonly words: readonly string[]
  readonly axes: readonly Axis[]
  readonly isRow: boolean
  readonly isWhole: boolean
}

const indexes = new WeakMap<Matrix, ReadonlyMap<string, readonly Name[]>>()

/** Of a longer table nobody speaks row by row. */
const MOST_AXES = 400
/** What is longer is a sentence in a cell. */
const LONGEST_NAME = 60

function indexOf(matrix: Matrix): ReadonlyMap<string, readonly Name[]> {
  const index = indexes.get(matrix)
  if (index !== undefined) return index
  const made = new Map<string, Name[]>()
  const columns = matrix.columns.slice(1)
  for (const [axes, isRow] of [[matrix.rows, true] as const, [columns, false] as const]) {
    if (axes.length > MOST_AXES) continue
    const short = axes.filter(({ name }) => name.length <= LONGEST_NAME)
    for (const name of [...wholeNames(matrix, short, isRow), ...partNames(short, isRow), ...beginnings(short, isRow)]) {
      const [first] = name.words
      if (first === undefined) continue
      const list = made.get(first)
      if (list === undefined) made.set(first, [name])
      else list.push(name)
    }
  }
  indexes.set(matrix, made)
  return made
}

const BRACKETS = /[(（[【][^()（）[\]【】]*[)）\]】]/g
/** "v0 结果" is spoken of as v0, 方案五 Epoch 2 as it is. */
const GENERIC =
  /[\s_]*(?:的)?(?:结果|正确率|准确率|得分|分数|版本|模型|(?<![a-z])(?:results?|scores?|accuracy|acc|model|version|run))(?=\s*(?:[(（]|$))/i

/** Words of every sentence: they name a column only beside another name. */
const ORDINARY = /^(?:before|after|now|then|first|last|this|that|value|state)$/i

function wholeNames(matrix: Matrix, axes: readonly Axis[], isRow: boolean): readonly Name[] {
  const corner = (matrix.table.header[0]?.text ?? '').replace(BRACKETS, '').replace(/[\s_]*num$/i, '')
  const names: Name[] = []
  const put = (axis: Axis, text: string): void => {
    const words = wordsOf(text).map(word => word.text)
    const isTooShort = words.join('').length < 2 || /^[\d.]+$/.test(words.join(''))
    if (isTooShort || names.some(one => one.axes[0] === axis && one.words.join(' ') === words.join(' '))) return
    names.push({ words, axes: [axis], isRow, isWhole: !ORDINARY.test(text) })
  }
  for (const axis of axes) {
    const bare = axis.name.replace(BRACKETS, ' ').trim()
    if (/^[\d.]+[kKM]?$/.test(bare)) {
      if ((isRow ? axis.keys.length > 1 : matrix.alongColumns) || corner === '') continue
      put(axis, `${corner} ${bare}`)
      // 系数 0.2 of 惩罚系数.
      const noun = /(?<=\p{Script=Han})\p{Script=Han}{2}$/u.exec(corner.trim())?.[0]
      if (noun !== undefined) put(axis, `${noun} ${bare}`)
      if (stepUnitOf(corner) === null) put(axis, `${bare} ${corner}`)
      // A setting such as 0.12 is a name of its own.
      if (/^\d?\.\d{1,3}$/.test(bare)) names.push({ words: [bare], axes: [axis], isRow, isWhole: true })
      continue
    }
    for (const text of [axis.name, bare, axis.name.replace(GENERIC, ''), bare.replace(GENERIC, '')]) put(axis, text)
  }
  return names
}

const COMMON =
  /^(?:the|and|for|with|without|model|run|test|train|eval|score|best|final|mean|average|total|value|result|time|rate|loss|baseline|base|metric|improvement|change|difference)$/

/** Parts of names: words that only some of the axes have. */
function partNames(axes: readonly Axis[], isRow: boolean): readonly Name[] {
  const owners = new Map<string, Axis[]>()
  for (const axis of axes) {
    const bare = axis.name.replace(BRACKETS, ' ')
    const nouns = wordsOf(bare).flatMap(({ text }) => (QUANTITIES.has(text) ? [text] : []))
    for (const word of new Set([...partsOf(bare), ...nouns])) {
      const list = owners.get(word)
      if (list === undefined) owners.set(word, [axis])
      else list.push(axis)
    }
  }
  return [...owners].flatMap(([word, list]) => {
    if (list.length > axes.length / 2 && list.length > 1) return []
    if (COMMON.test(word) && list.length > 1) return []
    const words = wordsOf(word).map(({ text }) => text)
    // "KIVI" for "KIVI 2-bit": people shorten a name to its first word, where no other has it.
    const [axis, other] = list
    const isFirst =
      other === undefined &&
      /^[a-z]/.test(word) &&
      /^[\s(（+]/.test(axis?.name.slice(word.length) ?? '') &&
      axis?.name.toLowerCase().startsWith(word)
    return [{ words, axes: list, isRow, isWhole: isFirst === true && isRow && !COMMON.test(word) && word.length > 2 }]
  })
}

const MOST_SHORTENED = 40

/** 无KL of 无KL约束: how a name begins, where no other begins so. */
function beginnings(axes: readonly Axis[], isRow: boolean): readonly Name[] {
  if (axes.length > MOST_SHORTENED) return []
  const names = axes.map(axis => ({ axis, words: wordsOf(axis.name.replace(BRACKETS, ' ')).map(({ text }) => text) }))
  return names.flatMap(({ axis, words }) =>
    words.slice(2).flatMap((_, i) => {
      const start = words.slice(0, i + 2)
      const others = names.filter(one => one.axis !== axis && start.every((word, at) => one.words[at] === word))
      const isOwn = others.length === 0 && start.join('').length > 2 && !start.every(word => COMMON.test(word))
      return isOwn ? [{ words: start, axes: [axis], isRow, isWhole: false }] : []
    }),
  )
}

/** Latin words of three letters or with a digit, and runs of Chinese characters. */
function partsOf(name: string): readonly string[] {
  return (name.match(/[A-Za-z][A-Za-z0-9]*(?:\.[0-9]+)?|\p{Script=Han}{2,}/gu) ?? [])
    .map(word => word.toLowerCase())
    .filter(word => word.length > 2 || /[a-z]\d/.test(word) || /\p{Script=Han}/u.test(word))
}

/** Statements are asked about one at a time, so what the last one names is all that is kept. */
let last: {
  readonly statement: Statement
  readonly words: readonly Word[]
  readonly mentions: Map<Matrix, readonly Mention[]>
  readonly focuses: Map<Matrix, Map<number, Focus>>
} | null = null

function known(statement: Statement): NonNullable<typeof last> {
  if (last?.statement !== statement)
    last = { statement, words: wordsOf(statement.text), mentions: new Map(), focuses: new Map() }
  return last
}

/** What a statement names of a table, in the order of the text; a name inside a longer one does not count. */
export function mentionsIn(statement: Statement, matrix: Matrix): readonly Mention[] {
  const { words, mentions } = known(statement)
  // "Epoch 2-5" does not name epoch 2.
  const isCut = ({ to }: Mention): boolean => /^\d\s?[-–~]\s?\d/.test(statement.text.slice(to - 1, to + 3))
  const found =
    mentions.get(matrix) ??
    longest(
      [...named(words, matrix), ...atSteps(statement, matrix), ...atEnds(statement, matrix)].filter(one => !isCut(one)),
    )
  mentions.set(matrix, found)
  return found
}

const titles = new Map<string, WeakMap<Matrix, readonly Mention[]>>()
const MOST_TITLES = 200

/** What a title, a lead or a header names. */
export function mentionsInText(text: string, matrix: Matrix): readonly Mention[] {
  const ofText = titles.get(text) ?? new WeakMap<Matrix, readonly Mention[]>()
  if (titles.size > MOST_TITLES) titles.clear()
  titles.set(text, ofText)
  const found = ofText.get(matrix) ?? longest([...named(wordsOf(text), matrix)])
  ofText.set(matrix, found)
  return found
}

/** What the name of a row or column says of the others: "B vs A" names A and B. */
export function mentionsInName(own: Axis, matrix: Matrix): readonly Mention[] {
  return longest([...named(wordsOf(own.name), matrix)].filter(({ axes }) => !axes.includes(own)))
}

function* named(words: readonly Word[], matrix: Matrix): Generator<Mention> {
  const index = indexOf(matrix)
  for (const [at, word] of words.entries()) {
    for (const name of index.get(word.text) ?? []) {
      const last = words[at + name.words.length - 1]
      if (last === undefined || !name.words.every((text, i) => words[at + i]?.text === text)) continue
      yield { matrix, isRow: name.isRow, axes: name.axes, from: word.from, to: last.to, isWhole: name.isWhole }
    }
  }
}

/** A step names the row or column of that step. */
function* atSteps({ steps }: Statement, matrix: Matrix): Generator<Mention> {
  for (const { first, last, from, to } of steps) {
    if (first !== last) continue
    const isStepped = stepUnitOf(matrix.table.header[0]?.text ?? '') !== null
    for (const [axes, isRow] of [[matrix.rows, true] as const, [matrix.columns, false] as const]) {
      const own =
        axes.length > MOST_AXES
          ? []
          : axes.filter(({ step, name }) => step === first && ((isRow && isStepped) || namedStep(name) !== null))
      if (own.length > 0) yield { matrix, isRow, axes: own, from, to, isWhole: true }
    }
  }
}

const LAST =
  /(?<![a-z])(?:the )?(?:final|last) (?:checkpoint|step|epoch|iteration|evaluation|update|round)(?![a-z])|(?:by|at|in) the end(?! of the (?:table|report))|(?:最终|最后)(?:一[个次步轮]|的?(?:checkpoint|检查点|模型|轮次|评估))/gi
const FIRST =
  /(?<![a-z])(?:the )?(?:initial|first) (?:checkpoint|step|epoch|iteration|evaluation|value)(?![a-z])|at the start|(?:初始|起始)(?:时|的?(?:checkpoint|检查点|模型|值))/gi

/** "The final checkpoint" names the last row or column of a course. */
function* atEnds({ text }: Statement, matrix: Matrix): Generator<Mention> {
  if (!/final|last|first|initial|the end|the start|最[终后]|[初起]始/i.test(text)) return
  for (const [axes, isRow] of [[matrix.rows, true] as const, [matrix.columns.slice(1), false] as const]) {
    const values = axes.filter(({ role }) => role === 'value')
    if (values.length < 3 || values.length > MOST_AXES || values.some(({ step }) => step === null)) continue
    for (const [pattern, axis] of [[LAST, values.at(-1)] as const, [FIRST, values[0]] as const]) {
      for (const { index, 0: found } of axis === undefined ? [] : text.matchAll(pattern))
        if (axis !== undefined)
          yield { matrix, isRow, axes: [axis], from: index, to: index + found.length, isWhole: true }
    }
  }
}

function longest(mentions: readonly Mention[]): readonly Mention[] {
  return mentions
    .filter(
      (one, i) =>
        !mentions.some((other, j) => {
          if (j === i || other.from > one.from || other.to < one.to) return false
          if (other.to - other.from > one.to - one.from || (other.isWhole && !one.isWhole)) return true
          return j < i && other.isWhole === one.isWhole && other.isRow === one.isRow && other.axes[0] === one.axes[0]
        }),
    )
    .sort((a, b) => a.from - b.from)
}

/** A stretch of a statement that says one thing. */
export interface Clause {
  readonly statement: Statement
  readonly from: number
  readonly to: number
  readonly text: string
}

/** A comma between digits belongs to a number, one inside brackets to what the brackets hold. */
const CLAUSE_END =
  /[。；;！？!?]|[,，](?!\d{3})(?![^(（]{0,40}[)）])|\.(?=\s)|(?:但是?|而且?(?![非])|(?<![A-Za-z])(?:however|but|although|while|whereas)(?![A-Za-z])|虽然)/gi

let lastSplit: { readonly statement: Statement; readonly clauses: readonly Clause[] } | null = null

export function clausesOf(statement: Statement): readonly Clause[] {
  if (lastSplit?.statement !== statement) lastSplit = { statement, clauses: split(statement) }
  return lastSplit.clauses
}

function split(statement: Statement): readonly Clause[] {
  const { text } = statement
  const parts: Clause[] = []
  let start = 0
  const put = (end: number): void => {
    if (end > start) parts.push({ statement, from: start, to: end, text: text.slice(start, end) })
  }
  for (const { index, 0: mark } of text.matchAll(CLAUSE_END)) {
    put(index)
    start = index + mark.length
  }
  put(text.length)
  return parts
}

/** The stretch that makes an assertion. */
export function clauseOf({
  scope: { statement, stretch },
}: {
  readonly scope: { readonly statement: Statement | null; readonly stretch: Stretch | null }
}): Clause | null {
  if (statement === null) return null
  const { from, to } = stretch ?? { from: 0, to: statement.text.length }
  return { statement, from, to, text: statement.text.slice(from, to) }
}

/** Whether one of the names is that of the line itself. */
export function areOf({ of, isColumn }: Line, mentions: readonly Mention[]): boolean {
  return mentions.some(one => one.isRow !== isColumn && one.axes.includes(of))
}

/** The rows of a column or the columns of a row that are named: what tells the values of a line apart. */
export function across({ isColumn }: Line, mentions: readonly Mention[]): readonly Mention[] {
  return mentions.filter(one => one.isRow === isColumn)
}

/** "All data sets" in a table whose first column is headed "data set". */
export function namesCorner(text: string, { table }: Matrix): boolean {
  const corner = wordsOf((table.header[0]?.text ?? '').replace(/[(（].*$/, '')).map(word => word.text)
  const words = wordsOf(text).map(word => word.text)
  return corner.join('').length > 1 && words.some((_, i) => corner.every((word, j) => words[i + j] === word))
}

/** What a clause speaks of in one table: what it names itself, else what the clause before it named. */
export interface Focus {
  readonly matrix: Matrix
  /** Rows and columns together. */
  readonly own: readonly Mention[]
  readonly rows: readonly Mention[]
  readonly columns: readonly Mention[]
  /** Rows or columns are taken over from what stands before the clause. */
  readonly inherited: readonly Mention[]
}

export function focusOf(clause: Clause, matrix: Matrix): Focus {
  const { focuses } = known(clause.statement)
  const ofMatrix = focuses.get(matrix) ?? new Map<number, Focus>()
  focuses.set(matrix, ofMatrix)
  const stretch = clause.from * LONGEST_STATEMENT + clause.to
  const found = ofMatrix.get(stretch) ?? readFocus(clause, matrix)
  ofMatrix.set(stretch, found)
  return found
}

function readFocus({ statement, from, to }: Clause, matrix: Matrix): Focus {
  const all = mentionsIn(statement, matrix)
  const own = all.filter(one => one.from >= from && one.to <= to)
  const rows = own.filter(({ isRow }) => isRow)
  const columns = own.filter(({ isRow }) => !isRow)
  const earlier = all.filter(one => one.to <= from)
  const above = [...statement.leads, ...titlesAbove(statement.section).slice(0, statement.section?.level === 1 ? 0 : 1)]
  const inherited = [true, false].flatMap(isRow => {
    const last = earlier.findLast(one => one.isRow === isRow)
    if (last !== undefined) {
      const home = clausesOf(statement).find(clause => clause.from <= last.from && clause.to >= last.to)
      return earlier.filter(one => one.isRow === isRow && one.from >= (home?.from ?? 0))
    }
    const [list = []] = above
      .map(text => mentionsInText(text, matrix).filter(one => one.isRow === isRow && one.isWhole))
      .filter(list => list.length > 0)
    return list.length === 1 ? list : []
  })
  return { matrix, own, rows, columns, inherited }
}
