/**
 * What the words of a name say, for names that no framework's file knows. A name is proposed a meaning only when every
 * word of it is explained: `policy/clip_fraction` is, `train/skip_ratio` is not, because nothing here says what `skip` is.
 */

/** Words that mean the same, under the one that the tables below use. */
const SAME_WORDS: { readonly [word: string]: string } = {
  mean: 'mean avg average means',
  max: 'max maximum',
  min: 'min minimum',
  std: 'std stdev stddev',
  var: 'var variance',
  reward: 'reward rewards rew rews',
  return: 'return returns ret rets',
  score: 'score scores',
  episode: 'episode episodes ep episodic',
  length: 'length lengths len lens',
  loss: 'loss losses',
  policy: 'policy actor',
  gradient: 'gradient gradients grad grads',
  norm: 'norm',
  value: 'value values critic vf v',
  kl: 'kl',
  divergence: 'divergence div',
  approx: 'approx approximate',
  reference: 'reference ref',
  teacher: 'teacher',
  distillation: 'distillation distill',
  clip: 'clip clipped clipping',
  share: 'share frac fraction percentage pct',
  ratio: 'ratio',
  rate: 'rate',
  learning: 'learning',
  entropy: 'entropy entropies ent',
  coefficient: 'coefficient coef coeff',
  advantage: 'advantage advantages adv',
  probability: 'probability prob',
  response: 'response responses completion completions',
  prompt: 'prompt prompts',
  sequence: 'sequence sequences seq',
  generate: 'generate generation generated generating gen',
  truncated: 'truncated truncation trunc',
  time: 'time duration',
  second: 'second seconds sec secs s',
  elapsed: 'elapsed wall walltime',
  rollout: 'rollout rollouts',
  update: 'update updates optimization optimisation',
  algorithm: 'algorithm',
  step: 'step steps',
  iteration: 'iteration iter',
  token: 'token tokens',
  per: 'per',
  seen: 'seen',
  total: 'total',
  mfu: 'mfu',
  tool: 'tool tools',
  call: 'call calls',
  failure: 'failure failures error errors',
  turn: 'turn turns',
  group: 'group groups',
  zero: 'zero',
  success: 'success successes',
  explained: 'explained',
  staleness: 'staleness',
  checkpoint: 'checkpoint',
  save: 'save saving',
  seed: 'seed',
  random: 'random',
  temperature: 'temperature temp',
  sampling: 'sampling',
  discount: 'discount gamma',
  range: 'range epsilon eps',
  warmup: 'warmup',
  new: 'new',
  size: 'size',
  sample: 'sample samples',
  epoch: 'epoch epochs',
  count: 'num n number count',
  train: 'train training',
  whole: 'whole',
  every: 'every interval freq frequency',
}

/** Written as one word. */
const COMPOUND_WORDS: { readonly [word: string]: string } = {
  clipfrac: 'clip share',
  clipfraction: 'clip share',
  approxkl: 'approx kl',
  pg: 'policy gradient',
  lr: 'learning rate',
  gradnorm: 'gradient norm',
}

const NORMAL_WORDS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...Object.entries(SAME_WORDS).flatMap(([normal, words]) => words.split(' ').map(word => [word, [normal]] as const)),
  ...Object.entries(COMPOUND_WORDS).map(([word, several]) => [word, several.split(' ')] as const),
])

/** Words that say where a number stands, not what it is. */
const CONTEXT = new Set('info objective charts stats metrics perf performance optimizer optim learner'.split(' '))
/** So do these before a slash; elsewhere they are a part of the name: `ppo_loss` is not the whole loss. */
const PREFIXES = /^(?:(?:train|training|ppo|grpo)\/)+/i
/** `policy/loss` is all that the policy is trained on, or the part of it that `policy_loss` is. */
const LOSS_OF_FOLDER = /(?<=\w\/)loss$/i

/** Words that change what a number is, so that what they stand before is no name of a data set. */
const MODIFIERS = new Set(
  'best worst last first old running target sum median normalized raw ref all any non no not percent'.split(' '),
)

export interface WordOfName {
  readonly raw: string
  /** Null: nothing here explains it. */
  readonly normal: string | null
}

/** The words of a name, without those that say only where it stands. */
export function wordsOf(name: string): readonly WordOfName[] {
  const raws = name
    .replace(PREFIXES, '')
    .replace(LOSS_OF_FOLDER, 'whole loss')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
  return raws
    .filter(raw => !CONTEXT.has(raw))
    .flatMap(
      (raw): readonly WordOfName[] =>
        NORMAL_WORDS.get(raw)?.map(normal => ({ raw, normal })) ?? [{ raw, normal: null }],
    )
}

