import { numberOf } from '../../../logs/model/vocabulary/config-value.js'
import type { KlPath } from '../../../logs/model/vocabulary/effective-kl.js'
import { divide, type NumberRange, subtract } from '../../../stats/rounding.js'
import { limitsOf, threshold } from '../rule.js'
import type { Subject } from '../subject.js'
import { type Curve, combined, medianOf, paired, within } from './curve.js'
import { lastingToTheEnd } from './lasting.js'
import { decimalsOf, rangeOf } from './printed.js'

/**
 * What really acted on the policy: the learning rate, the KL coefficient, the updates between two rows of the log. The
 * log is believed before the config; null or undefined where neither tells.
 */

/** verl before 0.4 logged the rate in units of 1e-4 and said so in the name. */
export function loggedRate({ curve }: Subject): Curve | undefined {
  const logged = curve('lr')
  if (logged === undefined || !logged.metric.includes('(1e-4)')) return logged
  return { ...logged, values: logged.values.map(rate => rate * 1e-4) }
}

export function configuredRate(subject: Subject): number | null {
  return settingOf(subject, 'lr')
}

/** A setting as a number; null where nothing tells it, or it is none. */
export function settingOf({ settings }: Subject, key: string): number | null {
  return numberOf(settings.get(key)?.effective ?? undefined)
}

/** Which of the two KL terms a logged metric belongs to; their names say so, the canonical meaning does not. */
export function klPathOf({ metric }: Curve, { framework, kl }: Subject): KlPath {
  const inReward = framework === 'trl-ppo' || /reward_kl_penalty/.test(metric)
  return inReward ? kl.inReward : kl.inLoss
}

/** To be named in the `needs` or `uses` of a rule that asks `entropyOf`. */
export const ENTROPIES = ['entropy', 'entropy.negative'] as const

/** The policy's entropy, whichever sign it was logged with: Stable-Baselines3 logs the loss, minus the entropy. */
export function entropyOf({ curve }: Subject): Curve | undefined {
  const turned = curve('entropy.negative')
  const entropy = curve('entropy')
  if (entropy !== undefined || turned === undefined) return entropy
  return { ...turned, values: turned.values.map(value => -value) }
}

/** Of continuous actions: it has no floor, and its size depends on their scale. Rounding alone may print −0.000. */
export function isDifferential({ values }: Curve): boolean {
  return values.some(value => value < -1e-3)
}

/** Whether whole episodes are what is trained on, and no answers of a language model. */
export function isOfEpisodes({ curve }: Subject): boolean {
  return curve('episode.return') !== undefined && curve('len.response') === undefined
}

export function actingCoefficient(subject: Subject): number | null {
  const logged = subject.curve('kl.coef')
  if (logged !== undefined) return medianOf(logged)
  const { inLoss, inReward } = subject.kl
  return inLoss.on === true || inReward.on !== true ? inLoss.coefficient : inReward.coefficient
}

/** The last checkpoint on disk up to a step, where the config tells how often one is saved; else the step itself. */
export function savedUpTo(subject: Subject, step: number): number {
  const every = settingOf(subject, 'save.every')
  return every === null || every < 1 ? step : Math.floor(step / every) * every
}

/**
 * TRL's PPO sums the KL over the tokens of an answer, Lever-Plus and klens's selector over the picks; all others average
 * tokens, and so does klens's language model, which logs under verl's names.
 */
export function isKlPerSequence({ framework, manifest }: Subject): boolean {
  return framework === 'trl-ppo' || framework === 'lever-plus' || (manifest.source === 'klens' && framework !== 'verl')
}

/**
 * How often the policy is updated between two rows of the log. TRL logs each update as a step of its own. Of verl the
 * number of mini-batches is known when both batch sizes are.
 */
