import { everyMatch } from '../../logs/document/matches.js'
import { rememberedText } from '../../logs/document/remembered.js'
import { vocabularyTexts } from '../../text/vocabulary.js'
import type { Log, LogMetric, LogRun } from './log.js'
import { ALIKE, CURVES, GENERIC, HEADS, QUALIFIERS, SETTING_WORDS, SYNONYMS, WORDS } from './metric-words.js'
import { outermost } from './run-mentions.js'

/**
 * Where a text names metrics or settings. Words are features (reward, validation, entropy …), and so are the parts of a
 * logged name; a phrase of neighbouring words means the metrics that have all of its features and the fewest others.
 * Validation comes before training where the phrase does not say.
 */
export interface MetricMention {
  readonly from: number
  readonly to: number
  /** All that it may mean, the plainest first. */
  readonly ranked: readonly RankedMetric[]
  /** Settings of that name. */
  readonly settings: readonly LogMetric[]
  /** It says of what ("on the long set"), and not what was measured. */
  readonly isPlace: boolean
}

export interface RankedMetric {
  readonly metric: LogMetric
  readonly cost: number
}

const MOST_MEANT = 24

/** A metric that is known without a word for it. */
export const mentionOf = (metric: LogMetric): MetricMention => ({
  from: 0,
  to: 0,
  ranked: [{ metric, cost: 0 }],
  settings: [],
  isPlace: false,
})

/** Of what a phrase may mean, what these runs log: the best fitting ones, equals of each other, and less plain ones. */
export function meantBy({ ranked }: MetricMention, log: Log, runs: readonly LogRun[]) {
  const own = ranked.filter(
    ({ metric }) => runs.length === 0 || runs.some(run => log.seriesOf(run, metric.name) !== undefined),
  )
  const best = own[0]?.cost ?? 0
  // What is called by its own name is no other metric, but a score of validation may be one of training.
  const isOther = (cost: number): boolean =>
    cost - best >= 0.4 && (best < 0.9 ? cost - best > 3.5 && cost - best < 4.5 : cost - best < 9)
  return {
    metrics: own.filter(({ cost }) => cost - best < 0.4).map(({ metric }) => metric),
    others: own
      .filter(({ cost }) => isOther(cost))
      .map(({ metric }) => metric)
      .slice(0, 2),
  }
}

const UNTOLD = new Set(['mean', 'actor', 'critic', 'val', 'core', 'aux', 'eval', 'train', 'grpo', 'the', 'and'])
const tokensOf = rememberedText(
  (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[a-z]{2,}/g) ?? []),
)

/** How much of a metric's own name the words of a sentence say: "the ratio of the first minibatch". */
export function sharedWords(
  text: string,
  { name }: Pick<LogMetric, 'name'>,
): { readonly share: number; readonly count: number } {
  const own = [...tokensOf(name)].filter(word => !UNTOLD.has(word))
  const said = tokensOf(text)
  const count = own.filter(word => said.has(word) || said.has(`${word}s`)).length
  return { count, share: own.length === 0 ? 0 : count / own.length }
}

/** Whether two phrases mean the same, by the first two that they may mean. */
export function isSameMetric({ ranked: [a, b] }: MetricMention, { ranked: [c, d] }: MetricMention): boolean {
  return a?.metric === c?.metric && a?.cost === c?.cost && b?.metric === d?.metric && b?.cost === d?.cost
}

/** What two phrases mean together: "accuracy … on the long set". */
export function narrowed(a: MetricMention, b: MetricMention): MetricMention | null {
  if (a.isPlace === b.isPlace) return null
  const costs = new Map(b.ranked.map(({ metric, cost }) => [metric, cost]))
  const ranked = a.ranked
    .flatMap(({ metric, cost }) => {
      const other = costs.get(metric)
      return other === undefined ? [] : [{ metric, cost: Math.min(cost, other) + Math.abs(cost - other) / 100 }]
    })
    .sort((one, other) => one.cost - other.cost)
  return ranked.length === 0 ? null : { ...a, ranked, isPlace: false }
}

/** What a title or a header means: its first measure, on the set that it names. */
export function meaningOf(mentions: readonly MetricMention[]): MetricMention | null {
  const [first = null] = mentions
  const head = mentions.find(({ isPlace }) => !isPlace)
  const place = mentions.find(({ isPlace }) => isPlace)
  return head === undefined || place === undefined ? first : (narrowed(head, place) ?? first)
}

export interface MetricNames {
  readonly namedIn: (text: string) => readonly MetricMention[]
  /** A name that the report gives to a metric itself: "the proxy reward (`eval_reward`)". */
  readonly learn: (text: string) => void
  /** A name that the figures below it tell: what a column is called. */
  readonly call: (name: string, metric: LogMetric) => void
}

