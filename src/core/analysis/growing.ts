import type { Message } from '../../logs/model/run.js'
import { numberOf } from '../../logs/model/vocabulary/config-value.js'
import { INTERIM_ANALYSES, type InterimAnalysis } from '../../stats/group-sequential.js'
import { percentage } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { stepRange } from '../store/catalogue.js'
import type { RunView } from './run-view.js'

/**
 * Runs that still grow. Whoever compares them after every evaluation ends up with a claim in half of all equal pairs, so
 * there are a few looks at fixed shares of the planned training; the verdict is that of the last look passed, from what
 * was there at that look. Looking more often then changes nothing, and nothing has to be remembered.
 */
export interface Growing {
  /** The step at which training is planned to end; null where nothing tells, and then nothing is claimed. */
  readonly planned: number | null
}

/** A log without an end that was written to this lately is still being written; a step and an evaluation can take long. */
const ALIVE_MS = 60 * 60_000

/** Null when none of the runs grows any more. */
export function growthOf(runs: readonly RunView[], now = Date.now()): Growing | null {
  if (!runs.some(run => isGrowing(run, now))) return null
  const ends = runs.map(run => (isGrowing(run, now) ? plannedEnd(run) : (stepRange(run.manifest)?.[1] ?? null)))
  const known = ends.filter(end => end !== null)
  return { planned: known.length === runs.length ? Math.min(...known) : null }
}

function isGrowing(run: RunView, now: number): boolean {
  const { status, liveFolded, files } = run.manifest
  if (status === 'running') return true
  if (status !== 'unknown') return false
  const [planned, last] = [plannedEnd(run), stepRange(run.manifest)?.[1] ?? 0]
  const isYoung =
    liveFolded !== null || files.some(({ role, modifiedMs }) => role === 'log' && now - modifiedMs < ALIVE_MS)
  return planned !== null && last < planned && isYoung
}

function plannedEnd({ settings }: RunView): number | null {
  const steps = numberOf(settings.get('steps')?.effective)
  return steps !== null && steps > 0 ? steps : null
}

/** What may be said by now: up to which step, and at which level. */
export interface Standing {
  readonly until: number
  readonly level: number
  readonly reason: Message
}

const say = sentences({
  'growing.at-look': {
    en: 'still training: this is the look at {percent} % of the planned steps (up to step {until}), where a claim needs p < {level}; looking again before step {next} changes nothing',
    zh: '训练尚未结束：这是计划步数 {percent}% 处的一次检视（截至 step {until}），此处 p < {level} 才下结论；在 step {next} 之前反复查看不会改变结果',
  },
  'growing.before-looks': {
    en: 'still training: the first look is at step {first}; before it nothing is claimed',
    zh: '训练尚未结束：首次检视在 step {first}，此前不下结论',
  },
  'growing.no-plan': {
    en: 'still training, and nothing tells for how long: nothing is claimed until it ends',
    zh: '训练尚未结束，且日志与配置都没有说明总步数：结束之前不下结论',
  },
})

export function standingOf({ planned }: Growing, reached: number): Standing {
  if (planned === null) return { until: Number.POSITIVE_INFINITY, level: 0, reason: say('growing.no-plan', {}) }
  const passed: InterimAnalysis | undefined = INTERIM_ANALYSES.findLast(({ share }) => share * planned <= reached)
  if (passed === undefined) {
    const reason = say('growing.before-looks', { first: Math.ceil(INTERIM_ANALYSES[0].share * planned) })
    return { until: Number.POSITIVE_INFINITY, level: 0, reason }
  }
  const until = Math.floor(passed.share * planned)
  const next = Math.ceil((INTERIM_ANALYSES[INTERIM_ANALYSES.indexOf(passed) + 1]?.share ?? 1) * planned)
  const params = { percent: percentage(passed.share), until, level: passed.level, next }
  return { until, level: passed.level, reason: say('growing.at-look', params) }
}
