import { everyMatch } from '../../logs/document/matches.js'
import { rememberedText } from '../../logs/document/remembered.js'
import type { Log, LogRun } from './log.js'
import { nicknamesIn } from './nicknames.js'

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
  /** By a value that other groups have, too. */
  readonly isShared?: true
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
  /** Names that the report gives to runs itself. */
  readonly learn: (text: string) => void
  /** A name that the figures beside it tell: what a row is called. */
  readonly call: (name: string, runs: readonly LogRun[]) => void
  /** What else a label says that names runs: "light penalty `kl-0.1`". */
  readonly learnLabel: (label: string) => void
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

/** A few words, without figures. */
const LABEL = /^(?=.*\p{L}{2})[\p{L} +-]{2,20}$/u
/** A report that gives more names is no report. */
const MOST_TITLES = 300
/** What a report may call anything. */
const UNCALLED =
  /^(?:kl|reward|score|accuracy|loss|entropy|seeds?|steps?|mean|std|average|best|worst|final|all|none|both|other|more|less|test|train|training|first|last|new|old|run|table|note|gold|proxy|平均|均值|说明|注意|结论|结果|备注|背景|方法|得分|奖励|种子)$/

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
  let titled = /(?!)/g
  const call = (name: string, runs: readonly LogRun[]): void => {
    const title = name.trim().toLowerCase()
    if (
      title.length < 2 ||
      byName.has(title) ||
      UNCALLED.test(title) ||
      runs.length === log.runs.length ||
      titles.size >= MOST_TITLES
    )
      return
    titles.set(title, runs)
    if (/\p{Script=Han}{2}组$/u.test(title)) titles.set(title.slice(0, -1), runs)
    const sorted = [...titles.keys()].toSorted((a, b) => b.length - a.length)
    const any = sorted.map(one => one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
    titled = new RegExp(`(?<![\\w-](?=\\w))(?:${any})(?![A-Za-z]|-\\w)`, 'giu')
    namedIn = rememberedText(read)
  }
  const swept = sweptIn(log)
  const handles = handlesOf(log)

  const named = (text: string): RunMention[] => {
    const found: RunMention[] = []
    for (const { 0: word, index } of everyMatch(text, NAME)) {
      const name = word.replace(/[.\-/=@+_]+$/, '')
      const runs = byName.get(name.toLowerCase())
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
    for (const { 0: title, index } of everyMatch(text, titled)) {
      const runs = titles.get(title.toLowerCase())
      if (runs !== undefined) found.push({ from: index, to: index + title.length, runs, refers: null })
    }
    const add = (from: number, to: number, meant: ReturnType<typeof knobs>, isLoose = false): void => {
      if (meant === undefined || meant.runs.length === 0) return
      // "β = 0.2, doubled learning rate" is another group with that β.
      const isMore = meant.hasOthers === true && MORE.test(text.slice(to))
      const loose = isLoose || meant.isLoose || isMore ? ({ isLoose: true } as const) : {}
      const shared = meant.isShared === true ? ({ isShared: true } as const) : {}
      found.push({ from, to, runs: meant.runs, refers: null, ...loose, ...shared })
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

  const read = (text: string): readonly RunMention[] => {
    const refers = everyMatch(text, REFERS).map((match): RunMention => {
      const kind =
        (match[1] ?? match[5]) ? 'one' : (match[2] ?? match[6]) ? 'both' : (match[3] ?? match[7]) ? 'former' : 'latter'
      return { from: match.index, to: match.index + match[0].length, runs: [], refers: kind }
    })
    return outermost([...named(text), ...refers])
  }
  let namedIn = rememberedText(read)
  const seedsOf = rememberedText(text =>
    everyMatch(text, SEEDS)
      .flatMap(({ 1: latin, 2: han, index, 0: all }) =>
        Array.from((latin ?? han ?? '').matchAll(/\d+/g), ({ 0: digits, index: at }) => {
          const from = index + all.length - (latin ?? han ?? '').length + at
          return { from: at === 0 ? index : from, to: from + digits.length, seed: Number(digits) }
        }),
      )
      .slice(0, MOST_SEEDS),
  )

  return {
    alikeIn: label => {
      const bare = label.replace(SEEDS, ' ')
      const words = bare.length > LONGEST_LABEL ? [] : (bare.toLowerCase().match(TOKEN) ?? [])
      // Of several the one that is called so and nothing else.
      const [one, other] =
        words.length < 2 ? [] : fewest(tokens.filter(({ words: own }) => words.every(word => own.has(word))))
      return one === undefined || other !== undefined
        ? []
        : [{ from: 0, to: label.length, runs: one.runs, refers: null, isLoose: true }]
    },
    seedsIn: seedsOf,
    namedIn: text => namedIn(text),
    call,
    learnLabel: label => {
      const [one, other] = namedIn(label).filter(({ refers }) => refers === null)
      if (one === undefined || other !== undefined || new Set(one.runs.map(({ group }) => group)).size > 1) return
      const rest = `${label.slice(0, one.from)} ${label.slice(one.to)}`.replace(/[^\p{L}\p{N} +-]/gu, ' ').trim()
      if (LABEL.test(rest) && seedsOf(rest).length === 0) call(rest, one.runs)
    },
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
        if (near !== undefined) call(title, near.runs)
      }
      const ofValue = (value: number) => knobs('coefficient', value)?.runs
      for (const { name, runs } of nicknamesIn(text, named(text), ofValue, log)) call(name, runs)
    },
  }
}

function fewest<Item extends { readonly words: ReadonlySet<string> }>(all: readonly Item[]): readonly Item[] {
  const least = Math.min(...all.map(({ words }) => words.size))
  return all.filter(({ words }) => words.size === least)
}

/** "Gold reward" is what is measured before it is the run `gold-reward`. */
const isMeasured = (phrase: string): boolean => /(?:reward|score|loss|entropy|length|accuracy|kl)$/i.test(phrase)

function isExact(log: Log, name: string): boolean {
  return log.groups.has(name) || log.runs.some(run => run.name === name)
}

const MORE =
  /^\s?(?:[,，、+&(（]|and |with |且|并|搭配)\s?(?!seeds?|steps?|种子|第)(?=[^.;。；]{0,24}(?:rate|lr|labels?|decay|linear|double|dense|学习率|翻倍|衰减))/iu

const familyOf = (word: string): string =>
  /^(?:lr|learning|学习率)/i.test(word) ? 'lr' : /^(?:λ|lambda)/i.test(word) ? 'lambda' : 'kl'

/**
 * By word and value, where the value tells some runs from others: "β = 0.3" is `beta-0.3` before `lr-x3-beta-0.3`, and both
 * before `kl-0.3`. What a name says comes before what a config does, and a group that the report names before any other.
 */
interface MeantRuns {
  readonly runs: readonly LogRun[]
  readonly isLoose: boolean
  /** Other groups have the same value in their names. */
  readonly hasOthers?: boolean
  /** And so, by name or config, have others whose names do not say it first. */
  readonly isShared?: boolean
}

function knobsOf(log: Log, seen: ReadonlySet<LogRun>): (word: string, value: number) => MeantRuns | undefined {
  const known = new Map<string, { readonly group: string; readonly rank: number }[]>()
  const put = (family: string, value: number, group: string, rank: number): void => {
    const key = `${family} ${value}`
    const groups = known.get(key) ?? []
    if (!groups.some(one => one.group === group)) known.set(key, [...groups, { group, rank }])
  }
  for (const [group, [run]] of log.groups) {
    // Of `rm-beta0.2` and `rm-lr2x-beta0.2` the first is the plain one.
    const rank = group.toLowerCase().match(TOKEN)?.length ?? 0
    for (const [, word = '', number = ''] of group.matchAll(
      /(?<![a-z])(kl|beta|lr|lambda)[-_=]?(\d+(?:\.\d+)?(?:e-?\d+)?)(?![\dx])/gi,
    ))
      for (const family of new Set([word.toLowerCase(), familyOf(word)])) put(family, Number(number), group, rank)
    if (/(?<![a-z])no[-_]?kl(?![a-z])/i.test(group)) put('kl', 0, group, rank)
    for (const [key, { canonical }] of run === undefined ? [] : log.settings) {
      const family =
        canonical === 'kl.loss.coef' || canonical === 'kl.reward.coef' ? 'kl' : canonical === 'lr' ? 'lr' : null
      const value = run === undefined ? undefined : log.settingOf(run, key)
      // What a name says comes before what a config does.
      if (family !== null && value !== undefined) put(family, value, group, rank + BY_CONFIG)
      if (family === 'kl' && value !== undefined && /(?:^|[._])beta$/.test(key))
        put('beta', value, group, rank + BY_CONFIG)
    }
  }
  return (word, value) => {
    const names = /^(?:β|beta)/i.test(word) ? ['beta', 'kl'] : [familyOf(word)]
    const [found = []] = names.map(name => known.get(`${name} ${value}`) ?? []).filter(({ length }) => length > 0)
    const groups = found
      .filter((one, i, all) => all.findIndex(({ group }) => group === one.group) === i)
      // Of equals the one that the report speaks of.
      .map(({ group, rank }) => ({ runs: log.groups.get(group) ?? [], rank }))
      .map(one => ({ ...one, isSeen: one.runs.some(run => seen.has(run)) }))
      .sort((a, b) => a.rank - b.rank || Number(b.isSeen) - Number(a.isSeen))
    const [first] = groups
    if (first === undefined || first.runs.length === log.runs.length) return undefined
    // Two projects may share a setting: those that log what is asked for are meant.
    const tied = groups.filter(one => one.rank === first.rank && one.isSeen === first.isSeen)
    const hasOthers = groups.some(one => one.rank < BY_CONFIG && one !== first)
    return {
      runs: tied.flatMap(({ runs }) => runs),
      isLoose: tied.length > 1 || first.rank >= BY_CONFIG,
      hasOthers,
      isShared: groups.length > 1,
    }
  }
}

const BY_CONFIG = 100

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