interface Featured {
  readonly metric: LogMetric
  readonly features: ReadonlySet<string>
  /** Those that its own name says. */
  readonly literal: ReadonlySet<string>
}

export function metricNames(log: Log): MetricNames {
  const own = ownWords(log)
  const table = [...own, ...WORDS]
  const scan = new RegExp(
    table.map(([, , pattern]) => `((?:(?<![A-Za-z])(?=[A-Za-z])|(?![A-Za-z]))(?:${pattern}))`).join('|'),
    'giu',
  )
  const featuresIn = (text: string) =>
    everyMatch(text, scan).map(match => {
      const at = match.findIndex((group, i) => i > 0 && group !== undefined) - 1
      const [feature = '', isHead = false] = table[at] ?? []
      return { from: match.index, to: match.index + match[0].length, feature, isHead, word: match[0] }
    })
  const feature = (metric: LogMetric, label: string): Featured => {
    const words = [metric.name.replace(/mean@\d+|\/mean$/g, ''), label].flatMap(text =>
      featuresIn(text.replace(/_(?=[a-z])/gi, text.includes('loss') || text.includes('grad') ? '_' : ' ')),
    )
    const raw = featuresIn(metric.name)
    const features = new Set([...words, ...raw].map(({ feature: name }) => name))
    if (metric.canonical?.startsWith('kl.ref') || metric.canonical === 'kl.ref') features.delete('loss')
    for (const [name, pattern] of QUALIFIERS)
      if (pattern.test(metric.name) || pattern.test(metric.canonical ?? '')) features.add(`:${name}`)
    features.delete(metric.isValidation ? 'train' : 'val')
    const literal = new Set(raw.map(({ feature: name }) => name))
    return { metric, literal, features: features.add(metric.isValidation ? 'val' : 'train') }
  }
  const metrics = [...log.metrics.values()].map(one => feature(one, metricLabel(one.canonical)))
  const settings = [...log.settings.values()].map(one =>
    feature(one, `${one.name.replace(/[._]/g, ' ')} ${SETTING_WORDS.get(one.canonical ?? '') ?? ''}`),
  )
  const heads = new Set([...HEADS, 'sets', ...own.filter(([, isHead]) => isHead).map(([name]) => name)])

  const saidIn = (isValidation: boolean): ReadonlySet<string> =>
    new Set(metrics.filter(one => one.metric.isValidation === isValidation).flatMap(({ literal }) => [...literal]))
  const [inTraining, inValidation] = [saidIn(false), saidIn(true)]
  /** "Score", where only training has a metric of that name. */
  const ofTraining = new Set(inValidation.size === 0 ? [] : [...inTraining].filter(one => !inValidation.has(one)))

  const meant = (phrase: ReadonlySet<string>): Omit<MetricMention, 'from' | 'to'> => {
    const ranked = metrics
      .flatMap(one => {
        const cost = costOf(phrase, one, heads, ofTraining)
        return cost === null ? [] : [{ cost, metric: one.metric }]
      })
      .sort((a, b) => a.cost - b.cost)
    const set = phrase.has('coef') || phrase.has('lr') || phrase.has('batch') || phrase.has('temperature')
    return {
      isPlace: ![...phrase].some(one => HEADS.has(one)),
      ranked: ranked.slice(0, MOST_MEANT),
      settings: set
        ? settings.filter(one => costOf(phrase, one, heads, ofTraining, true) !== null).map(({ metric }) => metric)
        : [],
    }
  }
  const remembered = new Map<string, Omit<MetricMention, 'from' | 'to'>>()
  /** What the report says that a phrase means. */
  const defined = new Map<string, LogMetric>()
  const called = new Map([...log.metrics].filter(([name]) => /[/_@.]/.test(name)))
  let spelt = spellings(called)
  const byName = (text: string): readonly MetricMention[] =>
    everyMatch(text, spelt).map(({ index: from, 0: name }) => {
      const metric = called.get(name) ?? called.get(name.toLowerCase())
      const ranked = metric === undefined ? [] : [{ metric, cost: 0 }]
      // "The proxy reward": which reward it is.
      return { from, to: from + name.length, ranked, settings: [], isPlace: !log.metrics.has(name) }
    })

  let namedIn = rememberedText(read)
  return {
    learn: text => {
      for (const { from, to, ranked } of byName(text)) {
        const head = text.slice(0, from)
        const [, one, two] = DENOTED.exec(head) ?? NICKNAMED.exec(head) ?? QUOTED.exec(head) ?? MEANT.exec(head) ?? []
        const before = one ?? two
        const [, behind] = CALLED.exec(text.slice(to)) ?? []
        const alias = (before ?? behind)?.trim().toLowerCase()
        const known = ranked[0]?.metric
        if (alias === undefined || known === undefined || alias.length < 2 || called.has(alias)) continue
        const words = outermost(featuresIn(alias))
        if (words.length === 0) spelt = spellings(called.set(alias, known))
        else defined.set(keyOfFeatures(words), known)
      }
    },
    call: (name, metric) => {
      const alias = name.toLowerCase()
      if (called.has(alias) || outermost(featuresIn(alias)).length > 0) return
      spelt = spellings(called.set(alias, metric))
      namedIn = rememberedText(read)
    },
    namedIn: text => namedIn(text),
  }

  function read(text: string): readonly MetricMention[] {
    const exact = byName(text)
    const words = outermost(featuresIn(text)).filter(
      one => !exact.some(({ from, to }) => one.from < to && from < one.to),
    )
    const found: MetricMention[] = [...exact]
    for (let i = 0; i < words.length; ) {
      let end = i + 1
      while (end < words.length && isOnePhrase(text, words[end - 1], words[end])) end += 1
      const phrase = words.slice(i, end)
      const features = new Set(phrase.map(({ feature: name }) => name))
      const trailing = /^[^,;。，；]{0,16}?(?:in training|on the training (?:set|batch)|during training)/i.test(
        text.slice(phrase.at(-1)?.to),
      )
      if (trailing) features.add('train')
      i = end
      const isNamed = phrase.some(({ feature: name }) => heads.has(name))
      const key = [...features].sort().join(' ')
      const known = remembered.get(key) ?? (isNamed ? meant(features) : null)
      if (known === null) continue
      remembered.set(key, known)
      const first = defined.get(keyOfFeatures(phrase))
      const made = first === undefined ? known : { ...known, ranked: firstOf(known.ranked, first) }
      if (made.ranked.length + made.settings.length > 0)
        found.push({ from: phrase[0]?.from ?? 0, to: phrase.at(-1)?.to ?? 0, ...made })
    }
    return found.sort((a, b) => a.from - b.from)
  }
}

