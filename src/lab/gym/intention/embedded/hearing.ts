/**
 * A question as the embedded user hears it: whole sentences that ask. What is no sentence, such as a list of words, is not
 * heard, nor is talk: statements, greetings, offers, and questions that only want a nod.
 */
interface Heard {
  readonly text: string
}

/** What is longer is cut: a user does not listen so long. */
const MOST_SIGNS = 600

export function isChinese(text: string): boolean {
  return /[\u4e00-\u9fff]/.test(text)
}

const WH = 'what|which|how|who|whom|whose|when|where|why'
const VERBS = 'is|are|am|was|were|do|does|did|can|could|would|will|should|shall|may|might|must|have|has'
const ASKING = new RegExp(`\\b(?:${WH}|${VERBS}|tell|let|want|know|any|or|if)\\b`)
const TELL = new RegExp(`\\b(?:${WH}|tell me|let me know|specify|describe|share)\\b`)

const FUNCTION = new Set(
  `${WH}|${VERBS}`
    .split('|')
    .concat(
      'tell let want know the a an it its this that these those there they them their he she his her you your we our us i me my of in on at by to for from with about and or if any some be been being get got go much many long as so not no yes more else please also too like than then'.split(
        ' ',
      ),
    ),
)

/** Of the words of a sentence at least so many only hold it together; of a choice between two fewer. */
const FUNCTION_SHARE = 0.22
const CHOICE_SHARE = 0.15
/** A choice that is not a whole sentence names so few things. */
const CHOICE_WORDS = 8

/** What only wants a nod, offers help, or asks for anything whatever. */
const TALK = new RegExp(
  [
    String.raw`,\s*(?:\w+n['’]t|is|are|do|does|can|will|has|have) (?:it|they|he|she|you|we|that|there)\b[^,?]*\?`,
    String.raw`\b(?:is|are|do|does)n['’]t (?:it|that|they|you (?:think|agree))\s*\?`,
    '^(?:when |why )?did you (?!ever|already|try|have)',
    String.raw`\b(?:right|okay|ok|correct|agreed|you know|you see)\s*\?`,
    String.raw`\bis (?:that|this) (?:right|correct|ok|okay|fine)\b|\bis (?:that|this) (?:all|it)\s*[.?]|\bis that all\b`,
    String.raw`\banything else\b`,
    String.raw`\b(?:tell me|say) (?:a (?:bit|little) )?more\s*[.?]`,
    String.raw`\bare you (?:ready|sure|there|okay)\s*[.?]`,
    String.raw`\bready to (?:begin|start|go)\b`,
    String.raw`\bdo you (?:understand|know|see|agree)(?: (?:me|what i mean|that))?\s*\?`,
    String.raw`\bwhat i mean\b`,
    String.raw`\bhow (?:are|do) you (?:today|doing|do|feel|feeling)?\s*(?:today)?\s*\?`,
    String.raw`\b(?:shall|should|can|could|may) (?:i|we) (?:now |just |first |perhaps )?(?:begin|start|proceed|continue|go (?:on|ahead)|move on|help|assist|explain|show|summari[sz]e)\b`,
    String.raw`\b(?:want|like|need) me to\b`,
    String.raw`\bis it (?:all right|ok|okay|fine) if i\b`,
    String.raw`\bget started\b`,
    String.raw`\bdoes (?:that|this) (?:sound|make|help|work)\b`,
  ].join('|'),
)

export function englishSentences(question: string): readonly Heard[] {
  const text = question
    .slice(0, MOST_SIGNS)
    .toLowerCase()
    .replace(/\b(?:e\.g|i\.e)\.?,?/g, ' ')
  return (text.match(/[^.?!;\n]+(?:[.](?=\S)[^.?!;\n]*)*[.?!;\n]*/g) ?? []).flatMap(part => {
    const sentence = part.trim()
    return isHeard(sentence) ? [{ text: sentence }] : []
  })
}

function isHeard(sentence: string): boolean {
  const words: readonly string[] = sentence.match(/[a-z0-9]+/g) ?? []
  if (words.length < 2 || !ASKING.test(sentence) || TALK.test(sentence)) return false
  if (!sentence.endsWith('?') && !TELL.test(sentence)) return false
  const holding = words.filter(word => FUNCTION.has(word)).length / words.length
  const isChoice = words.includes('or') && words.length <= CHOICE_WORDS
  return holding >= (isChoice ? CHOICE_SHARE : FUNCTION_SHARE)
}

const NEXT = /,?\s+(?:and|but)\s+|,\s+(?=(?:what|which|how|who|when|where|why)\b)/
const LISTED = /,?\s+(?:and|but)\s+|,\s+/

/** Parts that may ask for something each; what "or" joins belongs together. */
export function piecesOf(sentence: string): readonly string[] {
  return sentence.split(/\bor\b/.test(sentence) ? NEXT : LISTED).filter(piece => /[a-z]{2}/.test(piece))
}
