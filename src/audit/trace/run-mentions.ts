import { everyMatch } from '../../logs/document/matches.js'
import { rememberedText } from '../../logs/document/remembered.js'
import type { Log, LogRun } from './log.js'

/**
 * Where a text names runs: by name, by the name of their group, by a setting ("β = 0.3", "without KL"), by a seed. A mention
 * of several runs is a group; a seed narrows the group that is named before it.
 */
export interface RunMention {
  readonly from: number
  readonly to: number
  readonly runs: readonly LogRun[]
  /** `it`, `其`, "the former": which run is meant stands before. */
  readonly refers: 'one' | 'both' | 'former' | 'latter' | null
  /** Told by words that may mean other runs ("without the penalty", "at 0.1"): enough to trace by, not to accuse. */
  readonly isLoose?: true
}

export interface SeedMention {
  readonly from: number
  readonly to: number
  readonly seed: number
}

export interface RunNames {
  readonly namedIn: (text: string) => readonly RunMention[]
  readonly seedsIn: (text: string) => readonly SeedMention[]
  /** A label all of whose words are in the name of one group alone: "A2C std" is `A2C_MLP_std_2Mio`. */
  readonly alikeIn: (label: string) => readonly RunMention[]
  /** A name that the report gives to runs itself: "kl-0.0 (baseline)". */
  readonly learn: (text: string) => void
}

/** Words that bring in another run than the one named before them. */
export const OTHER_RUN =
  /(?<![a-z])(?:while|whereas|against|versus|compared|others?|another|instead|rest|remaining|counterpart|sibling|twin|sister|baseline|control|(?:un)?penali[sz]ed)(?![a-z])|而|另|其余|其他|一组|对照|基线|\p{L}\s?=\s?\d/iu

const NAME = /[A-Za-z_][\w.\-/=@+]*/g
const NUMBER = String.raw`\d+(?:\.\d+)?(?:[eE]-?\d+)?`
/** A setting that runs are told apart by, with its value. */
const KNOB = new RegExp(
  String.raw`(kl(?:[_ ]?(?:beta|coef\w*|loss[_ ]coef\w*|penalty)|\s?系数)?|beta|β|λ|lambda|(?<![\p{L}_])coef(?:f|ficients?)?|系数|(?<![\p{L}_])lr|learning[_ ]rate|学习率)\s?(?:=|:|of|为|取|-)?\s?(${NUMBER})(?![\d%]|\.\d)`,
  'giu',
)
const WITHOUT_KL =
  /(?<![a-z])(?:without (?:a |any |the )?kl(?: (?:penalty|loss|term))?|no[- ]kl|kl[- ]free)(?![a-z-])|(?:不加|无|没有|去掉)\s?KL(?:\s?(?:正则|惩罚|约束|loss))?/giu
const WITH_KL =
  /(?<![a-z])(?:run )?with (?:the )?kl(?: (?:penalty|loss|term))?(?![a-z-])|(?<!不)(?:加了?|带|使用)\s?KL(?:\s?(?:正则|惩罚|约束|loss))?/giu
