import type { Condition } from './condition.js'

/**
 * What a finding asserts. Where it can be read in more ways than one, all readings are listed and one that is true is
 * enough: the benefit of the doubt goes to the tool.
 */
type Claim = (text: string) => readonly Condition[]

type Claims = { readonly [finding: string]: readonly Condition[] | Claim }

const RLDOCTOR: Claims = {
  advantage_collapse: ['no-signal'],
  entropy_collapse: ['entropy-collapse'],
  reward_hacking: ['reward-hacking', 'collapse'],
  reward_composition: ['reward-hacking', 'components'],
  clip_saturation: ['clipping'],
  plateau: ['plateau', 'no-progress', 'collapse', 'stopped'],
  length_pathology: readings([
    [/truncated/, ['truncation']],
    [/grew/, ['length-explosion', 'reward-hacking']],
  ]),
  kl_drift: readings([
    [/pinned/, ['kl-inert', 'stopped']],
    [/KL (has reached|is)/, ['kl-runaway']],
  ]),
  gradient_pathology: readings([
    [/non-finite/, ['non-finite']],
    [/zero gradient|barely moving/, ['stopped', 'no-signal']],
    [/spike/, ['gradient-spikes']],
  ]),
}

/** Some findings report one of several things; their text tells which. */
function readings(all: readonly (readonly [RegExp, readonly Condition[]])[]): Claim {
  return text => all.flatMap(([pattern, conditions]) => (pattern.test(text) ? conditions : []))
}

const RUNMEDIC: Claims = {
  non_finite: ['non-finite'],
  divergence: ['loss-diverged', 'collapse', 'kl-runaway'],
  loss_spikes: ['gradient-spikes', 'loss-diverged'],
  no_learning: ['no-progress', 'stopped', 'no-signal'],
  'validation-loss-rising': ['collapse'],
  grad_spikes: ['gradient-spikes'],
  constant_lr_plateau: ['plateau', 'no-progress'],
  slow_steps: ['slower'],
  slowdown: ['slower'],
}

const TRAINPROOF: Claims = {
  'TP-NAN': ['non-finite'],
  'TP-NAN-GRAD': ['non-finite'],
  'TP-ZERO-LOSS': ['no-signal', 'stopped'],
  'TP-ZERO-LOSS-ONSET': ['non-finite', 'no-signal', 'stopped'],
  'TP-ZERO-GRAD': ['no-signal', 'stopped'],
  'TP-FLAT': ['no-progress', 'stopped'],
  'TP-DEAD-RUN': ['no-progress', 'stopped', 'no-signal'],
  'TP-DIVERGE': ['loss-diverged', 'collapse', 'kl-runaway'],
  'TP-GRAD-SPIKE': ['gradient-spikes'],
  'TP-ZERO-LR': ['rate-zero'],
  'TP-ZERO-LR-PARTIAL': ['rate-zero'],
  'TP-OVERFIT': ['collapse'],
  'TP-STEP-CLIFF': ['slower'],
}

const KLENS: Claims = {
  'kl-start-nonzero': ['kl-at-start'],
  'kl-inert': ['kl-inert'],
  'kl-runaway': readings([
    [/coefficient is -/, ['kl-sign']],
    [/./, ['kl-runaway']],
  ]),
  'kl-too-strong': ['stopped', 'no-progress'],
  'kl-switched-off': ['kl-off'],
  'entropy-collapse': ['entropy-collapse'],
  'entropy-explosion': ['entropy-explosion'],
  'groups-degenerate': ['no-signal'],
  'advantage-constant': ['constant', 'no-signal'],
  'run-dead': ['stopped'],
  'reward-absorbing': ['no-signal', 'stopped'],
  'grad-spike': ['gradient-spikes'],
  'grad-vanishing': ['stopped', 'no-signal'],
  'clip-fraction': ['clipping'],
  'lr-prints-zero': ['rate-zero', 'rate-negligible'],
  'lr-negligible': ['rate-negligible', 'rate-zero'],
  'reward-hacking': ['reward-hacking'],
  'validation-worsened': ['collapse'],
  'validation-collapse': ['collapse'],
  'generalisation-gap': ['reward-hacking'],
  'series-jump': ['loss-diverged', 'gradient-spikes'],
  'length-collapse': ['length-collapse'],
  'length-explosion': ['length-explosion'],
  truncation: ['truncation'],
  'train-inference-mismatch': ['ratio-off', 'kl-at-start'],
  'eval-noise': ['eval-noise'],
  'best-is-last': ['best-is-last'],
  'evals-identical': ['stopped', 'no-progress'],
  'learning-stalled': ['plateau', 'no-progress', 'stopped'],
  'series-constant': ['constant'],
  'series-duplicated': ['duplicate'],
  'non-finite': ['non-finite'],
  'loss-identity': readings([[/no KL is in the reward/, ['reward-not-score']]]),
  'logging-trap': ['names'],
  'throughput-decay': ['slower'],
}

const ALL: { readonly [tool: string]: Claims } = {
  rldoctor: RLDOCTOR,
  runmedic: RUNMEDIC,
  trainproof: TRAINPROOF,
  klens: KLENS,
}

/** A finding that is in no list asserts something that no log here has: it is wrong until someone looks at it. */
export function claimOf(tool: string, finding: string, text: string): readonly Condition[] {
  const claim = ALL[tool]?.[finding]
  if (claim === undefined) return ['other']
  return typeof claim === 'function' ? claim(text) : claim
}