const keyOfFeatures = (words: readonly FeatureWord[]): string =>
  [...new Set(words.map(({ feature }) => feature))].sort().join(' ')

/** What the report defines comes first, and by far. */
const firstOf = (ranked: readonly RankedMetric[], metric: LogMetric): readonly RankedMetric[] => [
  { metric, cost: 0 },
  ...ranked.filter(one => one.metric !== metric).map(one => ({ ...one, cost: one.cost + 3 })),
]

/** "*Proxy* denotes the reward that is optimised (`eval_reward`)", "代理奖励（`eval_reward`）", "（`eval_reward`）记为代理奖励". */
const DENOTED =
  /(?:(?<![A-Za-z-])([A-Za-z-]{3,24}) (?:denotes|means|stands for|refers to)|(?:^\s*|[.;,:：；。]\s?|and )["“”'*_]{0,2}([A-Za-z][A-Za-z -]{1,22})["“”'*_]{0,2} (?:is|are|=)) (?:[^.;()（）]{0,80}[(（]\s?)?$/
const NICKNAMED =
  /([A-Za-z]{2,12}\s?[\p{Script=Han}]{1,4}|[\p{Script=Han}]{2,6}|(?<![A-Za-z])[A-Za-z-]{3,24}(?: [a-z]{3,16})?)["”」』*_]{0,2}\s?[(（]\s?$/u
/** "'Proxy' is eval_reward", "“真实分”是 eval_rewards/gold/mean". */
const QUOTED =
  /["“”「*'‘]([A-Za-z\p{Script=Han}][A-Za-z \p{Script=Han}-]{1,15})["”“」*'’]{1,2}\s?(?:是|为|指|即|=|:|：|is|means)\s?[`*]{0,2}$/u
/** "得分即训练侧的 critic/score/mean,漂移指精确 KL(kl.ref.exact)" */
const MEANT = /(?:^|[\s,，;；。:：、])(\p{Script=Han}{2,4}?)(?:即|指的?是?|表示|定义为)[^。;；,，]{0,16}$/u
const CALLED = /^\s?[)）]\s?(?:记?为|称为|记作)\s?([\p{Script=Han}]{2,6})/u

function spellings(names: ReadonlyMap<string, LogMetric>): RegExp {
  const sorted = [...names.keys()].toSorted((a, b) => b.length - a.length)
  const any = sorted.map(name => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  return new RegExp(any === '' ? '(?!)' : `(?<![\\w/@])(?:${any})(?![\\w/@])`, 'gi')
}

/** What klens calls a metric in English: words that a report may use for it. */
function metricLabel(canonical: string | null): string {
  const texts: { readonly [key: string]: { readonly en: string } | undefined } = vocabularyTexts
  return texts[`metric.${canonical ?? ''}`]?.en ?? ''
}

const GLUE = /^(?:[\s_\-/的]*|'s |\s(?:of|on|in|for|the|to the)\s(?:the )?)$/i

interface FeatureWord {
  readonly from: number
  readonly to: number
  readonly feature: string
  readonly isHead: boolean
}

/** "validation exact match", "accuracy on long lists"; two heads make two metrics unless one tells the other. */
function isOnePhrase(text: string, a: FeatureWord | undefined, b: FeatureWord | undefined): boolean {
  if (a === undefined || b === undefined || !GLUE.test(text.slice(a.to, b.from))) return false
  // "Exact-match score": two heads side by side are one name.
  return !(a.isHead && b.isHead) || /^(?:[ _-]?|'s )$/.test(text.slice(a.to, b.from))
}

function costOf(
  phrase: ReadonlySet<string>,
  { metric, features, literal }: Featured,
  heads: ReadonlySet<string>,
  ofTraining: ReadonlySet<string>,
  isSetting = false,
): number | null {
  let cost = 0
  for (const feature of phrase) {
    if (
      features.has(feature) ||
      (feature === 'sets' && features.has(':sets')) ||
      (isSetting && (feature === 'val' || feature === 'train'))
    )
      continue
    const alike = ALIKE.get(feature)?.findIndex(other => features.has(other)) ?? -1
    if (alike < 0) return null
    cost += 1 + alike
  }
  const asked = [...phrase].filter(feature => heads.has(feature))
  // Scores are reported from validation, curves of the training from training.
  const isCurve = asked.length > 0 && asked.every(feature => CURVES.has(feature))
  for (const feature of features) {
    if (phrase.has(feature)) continue
    if (feature === ':sets') cost += phrase.has('sets') ? 0 : SETS
    else if (feature.startsWith(':')) cost += feature === ':truth' ? 6 : 3
    else if (feature === 'coef') return null
    else if (feature === 'train' && !phrase.has('val'))
      cost += isCurve ? 0 : asked.some(one => ofTraining.has(one) && literal.has(one)) ? 0.7 : 4
    else if (feature === 'val' && isCurve) cost += 2
    else if (heads.has(feature) && !asked.some(one => ALIKE.get(one)?.includes(feature)))
      cost += HEADS.has(feature) ? 1 : OWN_COST
  }
  // A reward that is one of several sums or parts is less plain than one by its own name.
  return cost + (metric.canonical === null ? 0.5 : 0) + metric.name.length / 1000
}

/** Their mean, where one of the sets may be meant. */
const SETS = 0.45
/** A set or a part that the phrase does not ask for: another metric, but only just. */
const OWN_COST = 0.41

/** Words that only some of the logged names have: a data set, a part of the reward, a number of shots. */
function ownWords(log: Log): (readonly [feature: string, isHead: boolean, pattern: string])[] {
  const words = new Set<string>()
  for (const { name } of log.metrics.values()) {
    const shots = /shots?(?:_?num)?[ _=-]{0,2}(\d{1,3})|(\d{1,3})[-_ ]?shots?/i.exec(name)
    if (shots !== null) words.add(`shot ${shots[1] ?? shots[2]}`)
    for (const word of name.toLowerCase().match(/[a-z]{3,}/g) ?? [])
      if (!GENERIC.test(word) && shots === null) words.add(word)
  }
  const all = [...log.metrics.keys()].map(name => name.toLowerCase())
  const validated = [...log.metrics.values()]
    .filter(({ isValidation }) => isValidation)
    .map(({ name }) => name.toLowerCase())
  const tells = (word: string): boolean =>
    all.filter(name => name.includes(word)).length <= all.length / 3 &&
    !(validated.length > 0 && validated.every(name => name.includes(word)))
  return [...words]
    .filter(word => word.startsWith('shot ') || tells(word))
    .map(word => {
      const [, shots] = /^shot (\d+)$/.exec(word) ?? []
      const pattern =
        shots === undefined
          ? `(?<![a-z]|as )${word}(?![a-z-]| (?:as|of|enough|run)(?![a-z]))${SYNONYMS.get(word) ?? ''}`
          : String.raw`(?<![\d.])${shots}[- ]?shots?|shots?(?:_?num)?[ _=-]{0,2}${shots}(?!\d)`
      return [word, true, pattern] as const
    })
}
