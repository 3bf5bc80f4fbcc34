import type { Message } from '../../model/run.js'
import { mean, standardDeviation, variance } from '../../stats/descriptive.js'
import { studentQuantile } from '../../stats/distributions.js'
import { expectedShortfall, worthOfKnowing } from '../../stats/worth-of-knowing.js'
import { figure, percentage } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { ASSUMED_SCATTER } from '../compare/choose.js'

/**
 * What to ship now, and what the next hours should buy. Settings are held against each other by the mean of their runs at
 * the end of training, pulled towards each other as far as seeds alone would explain their differences: the highest of
 * several means is too high. What is shipped is one run's checkpoint: seeds differ in truth, so a good run counts for
 * itself, too. What to buy is what moves the choice most per hour: another seed, more prompts, or more steps.
 */
export type Aim = 'score' | 'worst-seed' | 'cost'

/** Runs of one setting; scores as if higher were better. */
export interface Candidate {
  readonly label: string
  readonly runs: readonly CandidateRun[]
}

export interface CandidateRun {
  readonly id: string
  readonly name: string
  /** The mean at the end of training. */
  readonly level: number
  readonly step: number
  /** Whether the advised step is known to be on disk. */
  readonly saved: boolean | null
  /** What the advised step is worth by the course under the noise. */
  readonly worth: number
  readonly hours: number | null
  /** Points per hour at the end, where it still rises beyond its noise; 0 where it does not. */
  readonly rise: number
}

export interface Decision {
  readonly ship: Ship | null
  /** The setting for each aim, so that a reader sees whether they agree. */
  readonly aims: { readonly [aim in Aim]: string | null }
  /** The most worth per hour first; those of unknown cost last. */
  readonly next: readonly Buy[]
  /** What is given away on average by shipping this today, as against knowing the truth. */
  readonly expectedLoss: number | null
  readonly assumption: Message
}

export interface Ship {
  readonly label: string
  readonly run: string
  readonly step: number
  readonly saved: boolean | null
  readonly why: Message
}

export interface Buy {
  readonly buy: 'seed' | 'prompts' | 'steps'
  readonly label: string
  readonly message: Message
  /** In hours; null where nothing tells. */
  readonly cost: number | null
  /** In the metric's unit: how much better the choice will be on average. */
  readonly gain: number
  readonly why: Message
}

const say = sentences({
  'decide.ship.score': {
    en: 'worth about {level} at the end of training, the most of all runs once luck is taken off ({runs} {runs|run|runs} of this setting)',
    zh: '扣除偶然因素后，训练末段约值 {level}，为所有 run 中最高（该配置有 {runs} 个 run）',
  },
  'decide.ship.worst-seed': {
    en: 'a new seed of it is least likely to do badly: nine in ten should be above {level}',
    zh: '换一个种子也最不容易变差：十次中有九次应高于 {level}',
  },
  'decide.ship.cost': {
    en: 'the cheapest ({hours} h a run) of those that give away less than one scatter of seeds ({scatter})',
    zh: '在损失不超过一个种子离散度（{scatter}）的配置中最便宜（每个 run {hours} 小时）',
  },
  'decide.assumed': {
    en: 'no setting has several runs: that seeds scatter by {scatter} is assumed (2.5 % of the level)',
    zh: '没有任何配置有多个 run：种子离散度 {scatter} 为假定值（水平的 2.5%）',
  },
  'decide.measured': {
    en: 'runs of one setting scatter by {scatter}, pooled over {settings} {settings|setting|settings}',
    zh: '同一配置的 run 之间离散度为 {scatter}（合并 {settings} 个配置）',
  },
  'decide.seed': { en: 'another seed of {label}', zh: '为 {label} 再跑一个种子' },
  'decide.seed.why': {
    en: 'with {runs} {runs|run|runs} its mean is known to ±{error}; another makes it ±{after}, and may change the choice against {rival}',
    zh: '现有 {runs} 个 run，均值误差 ±{error}；再加一个为 ±{after}，可能改变与 {rival} 之间的选择',
  },
  'decide.prompts': { en: 'evaluate on {prompts} further prompts', zh: '再用 {prompts} 个样本评测' },
  'decide.prompts.why': {
    en: 'the {prompts} prompts asked so far leave an error of ±{error} between {label} and {rival}; it costs no training',
    zh: '现有 {prompts} 个样本使 {label} 与 {rival} 之差带有 ±{error} 的误差；评测无需训练',
  },
  'decide.steps': { en: 'train {run} for another {percent} % of its steps', zh: '让 {run} 再训练 {percent}% 的步数' },
  'decide.steps.why': {
    en: 'its score still rises at the end; if it goes on half as fast, that is {gain}',
    zh: '末段得分仍在上升；若以一半速度继续，可增加 {gain}',
  },
})

/** Beyond this share of what a run has cost, nobody knows whether a rise goes on. */
const LONGER = 0.25
/** In scatters of seeds. */
const WORTH_NOTHING = 0.001

