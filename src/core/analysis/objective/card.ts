import { z } from 'zod'
import { FRAMEWORK_NAMES } from '../../../logs/model/vocabulary/framework.js'
import { sentence } from '../../../text/answer-schema.js'
import { type Message, sentences } from '../../../text/sentences.js'
import { isCorrectedWhenStale, KL_FORMS, KL_GRADIENTS, KL_WEIGHTS, klGradient } from './kl-gradient.js'
import { looksOdd } from './looks-odd.js'
import { lossFormula } from './loss-formula.js'
import type { Objective, ObjectiveKl, ObjectiveSource } from './objective.js'
import { paperName } from './paper-name.js'
import { readObjective } from './read-objective.js'
import { randomnessOf } from './seeds.js'

/** The objective card: what a setting really does, of a launch before it starts and of a run from its config. */

const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

export const objectiveSchema = z.object({
  /** As people say it: "GRPO with token-mean aggregation". */
  name: sentence,
  /** A paper's name where all its defining settings match. */
  paper: z.string().nullable(),
  framework: z.string(),
  /** Null where the release that runs is not known. */
  version: z.string().nullable(),
  /** With this training's figures; a figure that is not known stays a letter. */
  loss: z.string(),
  where: list(z.object({ symbol: z.string(), meaning: sentence })),
  clip: z.object({ low: z.number().nullable(), high: z.number().nullable() }),
  aggregation: z.string().nullable(),
  /** Optimiser steps on one batch of answers. */
  updates: z.number().nullable(),
  /** Each KL term that acts, with the gradient that it has; null where it is not known whether one acts. */
  kl: list(
    z.object({
      place: z.enum(['loss', 'reward']),
      coefficient: z.number().nullable(),
      estimator: z.enum(KL_FORMS).nullable(),
      /** What the estimate in the loss is multiplied by. */
      weight: z.enum(KL_WEIGHTS).nullable(),
      /** Of KL(policy ‖ reference), in expectation over fresh answers; null where it is not known. */
      gradient: z.enum(KL_GRADIENTS).nullable(),
      reasons: list(sentence),
    }),
  ).nullable(),
  seeds: list(
    z.object({ key: z.string(), value: z.number().nullable(), acts: z.boolean().nullable(), what: sentence }),
  ),
  /** Randomness that no seed above takes away. */
  stays: list(sentence),
  /** What will look odd in the log and is normal. */
  normal: list(sentence),
  /** What the config does not tell, or what depends on a release that is not known. */
  unknown: list(sentence),
})

type ObjectiveCard = z.infer<typeof objectiveSchema>

// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'objective.kl.stale': { en: 'from the second of {updates} updates on, the responses come from an older policy, and the term is not corrected for that', zh: '从第 2 次更新起（每批共 {updates} 次），回答来自旧策略，而该项没有为此校正' },
  'objective.kl.stale-reward': { en: 'it is computed when the responses are sampled; the {updates} update{updates||s} on them correct it by the clipped ratio only', zh: '它在采样时计算；之后的 {updates} 次更新只通过裁剪后的比值校正' },
  'objective.kl.logged': { en: 'the responses were logged by another policy: no estimate from them is a KL of this one', zh: '回答由别的策略产生：由它们得到的估计都不是当前策略的 KL' },
  'objective.kl.per-token': { en: 'it does not count that an early token leads to later ones; a KL in the reward does', zh: '它不计入前面的 token 对后面的影响；放在奖励里的 KL 会计入' },
  'objective.kl.scaled': { en: 'rewards are divided by the group’s std, and so is the penalty: its weight changes from group to group', zh: '奖励会除以组内标准差，惩罚也一样：它的权重随组变化' },
  'objective.kl.discounted': { en: 'γ = {gamma} discounts the KL of later tokens: correct for a discounted KL only', zh: 'γ = {gamma} 会对后面 token 的 KL 打折：只对打折后的 KL 成立' },
  'objective.kl.fails': { en: '{framework} {version} does not know this estimator’s name and stops at it (NotImplementedError)', zh: '{framework} {version} 不认识这个估计器名称，会报错停止（NotImplementedError）' },
  'objective.unknown.fails': { en: 'verl before 0.8 stops at an estimator with a plus (NotImplementedError); your release is unknown', zh: '0.8 之前的 verl 遇到带加号的估计器会报错停止（NotImplementedError）；版本未知' },
  'objective.unknown.weight-trl': { en: 'whether k3 is multiplied by the ratio: use_bias_correction_kl is not in the config; TRL has it since 0.26, off by default up to 1.9 and on from 1.10', zh: 'k3 是否乘以比值：配置中没有 use_bias_correction_kl；TRL 0.26 起有此项，1.9 及之前默认关闭，1.10 起默认开启' },
  'objective.unknown.weight': { en: 'the KL’s gradient depends on the release: NeMo-RL before 0.7 (PR #2506) has none for k1 and a biased one for k3; from 0.7 on both are correct and k2 is biased', zh: 'KL 的梯度取决于版本：NeMo-RL 0.7 之前（PR #2506）k1 没有梯度、k3 有偏；0.7 起两者正确、k2 有偏' },
  'objective.unknown.kl': { en: 'whether there is a KL term', zh: 'KL 项是否生效' },
  'objective.unknown.form': { en: 'the KL’s estimator', zh: 'KL 的估计器' },
  'objective.unknown.coefficient': { en: 'the KL’s coefficient', zh: 'KL 的系数' },
  'objective.unknown.clip': { en: 'the clip range', zh: '裁剪范围' },
  'objective.unknown.aggregation': { en: 'how losses are aggregated', zh: 'loss 如何聚合' },
  'objective.unknown.updates': { en: 'updates per batch, and so whether the ratio moves away from 1', zh: '每批更新次数，因而比值是否会偏离 1' },
  'objective.unknown.entropy': { en: 'the entropy coefficient', zh: '熵系数' },
})

