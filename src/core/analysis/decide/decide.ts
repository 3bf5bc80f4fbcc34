import { z } from 'zod'
import type { Message } from '../../../logs/model/run.js'
import { list } from '../../../logs/model/schema.js'
import { expectedOpportunityLoss } from '../../../stats/value-of-information.js'
import { sentence } from '../../../text/answer-schema.js'
import { figure } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import {
  type Beliefs,
  beliefsOf,
  type Candidate,
  type CandidateRun,
  floorOf,
  hoursOf,
  levelOf,
  runWorth,
  spreadOf,
} from './beliefs.js'
import { purchase, purchases } from './purchases.js'

/** What to ship now, which is one run's checkpoint, and what the next hours should buy. */
export const aim = z.enum(['score', 'worst-seed', 'cost'])

export type Aim = z.infer<typeof aim>

const shipped = z.object({
  run: z.string(),
  name: z.string(),
  setting: z.string(),
  step: z.number(),
  saved: z.boolean().nullable(),
  why: sentence,
})

export const decision = z.object({
  ship: shipped.nullable(),
  /** The setting for each aim, so that a reader sees whether they agree; null where nothing tells its cost. */
  aims: z.record(aim, z.string().nullable()),
  /** In the metric's unit, on average, compared with knowing the truth; null where there is nothing to choose from. */
  expectedLoss: z.number().nullable(),
  /** The most worth per hour first; those of unknown cost last. */
  next: list(purchase),
  assumption: sentence,
})

export type Decision = z.infer<typeof decision>

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
})

export function decide(
  candidates: readonly Candidate[],
  { aim, prompts, sign = 1 }: { readonly aim: Aim; readonly prompts: number | null; readonly sign?: 1 | -1 },
): Decision {
  const known = candidates.filter(({ runs }) => runs.length > 0)
  const beliefs = beliefsOf(known, prompts)
  const best = {
    score: topOf(known, candidate => levelOf(beliefs, candidate)),
    'worst-seed': topOf(known, candidate => floorOf(beliefs, candidate)),
    cost: cheapest(known, beliefs),
  }
  const aims = {
    score: best.score?.label ?? null,
    'worst-seed': best['worst-seed']?.label ?? null,
    cost: best.cost?.label ?? null,
  }
  const assumption = assumptionOf(beliefs)
  const worthOf = (candidate: Candidate, run: CandidateRun): number => runWorth(beliefs, candidate, run)
  const side = aim === 'score' ? topOf(known, each => Math.max(...each.runs.map(run => worthOf(each, run)))) : best[aim]
  if (side === null) return { ship: null, aims, next: [], expectedLoss: null, assumption }
  const run = side.runs.reduce((top, each) => (worthOf(side, each) > worthOf(side, top) ? each : top))
  const others = known.filter(({ label }) => label !== side.label)
  const rival = topOf(others, candidate => levelOf(beliefs, candidate))
  const why = reasonFor(aim, beliefs, side, run, sign)
  return {
    ship: { run: run.id, name: run.name, setting: side.label, step: run.step, saved: run.saved, why },
    aims,
    expectedLoss:
      rival === null
        ? null
        : expectedOpportunityLoss(levelOf(beliefs, side) - levelOf(beliefs, rival), spreadOf(beliefs, side, rival)),
    next: purchases(beliefs, known, { side, run, rival }),
    assumption,
  }
}

function assumptionOf({ scatter: { size, isAssumed, settings } }: Beliefs): Message {
  return isAssumed
    ? say('decide.assumed', { scatter: figure(size) })
    : say('decide.measured', { scatter: figure(size), settings })
}

function reasonFor(aim: Aim, beliefs: Beliefs, side: Candidate, run: CandidateRun, sign: 1 | -1): Message {
  switch (aim) {
    case 'score':
      return say('decide.ship.score', { level: figure(sign * runWorth(beliefs, side, run)), runs: side.runs.length })
    case 'worst-seed':
      return say('decide.ship.worst-seed', { level: figure(sign * floorOf(beliefs, side)) })
    case 'cost':
      return say('decide.ship.cost', {
        hours: figure(hoursOf(side) ?? Number.NaN),
        scatter: figure(beliefs.scatter.size),
      })
  }
}

function topOf(candidates: readonly Candidate[], worth: (candidate: Candidate) => number): Candidate | null {
  return candidates.reduce<Candidate | null>(
    (best, each) => (best === null || worth(each) > worth(best) ? each : best),
    null,
  )
}

/** Of those that give away less than one scatter of seeds. */
function cheapest(candidates: readonly Candidate[], beliefs: Beliefs): Candidate | null {
  const highest = Math.max(...beliefs.levels.values())
  const good = candidates.filter(candidate => highest - levelOf(beliefs, candidate) <= beliefs.scatter.size)
  const priced = good.filter(candidate => hoursOf(candidate) !== null)
  return topOf(priced, candidate => -(hoursOf(candidate) ?? Number.POSITIVE_INFINITY))
}
