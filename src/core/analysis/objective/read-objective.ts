import type { Json } from '../../../logs/model/json.js'
import { isNothing, numberOf, truthOf } from '../../../logs/model/vocabulary/config-value.js'
import { isRloo, type KlPath } from '../../../logs/model/vocabulary/effective-kl.js'
import { isReleasedBefore } from '../../../logs/model/vocabulary/traps.js'
import { KL_FORMS, type KlForm, type KlWeight } from './kl-gradient.js'
import type { Advantage, AdvantageEstimator, Objective, ObjectiveKl, ObjectiveSource, Surrogate } from './objective.js'
import { isAsynchronous, takesOldFromSampler, updatesPerBatch } from './updates.js'

/**
 * Reads the objective off a config, framework by framework. What each does was read in the source of its releases: verl
 * 0.3 to 0.9.1, TRL 0.14 to 1.16, OpenRLHF 0.11 (older ones as stored files), NeMo-RL before and after its PR #2506. Null: no training of a
 * policy by reinforcement, or of a framework whose loss was not read.
 */
export function readObjective(source: ObjectiveSource): Objective | null {
  const reading = readingOf(source)
  if (source.isKlens) return klensObjective(reading)
  switch (source.framework) {
    case 'verl':
      return verlObjective(reading)
    case 'trl':
      return isRloo(Object.keys(source.config)) ? rlooObjective(reading) : trlObjective(reading)
    case 'trl-ppo':
      return trlPpoObjective(reading)
    case 'openrlhf':
      return openRlhfObjective(reading)
    case 'nemo-rl':
      return nemoRlObjective(reading)
    default:
      return null
  }
}

/** The settings by type; `raw`: a key that no canonical setting stands for. */
function readingOf(source: ObjectiveSource) {
  const { config, setting, version } = source
  return {
    source,
    value: setting,
    number: (canonical: string) => numberOf(setting(canonical)),
    text: (canonical: string) => (isNothing(setting(canonical)) ? null : String(setting(canonical)).toLowerCase()),
    truth: (canonical: string) => truthOf(setting(canonical)),
    raw: (key: string): Json | undefined => config[key],
    isBefore: (major: number, minor: number) => isReleasedBefore(version, [major, minor]),
  }
}

type Reading = ReturnType<typeof readingOf>
type Own = Pick<Objective, 'advantage' | 'surrogate' | 'aggregation'> & Partial<Objective>

/** What most have in common, under what a framework has of its own. */
function objective(reading: Reading, own: Own): Objective {
  const { source, number } = reading
  const range = number('clip.range')
  const low = number('clip.low') ?? range
  return {
    framework: source.framework ?? 'klens',
    logsAs: source.framework ?? 'klens',
    version: source.version,
    clip: { low, high: number('clip.high') ?? range ?? low, dual: number('clip.dual') },
    ratioTo: 'batch-start',
    klAggregation: own.aggregation,
    kl: klTerms(reading, 'none'),
    entropy: number('entropy.coef'),
    referenceSync: null,
    isKlLogged: false,
    updates: updatesPerBatch(source.framework ?? 'klens', number, source.config, number('batch.prompts')),
    isAsynchronous: isAsynchronous(source.config),
    dynamicSampling: false,
    overlongPenalty: false,
    ...own,
  }
}

function advantage(
  { number, text }: Reading,
  kind: AdvantageEstimator,
  name: string,
  own: Partial<Advantage> = {},
): Advantage {
  const group = number('group.size')
  return { kind, name, groupSize: group, gamma: number('gamma'), lambda: null, turns: text('reward.turns'), ...own }
}

/** The terms that act. `fixed`: where the framework has one estimator and no setting for it. */
function klTerms(
  reading: Reading,
  weight: KlWeight | null,
  fixed: KlForm | null = null,
): readonly ObjectiveKl[] | null {
  const { source, value } = reading
  const { kl } = source
  const framework = source.framework ?? ''
  const hasOne = Object.hasOwn(ONE_ESTIMATOR, framework)
  const isOpen = (path: 'loss' | 'reward'): boolean => source.isOpen?.(`kl.${path}.on`) === true
  const paths = [
    ['loss', kl.inLoss],
    ['reward', kl.inReward],
  ] as const
  if (paths.some(([place, { on }]) => on === null || isOpen(place))) return null
  const made = ([place, path]: readonly ['loss' | 'reward', KlPath]): ObjectiveKl => {
    const named = String(value(`kl.${place}.estimator`) ?? (hasOne ? value(ONE_ESTIMATOR[framework]) : '') ?? '')
    return {
      place,
      coefficient: source.isOpen?.(`kl.${place}.coef`) === true ? null : path.coefficient,
      isAdaptive: kl.adaptive,
      form: fixed ?? formNamed(named),
      weight: place === 'loss' ? weight : 'none',
      fails: failsAt(reading, named),
    }
  }
  return paths.filter(([, { on }]) => on === true).map(made)
}

