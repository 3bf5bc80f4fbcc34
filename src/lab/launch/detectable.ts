import { knownNoise } from '../../core/analysis/plan/noise.js'
import { detectableWithEvaluations, detectableWithPrompts } from '../../core/analysis/plan/plan.js'
import { figure } from '../../text/numbers.js'
import type { Message } from '../../text/sentences.js'
import { sentences } from '../../text/sentences.js'
import type { Experiment } from './experiment.js'

/** The smallest difference that a launch's own validations could show, by the same reckoning as `klens plan`. */
export interface Detectable {
  /** Between two checkpoints, each asked once; in the metric's unit. */
  readonly difference: number
  /** Between two such runs over all planned evaluations, on these prompts; null where their number is not known. */
  readonly betweenRuns: number | null
  readonly n: number
  readonly evaluations: number | null
  /** How much the score of one evaluation scatters by its prompts. */
  readonly standardError: number
  readonly assumption: Message
}

const say = sentences({
  'preflight.scatter.given': {
    en: 'standard error of one evaluation {sd}, as given',
    zh: '按给定值，单次验证的标准误为 {sd}',
  },
  'preflight.scatter.known': {
    en: 'std {scatter} of per-prompt scores of {source}',
    zh: '{source} 的单题得分标准差为 {scatter}',
  },
  'preflight.scatter.worst': {
    en: 'scores between 0 and 1, worst case half right and half wrong',
    zh: '得分在 0 到 1 之间，最坏情况对错各半',
  },
})

/** Measured: what the 40 test tasks of UserRL's IntentionGym can earn (mean 2.68) scatters so. */
const KNOWN_SCATTER: { readonly [source: string]: number } = { interact_intention: 0.743 }
const WORST_OF_SHARES = 0.5
const POWER = 0.8
const FEWEST_EVALUATIONS = 3

export function detectableDifference(experiment: Experiment, given: number | null): Detectable | null {
  const n = experiment.evaluationPrompts
  if (n === null || n < 1) return null
  const source = experiment.data.validation?.source ?? ''
  const known = KNOWN_SCATTER[source]
  const standardError = given ?? (known ?? WORST_OF_SHARES) / Math.sqrt(n)
  const { noise } = knownNoise({ sd: standardError, seedSd: null, prompts: n, discordance: null, p: null }, null)
  const evaluations = experiment.amounts.evaluationSteps?.filter(step => step > 0).length ?? null
  const isEnough = evaluations !== null && evaluations >= FEWEST_EVALUATIONS
  return {
    difference: detectableWithPrompts(n, noise.pairedVariance ?? standardError ** 2 * n, POWER),
    betweenRuns: isEnough ? detectableWithEvaluations(evaluations, noise, POWER) : null,
    n,
    evaluations,
    standardError,
    assumption:
      given !== null
        ? say('preflight.scatter.given', { sd: figure(given) })
        : known === undefined
          ? say('preflight.scatter.worst', {})
          : say('preflight.scatter.known', { source, scatter: figure(known) }),
  }
}
