import type { Message } from '../../model/run.js'
import { readEvaluations } from '../../store/evaluations.js'
import { sentences } from '../../text/sentences.js'
import type { RunView } from '../run-view.js'

/**
 * By what checkpoints can be ranked, and on how many queries each criterion rests. A log scores a policy's own choice
 * only where somebody tried it before, which happens on the easier queries and on other ones at each checkpoint: such a
 * score is no ranking. A loss over all queries is then the better criterion, and whoever asks for the score is told.
 */
export interface Criterion {
  readonly metric: string
  /** Queries behind one evaluation, over the checkpoints. */
  readonly least: number
  readonly most: number
}

const say = sentences({
  'checkpoints.rests-on': {
    en: '{metric} rests on {count} queries at every checkpoint',
    zh: '{metric} 在每个 checkpoint 上都基于 {count} 个查询',
  },
  'checkpoints.rests-on-part': {
    en: '{metric} rests on {least} to {most} of {all} queries, not the same ones at every checkpoint: those whose choice the log happens to score, which are the easier ones; {other} rests on all {all}',
    zh: '{metric} 只基于 {all} 个查询中的 {least} 至 {most} 个，且各 checkpoint 并不相同：只有日志恰好评过分的选择才算数，往往是较容易的查询；{other} 基于全部 {all} 个',
  },
})

/** The score first. */
const CRITERIA = ['val.score', 'val.loss']

export async function criteriaOf(run: RunView): Promise<readonly Criterion[]> {
  const names = [...run.manifest.metrics.keys()]
  const carriers = CRITERIA.flatMap(canonical => run.carriersAmong(names, canonical).slice(0, 1))
  if (carriers.length === 0 || run.manifest.evaluations === 0) return []
  const evaluations = await readEvaluations(run)
  return carriers.flatMap(metric => {
    const sizes = evaluations.flatMap(each => (each.metric === metric && each.n !== null ? [each.n] : []))
    return sizes.length === 0 ? [] : [{ metric, least: Math.min(...sizes), most: Math.max(...sizes) }]
  })
}

/** The metric to rank by when none is named: the one that rests on the most queries; null where that is the score. */
export function fullestCriterion([first, ...others]: readonly Criterion[]): string | null {
  return others.find(({ least }) => first !== undefined && least > first.least)?.metric ?? null
}

/** Nothing where there is only one to choose from. */
export function restsOn(criteria: readonly Criterion[]): readonly Message[] {
  if (criteria.length < 2) return []
  const all = Math.max(...criteria.map(({ most }) => most))
  const fullest = criteria.find(({ least }) => least === all)
  return criteria.map(({ metric, least, most }) =>
    fullest === undefined || least === all
      ? say('checkpoints.rests-on', { metric, count: least === most ? least : `${least}–${most}` })
      : say('checkpoints.rests-on-part', { metric, least, most, all, other: fullest.metric }),
  )
}
