import { KINDS } from '../own/kinds.js'
import type { IntentionDetail } from '../task.js'

/** Which details a question asks for: by the meaning units of klens's own details, by shared words for anybody else's. */

/** The most things that are answered at once. */
export const MOST_AT_ONCE = 3

/** Positions in `details`, in the order in which the question asks for them; each clause asks for one thing. */
export function askedFor(question: string, details: readonly IntentionDetail[]): readonly number[] {
  const asked: number[] = []
  for (const clause of clausesOf(question)) {
    let best = -1
    let bestFit = 0
    for (let i = 0; i < details.length; i += 1) {
      const fit = fitOf(details[i], clause)
      if (fit > bestFit && !asked.includes(i)) {
        best = i
        bestFit = fit
      }
    }
    if (best >= 0) asked.push(best)
    if (asked.length === MOST_AT_ONCE) break
  }
  return asked
}

/** How well a clause fits; 0: not at all. The more words had to be there, the better. */
type Fit = (clause: Clause) => number

const fits = new Map<string, Fit>()

function fitOf(detail: IntentionDetail, clause: Clause): number {
  const key = detail.kind ?? `${detail.description}\n${detail.inquiry}`
  let measure = fits.get(key)
  if (measure === undefined) {
    measure = detail.kind !== undefined && KINDS.has(detail.kind) ? fitOfKind(detail.kind) : fitOfWords(detail)
    fits.set(key, measure)
  }
  return measure(clause)
}

function fitOfKind(kind: string): Fit {
  const { en, zh } = KINDS.get(kind) ?? { en: { units: '' }, zh: { units: '' } }
  const alternatives = (units: string): readonly (readonly string[])[] => units.split('|').map(each => each.split(' '))
  const english = alternatives(en.units).map(words => words.map(stemOf))
  const chinese = alternatives(zh.units)
  return ({ stems, text }) => {
    let most = 0
    if (stems.size > 0) {
      for (const words of english) if (words.length > most && words.every(word => stems.has(word))) most = words.length
    } else {
      for (const parts of chinese)
        if (parts.length > most && parts.every(part => text.includes(part))) most = parts.length
    }
    return most
  }
}

/** So many of a clause's own words must be among those of the detail, and this share of them. */
const FEWEST_SHARED = 2
const SMALLEST_SHARE = 0.5

function fitOfWords({ description, inquiry }: IntentionDetail): Fit {
  const known = contentStems(`${description} ${inquiry}`)
  const fewest = Math.min(FEWEST_SHARED, known.size)
  return ({ text }) => {
    const words = contentStems(text)
    let shared = 0
    for (const word of words) if (known.has(word)) shared += 1
    return shared >= fewest && shared / words.size >= SMALLEST_SHARE ? shared : 0
  }
}

/**
 * A question as the embedded user hears it: whole sentences that ask, in clauses. What is no sentence, such as a list of
 * words, is not heard; so each clause has to say what it wants.
 */
interface Clause {
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

function clausesOf(question: string): readonly Clause[] {
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
function stemOf(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

/** What a text is about, without the words that only hold it together. */
function contentStems(text: string): ReadonlySet<string> {
  const words = wordsOf(text.toLowerCase()).filter(word => !ENGLISH_FUNCTION.has(word))
  const signs = [...text.matchAll(/[\u4e00-\u9fff]{2}/g)].map(([pair]) => pair)
  return new Set([...words.map(stemOf), ...signs])
}