export function decide(
  candidates: readonly Candidate[],
  { aim, prompts, sign = 1 }: { readonly aim: Aim; readonly prompts: number | null; readonly sign?: 1 | -1 },
): Decision {
  const known = candidates.filter(({ runs }) => runs.length > 0)
  const scatter = scatterOf(known)
  const shrunken = shrink(known, scatter.size)
  const chosen = {
    score: topOf(known, label => shrunken.get(label) ?? Number.NEGATIVE_INFINITY),
    'worst-seed': topOf(known, label => floorOf(known, label, shrunken, scatter.size)),
    cost: cheapest(known, shrunken, scatter.size),
  }
  const assumption = scatter.isAssumed
    ? say('decide.assumed', { scatter: figure(scatter.size) })
    : say('decide.measured', { scatter: figure(scatter.size), settings: scatter.settings })
  const worthOf = (candidate: Candidate, run: CandidateRun): number =>
    runWorth(candidate, run, shrunken, scatter.size, prompts)
  const side =
    aim === 'score' ? topOf(known, (_, each) => Math.max(...each.runs.map(run => worthOf(each, run)))) : chosen[aim]
  const aims = {
    score: chosen.score?.label ?? null,
    'worst-seed': chosen['worst-seed']?.label ?? null,
    cost: chosen.cost?.label ?? null,
  }
  if (side === null) return { ship: null, aims, next: [], expectedLoss: null, assumption }
  const rival = topOf(
    known.filter(({ label }) => label !== side.label),
    label => shrunken.get(label) ?? Number.NEGATIVE_INFINITY,
  )
  const run = side.runs.reduce((best, each) => (worthOf(side, each) > worthOf(side, best) ? each : best))
  const ship: Ship = { label: side.label, run: run.id, step: run.step, saved: run.saved, why: reason() }
  return {
    ship,
    aims,
    expectedLoss: rival === null ? null : expectedShortfall(gapTo(rival), spreadOf(side, rival, scatter.size, prompts)),
    next: [...seeds(), ...morePrompts(), ...moreSteps()]
      .filter(({ gain }) => gain > WORTH_NOTHING * scatter.size)
      .sort(byWorthPerHour),
    assumption,
  }

  function reason(): Message {
    if (side === null) throw new Error('nothing is shipped')
    if (aim === 'score')
      return say('decide.ship.score', { level: figure(sign * worthOf(side, run)), runs: side.runs.length })
    if (aim === 'cost') {
      return say('decide.ship.cost', { hours: figure(hoursOf(side) ?? Number.NaN), scatter: figure(scatter.size) })
    }
    return say('decide.ship.worst-seed', { level: figure(sign * floorOf(known, side.label, shrunken, scatter.size)) })
  }
  function gapTo(other: Candidate): number {
    return (shrunken.get(side?.label ?? '') ?? 0) - (shrunken.get(other.label) ?? 0)
  }
  /** For the setting that is shipped, and for each that might be better. */
  function seeds(): Buy[] {
    if (side === null || rival === null) return []
    return known.flatMap((candidate): Buy[] => {
      const against = candidate.label === side.label ? rival : side
      const now = spreadOf(candidate, against, scatter.size, prompts)
      const after = spreadOf(
        { ...candidate, runs: [...candidate.runs, candidate.runs[0]] },
        against,
        scatter.size,
        prompts,
      )
      const gain = worthOfKnowing(gapTo(candidate.label === side.label ? rival : candidate), now, after)
      const error = (runs: number): string => figure(scatter.size / Math.sqrt(runs), 2)
      const count = candidate.runs.length
      return [
        {
          buy: 'seed',
          label: candidate.label,
          message: say('decide.seed', { label: candidate.label }),
          cost: hoursOf(candidate),
          gain,
          why: say('decide.seed.why', {
            runs: count,
            error: error(count),
            after: error(count + 1),
            rival: against.label,
          }),
        },
      ]
    })
  }
  function morePrompts(): Buy[] {
    if (side === null || rival === null || prompts === null) return []
    const now = spreadOf(side, rival, scatter.size, prompts)
    const after = spreadOf(side, rival, scatter.size, 2 * prompts)
    const error = figure(promptError(side, rival, prompts), 2)
    return [
      {
        buy: 'prompts',
        label: side.label,
        message: say('decide.prompts', { prompts }),
        cost: 0,
        gain: worthOfKnowing(gapTo(rival), now, after),
        why: say('decide.prompts.why', { prompts, error, label: side.label, rival: rival.label }),
      },
    ]
  }
  function moreSteps(): Buy[] {
    if (!(run.rise > 0) || run.hours === null) return []
    const gain = 0.5 * run.rise * LONGER * run.hours
    return [
      {
        buy: 'steps',
        label: side?.label ?? '',
        message: say('decide.steps', { run: run.name, percent: percentage(LONGER) }),
        cost: LONGER * run.hours,
        gain,
        why: say('decide.steps.why', { gain: figure(gain) }),
      },
    ]
  }
}

