/**
 * Texts as an offline judge hears them: the stems of their words, and of Chinese its pairs of letters. It knows words, not
 * meaning; how far that goes is measured on probes (`probes.ts`), never assumed.
 */

const FUNCTION_WORDS = new Set(
  'the a an it its this that these those there they them their he she his her him you your we our us i me my of in on at by to for from with about and or if any some be been being is are am was were do does did can could would will should shall may might must have has had got get what which how who whom whose when where why as so than then also too very just one thing something somebody did really ever'.split(
    ' ',
  ),
)
const NEGATIONS = new Set(['not', 'no', 'never', 'nothing', 'nobody', 'without', 'cannot', 'neither'])
const CHINESE = /[\u4e00-\u9fff]/
const CHINESE_NEGATION = /不|没|無|无|非|未/
const CHINESE_FUNCTION = /[的是吗呢了在他她它们我你您一个这那有会能很都也就和与被把]/g

export interface HeardText {
  readonly stems: ReadonlySet<string>
  /** Lower case, for Chinese. */
  readonly text: string
  readonly isNegated: boolean
}

export function hear(text: string): HeardText {
  const lower = text.toLowerCase().replaceAll('n’t', 'n not').replaceAll("n't", ' not')
  const words = lower.match(/[a-z0-9]+/g) ?? []
  const stems = new Set(words.filter(word => !FUNCTION_WORDS.has(word) && !NEGATIONS.has(word)).map(stemOf))
  const isChinese = CHINESE.test(lower)
  if (isChinese) {
    const letters = lower.replace(CHINESE_FUNCTION, '').replace(/[^\u4e00-\u9fff]/g, '')
    for (let i = 0; i + 1 < letters.length; i += 1) stems.add(letters.slice(i, i + 2))
  }
  return {
    stems,
    text: lower,
    isNegated: isChinese ? CHINESE_NEGATION.test(lower) : words.some(word => NEGATIONS.has(word)),
  }
}

/** Share of the words of `of` that stand in `within`. */
export function sharedPart(of: HeardText, within: HeardText): number {
  if (of.stems.size === 0) return 0
  let shared = 0
  for (const stem of of.stems) if (within.stems.has(stem)) shared += 1
  return shared / of.stems.size
}

/** Whether all words of one of the alternatives (`a b|c`) are there; how many they were, 0 where none fits. */
export function unitsHeard(units: readonly (readonly string[])[], { stems, text }: HeardText): number {
  const isChinese = CHINESE.test(text)
  let most = 0
  for (const words of units) {
    const fits = words.every(word => (CHINESE.test(word) ? isChinese && text.includes(word) : stems.has(word)))
    if (fits && words.length > most) most = words.length
  }
  return most
}

/** `a b|c` as alternatives of stems. */
export function unitsOf(text: string): readonly (readonly string[])[] {
  return text.split('|').map(each =>
    each
      .split(' ')
      .filter(word => !FUNCTION_WORDS.has(word))
      .map(stemOf),
  )
}

/** Endings of plurals and of verbs; crude on purpose. */
export function stemOf(word: string): string {
  if (CHINESE.test(word)) return word
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  for (const ending of ['ing', 'ed']) {
    if (word.length > ending.length + 3 && word.endsWith(ending)) {
      const stem = word.slice(0, -ending.length)
      return stem.at(-1) === stem.at(-2) && !/[ls]$/.test(stem) ? stem.slice(0, -1) : stem.replace(/e$/, '')
    }
  }
  const singular = word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
  return singular.length > 3 ? singular.replace(/e$/, '') : singular
}