/** What follows a setting's value: "coefficients 0, 0.1 and 1.0". */
const NEXT_VALUE = new RegExp(
  String.raw`^\s?(?:,|、|and|, and|和|与|or)\s?(${NUMBER})(?![\d%]|\.\d|\s?(?:%|steps?|seeds?|个|步))`,
  'u',
)
const LOOSE_KNOB = new RegExp(
  String.raw`(?<![a-z])(?:with|at|for|under|using) (?:a |the )?(?:coefficient|penalty)(?: weight)? (?:of |= ?)?(${NUMBER})(?![\d%]|\.\d)|(?<=\d(?:\s?%)? )at (${NUMBER})(?![\d%]|\.\d)`,
  'giu',
)
/** "0.1 组", "the 0.3 runs": a value that runs are told apart by, and a word for a group. */
const VALUE_OF_GROUP = new RegExp(
  String.raw`(?<![\d.\p{L}=-])(${NUMBER})(?=\s?(?:的?那?[一两几]?组|这?[一两]?档|(?:的)?那[个条次]|\s(?:runs?|arms?|rows?|settings?|groups?|column)(?![a-z])))`,
  'giu',
)
/** "0.01 和 0.1 分别", "between 0.3 and 1.0", "0.1 vs 0.3". */
const BARE_VALUE = new RegExp(
  String.raw`(?<![\d.\p{L}=%-]|\p{L} ?= ?|(?:of|is|to|was|为|是|取|[:：])\s?)(${NUMBER})(?![\d%]|\.\d|\s?(?:%|个?百分点|点|步|steps?|epochs?|seeds?|个|倍|times|tokens?|points?|次|nats?))`,
  'giu',
)
const LOOSE_WITHOUT =
  /(?<![a-z])(?:without (?:a |any |the )?penalty|no penalty|unpenali[sz]ed)(?![a-z-])|(?:不加|无|没有)惩罚/giu
