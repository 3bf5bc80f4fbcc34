import { titlesAbove } from '../logs/document/document.js'
import { everyMatch } from '../logs/document/matches.js'
import type { Matrix } from '../logs/document/matrix.js'
import { memoByObject } from '../logs/model/util/memo.js'
import type { Mention, ReportClause } from './mentions.js'
import { type NameWord, wordsOf } from './names.js'

/**
 * Whether a clause names something that a table does not know: another data set, another system, a part of what was
 * measured. Then it speaks of other cells than the table's, however well its words fit them, and what the table says
 * refutes nothing. Names are Latin words that no English sentence writes so: with a digit, a sign or a capital inside it.
 */
export function mentionsUnknownName({ statement, from, to, text }: ReportClause, matrix: Matrix): boolean {
  const known = knownTo(matrix)
  const isKnown = (word: NameWord): boolean => known.has(word.text)
  // "On X and Y, …": where it is so.
  const [, place = ''] = PLACE.exec(statement.text.slice(0, from)) ?? []
  const names = namesIn(place + text).filter(name => !ORDINARY.test(name))
  if (names.some(name => !wordsOf(name).some(isKnown)) || EARLIER.test(statement.text.slice(0, to))) return true
  if (wordsOf(text).some(word => SPLITS.has(word.text) && !isKnown(word))) return true
  const [, inside, on] = AMONG.exec(text) ?? []
  // 在三个任务上: so many of what the rows are.
  const part = (inside ?? on ?? '').replace(/^[两二三四五六七八九十]*[个项类种组]/, '')
  if (part !== '' && !EVERYBODY.test(part) && !wordsOf(part).every(isKnown)) return true
  const measured = wordsOf(OF_WHAT.exec(text)?.[1] ?? '')
  const familiar = measured.filter(isKnown)
  return 2 * familiar.length < measured.length && !familiar.some(({ text: word }) => word.length > 2)
}

const PLACE = /(?:^|[.:;。]\s?)((?:on|in|at|for|under|with) [^,.;]{2,40},\s?)$/i
const SPLITS: ReadonlySet<string> = new Set(['train', 'val', 'test'])
/** What was measured another time. */
const EARLIER =
  /[旧那上前]一?版|旧数据|上次|当时|早先|去年|上个月|不可比|(?<![A-Za-z])(?:last (?:week|month|year|time)|an? earlier|(?:previous|earlier|old(?:er)?) (?:run|report|data|version|experiment|splits?|sets?)|not comparable)(?![A-Za-z])/i
const AMONG =
  /(?:^|[,，:：;；。\s])在?(\p{Script=Han}{2,8})(?:里面?|中|之中|当中|内|范围内)(?=[\s\p{L}])|在(\p{Script=Han}{4,10})[上下](?!升|降)/u
const EVERYBODY = /^(?:所有|全部|各|每|这|那|其|本|上|下|该|整|表|图|实验|训练|过程|结果|对比|比较)/
/** 甲的显存是乙的两倍: what of it is measured. */
const OF_WHAT = /的([^的,，。;；\d]{2,12}?)约?[是为]/

/** What a Chinese sentence says in Latin letters of any experiment. */
const ORDINARY =
  /^(?:vs|kl|rl|ai|ml|llm|gpu|cpu|pp|ok|best|final|last|first|reward|loss|acc|accuracy|entropy|score|checkpoint|ckpt|baseline|base|model|run|train|training|val|validation|test|eval|evaluation|step|epoch|batch|seed|token|tokens|prompt|grpo|ppo|dpo|sft|rlhf|mean|avg|std|top|gap|max|min|good|bad|and|or|the|of|on|at|in|to|from|with|than|is|are)$/i

const NAME = /[A-Za-z][A-Za-z0-9_@+.-]*[A-Za-z0-9]/g

function namesIn(text: string): readonly string[] {
  const isHan = /\p{Script=Han}/u.test(text)
  const isName = ({ 0: name, index }: RegExpExecArray): boolean =>
    isHan || /\d|[_@]|.[A-Z]/.test(name) || (/^[A-Z]/.test(name) && /[\p{L}\d,)]\s+$/u.test(text.slice(0, index)))
  return everyMatch(text, NAME)
    .filter(isName)
    .map(([name]) => name)
}

/** Words that name nothing of their own: what stands between names and figures in any sentence. */
const PLAIN =
  /^(?:a|an|the|is|was|are|were|be|has|had|have|at|in|on|of|to|for|with|by|as|and|its|it|that|this|reache[sd]|takes?|took|equals?|gets?|got|scores?|scored|achieve[sd]|shows?|stands?|stood|comes|came|goes|rises?|rose|falls?|fell|only|just|alone|now|still|already|itself|value|mark|row|column|checkpoint|phase|stage|task|split|set|method|model|run|\d.*)$/
const PLAIN_HAN = /阶段|场景|任务|方法|模型|版本|数据集|达到|[的在时下处上中里为是于到达至第步仅只有取得则]/g
const BEHIND_PREPOSITION =
  /(?<!\S)(?:with|without|under|after|before|in|on|for|using|from|among)\s+(?:the\s|an?\s|our\s|its\s)?([A-Za-z][\w-]*)/gi

/**
 * Whether nothing in a clause narrows down what its names mean: no strange word right beside a name ("KL penalty" is not
 * "KL") or behind a preposition ("with dropout", "in the ablation"), and no strange name in what stands above it.
 */
export function isPlainly({ statement, from, text }: ReportClause, matrix: Matrix, names: readonly Mention[]): boolean {
  const known = knownTo(matrix)
  const isKnown = (part: string): boolean =>
    wordsOf(part.replace(PLAIN_HAN, ' ')).every(word => known.has(word.text) || PLAIN.test(word.text))
  const beside = names.flatMap(one => [
    /(?:[A-Za-z][\w-]*|\p{Script=Han}+)(?=[\s`"'“‘*]*$)/u.exec(text.slice(0, one.from - from))?.[0] ?? '',
    /^[\s`"'”’*]*([A-Za-z][\w-]*|\p{Script=Han}+)/u.exec(text.slice(one.to - from))?.[1] ?? '',
  ])
  const behind = Array.from(text.matchAll(BEHIND_PREPOSITION), ([, word = '']) => word)
  return [...statement.leads.flatMap(namesIn), ...beside, ...behind].every(isKnown)
}

const knownTo = memoByObject(({ table, rows, columns }: Matrix): ReadonlySet<string> => {
  const names = [...rows, ...columns].map(({ name }) => name)
  const texts = [...names, table.caption?.text ?? '', ...titlesAbove(table.section)]
  return new Set(texts.flatMap(text => wordsOf(text).map(word => word.text)))
})