/** Whether a word could be a part of a data set's name. */
export function mayNameData({ raw, normal }: WordOfName): boolean {
  return normal === null && !MODIFIERS.has(raw)
}

/** What had to be assumed to read a name. */
export type Assumption =
  | 'of-reference'
  | 'kl-of-update'
  | 'per-token'
  | 'seconds'
  | 'clipped-share'
  | 'data-set'
  | 'common-use'

/** What the words of a name leave open. */
export type OpenQuestion =
  | 'entropy-sign'
  | 'which-kl'
  | 'kl-weight'
  | 'where-kl'
  | 'which-reward'
  | 'which-return'
  | 'which-length'
  | 'per-gpu'
  | 'so-far'
  | 'whole-loss'
  | 'validation'

export interface Wording {
  /** Several: the words do not say which, and a person must. */
  readonly canonicals: readonly string[]
  /** Each must be there; `a|b`: one of them. */
  readonly words: readonly string[]
  /** Words that may be there too. */
  readonly also: readonly string[]
  /** `must`: only with a word for mean, max, min, std or var; `may`: without one it is a mean; `none`: it is one number. */
  readonly statistic: 'must' | 'may' | 'none'
  readonly assumes: Assumption | null
  /** With several meanings. */
  readonly asks: OpenQuestion | null
}

interface Extra {
  readonly also?: string
  readonly statistic?: Wording['statistic']
  readonly assumes?: Assumption
  readonly asks?: OpenQuestion
}

function wording(canonicals: string, words: string, extra: Extra = {}): Wording {
  const { also = '', statistic = 'may', assumes = null, asks = null } = extra
  return { canonicals: canonicals.split(' '), words: words.split(' '), also: also.split(' '), statistic, assumes, asks }
}

const SHARE = 'share|ratio|rate'

