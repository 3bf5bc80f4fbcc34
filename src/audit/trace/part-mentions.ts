import { everyMatch } from '../../logs/document/matches.js'
import type { StepMark } from '../../logs/document/quantity.js'
import { rememberedText } from '../../logs/document/remembered.js'
import type { Across, LogMetric, Part, Summary } from './log.js'
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
  | 'median'
  | 'std'
  | 'whole'
  | 'ofRuns'
  | 'bestSeed'
  | 'worstSeed'
  | 'range'
  | 'curve'

export interface PartMention {
  readonly from: number
  readonly to: number
  readonly word: PartWord | 'at' | 'over' | 'tail' | 'same'
  /** Of `at` and `over` the steps, of `tail` how many. */
  readonly steps: readonly [number, number] | null
  /** Of `tail`: what is counted. */
  readonly by?: 'steps' | 'points'
  /** Not said, but what a reader would take it for: "0.42 to 0.80". */
  readonly isGuess?: true
}

// biome-ignore format: a table is read by its lines
const WORDS: readonly (readonly [PartWord, string])[] = [
  ['bestSeed', String.raw`best (?:of (?:the )?)?(?:seeds?|\d+)|best run|最(?:好|佳|优)的?种子|\d\s?次中?最(?:好|高|优)`],
  ['worstSeed', String.raw`worst (?:of (?:the )?)?(?:seeds?|\d+)|worst run|最差的?种子|\d\s?次中?最(?:差|低)`],
  ['ofRuns', String.raw`averag(?:ed?|es|ing) (?:over|across) (?:the |all |its |their )?(?:\w+ )?(?:seeds|runs)|(?:means?|averages?) (?:over|across|of) (?:the |all |its |their )?(?:\w+ )?(?:seeds|runs)|(?:seed|run)[- ](?:means?|averages?|averaged)|[一二三四五六\d个各]*种子(?:间|的)?(?:求|取)?(?:平均|均值)`],
  ['range', String.raw`极差|^(?:seed )?(?:range|spread)(?: (?:over|across) (?:the )?seeds)?$|max(?:imum)?\s?[-−–]\s?min(?:imum)?(?![a-z])`],
  ['curve', '(?:seed[- ])?(?:mean|averaged?) curves?|(?:平均|均值)曲线'],
  ['std', String.raw`(?<!\d\s?)±(?!\s?\d)|std\.?(?![a-z])|standard deviations?|标准差|s\.d\.`],
  ['whole', 'over the (?:whole|entire|full) (?:run|training)|over the run|throughout|全程|整个训练过程?'],
  ['last', String.raw`final(?:ly)?|after (?:the )?training|after it(?=[,.;)]|$)|训练后|(?<!the )last (?:evaluation|eval|step|value|logged value|checkpoint)|last(?! \d)|ends?(?:ed|ing)?(?= (?:at|with|up|in|on|for)|, |$)|ends? of (?:the )?(?:training|run)|at the end|by the end|in the end|finish(?:es|ed|ing)?|clos(?:es|ed|ing)(?= (?:at|with))|when (?:it|they|(?:the )?(?:training|run)) (?:stop|end)(?:s|ed)?|stays? at|stops? at|最终|最后(?!\s?\d+\s?步)|末值|末次|终值|终点|末尾|结束时|训练结束|结束后|收尾`],
  ['first', 'initial(?:ly)?|before (?:any |the )?training|训练前|start(?:s|ed|ing)?(?= (?:at|from|with|value))|beg(?:ins?|an|inning)(?= (?:at|with|from)|$)|first (?:evaluation|eval|step|value)|at first|at the start|起始|初始(?!模型|化|策略|权重)|起初|最初|开始时|开头|一开始|起点|首次|首个|第一次'],
  ['best', 'best|最佳|最好|最优|tops? out|topped out|曾到过|最好成绩'],
  ['worst', 'worst|最差'],
  ['max', 'highest|maximum|max(?:ima)?(?![a-z])|peak(?:s|ed|ing)?|largest|spik(?:es?|ed|ing)|never (?:exceeds?|exceeded|(?:goes|went|gets|rises|rose|is) (?:above|beyond|over))|最高|最大值?|最长|峰值|尖峰|高点|冲到'],
  ['min', 'lowest|minimum|min(?![a-z])|smallest|bottom(?:s|ed) out|最低点?|最小值?|最短|谷底'],
  ['median', 'medians?(?![a-z])|中位数?值?'],
  ['mean', String.raw`means?(?![a-z])|averag(?:e|ed|es|ing)|avg\.?|均值|平均值?`],
]
const SCAN = new RegExp(WORDS.map(([word, pattern]) => `(?<${word}>(?<![A-Za-z])(?:${pattern}))`).join('|'), 'giu')
const TAIL =
  /(?:last|final)[ -](\d{1,5}|two|three|four|five|six|eight|ten|twenty|thirty|fifty|hundred)(?: (?:(?:training|logged|optimi[sz]er|validation|policy) )?(?:steps?|evaluations?|validations?|evals?|epochs?|updates?|batches|iterations?|checkpoints?|points?|rows?))?(?! (?:percent|seeds?|runs?|weeks?|days?))(?![\d.%])|(?:最后|末|后)\s?(\d{1,5}|[二三五]?十|一百|[两三四五六八])\s?(?:个?\s?(?:step|epoch|eval|记录点?|点|验证)|个|步|次|轮|行|条)/gi
