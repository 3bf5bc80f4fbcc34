import { Problem } from '../../../logs/model/problem.js'
import { groupBy } from '../../../logs/model/util/group-by.js'
import { numberOf } from '../../../logs/model/vocabulary/config-value.js'
import { listed } from '../../../text/language.js'
import { sentences } from '../../../text/sentences.js'
import { shownName } from '../../store/manifest.js'
import { readSeries, type SeriesPoints } from '../../store/series.js'
import type { RunView } from '../run-view.js'
import { type KlPoint, legsOf } from './legs.js'

/**
 * The one KL that runs are put side by side with: to the reference, of one metric, unit and estimator. Where the reference
 * moves during training it is no distance from the start; then the KL to the start counts, if every run logs that.
 */

const say = sentences({
  'frontier.no-kl': {
    en: 'none of these runs logs a KL to the reference, so there is nothing to plot the score against (TRL logs it with beta > 0; verl with use_kl_loss, or as actor/kl_loss at a coefficient of 0)',
    zh: '这些 run 都没有记录与参考策略的 KL，没有可与得分对照的量（TRL 在 beta > 0 时记录；verl 需要 use_kl_loss，系数可为 0）',
  },
  'frontier.mixed': {
    en: 'these runs measure KL in {count} ways, which do not fit on one axis: {ways}; choose runs of one kind',
    zh: '这些 run 的 KL 有 {count} 种口径，不能放在同一坐标轴上：{ways}；请只选其中一种口径的 run',
  },
})

export interface KlAxis {
  readonly metric: string
  readonly unit: string | null
  /** What the distance is from: the reference policy, or the policy that training started from. */
  readonly from: 'reference' | 'start'
  readonly byRun: ReadonlyMap<string, RunKl>
}

export interface RunKl {
  /** In step order; over legs their sum: how far the policy has gone, which is no distance from the start. */
  readonly points: readonly KlPoint[]
  /** Steps at which a new leg begins: the reference was replaced by the policy. */
  readonly resets: readonly number[]
  /** Whether it is a distance from one policy all along. */
  readonly isDistance: boolean
}

const FROM_START = 'kl.start.exact'

export async function klAxis(runs: readonly RunView[]): Promise<KlAxis> {
  const read = await Promise.all(runs.map(readKl))
  const logged = read.filter(({ reference }) => reference !== null)
  if (logged.length > 0 && logged.some(({ kl }) => kl?.isDistance === false) && logged.every(({ start }) => start)) {
    const byRun = logged.map(({ run, start }) => [run.manifest.id, fixed(start ?? [])] as const)
    return { metric: FROM_START, unit: runs[0].meaningOf(FROM_START).unit, from: 'start', byRun: new Map(byRun) }
  }
  const [first] = logged
  if (first?.reference == null) throw new Problem('not-found', say('frontier.no-kl', {}))
  refuseMixing(logged.map(({ run, reference }) => ({ run, way: reference?.way ?? '' })))
  const byRun = logged.flatMap(({ run, kl }) => (kl === null ? [] : [[run.manifest.id, kl] as const]))
  return { metric: first.reference.metric, unit: first.reference.unit, from: 'reference', byRun: new Map(byRun) }
}

interface ReadKl {
  readonly run: RunView
  readonly reference: { readonly metric: string; readonly unit: string | null; readonly way: string } | null
  readonly kl: RunKl | null
  readonly start: readonly KlPoint[] | null
}

async function readKl(run: RunView): Promise<ReadKl> {
  const [metric] = run.carriersAmong([...run.manifest.metrics.keys()], 'kl.ref')
  if (metric === undefined) return { run, reference: null, kl: null, start: null }
  const [told] = run.metricsNamed('ref.resets')
  const [start] = run.metricsNamed(FROM_START)
  const series = await readSeries(
    run,
    [metric, told, start].filter(name => name !== undefined),
  )
  const pointsOf = (name: string | undefined) => (name === undefined ? undefined : series.get(name))
  const { unit } = run.meaningOf(metric)
  // Of a penalty that is switched off the estimator has no effect, but it is what the logged KL is made with.
  const estimator = run.settings.get('kl.loss.estimator')?.configured ?? null
  const way = [metric, unit, estimator].filter(part => part !== null).join(', ')
  return {
    run,
    reference: { metric, unit, way },
    kl: alongLegs(run, finite(pointsOf(metric)), finite(pointsOf(told))),
    start: start === undefined ? null : finite(pointsOf(start)),
  }
}

/** Told by the log itself, planned by the settings, or seen: KL falls to nothing from one step to the next. */
function alongLegs({ settings }: RunView, points: readonly KlPoint[], told: readonly KlPoint[]): RunKl {
  const every = numberOf(settings.get('ref.sync.steps')?.effective)
  const isMoving = every !== null || settings.get('ref.sync')?.effective === true
  const isWhole = (numberOf(settings.get('ref.sync.mixup')?.effective) ?? 1) === 1
  const { points: summed, resets } = legsOf(points, { told, every: isWhole ? every : null, isMoving })
  return { points: summed, resets, isDistance: !isMoving && resets.length === 0 }
}

function fixed(points: readonly KlPoint[]): RunKl {
  return { points, resets: [], isDistance: true }
}

function finite(points: SeriesPoints | undefined): readonly KlPoint[] {
  return Array.from(points?.steps ?? [], (step, i) => ({ step, kl: points?.values[i] ?? Number.NaN })).filter(
    ({ kl }) => Number.isFinite(kl),
  )
}

function refuseMixing(found: readonly { readonly run: RunView; readonly way: string }[]): void {
  const groups = [...groupBy(found, ({ way }) => way)]
  if (groups.length < 2) return
  const ways = groups.map(([way, members]) => `${way} (${listed(members.map(({ run }) => shownName(run.manifest)))})`)
  throw new Problem('bad-request', say('frontier.mixed', { count: groups.length, ways: ways.join('; ') }))
}
