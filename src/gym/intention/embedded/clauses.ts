/**
 * A question as the embedded user hears it: whole sentences that ask, in clauses. What is no sentence, such as a list of
 * words, is not heard; so each clause has to say what it wants.
 */
export interface Clause {
  /** Stems of the words, for English. */
  readonly stems: ReadonlySet<string>
  /** Lower case, for Chinese. */
  readonly text: string
}

const ENGLISH_ASKING = new Set(
  'what which how who whom whose when where why is are am was were do does did can could would will should shall may might must have has tell let want know'.split(
    ' ',
  ),
)

const ENGLISH_FUNCTION = new Set([
  ...ENGLISH_ASKING,
  ...'the a an it its this that these those there they them their he she his her you your we our us i me my of in on at by to for from with about and or if any some be been being get got go much many long as so not no yes more else please also too like than then'.split(
    ' ',
  ),
])

/** Of the words of a sentence at least so many only hold it together. */
const ENGLISH_FUNCTION_SHARE = 0.3
const ENGLISH_FEWEST_WORDS = 3

const CHINESE = /[\u4e00-\u9fff]/
const CHINESE_ASKING =
  /什么|多少|几|哪|谁|吗|呢|怎么|怎样|如何|多久|多大|多长|多[\u4e00-\u9fff]|是否|还是|有没有|能不能|要不要|请问|请告诉/
const CHINESE_FUNCTION =
  /[的是您你他她它们我吗呢了有没要在会能么多少哪几谁什怎样可以想和还这那对给用到上下为把被吧啊或就都也请问得过来去个些种久如何应该共持打算是否]/g
const CHINESE_FUNCTION_SHARE = 0.15
const CHINESE_FEWEST_LETTERS = 4

export function clausesOf(question: string): readonly Clause[] {
  return CHINESE.test(question) ? chineseClauses(question) : englishClauses(question.toLowerCase())
}

function englishClauses(question: string): readonly Clause[] {
  const clauses: Clause[] = []
  for (const sentence of question.split(/[.?!;\n]+/)) {
    const words = wordsOf(sentence)
    if (words.length < ENGLISH_FEWEST_WORDS || !words.some(word => ENGLISH_ASKING.has(word))) continue
    const holding = words.filter(word => ENGLISH_FUNCTION.has(word)).length
    if (holding / words.length < ENGLISH_FUNCTION_SHARE) continue
    for (const text of sentence.split(/,|\band\b/)) {
      const stems = new Set(wordsOf(text).map(stemOf))
      if (stems.size > 0) clauses.push({ stems, text })
    }
  }
  return clauses
}

function chineseClauses(question: string): readonly Clause[] {
  const clauses: Clause[] = []
  for (const sentence of question.split(/[。？！；?!;\n]+/)) {
    const letters = sentence.replace(/[^\u4e00-\u9fff]/g, '')
    if (letters.length < CHINESE_FEWEST_LETTERS || !CHINESE_ASKING.test(sentence)) continue
    const holding = letters.match(CHINESE_FUNCTION)?.length ?? 0
    if (holding / letters.length < CHINESE_FUNCTION_SHARE) continue
    for (const text of sentence.split(/[，、,]|以及|还有|和/)) {
      if (text !== '') clauses.push({ stems: NO_STEMS, text: text.toLowerCase() })
    }
  }
  return clauses
}

const NO_STEMS: ReadonlySet<string> = new Set()

function wordsOf(text: string): readonly string[] {
  return text.match(/[a-z0-9]+/g) ?? []
}

/** Singular and plural are one word. */
export function stemOf(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

/** What a text is about, without the words that only hold it together. */
export function contentStems(text: string): ReadonlySet<string> {
  const words = wordsOf(text.toLowerCase()).filter(word => !ENGLISH_FUNCTION.has(word))
  const signs = [...text.matchAll(/[\u4e00-\u9fff]{2}/g)].map(([pair]) => pair)
  return new Set([...words.map(stemOf), ...signs])
}
