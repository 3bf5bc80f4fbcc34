import { z } from 'zod'
import type { Message } from '../../../logs/model/run.js'
import { list } from '../../../logs/model/schema.js'
import { sentence } from '../../../text/answer-schema.js'
import { figure } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import { expectedLossOf, pairJudgement } from '../judge-pair.js'
import {
  bestRun,
  type Candidate,
  type Choice,
  floorOf,
  hoursOf,
  type JudgedRival,
  meanValue,
  type SeedVariation,
  seedVariation,
} from './candidate.js'
import { experiment, experimentsFor } from './experiments.js'

/**
 * What to ship now, which is one run's checkpoint, and which experiments to run next. Runs are ranked by what they are
 * estimated to score at the step that would be shipped; whether another setting is better is judged as a comparison
 * judges it (judge-pair.ts), with the error of evaluations and of seeds.
 */
export const aim = z.enum(['score', 'worst-seed', 'cost'])

export type Aim = z.infer<typeof aim>

const shipped = z.object({
  run: z.string(),
  name: z.string(),
  setting: z.string(),
  step: z.number(),
  saved: z.boolean().nullable(),
  /** The estimated score there, in the metric's own sign. */
  value: z.number(),
  why: sentence,
})

export const decision = z.object({
  ship: shipped.nullable(),
  /** The setting for each aim, so that a reader sees whether they agree; null where nothing tells its cost. */
  aims: z.record(aim, z.string().nullable()),
  /** Against the setting that is likeliest to be better: what a comparison of the two says. Null without another setting. */
  judged: pairJudgement.nullable(),
  /** In the metric's unit, on average, if that setting is better; null where nothing tells. */
  expectedLoss: z.number().nullable(),
  /** The most gain per hour first; those of unknown cost last. */
  next: list(experiment),
  assumption: sentence,
})

export type Decision = z.infer<typeof decision>

const say = sentences({
  'decide.ship.score': {
    en: 'estimated true score {value} at this step, the highest of {runs} {runs|run|runs}',
    zh: '该 step 的得分估计为 {value}，在 {runs} 个 run 中最高',
  },
  'decide.ship.worst-seed': {
    en: 'a new seed of it is least likely to do badly: nine in ten should be above {value}',
    zh: '换一个种子也最不容易变差：十次中有九次应高于 {value}',
  },
  'decide.ship.cost': {
    en: 'the cheapest ({hours} h per run) of the settings within one seed std ({std}) of the best',
    zh: '在与最优相差不超过一个种子标准差（{std}）的配置中最便宜（每个 run {hours} 小时）',
  },
  'decide.assumed': {
    en: 'assumes a seed std of {std}, 2.5 % of the score: no setting has several runs',
    zh: '假设种子间标准差 {std}，即得分的 2.5%：没有任何配置有多个 run',
  },
  'decide.measured': { en: 'seed std {std}, from runs of one setting', zh: '种子间标准差 {std}，取自同一配置的 run' },
})

/** The run to ship for an aim, and the setting for each of them. */
export interface ChosenRun {
  readonly choice: Choice | null
  readonly aims: Decision['aims']
  readonly variation: SeedVariation
}

/** `candidates`: each with a run. Of those without a known cost none is the cheapest. */
export function chooseRun(candidates: readonly Candidate[], asked: Aim): ChosenRun {
  const variation = seedVariation(candidates)
  const top = (worth: (candidate: Candidate) => number, among = candidates): Candidate | null =>
    among.reduce<Candidate | null>((best, each) => (best === null || worth(each) > worth(best) ? each : best), null)
  const highest = Math.max(...candidates.map(meanValue))
  const good = candidates.filter(each => hoursOf(each) !== null && highest - meanValue(each) <= variation.size)
  const best = {
    score: top(candidate => bestRun(candidate).value),
    'worst-seed': top(candidate => floorOf(candidate, variation)),
    cost: top(candidate => -(hoursOf(candidate) ?? Number.POSITIVE_INFINITY), good),
  }
  const side = best[asked]
  const aims = {
    score: best.score?.label ?? null,
    'worst-seed': best['worst-seed']?.label ?? null,
    cost: best.cost?.label ?? null,
  }
  return { choice: side === null ? null : { side, run: bestRun(side) }, aims, variation }
}

/** `sign`: −1 where lower is better, since candidates are turned round. `prompts`: behind an evaluation, where known. */
export function decide(
  candidates: readonly Candidate[],
  { choice, aims, variation }: ChosenRun,
  rivals: readonly JudgedRival[],
  { aim: asked, prompts, sign = 1 }: { readonly aim: Aim; readonly prompts: number | null; readonly sign?: 1 | -1 },
): Decision {
  const own = say(variation.isAssumed ? 'decide.assumed' : 'decide.measured', { std: figure(variation.size, 2) })
  if (choice === null) return { ship: null, aims, judged: null, next: [], expectedLoss: null, assumption: own }
  const { side, run } = choice
  const lossTo = ({ judged }: JudgedRival): number => (judged === null ? -1 : (expectedLossOf(judged, side.label) ?? 0))
  const [nearest] = rivals.toSorted((a, b) => lossTo(b) - lossTo(a))
  const judged = nearest?.judged ?? null
  return {
    ship: {
      run: run.id,
      name: run.name,
      setting: side.label,
      step: run.step,
      saved: run.saved,
      value: sign * run.value,
      why: reasonFor(),
    },
    aims,
    judged,
    expectedLoss: judged === null ? null : expectedLossOf(judged, side.label),
    next: experimentsFor(choice, rivals, nearest?.rival ?? null, { prompts, sign }),
    assumption: judged?.choose?.assumption ?? own,
  }

  function reasonFor(): Message {
    switch (asked) {
      case 'score':
        return say('decide.ship.score', {
          value: figure(sign * run.value, 4),
          runs: candidates.flatMap(({ runs }) => runs).length,
        })
      case 'worst-seed':
        return say('decide.ship.worst-seed', { value: figure(sign * floorOf(side, variation)) })
      case 'cost':
        return say('decide.ship.cost', { hours: figure(hoursOf(side) ?? Number.NaN), std: figure(variation.size, 2) })
    }
  }
}