// biome-ignore format: a table is read by its lines
export const METRIC_WORDINGS: readonly Wording[] = [
  wording('step', 'step', { statistic: 'none', assumes: 'common-use' }),
  wording('episodes', 'total episode', { statistic: 'none' }),
  wording('tokens.total', 'token seen', { also: 'total', statistic: 'none' }),
  wording('tokens tokens.total', 'token total', { statistic: 'none', asks: 'so-far' }),

  wording('reward.mean episode.return', 'reward', { also: 'rollout', statistic: 'must', asks: 'which-reward' }),
  wording('reward.mean score.mean episode.return', 'reward', { also: 'rollout', statistic: 'none', asks: 'which-reward' }),
  wording('score.mean', 'score', { also: 'rollout', statistic: 'must', assumes: 'common-use' }),
  wording('score.mean reward.mean', 'score', { also: 'rollout', statistic: 'none', asks: 'which-reward' }),
  wording('return.mean episode.return reward.mean', 'return', { also: 'rollout 100', asks: 'which-return' }),
  wording('episode.return', 'episode return|reward', { also: 'rollout 100' }),
  wording('episode.length', 'episode length', { also: 'rollout 100' }),
  wording('episode.success', `episode success ${SHARE}`, { also: 'rollout' }),
  wording('group.zero_std_frac', `group zero std|var ${SHARE}`, { also: 'reward', statistic: 'none' }),

  wording('loss.total', 'total loss', { statistic: 'may' }),
  wording('loss.total loss.policy', 'loss', { also: 'whole', asks: 'whole-loss' }),
  wording('loss.policy', 'policy loss', { also: 'gradient' }),
  wording('loss.policy loss.total', 'policy loss whole', { asks: 'whole-loss' }),
  wording('loss.value', 'value loss', { also: 'whole' }),
  wording('loss.distill', 'distillation loss'),

  wording('kl.ref', 'kl reference', { also: 'policy divergence' }),
  wording('kl.teacher', 'kl teacher', { also: 'policy divergence' }),
  wording('kl.old', 'approx kl', { also: 'policy divergence', assumes: 'kl-of-update' }),
  wording('kl.ref kl.old', 'kl', { also: 'policy divergence rollout', asks: 'which-kl' }),
  wording('kl.ref kl.weighted', 'kl loss', { also: 'policy', asks: 'kl-weight' }),
  wording('kl.coef', 'kl coefficient', { also: 'rollout', statistic: 'none', assumes: 'of-reference' }),

  wording('ratio.mean', 'ratio', { also: 'policy probability', assumes: 'common-use' }),
  wording('clip.frac', `clip ${SHARE}`, { also: 'policy', assumes: 'clipped-share' }),
  wording('value.clip_frac', `value clip ${SHARE}`, { assumes: 'clipped-share' }),
  wording('grad.norm', 'gradient norm', { also: 'policy' }),
  wording('grad.norm.critic', 'gradient norm value'),
  wording('lr', 'learning rate', { also: 'policy group 0', statistic: 'none' }),
  wording('lr.critic', 'learning rate value', { also: 'group 0', statistic: 'none' }),

  wording('entropy', 'entropy', { also: 'policy', assumes: 'per-token' }),
  wording('entropy entropy.negative', 'entropy loss', { also: 'policy', asks: 'entropy-sign' }),
  wording('entropy.coef', 'entropy coefficient', { statistic: 'none' }),

  wording('adv.mean', 'advantage', { also: 'rollout' }),
  wording('value.mean', 'value', { also: 'rollout', statistic: 'must', assumes: 'common-use' }),
  wording('value.explained_var', 'explained var', { also: 'value policy', statistic: 'none' }),

  wording('len.response', 'response|generate length', { also: 'token rollout' }),
  wording('len.prompt', 'prompt length', { also: 'token rollout' }),
  wording('len.response len.total', 'sequence length', { also: 'token', asks: 'which-length' }),
  wording('len.response episode.length', 'length', { also: 'rollout', asks: 'which-length' }),
  wording('len.truncated', `truncated ${SHARE}`, { also: 'response rollout' }),
  wording('len.prompt.truncated', `prompt truncated ${SHARE}`),
  wording('turns', 'turn', { also: 'rollout', statistic: 'must' }),
  wording('tools.calls', 'tool call', { statistic: 'must' }),
  wording('tools.failures', `tool failure ${SHARE}`, { also: 'call' }),
  wording('rollout.staleness', 'staleness', { also: 'rollout', statistic: 'must' }),

  wording('throughput throughput.job', 'token per second', { asks: 'per-gpu' }),
  wording('mfu', 'mfu', { also: 'policy' }),
  wording('time.step', 'time|second step|iteration', { also: 'second', assumes: 'seconds' }),
  wording('time.total', 'elapsed', { also: 'time second', statistic: 'none', assumes: 'seconds' }),
  wording('time.generate', 'time|second generate|rollout', { also: 'second rollout response', assumes: 'seconds' }),
  wording('time.reward', 'time|second reward|score', { also: 'second rollout', statistic: 'none', assumes: 'seconds' }),
  wording('time.update', 'time|second update', { also: 'second policy algorithm', assumes: 'seconds' }),
  wording('time.update.critic', 'time|second update value', { also: 'second', assumes: 'seconds' }),
  wording('time.save', 'time|second save', { also: 'second checkpoint', assumes: 'seconds' }),
]

// biome-ignore format: a table is read by its lines
export const SETTING_WORDINGS: readonly Wording[] = [
  wording('lr', 'learning rate', { also: 'policy', statistic: 'none' }),
  wording('lr.critic', 'learning rate value', { statistic: 'none' }),
  wording('lr.warmup.steps', 'warmup step', { also: 'learning rate count', statistic: 'none' }),
  wording('lr.warmup.ratio', 'warmup ratio|share', { also: 'learning rate', statistic: 'none' }),
  wording('grad.clip', 'max gradient norm', { also: 'clip', statistic: 'none' }),
  wording('kl.loss.coef kl.reward.coef', 'kl coefficient', { statistic: 'none', asks: 'where-kl' }),
  wording('entropy.coef', 'entropy coefficient', { statistic: 'none' }),
  wording('group.size', 'group size', { statistic: 'none', assumes: 'common-use' }),
  wording('group.size', 'sample per prompt', { also: 'count', statistic: 'none' }),
  wording('group.size', 'rollout|response|generate per prompt', { also: 'count', statistic: 'none' }),
  wording('clip.range', 'clip range|ratio', { also: 'policy', statistic: 'none', assumes: 'common-use' }),
  wording('gamma', 'discount', { statistic: 'none' }),
  wording('seed', 'seed', { also: 'random', statistic: 'none' }),
  wording('temperature', 'temperature', { also: 'sampling rollout generate', statistic: 'none', assumes: 'common-use' }),
  wording('len.prompt.max', 'max prompt length|token', { statistic: 'none' }),
  wording('len.response.max', 'max response|generate|new length|token', { statistic: 'none' }),
  wording('epochs', 'count epoch', { statistic: 'none', assumes: 'common-use' }),
  wording('save.every', 'save every|step', { also: 'checkpoint', statistic: 'none' }),
]