/** Those with one estimator for both places, and where its setting is filed. */
const ONE_ESTIMATOR: { readonly [framework: string]: string } = {
  openrlhf: 'kl.reward.estimator',
  'nemo-rl': 'kl.loss.estimator',
}

// biome-ignore format: a table is read by its lines
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['kl', 'k1'], ['mse', 'k2'], ['low_var_kl', 'k3'],
])

/** verl says `low_var_kl+` for k3 with the slope of k2. */
function formNamed(name: string): KlForm | null {
  const plus = name.endsWith('+') ? '+' : ''
  const bare = plus === '' ? name : name.slice(0, -1)
  const form = `${OTHER_NAMES.get(bare) ?? bare}${plus}`
  return KL_FORMS.find(known => known === (form === 'k2+' ? 'k2' : form)) ?? null
}

/** Until 0.8 verl did not strip the plus and stopped at the name (PR #6058); `full` it has never had. */
function failsAt({ source, isBefore }: Reading, name: string): boolean | null {
  if (source.framework !== 'verl' || source.isKlens) return false
  return name === 'full' ? true : name.endsWith('+') ? isBefore(0, 8) : false
}

// biome-ignore format: a table is read by its lines
const VERL_ADVANTAGES: ReadonlyMap<string, AdvantageEstimator> = new Map<string, AdvantageEstimator>([
  ['gae', 'gae'], ['rloo', 'leave-one-out'], ['rloo_vectorized', 'leave-one-out'],
  ['reinforce_plus_plus', 'reinforce++'], ['reinforce_plus_plus_baseline', 'reinforce++-baseline'],
  ['remax', 'remax'], ['opo', 'opo'], ['gpg', 'gpg'],
])

function verlObjective(reading: Reading): Objective | null {
  const { text, truth, raw, value, isBefore } = reading
  // Logs that keep only some of verl's settings, and trainers that copy them, still tell about the KL.
  if (isNothing(value('algorithm')) && isNothing(value('kl.loss.on'))) return null
  const name = text('algorithm') ?? ''
  const isGroup = /^grpo(?:_vectorized|_multiturn)?$/.test(name)
  const mode = takesOldFromSampler(reading.source.config)
    ? raw('algorithm.rollout_correction.loss_type') === 'reinforce'
      ? 'gpg'
      : 'vanilla'
    : (text('loss.type') ?? (name === '' ? '' : 'vanilla'))
  const surrogate = VERL_SURROGATES.get(mode) ?? { kind: 'named', name: mode }
  const given = text('loss.aggregation')
  const isOwn = name === 'grpo_multiturn'
  return objective(reading, {
    advantage: advantage(
      reading,
      isGroup ? scaled(truth('adv.scale')) : (VERL_ADVANTAGES.get(name) ?? (name === '' ? 'unknown' : 'other')),
      name,
      {
        lambda: numberOf(raw('algorithm.lam')),
        turns: isOwn ? (text('reward.turns') ?? 'equalized') : null,
      },
    ),
    surrogate,
    aggregation: verlAggregation(surrogate, given, isBefore(0, 9)),
    klAggregation: given,
    isKlLogged: truth('kl.loss.on') === true,
    ratioTo: takesOldFromSampler(reading.source.config) ? 'sampler' : 'batch-start',
    dynamicSampling: truthOf(raw('algorithm.filter_groups.enable')) === true,
    overlongPenalty: Object.entries(reading.source.config).some(
      ([key, value]) => key.endsWith('overlong_buffer_cfg.enable') && truthOf(value) === true,
    ),
  })
}

// biome-ignore format: a table is read by its lines
const VERL_SURROGATES: ReadonlyMap<string, Surrogate> = new Map<string, Surrogate>([
  ['vanilla', { kind: 'clip' }], ['gspo', { kind: 'sequence-clip' }], ['cispo', { kind: 'weight' }],
  ['geo_mean', { kind: 'geometric' }], ['gpg', { kind: 'plain' }],
])

