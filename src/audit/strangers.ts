import { type Statement, titlesAbove } from '../document/document.js'
import type { Matrix } from '../document/matrix.js'
import { remembered } from '../document/remembered.js'
import type { Clause, Mention } from './mentions.js'
import { wordsOf } from './names.js'

/**
 * Whether a clause names something that a table does not know: another data set, another system, a part of what was
 * measured. Then it speaks of other cells than the table's, however well its words fit them, and what the table says
 * refutes nothing. Names are Latin words that no English sentence writes so: with a digit, a sign or a capital inside it.
 */
export function namesStranger(clause: Clause, matrix: Matrix): boolean {
  const known = knownTo(matrix)
  // "Its own best": of whom, was said before.
  const { statement, to, text } = clause
  const whole = PRONOUN.test(text) ? { ...clause, from: 0, text: statement.text.slice(0, to) } : clause
  // "On X and Y, …": where it is so.
  const [, place = ''] = PLACE.exec(statement.text.slice(0, clause.from)) ?? []
  const from = clause.from - place.length
  return (
    hasUnknownName(whole, known, whole !== clause) ||
    hasUnknownName({ ...clause, from, text: statement.text.slice(from, to) }, known, false) ||
    isElsewhere(clause, matrix, known) ||
    isOfOtherTitle(statement, matrix, known)
  )
}

/** Below "pass@8" nothing is said of the table below "pass@1". */
function isOfOtherTitle({ section }: Statement, { table }: Matrix, known: ReadonlySet<string>): boolean {
  if (section === null || section === table.section) return false
  const names = section.title.match(/[A-Za-z]+[@_-]?\d[\w.]*/g) ?? []
  return names.some(name => wordsOf(name).some(word => !known.has(word.text)))
}

const PLACE = /(?:^|[.:;。]\s?)((?:on|in|at|for|under|with) [^,.;]{2,40},\s?)$/i
const PRONOUN = /它|其自|自己|(?<![A-Za-z])(?:its own|their own)(?![A-Za-z])/

function hasUnknownName({ text }: Clause, known: ReadonlySet<string>, isWhole: boolean): boolean {
  return namesIn(text)
    .filter(name => !ORDINARY.test(name))
    .some(name => {
      const words = wordsOf(name).map(word => known.has(word.text))
      return isWhole ? words.includes(false) : !words.includes(true)
    })
}

/** What a Chinese sentence says in Latin letters of any experiment. */
const ORDINARY =
  /^(?:vs|kl|rl|ai|ml|llm|gpu|cpu|pp|ok|best|final|last|first|reward|loss|acc|accuracy|entropy|score|checkpoint|ckpt|baseline|base|model|run|train|training|val|validation|test|eval|evaluation|step|epoch|batch|seed|token|tokens|prompt|grpo|ppo|dpo|sft|rlhf|mean|avg|std|top|gap|max|min|good|bad|and|or|the|of|on|at|in|to|from|with|than|is|are)$/i

const NAME = /[A-Za-z][A-Za-z0-9_@+.-]*[A-Za-z0-9]/g

function isName(name: string, text: string, index: number): boolean {
  if (/\d|[_@]|.[A-Z]/.test(name)) return true
  const before = text.slice(0, index)
  if (/\p{Script=Han}/u.test(text)) return name.length > 1
  return /^[A-Z]/.test(name) && /[\p{L}\d,)]\s+$/u.test(before)
}

/** Words that name nothing of their own: what stands between names and figures in any sentence. */
const PLAIN =
  /^(?:a|an|the|is|was|are|were|be|has|had|have|at|in|on|of|to|for|with|by|as|and|its|it|that|this|reache[sd]|takes?|took|equals?|gets?|got|scores?|scored|achieve[sd]|shows?|stands?|stood|comes|came|goes|rises?|rose|falls?|fell|only|just|alone|now|still|already|itself|value|mark|row|column|checkpoint|phase|stage|task|split|set|method|model|run)$/
const PLAIN_HAN = /阶段|场景|任务|方法|模型|版本|数据集|达到|[的在时下处上中里为是于到达至第步仅只有取得则]/g
const BEHIND_PREPOSITION =
  /(?<!\S)(?:with|without|under|after|before|in|on|for|using|from|among)\s+(?:the\s|an?\s|our\s|its\s)?([A-Za-z][\w-]*)/gi

