import { KINDS } from '../own/kinds.js'
import type { IntentionDetail } from '../task.js'
import { type Clause, clausesOf, contentStems, stemOf } from './clauses.js'

/** Which details a question asks for: by the meaning units of klens's own details, by shared words for anybody else's. */

/** Nobody answers more than so many things at once. */
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
