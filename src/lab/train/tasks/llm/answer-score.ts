/**
 * How right an answer is.
 * `vqa`: the accuracy of the VQA challenge (Antol et al. 2015): an answer that three of the other annotators gave is
 * fully right, averaged over leaving each annotator out. Fewer than four annotators could not give it 1, so then any
 * match counts. `exact`: any match. Both compare normalised answers.
 */
export type Metric = 'vqa' | 'exact'

interface AnswerScore {
  readonly hard: number
  readonly soft: number
}

/** Two of ten annotators give 0.6, one 0.3: right means more than one person's word. */
const RIGHT_FROM = 0.5

export function scoreAnswer(metric: Metric, predicted: string, answers: readonly string[]): AnswerScore {
  const given = normaliseAnswer(predicted)
  const matches = answers.map(answer => normaliseAnswer(answer) === given)
  const soft = metric === 'vqa' && answers.length >= 4 ? vqaAccuracy(matches) : Number(matches.includes(true))
  return { hard: soft >= RIGHT_FROM ? 1 : 0, soft }
}

function vqaAccuracy(matches: readonly boolean[]): number {
  const agreeing = matches.filter(match => match).length
  const each = matches.map(match => Math.min(1, (agreeing - Number(match)) / 3))
  return each.reduce((sum, value) => sum + value, 0) / each.length
}

/** A model may go on after its answer, often with the next question: the answer is the first line that says something. */
export function firstLine(text: string): string {
  return text.split('\n').find(line => line.trim() !== '') ?? ''
}

/**
 * What the original's inference takes for the answer: all before the first Question, Answer or Short, then all before
 * the first comma with a space after it.
 */
export function cutAnswer(text: string): string {
  return text.split(/Question|Answer|Short/, 1)[0].split(', ', 1)[0]
}

/**
 * Answers as the VQA challenge compares them (Antol et al. 2015, its evaluation code): line breaks to spaces, punctuation,
 * then number words, articles and contractions, word by word. Its quirks count, because every published percentage has
 * them: whether a mark is removed or becomes a space is decided by the whole answer, a period goes unless a digit
 * follows, 32 of them at most, and capitals fall after the punctuation.
 */
export function normaliseAnswer(answer: string): string {
  return withoutArticles(withoutPunctuation(answer.replaceAll('\n', ' ').replaceAll('\t', ' ').trim()))
}

const MARKS = [...';/[]"{}()=+\\_-><@`,?!']
const GROUPED_DIGITS = /\p{Nd},\p{Nd}/u
const PERIOD = /\.(?!\p{Nd})/gu
/** The challenge's code passes a flag, whose value is 32, where the number of replacements belongs. */
const MOST_PERIODS = 32

function withoutPunctuation(answer: string): string {
  const isGrouped = GROUPED_DIGITS.test(answer)
  let plain = answer
  for (const mark of MARKS) {
    const isLoose = isGrouped || answer.includes(`${mark} `) || answer.includes(` ${mark}`)
    plain = plain.replaceAll(mark, isLoose ? '' : ' ')
  }
  let periods = 0
  return plain.replace(PERIOD, period => {
    periods += 1
    return periods > MOST_PERIODS ? period : ''
  })
}

function withoutArticles(answer: string): string {
  return answer
    .toLowerCase()
    .split(/\s+/)
    .map(word => NUMBERS.get(word) ?? word)
    .filter(word => word !== '' && !ARTICLES.has(word))
    .map(word => CONTRACTIONS.get(word) ?? word)
    .join(' ')
}

const ARTICLES = new Set(['a', 'an', 'the'])

const NUMBERS = new Map([
  ['none', '0'],
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].map(
    (word, value): [string, string] => [word, String(value)],
  ),
])

/** The challenge's table, by what it restores. Some that one would expect (its, im, well, shes) are not in it. */
const RESTORED = [
  "ain't aren't can't could've couldn't didn't doesn't don't hadn't hasn't haven't he'd he's how'd how'll how's isn't it'd",
  "it'll ma'am mightn't might've mustn't must've needn't not've o'clock oughtn't shan't should've shouldn't somebody'll",
  "somebody's someone'd someone'll someone's something'd something'll that's there'd there're there's they'd they'll",
  "they're they've 'twas wasn't we've weren't what'll what're what's what've when's where'd where's where've who'd who'll",
  "who's who've why'll why're why's won't would've wouldn't y'all you'd you'll you're you've",
]
  .join(' ')
  .split(' ')

/** Of two apostrophes one may be there already. */
const TWICE = [
  "couldn't've hadn't've he'd've it'd've mightn't've she'd've shouldn't've somebody'd've someone'd've something'd've",
  "there'd've they'd've we'd've who'd've wouldn't've you'd've y'all'll",
]
  .join(' ')
  .split(' ')

const CONTRACTIONS = new Map<string, string>([
  ...RESTORED.map((word): [string, string] => [word.replaceAll("'", ''), word]),
  ...TWICE.flatMap((word): [string, string][] => {
    const at = word.lastIndexOf("'")
    const first = word.indexOf("'")
    return [
      [word.slice(0, first) + word.slice(first + 1), word],
      [word.slice(0, at) + word.slice(at + 1), word],
    ]
  }),
  ["somebody'd", 'somebodyd'],
  ["ow's'at", "'ow's'at"],
  ["'ows'at", "'ow's'at"],
  ["'ow'sat", "'ow's'at"],
  ["yall'd've", "y'all'd've"],
  ["y'alld've", "y'all'd've"],
  ["y'all'dve", "y'all'd've"],
])