/** GMPO has a loss an answer and takes no mode; GSPO took its own until 0.9. */
function verlAggregation({ kind }: Surrogate, given: string | null, isBefore09: boolean | null): string | null {
  if (kind === 'geometric') return 'seq-mean'
  const ofGspo = 'seq-mean-token-mean'
  if (kind !== 'sequence-clip' || given === ofGspo || isBefore09 === false) return given
  return isBefore09 === true ? ofGspo : null
}

function scaled(isScaled: boolean | null): AdvantageEstimator {
  return isScaled === null ? 'group-unknown' : isScaled ? 'group-z' : 'group-mean'
}

function trlObjective(reading: Reading): Objective | null {
  const { text, truth, value, raw, number, isBefore } = reading
  if (isNothing(value('group.size')) && isNothing(value('clip.low')) && isNothing(value('adv.scale'))) return null
  const type = text('loss.type')
  const isSequence = raw('importance_sampling_level') === 'sequence'
  const surrogate: Surrogate =
    type === 'cispo'
      ? { kind: 'weight' }
      : type === 'sapo' || type === 'vespo'
        ? { kind: 'named', name: type }
        : { kind: isSequence ? 'sequence-clip' : 'clip' }
  const scale = text('adv.scale')
  // Off where a release does not have it; since, its default has changed.
  const isCorrected = truth('kl.loss.bias_correction') ?? (isBefore(0, 26) === true ? false : null)
  const corrected = isSequence ? 'sequence' : 'ratio'
  return objective(reading, {
    advantage: advantage(
      reading,
      scale === 'batch'
        ? 'group-batch-std'
        : scale === 'group' || scale === 'none'
          ? scaled(scale === 'group')
          : scaled(truth('adv.scale')),
      'grpo',
    ),
    surrogate,
    aggregation: type === null ? null : (TRL_AGGREGATIONS.get(type) ?? null),
    // CISPO's weight has an upper bound alone, which is not counted from 1.
    clip: {
      low: type === 'cispo' ? null : number('clip.low'),
      high: number('clip.high') ?? number('clip.low'),
      dual: null,
    },
    referenceSync: truth('ref.sync') === true ? number('ref.sync.steps') : null,
    kl: klTerms(reading, isCorrected === null ? null : isCorrected ? corrected : 'none', 'k3'),
  })
}

// biome-ignore format: a table is read by its lines
const TRL_AGGREGATIONS: ReadonlyMap<string, string> = new Map([
  ['grpo', 'seq-mean-token-mean'], ['sapo', 'seq-mean-token-mean'], ['bnpo', 'token-mean'], ['dapo', 'token-mean'],
  ['cispo', 'token-mean'], ['vespo', 'token-mean'], ['dr_grpo', 'seq-mean-token-sum-norm'],
  ['luspo', 'seq-mean-token-sum'],
])

/** The ratio of whole answers, clipped; the k1 of whole answers in the reward. */
function rlooObjective(reading: Reading): Objective {
  const isScaled = truthOf(reading.raw('normalize_advantages')) === true
  return objective(reading, {
    advantage: advantage(reading, isScaled ? 'other' : 'leave-one-out', isScaled ? 'rloo, normalised' : 'rloo'),
    surrogate: { kind: 'clip' },
    aggregation: 'seq-mean',
    kl: klTerms(reading, 'none', 'k1'),
  })
}

/** Before `kl_estimator` came, it was k1. */
function trlPpoObjective(reading: Reading): Objective {
  const lambda = numberOf(reading.raw('lam'))
  return objective(reading, {
    advantage: advantage(reading, 'gae', 'gae', { lambda }),
    surrogate: { kind: 'clip' },
    aggregation: 'token-mean',
    kl: klTerms(reading, 'none', isNothing(reading.value('kl.reward.estimator')) ? 'k1' : null),
  })
}

// biome-ignore format: a table is read by its lines
const OPENRLHF_ADVANTAGES: ReadonlyMap<string, AdvantageEstimator> = new Map<string, AdvantageEstimator>([
  ['gae', 'gae'], ['reinforce', 'reinforce++'], ['reinforce_baseline', 'reinforce++-baseline'],
  ['rloo', 'leave-one-out'], ['group_norm', 'group-z'], ['dr_grpo', 'group-mean'],
])

