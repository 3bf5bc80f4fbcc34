import { figure } from '../../../text/numbers.js'
import { type Message, sentences } from '../../../text/sentences.js'
import type { AdvantageEstimator, Objective } from './objective.js'

/**
 * What papers call an objective. A name is given only where all that defines it is set so; else the nearest common name
 * with what differs. Guards that papers leave out and frameworks add (dual clip, clamps of exponents, truncated sampler
 * ratios) do not count, nor do figures that a paper tunes, such as the width of the clip.
 */
interface PaperName {
  /** Null where something differs or is not known. */
  readonly paper: string | null
  readonly text: Message
}

// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'objective.name': { en: '{name}', zh: '{name}' },
  'objective.name.with': { en: '{base} with {differences}', zh: '{base}，但{differences}' },
  'objective.name.unknown': { en: '{base}, as far as the config says', zh: '{base}（就配置所知）' },
  'objective.name.other': { en: 'policy gradient with {estimator} advantages', zh: '以 {estimator} 计算优势的策略梯度' },
  'objective.name.method-unknown': { en: 'unknown policy gradient', zh: '算法未知的策略梯度' },
  'objective.list': { en: '{first}, {second}', zh: '{first}、{second}' },
  'objective.differs.no-kl': { en: 'no KL', zh: '无 KL' },
  'objective.differs.kl-loss': { en: '{form} in the loss', zh: 'loss 中的 {form}' },
  'objective.differs.kl-loss-weighted': { en: '{form} times the ratio in the loss', zh: 'loss 中 {form} 乘以比值' },
  'objective.differs.kl-reward': { en: '{form} in the reward', zh: '奖励中的 {form}' },
  'objective.differs.kl-both': { en: 'KL in the loss and in the reward', zh: 'loss 和奖励中都有 KL' },
  'objective.differs.aggregation': { en: '{mode} aggregation', zh: '{mode} 聚合' },
  'objective.differs.clip-higher': { en: 'clip-higher ({low}/{high})', zh: 'clip-higher（{low}/{high}）' },
  'objective.differs.no-std': { en: 'no division by the group’s std', zh: '不除以组内标准差' },
  'objective.differs.batch-std': { en: 'the batch’s std in place of the group’s', zh: '用批次标准差代替组内标准差' },
  'objective.differs.turns': { en: 'turn-level credit ({turns})', zh: '按轮次分配（{turns}）' },
  'objective.differs.group-of-one': { en: 'one response per prompt', zh: '每个 prompt 只有一个回答' },
  'objective.differs.updates': { en: '{updates} clipped update{updates||s} per batch', zh: '每批 {updates} 次带裁剪的更新' },
  'objective.differs.surrogate': { en: 'the {name} loss', zh: '{name} 损失' },
  'objective.differs.sampler': { en: 'the ratio to the sampler', zh: '相对采样器的比值' },
})

/** A setting that belongs to a name: whether it is so, null where that is not known, and what to say where it is not. */
interface Need {
  readonly isMet: (objective: Objective) => boolean | null
  readonly differs: (objective: Objective) => Message
}

const need = (isMet: Need['isMet'], differs: Need['differs']): Need => ({ isMet, differs })
/** Of a name that nothing is described by, only whether it fits counts. */
const fits = (isMet: Need['isMet']): Need => need(isMet, () => say('objective.name', { name: '' }))

const KNOWN_LOSS = need(
  ({ surrogate }) => surrogate.kind !== 'named',
  ({ surrogate }) => say('objective.differs.surrogate', { name: surrogate.kind === 'named' ? surrogate.name : '' }),
)
const OWN_RATIO = need(
  ({ ratioTo }) => ratioTo !== 'sampler',
  () => say('objective.differs.sampler', {}),
)
const REAL_GROUP = need(
  ({ advantage: { groupSize } }) => (groupSize === null ? null : groupSize > 1),
  () => say('objective.differs.group-of-one', {}),
)
const PLAIN_CREDIT = need(
  ({ advantage: { turns } }) => turns === null,
  ({ advantage: { turns } }) => say('objective.differs.turns', { turns: turns ?? '' }),
)
const GROUP_STD = need(
  ({ advantage: { kind } }) => (kind === 'group-unknown' ? null : kind === 'group-z'),
  ({ advantage: { kind } }) =>
    say(kind === 'group-batch-std' ? 'objective.differs.batch-std' : 'objective.differs.no-std', {}),
)
const EVEN_CLIP = need(
  ({ clip: { low, high } }) => (low === null || high === null ? null : low === high),
  ({ clip: { low, high } }) => say('objective.differs.clip-higher', { low: figure(low ?? 0), high: figure(high ?? 0) }),
)
const ONE_UPDATE = need(
  ({ updates, surrogate }) => (surrogate.kind === 'plain' ? true : updates === null ? null : updates === 1),
  ({ updates }) => say('objective.differs.updates', { updates: updates ?? '?' }),
)
const NO_KL = need(({ kl }) => (kl === null ? null : kl.length === 0), klDifference)

/** `seq-mean`: the log-probability of an answer is a sum over its tokens. */
function aggregated(...modes: readonly string[]): Need {
  return need(
    ({ aggregation }) => (aggregation === null ? null : modes.includes(aggregation)),
    ({ aggregation }) => say('objective.differs.aggregation', { mode: aggregation ?? '' }),
  )
}

