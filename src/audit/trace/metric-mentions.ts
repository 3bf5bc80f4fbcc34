import { everyMatch } from '../../logs/document/matches.js'
import { rememberedText } from '../../logs/document/remembered.js'
import { vocabularyTexts } from '../../text/vocabulary.js'
import type { Log, LogMetric, LogRun } from './log.js'
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

/** A head says what is measured, a modifier of what kind. */
// biome-ignore format: a table is read by its lines
const WORDS: readonly (readonly [feature: string, isHead: boolean, pattern: string])[] = [
  ['val', false, 'val(?:idation)?(?![a-z])|eval(?:uation)?s?(?![a-z])|held[- ]out|dev set|验证集?|评测|评估'],
  ['train', false, 'train(?:ing)?(?![a-z])|训练(?!结束|步|完)'],
  ['exact', true, 'exact(?![a-z])(?:[- ](?:match(?:es)?|accuracy))?|精确(?:率|匹配|度)?|完全匹配率?'],
  ['accuracy', true, 'accurac(?:y|ies)|acc(?![a-z])|准确率|正确率'],
  ['model', true, String.raw`reward[-_ ]models?(?:\s?(?:得分|分数?|scores?))?|(?<![A-Za-z])RM(?![A-Za-z-])(?:\s?(?:得分|分数?|scores?))?|奖励模型(?:得分|分数?)?|打分器(?:的?(?:得分|分数?))?`],
  ['reward', true, 'rewards?(?![- ]models?)|(?<=ep_)rew(?![a-z])|奖励(?!模型)|回报'],
  ['score', true, String.raw`score(?!s)|scores(?! (?:only |just )?\d)|得分|分数|打分`],
  ['gradnorm', true, 'grad(?:ient)?[ _]norms?|梯度范数'],
  ['entropy', true, '(?:policy )?entrop(?:y|ies)|策略熵|熵'],
  ['zerostd', true, '(?:zero[- ](?:variance|std)|degenerate)(?: groups?)?|frac_reward_zero_std|零方差组?(?:的?(?:比例|占比))?|groups? without (?:any )?(?:reward )?variance|tied groups?|zero[-_ ]std(?:\\s?(?:占比|比例))?|组内(?: ?reward|奖励)?全?相同'],
  ['clip', true, 'clip(?:ped|ping)?[ _]?(?:frac(?:tion)?|ratio)|clipfrac|裁剪比例'],
  ['cut', true, String.raw`(?:completions|response_length)\/clip(?:ped)?_ratio|(?:completions?|responses?|outputs?) (?:(?:were|are|got|get) )?(?:clipped|truncated|cut off)|(?:clipped|truncated) (?:completions?|responses?|outputs?)|截断(?:率|比例)`],
  ['coef', true, 'coef(?:f|ficients?)?(?![a-z])|系数'],
  ['kl', true, String.raw`KL(?![a-z=\d]|_(?:beta|coef)| (?:penalt|term|regulari))(?: (?:divergence|loss|to the reference)|\s?散度|\s?值)?|kl_loss(?![a-z_])|kl divergence`],
  ['time', true, String.raw`step[ _]time|timing_s\/step|time per step|a step took|每步(?:耗时|时间|用时)|单步(?:耗时|时间)`],
  ['elapsed', true, 'elapsed|wall[- ](?:clock )?time|(?:训练)?(?:总)?(?:用时|时长|耗时)'],
  ['lr', true, 'learning[ _]rate|(?<![a-z])lr(?![a-z-])|学习率'],
  ['length', true, '(?:response|completion|output|answer|episode)?[ _]?lengths?(?![a-z])|(?<=ep_)len(?![a-z])|completions?(?= (?:of|average))|(?:completions?|responses?|answers?|outputs?)(?=[^;]{0,60}\\d ?tokens)|(?:回复|响应|输出|生成|回答|回合)?长度(?!奖励)'],
  ['tokens', true, String.raw`num_tokens|tokens? seen|seen(?= (?:[\d,.]+ ?[kM]? )?tokens)|token 总数|累计 token`],
  ['advstd', true, 'adv(?:antage)?[ _]std|优势标准差'],
  ['advmax', true, 'adv(?:antage)?[ _]max|优势最大值'],
  ['loss', true, 'loss(?:es)?(?![a-z])|损失'],
  ['batch', true, '(?:train )?batch[ _]?size|批大小'],
  ['temperature', true, 'temperature|温度'],
  ['ppo', false, String.raw`ppo(?![a-z_])|policy(?= loss)|pg(?=_loss)|策略(?=\s?(?:损失|loss))`],
]
const HEADS: ReadonlySet<string> = new Set(WORDS.filter(([, isHead]) => isHead).map(([feature]) => feature))
/** What makes a metric another one than its head says. */
const QUALIFIERS: readonly (readonly [string, RegExp])[] = [
  ['max', /(?:^|[^a-z])max(?![a-z])/],
  ['min', /(?:^|[^a-z])min(?![a-z])/],
  ['std', /(?:^|[^a-z])std(?![a-z])/],
  ['start', /first_minibatch|start$/],
  ['old', /ppo_kl|kl\.old/],
  ['truth', /^truth\//],
  ['terminated', /terminated/],
  ['clipped', /clip/],
]
/** What people call alike; the second is the plainer name of the first. */
const ALIKE: ReadonlyMap<string, readonly string[]> = new Map([
  ['accuracy', ['exact', 'score']],
  ['exact', ['accuracy']],
  ['score', ['reward', 'accuracy']],
  ['reward', ['score']],
])

export interface MetricNames {
  readonly namedIn: (text: string) => readonly MetricMention[]
  /** A name that the report gives to a metric itself: "the proxy reward (`eval_reward`)". */
  readonly learn: (text: string) => void
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
  const heads = new Set([...HEADS, ...own.filter(([, isHead]) => isHead).map(([name]) => name)])

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
  const called = new Map([...log.metrics].filter(([name]) => /[/_@]/.test(name)))
  let spelt = spellings(called)
  const byName = (text: string): readonly MetricMention[] =>
    everyMatch(text, spelt).map(({ index: from, 0: name }) => {
      const metric = called.get(name) ?? called.get(name.toLowerCase())
      const ranked = metric === undefined ? [] : [{ metric, cost: 0 }]
      // "The proxy reward": which reward it is.
      return { from, to: from + name.length, ranked, settings: [], isPlace: !log.metrics.has(name) }
    })

  return {
    learn: text => {
      for (const { from, to, ranked } of byName(text)) {
        const head = text.slice(0, from)
        const [, before] = DENOTED.exec(head) ?? NICKNAMED.exec(head) ?? QUOTED.exec(head) ?? []
        const [, behind] = CALLED.exec(text.slice(to)) ?? []
        const alias = (before ?? behind)?.trim().toLowerCase()
        const known = ranked[0]?.metric
        if (alias === undefined || known === undefined || alias.length < 2 || called.has(alias)) continue
        // What means this metric already needs no other name.
        if (outermost(featuresIn(alias)).some(({ from: at, to: end }) => end - at === alias.length)) continue
        spelt = spellings(called.set(alias, known))
      }
    },
    namedIn: rememberedText(text => {
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
        const made = remembered.get(key) ?? (isNamed ? meant(features) : null)
        if (made === null) continue
        remembered.set(key, made)
        if (made.ranked.length + made.settings.length > 0)
          found.push({ from: phrase[0]?.from ?? 0, to: phrase.at(-1)?.to ?? 0, ...made })
      }
      return found.sort((a, b) => a.from - b.from)
    }),
  }
}