const NUMBERS = new Map([
  ['two', 2],
  ['six', 6],
  ['eight', 8],
  ['thirty', 30],
  ['两', 2],
  ['三', 3],
  ['四', 4],
  ['五', 5],
  ['六', 6],
  ['八', 8],
  ['十', 10],
  ['二十', 20],
  ['三十', 30],
  ['五十', 50],
  ['一百', 100],
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
  /(?:(?:over|during|in|across)\s(?=\d{2,7}\s?(?:-|–)\s?\d{2,7}(?![\d.%]))|(?:over|between|from|across|during)\s+(?:the )?steps?\s?(?=\d+\s?(?:-|–|to|and|through))|steps?\s?(?=\d+\s?(?:-|–|~|～)\s?\d))(\d{1,7})\s?(?:-|–|~|～|to|and|through)\s?(?:step )?(\d{1,7})|(?<![\d.])(?:第\s?)?(\d{1,7})\s?(?:-|–|~|～|到|至)\s?(?:第\s?)?(\d{1,7})\s?步/gi

/** "In the first 50 steps", "前 50 步". */
const HEAD =
  /first (\d{1,5}|ten|twenty|fifty|hundred)(?: (?:training |logged )?(?:steps?|epochs?|updates?|evaluations?|rows?)|(?=[,.;)]))|[前头]\s?(\d{1,5}|[二三五]?十|一百|五)\s?(?:步|轮|次|个|行|条)/gi
/** "Over the same window": the stretch that was named last. */
const SAME =
  /(?:over|in|for|during|on|across|at) (?:the|that|this|those) (?:same (?:\w+ ){0,2}(?:window|stretch|span|period|interval|steps|evaluations|updates)|window|stretch|span|period|interval)(?![a-z])|(?<![\p{Script=Han}])同期|同一(?:区间|窗口|时段)|(?:该|这段|这个|此)(?:窗口|区间|时段)|窗口[内里]|在这(?:一|个)段/giu

/** "At steps 50, 150 and 400". */
const STEPS = /(?:steps?|epochs?|第)\s?(\d{1,7}(?:\s?(?:,(?!\d{3})|、|and|和|与|\/)\s?(?:and )?\d{1,7}(?!\.?\d|%))+)/gi

/** "0.508 at step 275, 0.368 at 300". */
const BARE_STEP = /(?<=[\d%] )at (\d{2,6})(?![\d.%])/g

export const partsIn = rememberedText((text: string): readonly PartMention[] => {
  const words = everyMatch(text, SCAN).map(({ index: from, 0: found, groups = {} }): PartMention => {
    const word = WORDS.find(([name]) => groups[name] !== undefined)?.[0] ?? 'last'
    return { from, to: from + found.length, word, steps: null }
  })
  const tails = everyMatch(text, TAIL).map(({ index: from, 0: found, 1: en, 2: zh }): PartMention => {
    const count = countOf(en ?? zh ?? '')
    const by = /steps?|updates?|batches|iter|步/i.test(found)
      ? 'steps'
      : /eval|valid|check|point|次|点|验证/i.test(found)
        ? 'points'
        : null
    return { from, to: from + found.length, word: 'tail', steps: [count, count], ...(by === null ? {} : { by }) }
  })
  const heads = everyMatch(text, HEAD).map(({ index: from, 0: found, 1: en, 2: zh }): PartMention => {
    return { from, to: from + found.length, word: 'over', steps: [0, countOf(en ?? zh ?? '')], isGuess: true }
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
  const bare = /steps?\s?\d/i.test(text) ? everyMatch(text, BARE_STEP) : []
  const more = bare.map(({ index: from, 0: found, 1: digits }): PartMention => {
    return { from, to: from + found.length, word: 'at', steps: [Number(digits), Number(digits)] }
  })
  const same = everyMatch(text, SAME).map(({ index: from, 0: found }): PartMention => {
    return { from, to: from + found.length, word: 'same', steps: null }
  })
  return outermost([...words, ...tails, ...heads, ...spans, ...lists, ...more, ...same])
})

const countOf = (word: string): number => NUMBERS.get(word.toLowerCase()) ?? Number(word)

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
    ({ word }) =>
      word !== 'std' && word !== 'bestSeed' && word !== 'worstSeed' && word !== 'whole' && word !== 'ofRuns',
  )
  const parts = said.toReversed().flatMap(one => {
    const part = partOf(one, goal)
    return part === null || (isGroup && part.kind === 'mean') ? [] : summariesOf(part, words, isGroup)
  })
  // "Over the whole run" is the mean of each, unless a word says its highest.
  if (isGroup && parts.length === 0 && words.some(({ word }) => word === 'whole')) parts.push({ kind: 'mean' })
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

/** What the words beside a stretch make of it: its mean, unless they say its median or its highest value. */
function summariesOf(part: Part, words: readonly PartMention[], isGroup: boolean): readonly Part[] {
  if (part.kind !== 'tail' && part.kind !== 'over') return [part]
  const has = (word: PartWord): boolean => words.some(one => one.word === word)
  const of: Summary | null = has('median') ? 'median' : has('std') && !isGroup ? 'std' : null
  if (of !== null) return [{ ...part, of }]
  const ends = [...(has('max') || has('best') ? ['max' as const] : []), ...(has('min') ? ['min' as const] : [])]
  return [part, ...ends.map(end => ({ ...part, of: end }))]
}

export function acrossMeant(words: readonly PartMention[]): Across {
  const has = (word: PartMention['word']): boolean => words.some(one => one.word === word)
  if (has('range')) return 'range'
  if (has('curve')) return 'curve'
  if (has('std') && !has('mean') && !has('ofRuns')) return 'std'
  return has('bestSeed') ? 'max' : has('worstSeed') ? 'min' : 'mean'
}

function partOf({ word, steps, by }: PartMention, goal: LogMetric['goal']): Part | null {
  switch (word) {
    case 'last':
    case 'first':
    case 'max':
    case 'min':
    case 'mean':
    case 'median':
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
      return { kind: 'tail', steps: steps?.[0] ?? 0, ...(by === undefined ? {} : { by }) }
    default:
      return null
  }
}

const CROSSING =
  /(?<![a-z])(?:first|already|until|exceed\w*|pass(?:es|ed)?|past|cross\w*|reach\w*|touch\w*|dips?|dipped|climbs?|climbed|clears?|cleared|saw|hits?|got (?:there|to)|gets? (?:there|to)|above|below|zero)(?![a-z])|首次|第一次|越过|跨过|超过|跌破|突破|破了|摸到|碰到|达到|首次?到|冲破|归零|降为 ?0|为 ?0(?![.\d])/i
const HERE =
  /^\s?(?:步|时|处)?\s?(?:起)?[,，]?\s?(?:就|才|即|已|头一回|首次|already |just )*(?:越过|超过|突破|跌破|破了|摸到|碰到|达到|到|奖励归零|归零|reach|pass|cross|hit|touch)/i

/** A step that comes behind such words, or right before them. */
export const isCrossedAt = (text: string, { from, to }: { readonly from: number; readonly to: number }): boolean =>
  CROSSING.test(text.slice(0, from)) || HERE.test(text.slice(to, to + 16))