/**
 * Whether nothing in a clause narrows down what its names mean: no strange word right beside a name ("KL penalty" is not
 * "KL") or behind a preposition ("with dropout", "in the ablation"), and no strange name in what stands above it.
 */
export function isPlainly({ statement, from, text }: Clause, matrix: Matrix, names: readonly Mention[]): boolean {
  const known = knownTo(matrix)
  const isKnown = (part: string): boolean =>
    wordsOf(part.replace(PLAIN_HAN, ' ')).every(
      ({ text: word }) => known.has(word) || PLAIN.test(word) || /^\d/.test(word),
    )
  const beside = names.flatMap(one => [
    /(?:[A-Za-z][\w-]*|\p{Script=Han}+)(?=[\s`"'“‘*]*$)/u.exec(text.slice(0, one.from - from))?.[0] ?? '',
    /^[\s`"'”’*]*([A-Za-z][\w-]*|\p{Script=Han}+)/u.exec(text.slice(one.to - from))?.[1] ?? '',
  ])
  const behind = Array.from(text.matchAll(BEHIND_PREPOSITION), ([, word]) => word)
  return [...statement.leads.flatMap(namesIn), ...beside, ...behind].every(isKnown)
}

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(NAME)].flatMap(({ 0: name, index }) => (isName(name, text, index) ? [name] : []))
}

const SPLITS = ['train', 'val', 'test'] as const
const SETTING = /([\p{L}_]+)\s?=\s?(\d+(?:\.\d+)?(?:e-?\d+)?)(?![\d.%]|\s?[-–~→])/giu
const AMONG =
  /(?:^|[,，:：;；。\s])在?(\p{Script=Han}{2,8})(?:里面?|中|之中|当中|内|范围内)(?=[\s\p{L}])|在(\p{Script=Han}{4,10})[上下](?!升|降)/u
/** 甲的显存是乙的两倍: what of it is measured. */
const OF_WHAT = /的([^的,，。;；\d]{2,12}?)约?[是为]/
/** What was measured another time. */
const EARLIER =
  /那一?版|旧版|旧数据|上一?版|前一?版|上次|当时|早先|去年|上个月|不可比|(?<![A-Za-z])(?:last (?:week|month|year|time)|an? earlier|previous (?:run|report|version|experiment)|earlier (?:run|report|version|experiment)|old(?:er)? (?:run|report|data|version|splits?|sets?)|not comparable)(?![A-Za-z])/i
const EVERYBODY = /^(?:所有|全部|各|每|这|那|其|本|上|下|该|整|表|图|实验|训练|过程|结果|对比|比较)/

/** Another split of the data, a setting that was not tried here, a part of the rows that they do not say they are in. */
function isElsewhere(
  { text, statement, to }: Clause,
  { rows, columns, table }: Matrix,
  known: ReadonlySet<string>,
): boolean {
  const said = new Set(wordsOf(text).map(word => word.text))
  const isSplit = (one: string): boolean => said.has(one) && !known.has(one)
  if (SPLITS.some(isSplit) || EARLIER.test(statement.text.slice(0, to))) return true
  const [, inside, on] = AMONG.exec(text) ?? []
  // 在三个任务上: so many of what the rows are.
  const part = (inside ?? on ?? '').replace(/^[两二三四五六七八九十]*[个项类种组]/, '')
  if (part !== '' && !EVERYBODY.test(part) && wordsOf(part).some(word => !known.has(word.text))) return true
  const measured = wordsOf(OF_WHAT.exec(text)?.[1] ?? '')
  const familiar = measured.filter(word => known.has(word.text))
  if (2 * familiar.length < measured.length && !familiar.some(({ text: word }) => word.length > 2)) return true
  const names = [...rows, ...columns].map(({ name }) => name)
  const corner = table.header[0]?.text ?? ''
  return [...text.matchAll(SETTING)].some(([, key = '', value = '']) => {
    const isKey = corner.includes(key) || names.some(name => name.replaceAll(' ', '').startsWith(`${key}=`))
    return isKey && !names.some(name => name.includes(value))
  })
}

const knownTo = remembered(({ table, rows, columns }: Matrix): ReadonlySet<string> => {
  const texts = [
    ...rows.map(({ name }) => name),
    ...columns.map(({ name }) => name),
    ...table.header.map(cell => cell.text),
    table.caption?.text ?? '',
    ...titlesAbove(table.section),
  ]
  return new Set(texts.flatMap(text => wordsOf(text).map(word => word.text)))
})
