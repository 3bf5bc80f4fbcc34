import type { Truth } from './condition.js'
import { ENDED_DEAD, healthy, sick } from './truth.js'

/** What is wrong with each made-up log: it was put there. */
export const MADE_UP_TRUTH: { readonly [name: string]: Truth } = {
  'verl-healthy': healthy({ 'kl-inert': '0.001 × 0.08 beside a policy loss of 0.015: true, and usual' }),
  'verl-healthy-spikes': healthy({
    'kl-inert': 'as in verl-healthy',
    'gradient-spikes': 'one gradient of 12, one KL of 38: single steps, no trace afterwards',
  }),
  'verl-healthy-cosine': healthy({ 'kl-inert': 'as in verl-healthy' }),
  'verl-healthy-longer': healthy({
    'kl-inert': 'as in verl-healthy',
    'length-explosion': 'four times as long while validation rises: reasoning, not padding',
  }),
  'verl-healthy-solved': healthy({
    'kl-inert': 'as in verl-healthy',
    plateau: 'nothing left to learn: 0.96',
    'no-signal': 'most groups all right',
    stopped: 'the gradient fades because the task is solved',
  }),
  'verl-nan-loss': sick(
    {
      'non-finite': 'loss, KL, entropy and gradient are NaN from step 90',
      collapse: 'score and validation 0 from step 90',
    },
    {
      truncation: 'all answers at the limit after it',
      'length-explosion': 'the same',
      'no-signal': 'all rewards 0 after it',
      stopped: 'dead',
      ...ENDED_DEAD,
    },
    { 'kl-inert': 'as in verl-healthy' },
  ),
  'verl-entropy-collapse': sick(
    { 'entropy-collapse': '0.55 → 0.006 by step 110' },
    { plateau: 'flat since step 50', stopped: 'gradient 0.3 → 0.04', 'no-signal': 'answers alike' },
    { 'kl-inert': 'as in verl-healthy' },
  ),
  'verl-kl-runaway': sick(
    { 'kl-runaway': '0.0015 → 13, ever faster', collapse: 'validation 0.57 → 0.12 from step 100' },
    { 'entropy-explosion': '0.5 → 1', 'gradient-spikes': '0.3 → 2.8', ...ENDED_DEAD },
    { 'kl-inert': 'true of the first half' },
  ),
  'verl-late-collapse': sick(
    {
      collapse: 'validation 0.6 → 0 between steps 120 and 135',
      stopped: 'gradient and policy loss exactly 0 from step 135',
      'length-collapse': '2,960 → 315 tokens within 15 steps',
    },
    { ...ENDED_DEAD, 'no-signal': 'all rewards 0', 'entropy-collapse': '0.36 → 0.11' },
    { 'kl-inert': 'as in verl-healthy' },
  ),
  'verl-truncating': sick(
    { truncation: '2 % → 72 %', collapse: 'validation 0.57 → 0.27' },
    { 'length-explosion': '900 → 3,600 of 4,096', ...ENDED_DEAD },
    { 'kl-inert': 'as in verl-healthy' },
  ),
  'trl-healthy-loss-zero': healthy(),
  'trl-healthy-loss-rises': healthy(),
  'trl-no-signal': sick(
    { 'no-signal': 'every reward is 0', stopped: 'the gradient is exactly 0' },
    { 'no-progress': 'reward 0 throughout', plateau: 'reward 0 throughout' },
  ),
  'trl-rate-zero': sick(
    { 'rate-zero': 'the learning rate is exactly 0 in each step' },
    {
      'no-progress': 'nothing moves',
      plateau: 'nothing moves',
      stopped: 'nothing moves',
      'rate-negligible': '0 is negligible',
    },
  ),
  'trl-format-only': sick(
    {
      'reward-hacking': 'the format earns 0.2 → 1, the answers 0.42 → 0.12',
      'length-collapse': '310 → 40 tokens',
    },
    { collapse: 'the accuracy component is lost' },
  ),
  'trl-too-short': sick(
    { truncation: '94 % at the limit throughout', 'no-signal': '82 % of the groups tied' },
    { 'no-progress': 'reward 0.05 throughout', plateau: 'reward 0.05 throughout', stopped: 'hardly any signal' },
    { components: 'accuracy varies four times as much as format' },
  ),
  'trl-dropout-left-on': sick(
    { 'kl-at-start': 'KL 3.1 in step 1 and ever after' },
    { 'kl-runaway': 'a KL of 3 is far' },
  ),
}