const SEEDS =
  /(?<![A-Za-z])(?:seeds?|s)[ _#=-]?(\d{1,4}(?:\s?(?:,|、|and|和|与|及|&|\/)\s?(?:and )?\d{1,4}(?!\d|\.\d|%))*)(?!\d|\.\d|%|\w)|种子\s?(\d{1,4}(?:\s?(?:、|和|与|,)\s?\d{1,4}(?!\d|\.\d|%))*)(?!\d|\.\d|%)/giu
const REFERS =
  /(?<![A-Za-z])(?:(its?|this run|that run|the same run)|(both(?: runs)?|they|their|the two(?: runs)?)|(the former)|(the latter))(?![A-Za-z])|(该\s?run|该组|该实验|该次训练|它(?!们)|(?<![\p{Script=Han}])其(?![他它余中实])|(?<=[,;。:(])其(?![他它余中实])|此\s?run|同一个?\s?run)|(两者|二者|它们|两个\s?run|两组)|(前者)|(后者)/giu
const TITLES =
  /[(（](baseline|control|reference|基线|对照组?|基准)[)）]|(?:(baseline|control|基线|对照组?)\s?[(（:：])/giu

/** Of one sentence: who lists more is hostile, and each is compared with all others. */
const MOST_SEEDS = 64

export function runNames(log: Log): RunNames {
  const byName = new Map<string, readonly LogRun[]>()
  const exact = new Set<string>()
  for (const [group, runs] of log.groups) byName.set(group.toLowerCase(), runs)
  for (const run of log.runs) byName.set(run.name.toLowerCase(), [run])
  // A run that is called as a metric is (`kl`) is meant only in its own letters.
  for (const name of [...log.runs.map(({ name }) => name), ...log.groups.keys()])
    if (/^(?:kl|reward|entropy|loss|score|lr)$/i.test(name)) exact.add(name.toLowerCase())
  const spaced = new Map(
    [...byName]
      .filter(([name]) => /^[a-z]{2,}(?:[-_][a-z]{2,})+$/.test(name))
      .map(([name, runs]) => [name.replace(/[-_]/g, ' '), runs]),
  )
  const phrases = new RegExp(
    spaced.size === 0
      ? '(?!)'
      : `(?<![a-z-])(?:${[...spaced.keys()].toSorted((a, b) => b.length - a.length).join('|')})(?![a-z-])`,
    'gi',
  )
  for (const [name, runs] of shortNames(log)) if (!byName.has(name)) byName.set(name, runs)
  const seen = new Set<LogRun>()
  const knobs = knobsOf(log, seen)
  const titles = new Map<string, readonly LogRun[]>()
  const swept = sweptIn(log)
  const handles = handlesOf(log)

  const named = (text: string): RunMention[] => {
    const found: RunMention[] = []
    for (const { 0: word, index } of everyMatch(text, NAME)) {
      const name = word.replace(/[.\-/=@+_]+$/, '')
      const runs = byName.get(name.toLowerCase()) ?? titles.get(name.toLowerCase())
      if (runs === undefined || (exact.has(name.toLowerCase()) && !isExact(log, name))) continue
      found.push({ from: index, to: index + name.length, runs, refers: null })
    }
    for (const { 0: phrase, index } of everyMatch(text, phrases))
      if (!isMeasured(phrase) || /^\s?(?:runs?|group|arm|组|那组|这组)/.test(text.slice(index + phrase.length)))
        found.push({
          from: index,
          to: index + phrase.length,
          runs: spaced.get(phrase.toLowerCase()) ?? [],
          refers: null,
        })
    for (const [title, runs] of titles)
      if (/\p{Script=Han}/u.test(title))
        for (let at = text.indexOf(title); at >= 0; at = text.indexOf(title, at + 1))
          found.push({ from: at, to: at + title.length, runs, refers: null })
    const add = (from: number, to: number, meant: ReturnType<typeof knobs>, isLoose = false): void => {
      if (meant === undefined || meant.runs.length === 0) return
      const loose = isLoose || meant.isLoose ? ({ isLoose: true } as const) : {}
      found.push({ from, to, runs: meant.runs, refers: null, ...loose })
    }
    for (const { 0: all, 1: word = '', 2: number = '', index } of everyMatch(text, KNOB)) {
      const meant = knobs(word, Number(number))
      // "The learning rate is 0.006" says a setting, and is a figure; "lr = 0.006" is a name.
      const isSaid = /of|为|:/.test(all.slice(word.length)) && !/^(?:β|beta|kl|lr)$/i.test(word)
      if (meant === undefined || isSaid) continue
      let to = index + all.length
      add(index, to, meant)
      for (let next = NEXT_VALUE.exec(text.slice(to)); next !== null; next = NEXT_VALUE.exec(text.slice(to))) {
        const listed = knobs(word, Number(next[1]))
        if (listed === undefined) break
        add(to + next[0].length - (next[1] ?? '').length, to + next[0].length, listed)
        to += next[0].length
      }
    }
    for (const { 0: all, 1: coefficient, 2: bare, index } of everyMatch(text, LOOSE_KNOB))
      add(index, index + all.length, knobs('coefficient', Number(coefficient ?? bare)), true)
    for (const { 0: all, 1: digits = '', index } of everyMatch(text, VALUE_OF_GROUP))
      add(index, index + all.length, knobs('coefficient', Number(digits)))
    for (const { 0: all, 1: digits = '', index } of everyMatch(text, BARE_VALUE))
      if (swept.has(digits)) add(index, index + all.length, knobs('coefficient', Number(digits)), true)
    for (const { 0: word, index } of everyMatch(text, WORD)) {
      const runs = handles.get(word.toLowerCase())
      if (runs !== undefined) add(index, index + word.length, { runs, isLoose: true })
    }
    const without = knobs('coefficient', 0)
    if (without !== undefined) {
      const rest = log.runs.filter(run => !without.runs.includes(run))
      const withKl = { runs: new Set(rest.map(({ group }) => group)).size === 1 ? rest : [], isLoose: without.isLoose }
      for (const { 0: all, index } of everyMatch(text, WITHOUT_KL)) add(index, index + all.length, without)
      for (const { 0: all, index } of everyMatch(text, WITH_KL)) add(index, index + all.length, withKl)
      for (const { 0: all, index } of everyMatch(text, LOOSE_WITHOUT)) add(index, index + all.length, without, true)
    }
    return found
  }

  const tokens = [...log.groups].map(([group, runs]) => ({ runs, words: new Set(group.toLowerCase().match(TOKEN)) }))

  return {
    alikeIn: label => {
      const bare = label.replace(SEEDS, ' ')
      const words = bare.length > LONGEST_LABEL ? [] : (bare.toLowerCase().match(TOKEN) ?? [])
      const [one, other] = words.length < 2 ? [] : tokens.filter(({ words: own }) => words.every(word => own.has(word)))
      return one === undefined || other !== undefined
        ? []
        : [{ from: 0, to: label.length, runs: one.runs, refers: null, isLoose: true }]
    },
    seedsIn: rememberedText(text =>
      everyMatch(text, SEEDS)
        .flatMap(({ 1: latin, 2: han, index, 0: all }) =>
          Array.from((latin ?? han ?? '').matchAll(/\d+/g), ({ 0: digits, index: at }) => {
            const from = index + all.length - (latin ?? han ?? '').length + at
            return { from: at === 0 ? index : from, to: from + digits.length, seed: Number(digits) }
          }),
        )
        .slice(0, MOST_SEEDS),
    ),
    namedIn: rememberedText(text => {
      const refers = everyMatch(text, REFERS).map((match): RunMention => {
        const kind =
          (match[1] ?? match[5])
            ? 'one'
            : (match[2] ?? match[6])
              ? 'both'
              : (match[3] ?? match[7])
                ? 'former'
                : 'latter'
        return { from: match.index, to: match.index + match[0].length, runs: [], refers: kind }
      })
      return outermost([...named(text), ...refers])
    }),
    learn: text => {
      for (const { 0: word } of everyMatch(text, NAME))
        for (const run of byName.get(word.replace(/[.\-/=@+_]+$/, '').toLowerCase()) ?? [])
          for (const one of log.groups.get(run.group) ?? []) seen.add(one)
      for (const { 1: behind, 2: before, index, 0: all } of everyMatch(text, TITLES)) {
        const title = (behind ?? before ?? '').toLowerCase()
        const near = named(text).find(({ from, to }) =>
          behind === undefined
            ? from >= index + all.length && from - index - all.length < 3
            : to <= index && index - to < 3,
        )
        if (near !== undefined && !byName.has(title)) titles.set(title, near.runs)
      }
    },
  }
}

/** "Gold reward" is what is measured before it is the run `gold-reward`. */
const isMeasured = (phrase: string): boolean => /(?:reward|score|loss|entropy|length|accuracy|kl)$/i.test(phrase)

function isExact(log: Log, name: string): boolean {
  return log.groups.has(name) || log.runs.some(run => run.name === name)
}

const familyOf = (word: string): string =>
  /^(?:lr|learning|学习率)/i.test(word) ? 'lr' : /^(?:λ|lambda)/i.test(word) ? 'lambda' : 'kl'

/**
 * By word and value, where the value tells some runs from others: "β = 0.3" is `beta-0.3` before `lr-x3-beta-0.3`, and both
 * before `kl-0.3`. What a name says comes before what a config does, and a group that the report names before any other.
 */
interface MeantRuns {
  readonly runs: readonly LogRun[]
  readonly isLoose: boolean
}

function knobsOf(log: Log, seen: ReadonlySet<LogRun>): (word: string, value: number) => MeantRuns | undefined {
  const known = new Map<string, LogRun[]>()
  const put = (key: string, run: LogRun): void => {
    const runs = known.get(key) ?? []
    if (runs.at(-1) !== run) known.set(key, [...runs, run])
  }
  for (const run of log.runs) {
    for (const [all, word = '', number = ''] of run.group.matchAll(
      /(?<![a-z])(kl|beta|lr|lambda)[-_=]?(\d+(?:\.\d+)?(?:e-?\d+)?)(?![\dx])/gi,
    ))
      for (const name of new Set([word.toLowerCase(), familyOf(word)])) {
        if (all === run.group) put(`only ${name} ${Number(number)}`, run)
        put(`named ${name} ${Number(number)}`, run)
      }
    if (/(?<![a-z])no[-_]?kl(?![a-z])/i.test(run.group)) put('named kl 0', run)
    for (const [key, { canonical }] of log.settings) {
      const family =
        canonical === 'kl.loss.coef' || canonical === 'kl.reward.coef' ? 'kl' : canonical === 'lr' ? 'lr' : null
      const value = log.settingOf(run, key)
      if (family !== null && value !== undefined) put(`set ${family} ${value}`, run)
    }
  }
  return (word, value) => {
    const names = /^(?:β|beta)/i.test(word) ? ['beta', 'kl'] : [familyOf(word)]
    const ways = names
      .flatMap(name => ['only', 'named', 'set'].map(way => known.get(`${way} ${name} ${value}`)))
      .filter(runs => runs !== undefined)
    // A name before a config; of several groups the one that the report speaks of.
    const [first] = ways
    const own = first?.find(run => seen.has(run))?.group
    const meant = own === undefined ? first : log.groups.get(own)
    if (meant === undefined || meant.length === log.runs.length) return undefined
    // Other groups have the same setting: it may be one of them.
    return { runs: meant, isLoose: ways.flat().some(run => run.group !== meant[0]?.group) }
  }
}

const TOKEN = /[a-z]+\d*|\d+(?:\.\d+)?[a-z]*/g
const LONGEST_LABEL = 40
const WORD = /(?<![A-Za-z-])[A-Za-z]{4,}(?![A-Za-z])/g

/** The values that group names tell apart, as they are written: "0.1" of `kl-0.1`. A bare 0 or 1 is too common to be one. */
function sweptIn(log: Log): ReadonlySet<string> {
  const values = [...log.groups.keys()].flatMap(group =>
    Array.from(group.matchAll(/(?<![a-z])(?:kl|beta)[-_=]?(\d+\.\d+)(?![\dx])/gi), ([, value = '']) => value),
  )
  const known = new Set(values)
  return known.size < 2 ? new Set() : known
}

/** A word that only one group's name has, and no metric's: "flaky" is `sick-outage-flaky`. */
function handlesOf(log: Log): ReadonlyMap<string, readonly LogRun[]> {
  const metrics = [...log.metrics.keys()].join(' ').toLowerCase()
  const byWord = new Map<string, (readonly LogRun[])[]>()
  for (const [group, runs] of log.groups)
    for (const word of new Set(group.toLowerCase().match(/[a-z]{4,}/g) ?? []))
      if (!metrics.includes(word) && !COMMON.test(word)) byWord.set(word, [...(byWord.get(word) ?? []), runs])
  return new Map([...byWord].flatMap(([word, [runs, other]]) => (other === undefined && runs ? [[word, runs]] : [])))
}

const COMMON =
  /^(?:seed|beta|kl|only|base|test|train|high|with|plain|from|late|long|short|start|other|more|less|many|last|first|best|final|runs?|model|data|loss|step|prompts?|labels?|linear|penalty|bonus|reward|entropy|score|control|baseline|constant|random|small|large|same|mean)$/

/** `sick-lr-high` is called "lr-high" where all are sick: what is left of a name without what all share. */
function shortNames(log: Log): ReadonlyMap<string, readonly LogRun[]> {
  const groups = [...log.groups.keys()]
  const [first = ''] = groups
  let shared = 0
  while (shared < first.length && groups.every(group => group[shared] === first[shared])) shared += 1
  const cut = first.slice(0, shared).search(/[^-_/]*$/)
  if (groups.length < 2 || cut <= 0) return new Map()
  const short = groups.map(group => [group.slice(cut).toLowerCase(), log.groups.get(group) ?? []] as const)
  return new Map(short.filter(([name]) => name.length > 4 && /[a-z]{3}/.test(name)))
}

/** Of mentions that overlap the longer one; in the order of the text. */
export function outermost<Item extends { readonly from: number; readonly to: number }>(
  all: readonly Item[],
): readonly Item[] {
  const longestFirst = all.toSorted((a, b) => b.to - b.from - (a.to - a.from))
  const kept: Item[] = []
  for (const one of longestFirst) if (!kept.some(other => other.from < one.to && one.from < other.to)) kept.push(one)
  return kept.sort((a, b) => a.from - b.from)
}