/** Pooled over settings with several runs, else a share of the level. */
function scatterOf(candidates: readonly Candidate[]) {
  const several = candidates.map(({ runs }) => runs.map(({ level }) => level)).filter(levels => levels.length > 1)
  const degrees = several.reduce((sum, levels) => sum + levels.length - 1, 0)
  const squares = several.reduce((sum, levels) => sum + variance(levels) * (levels.length - 1), 0)
  if (degrees > 0 && squares > 0)
    return { size: Math.sqrt(squares / degrees), isAssumed: false, settings: several.length }
  const level = mean(candidates.flatMap(({ runs }) => runs.map(run => run.level)))
  return { size: ASSUMED_SCATTER * Math.abs(level), isAssumed: true, settings: 0 }
}

/** Towards the mean of all settings, by the share of their spread that seeds alone would make (James and Stein 1961). */
function shrink(candidates: readonly Candidate[], scatter: number): ReadonlyMap<string, number> {
  const means = candidates.map(({ runs }) => mean(runs.map(({ level }) => level)))
  // Settings that broke down say nothing about how much the others differ.
  const near = means.filter(each => each >= Math.max(...means) - NEAR * scatter)
  const centre = mean(near)
  const spread = near.length > 1 ? standardDeviation(near) ** 2 : 0
  return new Map(
    candidates.map(({ label, runs }, i) => {
      if (!near.includes(means[i])) return [label, means[i]] as const
      const error = scatter ** 2 / runs.length
      const share = spread > 0 ? Math.max(LEAST_SHARE, 1 - error / spread) : 0
      return [label, centre + share * (means[i] - centre)] as const
    }),
  )
}

/** Where seeds explain everything the order of the means still counts for something. */
const LEAST_SHARE = 0.05
/** In scatters of seeds below the highest. */
const NEAR = 5

function topOf(
  candidates: readonly Candidate[],
  worth: (label: string, candidate: Candidate) => number,
): Candidate | null {
  return candidates.reduce<Candidate | null>(
    (best, each) => (best === null || worth(each.label, each) > worth(best.label, best) ? each : best),
    null,
  )
}

/** What one run is worth: that of its setting, and of its own distance from it what is not the luck of the prompts. */
function runWorth(
  candidate: Candidate,
  { level }: CandidateRun,
  shrunken: ReadonlyMap<string, number>,
  scatter: number,
  prompts: number | null,
): number {
  const own = level - mean(candidate.runs.map(run => run.level))
  const luck = promptError(candidate, candidate, prompts) ** 2 / 2
  const share = prompts === null || scatter === 0 ? UNKNOWN_LUCK : Math.max(0, 1 - luck / scatter ** 2)
  return (shrunken.get(candidate.label) ?? level) + share * own
}

/** How much of a run's distance from its setting is its own, where nothing tells how many prompts were asked. */
const UNKNOWN_LUCK = 0.7

/** Above it nine in ten new seeds should be: the setting's own scatter counts here, as far as it is known. */
function floorOf(
  candidates: readonly Candidate[],
  label: string,
  shrunken: ReadonlyMap<string, number>,
  scatter: number,
): number {
  const runs = candidates.find(each => each.label === label)?.runs ?? []
  const levels = runs.map(({ level }) => level)
  const own = levels.length > 2 ? Math.max(standardDeviation(levels), scatter / 2) : scatter
  const quantile = studentQuantile(0.9, Math.max(2, levels.length - 1))
  return (
    (shrunken.get(label) ?? Number.NEGATIVE_INFINITY) - quantile * own * Math.sqrt(1 + 1 / Math.max(1, levels.length))
  )
}

function cheapest(
  candidates: readonly Candidate[],
  shrunken: ReadonlyMap<string, number>,
  scatter: number,
): Candidate | null {
  const highest = Math.max(...shrunken.values())
  const good = candidates.filter(({ label }) => highest - (shrunken.get(label) ?? Number.NEGATIVE_INFINITY) <= scatter)
  return topOf(
    good.filter(candidate => hoursOf(candidate) !== null),
    label => -(hoursOf(good.find(each => each.label === label) ?? { label, runs: [] }) ?? Number.POSITIVE_INFINITY),
  )
}

function hoursOf({ runs }: Candidate): number | null {
  const hours = runs.flatMap(run => run.hours ?? [])
  return hours.length === 0 ? null : mean(hours)
}

function spreadOf(first: Candidate, second: Candidate, scatter: number, prompts: number | null): number {
  const ofSeeds = scatter ** 2 * (1 / first.runs.length + 1 / second.runs.length)
  return Math.sqrt(ofSeeds + promptError(first, second, prompts) ** 2)
}

/** Of scores that are shares, over the end of training: 0.3·p(1 − p)/n (docs/statistics.md, "The luck of the prompts"). */
function promptError(first: Candidate, second: Candidate, prompts: number | null): number {
  const level = mean([...first.runs, ...second.runs].map(run => run.level))
  return prompts === null || level <= 0 || level >= 1 ? 0 : Math.sqrt((0.3 * level * (1 - level)) / prompts)
}

function byWorthPerHour(a: Buy, b: Buy): number {
  const rate = ({ gain, cost }: Buy): number => (cost === null ? -1 : gain / Math.max(cost, SHORTEST_HOURS))
  return rate(b) - rate(a) || b.gain - a.gain
}

/** An evaluation takes minutes. */
const SHORTEST_HOURS = 0.05