/** `dependent`: settings left to a default that changed between releases, where the release is not known. */
export function objectiveCard(source: ObjectiveSource, dependent: readonly Message[] = []): ObjectiveCard | null {
  const objective = readObjective(source)
  if (objective === null) return null
  const { text, paper } = paperName(objective)
  const { seeds, stays } = randomnessOf(source)
  const { low, high } = objective.clip
  return {
    name: text,
    paper,
    framework: objective.framework,
    version: objective.version,
    ...lossFormula(objective),
    clip: { low, high },
    aggregation: objective.aggregation,
    updates: objective.updates,
    kl: objective.kl?.map(term => klAnswer(term, objective)) ?? null,
    seeds,
    stays,
    normal: looksOdd(objective),
    unknown: [...unknownOf(objective), ...dependent],
  }
}

function klAnswer(term: ObjectiveKl, objective: Objective): NonNullable<ObjectiveCard['kl']>[number] {
  const { place, form, weight, coefficient, fails } = term
  const said = { place, coefficient, estimator: form, weight }
  if (fails === true) {
    const about = { framework: FRAMEWORK_NAMES[objective.framework], version: objective.version ?? '' }
    return { ...said, gradient: null, reasons: [say('objective.kl.fails', about)] }
  }
  if (form === null || weight === null) return { ...said, gradient: null, reasons: [] }
  const { gradient, reason } = klGradient({ place, form, weight })
  return { ...said, gradient, reasons: [reason, ...limitsOf({ place, form, weight }, gradient, objective)] }
}

function limitsOf(
  placement: Parameters<typeof klGradient>[0],
  gradient: ReturnType<typeof klGradient>['gradient'],
  { updates, isAsynchronous, advantage, framework, aggregation }: Objective,
): readonly Message[] {
  const isStale = updates !== null && updates > 1
  const isReward = placement.place === 'reward'
  if (isAsynchronous && framework === 'klens') return [say('objective.kl.logged', {})]
  return [
    ...(gradient === 'right' && !isReward && aggregation !== 'seq-mean' ? [say('objective.kl.per-token', {})] : []),
    ...(isReward && advantage.kind === 'group-z' && framework !== 'openrlhf' ? [say('objective.kl.scaled', {})] : []),
    ...(isReward && advantage.gamma !== null && advantage.gamma < 1 && !advantage.kind.startsWith('group')
      ? [say('objective.kl.discounted', { gamma: advantage.gamma })]
      : []),
    ...(isStale && isReward ? [say('objective.kl.stale-reward', { updates })] : []),
    ...(isStale && !isCorrectedWhenStale(placement) ? [say('objective.kl.stale', { updates })] : []),
  ]
}

function unknownOf({ kl, clip, aggregation, updates, entropy, surrogate, framework }: Objective): readonly Message[] {
  const isClipped = surrogate.kind !== 'plain' && surrogate.kind !== 'named'
  return [
    ...(kl === null ? [say('objective.unknown.kl', {})] : kl.flatMap(term => unknownOfKl(term, framework === 'trl'))),
    ...(isClipped && clip.high === null ? [say('objective.unknown.clip', {})] : []),
    ...(aggregation === null ? [say('objective.unknown.aggregation', {})] : []),
    ...(updates === null ? [say('objective.unknown.updates', {})] : []),
    ...(entropy === null ? [say('objective.unknown.entropy', {})] : []),
  ]
}

function unknownOfKl({ form, weight, coefficient, fails }: ObjectiveKl, isTrl: boolean): readonly Message[] {
  return [
    ...(form === null && fails !== true ? [say('objective.unknown.form', {})] : []),
    ...(coefficient === null ? [say('objective.unknown.coefficient', {})] : []),
    ...(weight === null ? [say(isTrl ? 'objective.unknown.weight-trl' : 'objective.unknown.weight', {})] : []),
    ...(fails === null ? [say('objective.unknown.fails', {})] : []),
  ]
}
