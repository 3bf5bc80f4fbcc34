import type { Answer, Verdict } from '../../../logs/model/verdict.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { farthestGroupP } from '../../../stats/exact-tests.js'
import { typicalVariance } from '../../../stats/typical-variance.js'
import { message } from '../../../text/say.js'
import { sentences } from '../../../text/sentences.js'
import { adjusted } from '../adjusted.js'
import { absoluteSize, RUNS_FOR_CONFIGS, type Size } from '../conventions.js'
import { type CopiedRow, copiedRows, type IdenticalScores, identicalScores, repeatedRuns } from './identical.js'
import {
  type Column,
  cellScore,
  columnsOf,
  isEvaluated,
  type Missing,
  missingCells,
  runSummary,
  type Setting,
  type SweepRun,
  settingsIn,
} from './matrix.js'
import { recommendSetting, type SettingRecommendation } from './recommend.js'
import { type Resolution, resolutionOf } from './resolution.js'
import { type Judged, settingVerdict, trendVerdict } from './verdicts.js'

/** A sweep over one or more knobs: the matrix, what is wrong with it, and whether the knob matters. Pure: runs in, answers out. */

export interface SweepRequest {
  readonly keys: readonly string[]
  readonly metric: string
  readonly goal: Goal | null
  /** Absolute, or a share of the baseline's mean. */
  readonly margin: Size | null
  /** The run whose setting is the baseline; null for the first setting. */
  readonly baseline: string | null
  /** Other known settings that differ. */
  readonly others: readonly string[]
}

export interface Sweep {
  readonly settings: readonly Setting[]
  readonly columns: readonly Column[]
  readonly baseline: Setting
  readonly missing: readonly Missing[]
  readonly identical: readonly IdenticalScores[]
  readonly copied: readonly CopiedRow[]
  /** Left out of every computation: copies of other runs. */
  readonly repeated: readonly SweepRun[]
  readonly resolution: Resolution | null
  /** Trends first, then each setting against the baseline. */
  readonly verdicts: readonly Verdict[]
  /** true: it does, by a claim about settings or a trend; false: no setting differs from the baseline beyond the margin; null: open. */
  readonly matters: boolean | null
  /** The value to take; null where there are too few runs, or no order, to say. */
  readonly take: SettingRecommendation | null
}

export function sweepOver(runs: readonly SweepRun[], request: SweepRequest): Sweep {
  const columns = columnsOf(runs)
  const settings = settingsIn(runs)
  const repeated = repeatedRuns(settings, columns).map(({ run }) => run)
  const counted = settings.map(({ values, runs: members }) => ({
    values,
    runs: members.filter(run => !repeated.includes(run) && isEvaluated(run)),
  }))
  const baseline = settings.find(setting => setting.runs.some(({ id }) => id === request.baseline)) ?? settings[0]
  const identical = identicalScores(settings, columns)
  const verdicts = verdictsOn(counted, settings.indexOf(baseline), columns, request, identical)
  const summaries = counted.flatMap(setting => cellScore(setting, run => runSummary(run, columns))?.mean ?? [])
  return {
    settings,
    columns,
    baseline,
    missing: missingCells(settings, columns),
    identical,
    copied: copiedRows(settings),
    repeated,
    resolution: resolutionOf(columns, summaries, request.goal),
    verdicts,
    matters: matters(verdicts),
    take: recommendSetting(
      request.keys[0],
      counted,
      counted[settings.indexOf(baseline)],
      columns,
      verdicts,
      request.goal,
    ),
  }
}

function verdictsOn(
  settings: readonly Setting[],
  baselineAt: number,
  columns: readonly Column[],
  request: SweepRequest,
  identical: readonly IdenticalScores[],
): readonly Verdict[] {
  const baseline = settings[baselineAt]
  const judged: Judged = {
    metric: request.metric,
    goal: request.goal,
    columns,
    margin: marginFor(baseline, columns, request),
    scatter: scatterWithin(settings, columns),
  }
  const isSuspect = (setting: Setting): boolean =>
    setting.runs.length > 0 &&
    setting.runs.every(run => identical.some(({ places }) => places.some(place => place.run === run)))
  const suspects = settings.filter(isSuspect)
  const trends = request.keys.flatMap((key, knob) => {
    const verdict = trendVerdict(key, knob, settings, judged, request.others)
    return verdict === null ? [] : [suspects.length > 1 ? distrusted(verdict, suspects.length) : verdict]
  })
  const contrasts = settings
    .filter(setting => setting !== baseline)
    .map(other => {
      const labels = [settingLabelOf(baseline, request.keys), settingLabelOf(other, request.keys)] as const
      const verdict = settingVerdict(baseline, other, labels, judged, request.others)
      return isSuspect(baseline) && isSuspect(other) ? distrusted(verdict, suspects.length) : verdict
    })
  const families = asFamilies(trends, contrasts)
  const chance = families.some(isSettingClaim) ? chanceOfFarthest(baseline, settings, columns) : null
  if (chance === null || chance < LEVEL) return families
  const reason = say('sweep.dealt', { settings: settings.length, percent: Math.round(100 * chance) })
  return families.map(verdict =>
    isSettingClaim(verdict)
      ? { ...verdict, answer: 'undetermined', tags: [], reasons: [...verdict.reasons, reason], toSettle: MORE_SEEDS }
      : verdict,
  )
}