function klIs(place: 'loss' | 'reward', form: string): Need {
  return need(({ kl }) => {
    const [term, second] = kl ?? []
    if (kl === null || (term?.place === place && (term.form === null || term.weight === null))) return null
    return second === undefined && term?.place === place && term.form === form && term.weight === 'none'
  }, klDifference)
}

function klDifference({ kl }: Objective): Message {
  const [term, second] = kl ?? []
  if (term === undefined) return say('objective.differs.no-kl', {})
  if (second !== undefined) return say('objective.differs.kl-both', {})
  const form = term.form ?? 'KL'
  if (term.place === 'reward') return say('objective.differs.kl-reward', { form })
  return say(term.weight === 'none' ? 'objective.differs.kl-loss' : 'objective.differs.kl-loss-weighted', { form })
}

interface Paper {
  readonly name: string
  readonly holds: (objective: Objective) => boolean
  readonly needs: readonly Need[]
}

const GROUP = [KNOWN_LOSS, REAL_GROUP, GROUP_STD, PLAIN_CREDIT, OWN_RATIO]
const ANY_GROUP = isOf('group-z', 'group-mean', 'group-batch-std', 'group-unknown')

/** Of those that hold, the first whose needs are all met gives the name, and the first of its loss or advantages what others are described by. */
// biome-ignore format: a table is read by its lines
const PAPERS: readonly Paper[] = [
  { name: 'GSPO', holds: has('sequence-clip'), needs: [...GROUP, aggregated('seq-mean-token-mean')] },
  { name: 'CISPO', holds: has('weight'), needs: [...GROUP, aggregated('token-mean'), NO_KL] },
  { name: 'GMPO', holds: has('geometric'), needs: GROUP },
  { name: 'GRPO', holds: ANY_GROUP, needs: [...GROUP, aggregated('seq-mean-token-mean'), EVEN_CLIP, klIs('loss', 'k3')] },
  { name: 'Dr. GRPO', holds: ANY_GROUP, needs: [
    fits(({ advantage }) => advantage.kind === 'group-mean'), KNOWN_LOSS, REAL_GROUP, PLAIN_CREDIT, OWN_RATIO, EVEN_CLIP, NO_KL, aggregated('seq-mean-token-sum-norm'),
  ] },
  { name: 'DAPO', holds: ANY_GROUP, needs: [
    ...GROUP, aggregated('token-mean'), NO_KL,
    fits(({ clip: { low, high } }) => low !== null && high !== null && high > low),
    fits(({ dynamicSampling, overlongPenalty }) => dynamicSampling && overlongPenalty),
  ] },
  { name: 'PPO', holds: isOf('gae'), needs: [KNOWN_LOSS, EVEN_CLIP, OWN_RATIO, NO_KL] },
  { name: 'RLOO', holds: isOf('leave-one-out'), needs: [KNOWN_LOSS, REAL_GROUP, ONE_UPDATE, aggregated('seq-mean', 'seq-mean-token-sum'), klIs('reward', 'k1')] },
  { name: 'REINFORCE++', holds: isOf('reinforce++'), needs: [KNOWN_LOSS, EVEN_CLIP, klIs('reward', 'k1')] },
  { name: 'REINFORCE++-baseline', holds: isOf('reinforce++-baseline'), needs: [KNOWN_LOSS, REAL_GROUP, EVEN_CLIP, klIs('loss', 'k2')] },
  { name: 'ReMax', holds: isOf('remax'), needs: [KNOWN_LOSS, ONE_UPDATE] },
  { name: 'OPO', holds: isOf('opo'), needs: [KNOWN_LOSS, REAL_GROUP, ONE_UPDATE, NO_KL] },
  { name: 'GPG', holds: isOf('gpg'), needs: [KNOWN_LOSS, REAL_GROUP, ONE_UPDATE, NO_KL] },
]

function has(kind: Objective['surrogate']['kind']): Paper['holds'] {
  return ({ surrogate, advantage }) => surrogate.kind === kind && advantage.kind.startsWith('group')
}

function isOf(...kinds: readonly AdvantageEstimator[]): Paper['holds'] {
  return ({ advantage }) => kinds.includes(advantage.kind)
}

export function paperName(objective: Objective): PaperName {
  const [nearest, ...others] = PAPERS.filter(({ holds }) => holds(objective))
  if (nearest === undefined) {
    const { kind, name } = objective.advantage
    const base =
      kind === 'unknown' ? say('objective.name.method-unknown', {}) : say('objective.name.other', { estimator: name })
    return {
      paper: null,
      text: withDifferences(base, NO_KL.isMet(objective) === false ? [klDifference(objective)] : []),
    }
  }
  // A loss of its own decides before the advantages do, which it shares with others.
  const candidates = objective.surrogate.kind === 'clip' ? [nearest, ...others] : [nearest]
  const exact = candidates.find(({ needs }) => needs.every(({ isMet }) => isMet(objective) === true))
  if (exact !== undefined) return { paper: exact.name, text: say('objective.name', { name: exact.name }) }
  const differing = nearest.needs.filter(({ isMet }) => isMet(objective) === false)
  const base = say('objective.name', { name: nearest.name })
  const text =
    differing.length === 0
      ? say('objective.name.unknown', { base })
      : withDifferences(
          base,
          differing.map(({ differs }) => differs(objective)),
        )
  return { paper: null, text }
}

function withDifferences(base: Message, [first, ...rest]: readonly Message[]): Message {
  if (first === undefined) return base
  const differences = rest.reduce((all, next) => say('objective.list', { first: all, second: next }), first)
  return say('objective.name.with', { base, differences })
}
