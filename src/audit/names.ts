import type { Matrix, MatrixAxis } from '../logs/document/matrix.js'
import { rememberedText } from '../logs/document/remembered.js'
import { namedStep, stepUnitOf } from '../logs/document/words.js'
import { memoByObject } from '../logs/model/util/memo.js'

/**
 * What the rows and columns of a table may be called. Names are compared word by word (a Chinese character is a word), so
 * that `val_acc`, "val acc" and "Val-Acc" are one name; a part of a name serves where no other row or column has it.
 */
export interface Names {
  /** By the first of their words. */
  readonly byWord: ReadonlyMap<string, readonly Name[]>
  /** The rows and columns of a step. */
  readonly byStep: ReadonlyMap<number, readonly Name[]>
  /** What the first column is headed. */
  readonly corner: readonly string[]
}

export interface Name {
  readonly words: readonly string[]
  /** More than one where a part of a name is shared, as "Base" by all rows that begin with it. */
  readonly axes: readonly MatrixAxis[]
  readonly isRow: boolean
  /** The whole name, not a part of it. */
  readonly isWhole: boolean
}

export interface NameWord {
  readonly text: string
  readonly from: number
  readonly to: number
}

const WORD =
  /准确率|正确率|精确率|召回率|奖励|损失|熵|得分|分数|延迟|耗时|时间|显存|内存|长度|吞吐量?|验证|训练|测试|平均|[A-Za-z\u00C0-\u024F\u0370-\u03FF0-9]+(?:\.[0-9]+[A-Za-z]*)*|\p{Script=Han}/gu

export const wordsOf = rememberedText((text: string): readonly NameWord[] => {
  const words: NameWord[] = []
  WORD.lastIndex = 0
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const [word] = match
    const isLetter = LETTER.test(word) && !ARTICLE.test(text.slice(Math.max(0, match.index - 2), match.index + 24))
    words.push({ text: isLetter ? word : stem(word), from: match.index, to: WORD.lastIndex })
  }
  return words
})

/** Arms are called A, B and C; "A model" begins with an article. */
const LETTER = /^[A-Z]$/
const ARTICLE =
  /^(?:.?[.:!?]\s|\s|)A (?!(?:is|was|can|could|did|does|had|has|gets?|and|vs|or|[a-z]+(?:s|ed|er))(?![a-z]))[a-z]/

const textsOf = (text: string): readonly string[] => wordsOf(text).map(word => word.text)

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

export const namesOf = memoByObject(readNames)

/** Of a longer table nobody speaks row by row. */
const MOST_AXES = 400
/** What is longer is a sentence in a cell. */
const LONGEST_NAME = 60

function readNames(matrix: Matrix): Names {
  const head = matrix.table.header[0]?.text ?? ''
  const byWord = new Map<string, Name[]>()
  const byStep = new Map<number, Name[]>()
  for (const isRow of [true, false]) {
    const axes = isRow ? matrix.rows : matrix.columns
    if (axes.length > MOST_AXES) continue
    const short = axes.slice(isRow ? 0 : 1).filter(({ name }) => name.length <= LONGEST_NAME)
    for (const name of [...wholeNames(matrix, short, isRow), ...partNames(short, isRow)])
      listIn(byWord, name.words[0]).push(name)
    const isStepped = !isRow || stepUnitOf(head) !== null
    const stepped = new Map<number, MatrixAxis[]>()
    for (const axis of axes)
      if (axis.step !== null && (isStepped || namedStep(axis.name) !== null)) listIn(stepped, axis.step).push(axis)
    for (const [step, own] of stepped) listIn(byStep, step).push({ words: [], axes: own, isRow, isWhole: true })
  }
  return { byWord, byStep, corner: textsOf(head.replace(/[(（].*$/, '')) }
}

export function listIn<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const list = lists.get(key) ?? []
  if (list.length === 0) lists.set(key, list)
  return list
}

const BRACKETS = /[(（[【][^()（）[\]【】]*[)）\]】]/g
/** "v0 结果" is spoken of as v0. */
const GENERIC =
  /[\s_]*的?(?:结果|正确率|准确率|得分|分数|版本|模型|(?<![a-z])(?:results?|scores?|accuracy|acc|model|version|run))$/i
/** Words of every sentence: they name a column only beside another name. */
const ORDINARY = /^(?:before|after|now|then|first|last|this|that|value|state)$/i

/** One character and bare digits are no name. */
function callFor(text: string): readonly Pick<Name, 'words' | 'isWhole'>[] {
  const words = textsOf(text)
  const joined = words.join('')
  const isName = (joined.length > 1 || LETTER.test(joined)) && !/^[\d.]+$/.test(joined)
  return isName ? [{ words, isWhole: !ORDINARY.test(text) }] : []
}

/** All that each is called; where it is a number, it is called by what it is the number of. */
function wholeNames(matrix: Matrix, axes: readonly MatrixAxis[], isRow: boolean): readonly Name[] {
  const corner = (matrix.table.header[0]?.text ?? '').replace(BRACKETS, '').replace(/[\s_]*num$/i, '')
  return axes.flatMap(axis => {
    const bare = axis.name.replace(BRACKETS, ' ').trim()
    const isNumber = /^[\d.]+[kKM]?$/.test(bare)
    const isNumbered = corner !== '' && (isRow ? axis.keys.length === 1 : !matrix.alongColumns)
    if (isNumber && !isNumbered) return []
    const texts = isNumber ? [`${corner} ${bare}`, `${bare} ${corner}`] : [axis.name, bare, bare.replace(GENERIC, '')]
    const calls = [...new Set(texts)].flatMap(callFor)
    // A setting such as 0.12 or a size such as 32k is a name of its own.
    if (/^\d?\.\d{1,3}$|^\d+[kKM]$/.test(bare)) calls.push({ words: [bare.toLowerCase()], isWhole: true })
    return calls.map(call => ({ ...call, axes: [axis], isRow }))
  })
}

/** Parts of names: words that only some of the axes have. */
function partNames(axes: readonly MatrixAxis[], isRow: boolean): readonly Name[] {
  const owners = new Map<string, MatrixAxis[]>()
  for (const axis of axes) for (const word of partsOf(axis.name)) listIn(owners, word).push(axis)
  return [...owners]
    .filter(([, { length }]) => length === 1 || length <= axes.length / 2)
    .map(([word, owned]) => ({ words: textsOf(word), axes: owned, isRow, isWhole: false }))
}

/** Latin words of three letters or with a digit, runs of Chinese characters, and what is measured. */
const partsOf = rememberedText((name: string): ReadonlySet<string> => {
  const bare = name.replace(BRACKETS, ' ')
  const runs = bare.match(/[\u0370-\u03FF]\s?=\s?[\d.]+|[A-Za-z][A-Za-z0-9]*(?:\.[0-9]+)?|\p{Script=Han}{2,}/gu) ?? []
  const parts = runs
    .map(word => word.toLowerCase())
    .filter(word => word.length > 2 || /[a-z]\d/.test(word) || /\p{Script=Han}/u.test(word))
  return new Set([...parts, ...textsOf(bare).filter(text => QUANTITIES.has(text))])
})