export function updatesPerStep(subject: Subject): number | null {
  const { framework } = subject
  if (framework === 'trl' || framework === 'trl-ppo') return 1
  const [prompts, mini] = [settingOf(subject, 'batch.prompts'), settingOf(subject, 'batch.mini')]
  if (framework !== 'verl' || prompts === null || mini === null) return null
  return Math.ceil(prompts / mini) * (settingOf(subject, 'epochs.inner') ?? 1)
}

/** From 0.7 on verl logs the sum of the KL over all updates of a step instead of their mean. */
export function timesKlIsSummed(kl: Curve, subject: Subject): number {
  if (subject.framework !== 'verl' || !/(?:^|\/)kl_loss$/.test(kl.metric)) return 1
  const [, major, minor] = /(\d+)\.(\d+)/.exec(subject.manifest.about.versions?.verl ?? '') ?? []
  const isEarlier = Number(major) === 0 && Number(minor) < 7
  return isEarlier ? 1 : (updatesPerStep(subject) ?? 1)
}

/** The rows at which total loss, policy loss and KL are all known, and the coefficient that each row implies. */
export interface ImpliedCoefficient {
  readonly step: number
  readonly value: number
  /** What it can have been, given how the three were printed. */
  readonly range: NumberRange
}

/**
 * Only Lever-Plus logs all three as plain means of one batch. verl never logs the total, and
 * TRL's is weighted by lengths and rounded to four decimals.
 */
export function impliedCoefficients({ framework, curve }: Subject): readonly ImpliedCoefficient[] {
  if (framework !== 'lever-plus') return []
  const [total, policy, kl] = [curve('loss.total'), curve('loss.policy'), curve('kl.ref')]
  if (total === undefined || policy === undefined || kl === undefined) return []
  const penalty = penalties(total, policy)
  const decimals = decimalsOf(kl)
  return Array.from(kl.steps).flatMap((step, i) => {
    const row = penalty.get(step)
    const range = row === undefined ? null : divide(row.range, rangeOf(kl.values[i], decimals))
    return row === undefined || range === null ? [] : [{ step, value: row.value / kl.values[i], range }]
  })
}

function penalties(
  total: Curve,
  policy: Curve,
): ReadonlyMap<number, { readonly value: number; readonly range: NumberRange }> {
  const [ofTotal, ofPolicy] = [decimalsOf(total), decimalsOf(policy)]
  return new Map(
    paired(total, policy).map(({ step, first, second }) => [
      step,
      { value: first - second, range: subtract(rangeOf(first, ofTotal), rangeOf(second, ofPolicy)) },
    ]),
  )
}

export const DEAD_THRESHOLDS = {
  NOTHING: threshold(1e-6, {
    en: 'Gradient and loss both below this; a loss alone is 0 in TRL by design.',
    zh: '梯度与 loss 都低于此值；TRL 中 loss 单独为 0 是正常的。',
  }),
  FEWEST_DEAD: threshold(10, { en: 'Points that it must last. Derived.', zh: '须持续这么多个点。推得。' }),
}
export const { NOTHING, FEWEST_DEAD } = limitsOf(DEAD_THRESHOLDS)

/** Gradient norm and loss as one curve: the larger of the two at each step that has both. */
export function updateSize({ curve }: Subject): Curve | undefined {
  const gradient = curve('grad.norm')
  const loss = curve('loss.policy') ?? curve('loss.total')
  if (gradient === undefined || loss === undefined) return undefined
  return combined(gradient, loss, (norm, size) => Math.max(Math.abs(norm), Math.abs(size)))
}

/** The end of the run in which next to nothing was learned any more. */
export function deadEnd(update: Curve): Curve | undefined {
  const found = lastingToTheEnd(update, isNothing, FEWEST_DEAD)
  return found === undefined ? undefined : within(update, found)
}

/** Steps without any update; a stray gradient now and then does not bring a run back. */
export function deadPoints({ values }: Curve): number {
  return values.filter(isNothing).length
}

function isNothing(value: number): boolean {
  return value < NOTHING
}