const LEVEL = 0.05
/** Two values whose runs differ by chance alone are no family. */
const FEWEST_DEALT = 4
/** From here on runs that agree by chance are rare enough. */
const MORE_SEEDS = { seeds: RUNS_FOR_CONFIGS + 1 }

const say = sentences({
  'sweep.dealt': {
    en: 'not claimed: dealing the runs of all {settings} settings anew gives a difference as large in {percent} % of cases, because seeds of one setting differ as much',
    zh: '不作判定：把全部 {settings} 种配置的 run 重新随机分组，{percent}% 的情况下也会出现这么大的差异，因为同一配置的种子之间就差这么多',
  },
})

function isSettingClaim({ question, scope, answer }: Verdict): boolean {
  return question !== 'trend' && scope === 'configs' && CLAIMS.has(answer)
}

/** Over several blocks a setting has more runs than can agree by chance: null there, and for few settings. */
function chanceOfFarthest(baseline: Setting, settings: readonly Setting[], columns: readonly Column[]): number | null {
  const [block, ...others] = new Set(baseline.runs.map(run => run.block))
  const levels = [baseline, ...settings.filter(setting => setting !== baseline)]
    .map(({ runs }) => runs.flatMap(run => (run.block === block ? (runSummary(run, columns) ?? []) : [])))
    .filter(({ length }) => length >= RUNS_FOR_CONFIGS)
  return others.length > 0 || levels.length < FEWEST_DEALT ? null : farthestGroupP(levels)
}

/** Of a typical setting that has replicates. */
function scatterWithin(settings: readonly Setting[], columns: readonly Column[]): number | null {
  const typical = typicalVariance(settings.map(({ runs }) => runs.flatMap(run => runSummary(run, columns) ?? [])))
  return typical === null ? null : Math.sqrt(typical)
}

export function settingLabelOf({ values }: Setting, keys: readonly string[]): string {
  return keys.map((key, i) => `${key}=${String(values[i])}`).join(' ')
}

function marginFor(baseline: Setting, columns: readonly Column[], { margin }: SweepRequest): number | null {
  return absoluteSize(margin, cellScore(baseline, run => runSummary(run, columns))?.mean ?? 0)
}

/** Settings with the very same scores say nothing about the knob until somebody has looked which checkpoint was loaded. */
function distrusted(verdict: Verdict, count: number): Verdict {
  return {
    ...verdict,
    answer: 'undetermined',
    interval: null,
    p: null,
    smallestMargin: null,
    tags: ['suspect'],
    reasons: [message('sweep.suspect', { count })],
    method: null,
  }
}

/**
 * All claims about settings are one family (Holm): half of the level is for the trends, half for the single settings, and
 * what one half has used goes to the other. Claims about single runs are a family of their own; they say nothing about
 * the knob.
 */
function asFamilies(trends: readonly Verdict[], contrasts: readonly Verdict[]): readonly Verdict[] {
  const isAboutSettings = ({ question, scope }: Verdict): boolean => question === 'trend' || scope === 'configs'
  const verdicts = [...trends, ...contrasts]
  const [ofSettings, ofRuns] = [true, false].map(about => {
    const family = verdicts.filter(verdict => isAboutSettings(verdict) === about)
    const tested = family.filter(({ p }) => p !== null)
    const trendCount = tested.filter(({ question }) => question === 'trend').length
    return adjusted(family, {
      weightOf: ({ question }) => 1 / (question === 'trend' ? trendCount : tested.length - trendCount),
    })
  })
  const [settings, runs] = [ofSettings.values(), ofRuns.values()]
  return verdicts.map(verdict => (isAboutSettings(verdict) ? settings : runs).next().value ?? verdict)
}

const CLAIMS: ReadonlySet<Answer> = new Set<Answer>(['better', 'worse', 'higher', 'lower'])
const SMALL: ReadonlySet<Answer> = new Set<Answer>(['same', 'different-but-small'])

function matters(verdicts: readonly Verdict[]): boolean | null {
  const claims = verdicts.filter(({ question, scope }) => question === 'trend' || scope === 'configs')
  if (claims.some(({ answer }) => CLAIMS.has(answer))) return true
  const contrasts = verdicts.filter(({ question }) => question !== 'trend')
  const small = contrasts.length > 0 && contrasts.every(({ answer, scope }) => SMALL.has(answer) && scope === 'configs')
  return small ? false : null
}
