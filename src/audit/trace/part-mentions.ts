import { everyMatch } from '../../logs/document/matches.js'
import type { StepMark } from '../../logs/document/quantity.js'
import { rememberedText } from '../../logs/document/remembered.js'
import type { Across, LogMetric, Part } from './log.js'
import { outermost } from './run-mentions.js'

/** Where a text says which part of a series is meant, and what is made of several runs. */
export type PartWord =
  | 'last'
  | 'first'
  | 'best'
  | 'worst'
  | 'max'
  | 'min'
  | 'mean'
  | 'std'
  | 'whole'
  | 'bestSeed'
  | 'worstSeed'

export interface PartMention {
  readonly from: number
  readonly to: number
  readonly word: PartWord | 'at' | 'over' | 'tail'
  /** Of `at` and `over` the steps, of `tail` how many. */
  readonly steps: readonly [number, number] | null
  /** Not said, but what a reader would take it for: "0.42 to 0.80". */
  readonly isGuess?: true
}

// biome-ignore format: a table is read by its lines
const WORDS: readonly (readonly [PartWord, string])[] = [
  ['bestSeed', String.raw`best (?:of (?:the )?)?(?:seeds?|\d+)|best run|最(?:好|佳|优)的?种子|\d\s?次中?最(?:好|高|优)`],
  ['worstSeed', String.raw`worst (?:of (?:the )?)?(?:seeds?|\d+)|worst run|最差的?种子|\d\s?次中?最(?:差|低)`],
  ['std', String.raw`(?<!\d\s?)±(?!\s?\d)|std\.?(?![a-z])|standard deviations?|标准差|s\.d\.`],
  ['whole', 'over the (?:whole|entire|full) (?:run|training)|over the run|throughout|全程|整个训练过程?'],
  ['last', String.raw`final(?:ly)?|after (?:the )?training|after it(?=[,.;)]|$)|训练后|(?<!the )last (?:evaluation|eval|step|value|logged value|checkpoint)|last(?! \d)|ends?(?:ed|ing)?(?= (?:at|with|up|in|on|for)|$)|ends? of (?:the )?(?:training|run)|at the end|by the end|in the end|finish(?:es|ed|ing)?|clos(?:es|ed|ing)(?= (?:at|with))|when (?:it|they|(?:the )?(?:training|run)) (?:stop|end)(?:s|ed)?|stays? at|stops? at|最终|最后(?!\s?\d+\s?步)|末值|末次|终值|终点|末尾|结束时|训练结束|结束后|收尾`],
  ['first', 'initial(?:ly)?|before (?:any |the )?training|训练前|start(?:s|ed|ing)?(?= (?:at|from|with|value))|beg(?:ins?|an|inning)(?= (?:at|with|from)|$)|first (?:evaluation|eval|step|value)|at first|at the start|起始|初始(?!模型|化|策略|权重)|起初|最初|开始时|开头|一开始|起点|首次|首个|第一次'],
  ['best', 'best|最佳|最好|最优|tops? out|topped out|曾到过|最好成绩'],
  ['worst', 'worst|最差'],
  ['max', 'highest|maximum|max(?:ima)?(?![a-z])|peak(?:s|ed|ing)?|largest|spik(?:es?|ed|ing)|never (?:exceeds?|exceeded|(?:goes|went|gets|rises|rose|is) (?:above|beyond|over))|最高|最大值?|最长|峰值|尖峰|高点|冲到'],
  ['min', 'lowest|minimum|min(?![a-z])|smallest|bottom(?:s|ed) out|最低点?|最小值?|最短|谷底'],
  ['mean', String.raw`means?(?![a-z])|averag(?:e|ed|es|ing)|avg\.?|均值|平均值?`],
]
const SCAN = new RegExp(WORDS.map(([word, pattern]) => `(?<${word}>(?<![A-Za-z])(?:${pattern}))`).join('|'), 'giu')
const TAIL =
  /(?:last|final)[ -](\d{1,5}|three|four|five|ten|twenty|fifty|hundred)(?: (?:(?:training|logged|optimi[sz]er|validation) )?(?:steps?|evaluations?|evals?|epochs?|updates?|iterations?|checkpoints?|points?|rows?))?(?! (?:percent|seeds?|runs?|weeks?|days?))(?![\d.%])|(?:最后|末|后)\s?(\d{1,5})\s?(?:个?\s?(?:step|epoch|eval|记录点?|点)|个|步|次|轮|行|条)/gi
const NUMBERS = new Map([
  ['three', 3],
  ['four', 4],
  ['five', 5],
  ['ten', 10],
  ['twenty', 20],
  ['fifty', 50],
  ['hundred', 100],
])
/** "Over steps 101-150", "between step 5 and step 45". */
const SPAN =
  /(?:(?:over|between|from|across|during)\s+(?:the )?steps?\s?(?=\d+\s?(?:-|–|to|and|through))|steps?\s?(?=\d+\s?(?:-|–|~|～)\s?\d))(\d{1,7})\s?(?:-|–|~|～|to|and|through)\s?(?:step )?(\d{1,7})|(?<![\d.])(?:第\s?)?(\d{1,7})\s?(?:-|–|~|～|到|至)\s?(?:第\s?)?(\d{1,7})\s?步/gi

