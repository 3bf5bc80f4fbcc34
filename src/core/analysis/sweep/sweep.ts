import type { Answer, Verdict } from '../../../logs/model/verdict.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { typicalVariance } from '../../../stats/typical-variance.js'
import { message } from '../../../text/say.js'
import { adjusted, dealtAnew } from '../adjusted.js'
import { absoluteSize, type Size } from '../conventions.js'
import { atLook, type Standing } from '../growing.js'
import { type CopiedRow, copiedRows, type IdenticalScores, identicalScores, repeatedRuns } from './identical.js'
import {
  type Column,
  cellScore,
  columnsOf,
  columnsUntil,
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
  /** Where runs may still grow: what may be said of each of the `lookedGroups`. */
  readonly standings?: readonly Standing[]
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
  const baseline = baselineOf(settings, request)
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
  const { standings = [] } = request
  const judgedAt = (standing: Standing | undefined): Judged =>
    standing === undefined ? judged : { ...judged, columns: columnsUntil(columns, standing.until) }
  const trends = request.keys.flatMap((key, knob) => {
    const verdict = trendVerdict(key, knob, settings, judgedAt(standings.at(-1)), request.others)
    return verdict === null ? [] : [suspects.length > 1 ? distrusted(verdict, suspects.length) : verdict]
  })
  const contrasts = settings
    .filter(setting => setting !== baseline)
    .map((other, i) => {
      const labels = [settingLabelOf(baseline, request.keys), settingLabelOf(other, request.keys)] as const
      const verdict = settingVerdict(baseline, other, labels, judgedAt(standings[i]), request.others)
      return isSuspect(baseline) && isSuspect(other) ? distrusted(verdict, suspects.length) : verdict
    })
  const standingOn = new Map([
    ...trends.map(verdict => [verdict, standings.at(-1)] as const),
    ...contrasts.map((verdict, i) => [verdict, standings[i]] as const),
  ])
  // Just as a comparison of these settings asks them, with the trends beside them.
  const corrected = adjusted([...standingOn.keys()], {
    isHeadline: ({ question }) => question !== 'trend',
    besideShare: TREND_SHARE,
    levelOf: verdict => standingOn.get(verdict)?.level ?? LEVEL,
  })
  const given = [...standingOn.values()].map((standing, i) => atLook(corrected[i], standing ?? null))
  const ofSettings = dealtAnew(given.slice(trends.length), levelsInBlock(baseline, settings, columns))
  return [...given.slice(0, trends.length), ...ofSettings]
}

const LEVEL = 0.05

/**
 * Trends rest on the same runs as the single settings, so that what both claim falsely mostly coincides: with half of the
 * level for trends anything false is said in at most 5 % of sweeps (docs/statistics.md, "A sweep").
 */
const TREND_SHARE = 0.5

/** One figure per run of every setting, the baseline first. Over several blocks a setting has more runs than can agree by chance: none there. */
function levelsInBlock(
  baseline: Setting,
  settings: readonly Setting[],
  columns: readonly Column[],
): readonly (readonly number[])[] {
  const [block, ...others] = new Set(baseline.runs.map(run => run.block))
  if (others.length > 0) return []
  return [baseline, ...settings.filter(setting => setting !== baseline)].map(({ runs }) =>
    runs.flatMap(run => (run.block === block ? (runSummary(run, columns) ?? []) : [])),
  )
}

/** What is looked at: every other setting with the baseline, and last all of them, which trends are of. */
export function lookedGroups(
  runs: readonly SweepRun[],
  request: Pick<SweepRequest, 'baseline'>,
): readonly (readonly Setting[])[] {
  const settings = settingsIn(runs)
  const baseline = baselineOf(settings, request)
  const pairs = settings.filter(setting => setting !== baseline).map(other => [baseline, other])
  return settings.length > 2 ? [...pairs, settings] : pairs
}

function baselineOf(settings: readonly Setting[], { baseline }: Pick<SweepRequest, 'baseline'>): Setting {
  return settings.find(setting => setting.runs.some(({ id }) => id === baseline)) ?? settings[0]
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

const CLAIMS: ReadonlySet<Answer> = new Set<Answer>(['better', 'worse', 'higher', 'lower'])
const SMALL: ReadonlySet<Answer> = new Set<Answer>(['same', 'different-but-small'])

function matters(verdicts: readonly Verdict[]): boolean | null {
  const claims = verdicts.filter(({ question, scope }) => question === 'trend' || scope === 'configs')
  if (claims.some(({ answer }) => CLAIMS.has(answer))) return true
  const contrasts = verdicts.filter(({ question }) => question !== 'trend')
  const small = contrasts.length > 0 && contrasts.every(({ answer, scope }) => SMALL.has(answer) && scope === 'configs')
  return small ? false : null
}