function openRlhfObjective(reading: Reading): Objective | null {
  const { text, raw, value, number } = reading
  const name = text('algorithm')
  if (name === null) return null
  const isGspo = [raw('actor.policy_loss_type'), raw('policy_loss_type')].includes('gspo')
  const sides = value('clip.low_high')
  const both = isNothing(sides) ? number('clip.range') : null
  const [low = both, high = both] = isNothing(sides)
    ? []
    : String(sides)
        .split(/[\s,]+/)
        .map(each => numberOf(each))
  return objective(reading, {
    advantage: advantage(reading, OPENRLHF_ADVANTAGES.get(name) ?? 'other', name, {
      lambda: numberOf(raw('algo.advantage.lambd') ?? raw('lambd')),
    }),
    surrogate: { kind: isGspo ? 'sequence-clip' : 'clip' },
    aggregation: isGspo ? 'seq-mean-token-mean' : 'token-mean',
    klAggregation: 'token-mean',
    clip: { low, high, dual: number('clip.dual') },
  })
}

const OFF: KlPath = { on: false, coefficient: 0, reason: null }

/** One penalty, in the reward where its flag says so. Its weights carry the gradient of the sampling probability since PR #2506, which 0.7 has and 0.6 has not. */
function nemoRlObjective(reading: Reading): Objective | null {
  const { source, truth, raw, value, isBefore } = reading
  if (isNothing(value('clip.low'))) return null
  const name = String(raw('grpo.adv_estimator.name') ?? 'grpo')
  const isOld = isBefore(0, 7)
  const isWeighted = truth('kl.loss.bias_correction') === true
  const weight: KlWeight | null =
    isOld === null ? null : isOld ? (isWeighted ? 'detached' : 'none') : isWeighted ? 'ratio' : 'score'
  const isSequence = truthOf(raw('loss_fn.sequence_level_importance_ratios')) === true
  const isLeftOut = truthOf(raw('grpo.use_leave_one_out_baseline')) === true
  const perToken = truth('loss.aggregation')
  const { inLoss } = source.kl
  const isInReward = truthOf(raw('loss_fn.use_kl_in_reward')) === true
  const kl = { ...source.kl, inLoss: isInReward ? OFF : inLoss, inReward: isInReward ? inLoss : OFF }
  return objective(reading, {
    advantage: advantage(
      reading,
      name === 'reinforce_plus_plus'
        ? 'reinforce++'
        : name !== 'grpo' || isLeftOut
          ? 'other'
          : scaled(truth('adv.scale')),
      isLeftOut && name === 'grpo' ? 'grpo, leave-one-out' : name,
    ),
    surrogate: { kind: isSequence ? 'sequence-clip' : 'clip' },
    aggregation: perToken === null ? null : perToken ? 'token-mean' : 'seq-mean-token-mean',
    kl: klTerms({ ...reading, source: { ...source, kl } }, weight),
  })
}

// biome-ignore format: a table is read by its lines
const KLENS_ADVANTAGES: ReadonlyMap<string, AdvantageEstimator> = new Map<string, AdvantageEstimator>([
  ['z-score', 'group-z'], ['centred', 'group-mean'], ['leave-one-out', 'leave-one-out'],
])

/** The language model (task `intention`) has tokens; a selector has beams, each with one probability. */
function klensObjective(reading: Reading): Objective | null {
  const { raw, text, truth, number } = reading
  if (isNothing(raw('task'))) return null
  const isLanguage = raw('task') === 'intention'
  const kind = String(raw('adv.kind') ?? '')
  const isSequence = raw('clip.ratio') === 'sequence'
  const inner = number('epochs.inner')
  const [prompts, mini] = [number('batch.prompts'), number('batch.mini')]
  const batches = prompts === null ? null : mini === null || mini <= 0 ? 1 : Math.ceil(prompts / mini)
  return objective(reading, {
    framework: 'klens',
    logsAs: isLanguage ? 'verl' : 'klens',
    isKlLogged: true,
    advantage: advantage(
      reading,
      isLanguage ? scaled(truth('adv.scale')) : (KLENS_ADVANTAGES.get(kind) ?? 'other'),
      isLanguage ? 'grpo' : kind,
      isLanguage ? { turns: raw('credit.turn') === 'equal' ? null : String(raw('credit.turn') ?? '?') } : {},
    ),
    surrogate: { kind: text('loss.type') === 'cispo' ? 'weight' : isSequence ? 'sequence-clip' : 'clip' },
    aggregation: isLanguage ? text('loss.aggregation') : 'seq-mean',
    kl: klTerms(reading, truth('kl.loss.bias_correction') === true ? 'ratio' : 'none'),
    referenceSync: number('ref.sync.steps'),
    ratioTo: raw('clip.old') === 'start' ? 'reference' : 'batch-start',
    updates: inner === null ? null : isLanguage ? (batches === null ? null : batches * inner) : inner,
    isAsynchronous: !isLanguage && raw('group.source') === 'logged',
  })
}