/** "In the first 50 steps", "前 50 步". */
const HEAD =
  /first (\d{1,5}) (?:training )?(?:steps?|epochs?|evaluations?|rows?)|前\s?(\d{1,5})\s?(?:步|轮|次|个|行|条)/gi

/** "At steps 50, 150 and 400". */
const STEPS = /(?:steps?|epochs?|第)\s?(\d{1,7}(?:\s?(?:,(?!\d{3})|、|and|和|与|\/)\s?(?:and )?\d{1,7}(?!\.?\d|%))+)/gi

export const partsIn = rememberedText((text: string): readonly PartMention[] => {
  const words = everyMatch(text, SCAN).map(({ index: from, 0: found, groups = {} }): PartMention => {
    const word = WORDS.find(([name]) => groups[name] !== undefined)?.[0] ?? 'last'
    return { from, to: from + found.length, word, steps: null }
  })
  const tails = everyMatch(text, TAIL).map(({ index: from, 0: found, 1: en, 2: zh }): PartMention => {
    const count = NUMBERS.get(en?.toLowerCase() ?? '') ?? Number(en ?? zh)
    return { from, to: from + found.length, word: 'tail', steps: [count, count] }
  })
  const heads = everyMatch(text, HEAD).map(({ index: from, 0: found, 1: en, 2: zh }): PartMention => {
    return { from, to: from + found.length, word: 'over', steps: [0, Number(en ?? zh)], isGuess: true }
  })
  // Two steps without a word for their mean may as well be the two ends of a way.
  const guess = words.some(({ word }) => word === 'mean') ? {} : ({ isGuess: true } as const)
  const spans = everyMatch(text, SPAN).map(({ index: from, 0: found, 1: a, 2: b, 3: c, 4: d }): PartMention => {
    return { from, to: from + found.length, word: 'over', steps: [Number(a ?? c), Number(b ?? d)], ...guess }
  })
  const lists = everyMatch(text, STEPS).flatMap(({ index, 0: found, 1: list = '' }) =>
    Array.from(list.matchAll(/\d+/g), ({ 0: digits, index: at }): PartMention => {
      const from = index + found.length - list.length + at
      return { from, to: from + digits.length, word: 'at', steps: [Number(digits), Number(digits)] }
    }),
  )
  return outermost([...words, ...tails, ...heads, ...spans, ...lists])
})

export const atStep = ({ from, to, first, last }: StepMark): PartMention => ({
  from,
  to,
  word: first === last ? 'at' : 'over',
  steps: [first, last],
})

export const isExtreme = ({ word }: PartMention): boolean => EXTREMES.has(word)
const EXTREMES: ReadonlySet<PartMention['word']> = new Set(['best', 'worst', 'max', 'min'])

/** The parts of a series that some words mean, the nearest first, and what they make of several runs. */
export function partsMeant(
  words: readonly PartMention[],
  { goal }: Pick<LogMetric, 'goal'>,
  isGroup: boolean,
): readonly { readonly part: Part; readonly across: Across | null }[] {
  const across = isGroup ? acrossMeant(words) : null
  const said = words.filter(
    ({ word }) => word !== 'std' && word !== 'bestSeed' && word !== 'worstSeed' && word !== 'whole',
  )
  const parts = said.toReversed().flatMap(one => {
    const part = partOf(one, goal)
    return part === null || (isGroup && part.kind === 'mean') ? [] : [part]
  })
  const tail = said.find(({ word }) => word === 'tail' || word === 'over')
  // "Averages … over the last 50 steps" is the mean of that stretch alone.
  const sorted =
    tail === undefined
      ? parts
      : parts.toSorted(
          (a, b) => Number(b.kind === 'tail' || b.kind === 'over') - Number(a.kind === 'tail' || a.kind === 'over'),
        )
  return sorted.map(part => ({ part, across }))
}

export function acrossMeant(words: readonly PartMention[]): Across {
  const has = (word: PartMention['word']): boolean => words.some(one => one.word === word)
  return has('std') && !has('mean') ? 'std' : has('bestSeed') ? 'max' : has('worstSeed') ? 'min' : 'mean'
}

function partOf({ word, steps }: PartMention, goal: LogMetric['goal']): Part | null {
  switch (word) {
    case 'last':
    case 'first':
    case 'max':
    case 'min':
    case 'mean':
      return { kind: word }
    case 'best':
      return { kind: goal === 'min' ? 'min' : 'max' }
    case 'worst':
      return { kind: goal === 'min' ? 'max' : 'min' }
    case 'at':
      return { kind: 'at', step: steps?.[0] ?? 0 }
    case 'over':
      return { kind: 'over', first: steps?.[0] ?? 0, last: steps?.[1] ?? 0 }
    case 'tail':
      return { kind: 'tail', steps: steps?.[0] ?? 0 }
    default:
      return null
  }
}