/** "*Proxy* denotes the reward that is optimised (`eval_reward`)", "代理奖励（`eval_reward`）", "（`eval_reward`）记为代理奖励". */
const DENOTED = /([A-Za-z-]{3,24}) (?:denotes|means|stands for|refers to) [^.;()（）]{0,80}[(（]\s?$/
const NICKNAMED =
  /([A-Za-z]{2,12}\s?[\p{Script=Han}]{1,4}|[\p{Script=Han}]{2,6}|(?<![A-Za-z])[A-Za-z-]{3,24}(?: [a-z]{3,16})?)["”」』*_]{0,2}\s?[(（]\s?$/u
/** "'Proxy' is eval_reward", "“真实分”是 eval_rewards/gold/mean". */
const QUOTED =
  /["“”「*'‘]([A-Za-z\p{Script=Han}][A-Za-z \p{Script=Han}-]{1,15})["”“」*'’]{1,2}\s?(?:是|为|指|即|=|:|：|is|means)\s?[`*]{0,2}$/u
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
    if (features.has(feature) || (isSetting && (feature === 'val' || feature === 'train'))) continue
    const alike = ALIKE.get(feature)?.findIndex(other => features.has(other)) ?? -1
    if (alike < 0) return null
    cost += 1 + alike
  }
  const asked = [...phrase].filter(feature => heads.has(feature))
  // Scores are reported from validation, curves of the training from training.
  const isCurve = asked.length > 0 && asked.every(feature => CURVES.has(feature))
  for (const feature of features) {
    if (phrase.has(feature)) continue
    if (feature.startsWith(':')) cost += feature === ':truth' ? 6 : 3
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

/** A set or a part that the phrase does not ask for: another metric, but only just. */
const OWN_COST = 0.41

const CURVES: ReadonlySet<string> = new Set([
  'gradnorm',
  'entropy',
  'zerostd',
  'clip',
  'cut',
  'kl',
  'time',
  'length',
  'tokens',
  'advstd',
  'advmax',
  'lr',
])

const SETTING_WORDS: ReadonlyMap<string, string> = new Map([
  ['kl.loss.coef', 'KL coefficient'],
  ['kl.reward.coef', 'KL coefficient'],
  ['entropy.coef', 'entropy coefficient'],
  ['lr', 'learning rate'],
])

const GENERIC =
  /^(?:val|core|aux|eval|train|rew|len|mean|max|min|std|actor|critic|grpo|data|timing|step|reward|rewards|score|acc|accuracy|exact|loss|kl|entropy|grad|norm|lr|num|the|of|and|model|frac|zero|clip|ratio|response|completions?|length|sort|interact|perf|tools?|call|frequency|failure|runtime|epoch|advantages?|pg|ppo|region|low|high|first|minibatch|beta|adv|truth|coef|learning|rate|tokens|total|value|policy|elapsed|rollouts?)$/

/** What sets of data are called in Chinese. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['gold', '|真实(?:的?(?:得分|分数?|奖励|reward))|true (?:reward|score)s?'],
  ['short', '|短'],
  ['medium', '|中等|中(?=序列|长|集)'],
  ['long', '|长(?=序列|集|列表|题)'],
  ['easy', '|简单'],
  ['hard', '|困难'],
])

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
