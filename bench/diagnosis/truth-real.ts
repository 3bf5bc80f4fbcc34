import type { Truth } from './condition.js'
import { ENDED_DEAD, healthy, sick } from './truth.js'

/**
 * What is wrong with each group of real runs, by how it was made and what it shows, not by what any tool says of it. The
 * figures are of seed 0, from the log itself and from `truth.csv`.
 */

const TIED = { 'no-signal': '34 to 47 % of the groups tied at the end: true, and usual for a task two thirds solved' }
const SPIKE = { 'gradient-spikes': 'single gradients of 3 to 10 times the median, clipped, without consequence' }

/** The rewards were tampered with, and the config is silent about it. */
const TAMPERED = { 'reward-not-score': 'reward and task score part ways without KL in the reward' }

export const REAL_TRUTH: { readonly [group: string]: Truth } = {
  'kl-0.0': healthy({ ...TIED, ...SPIKE, 'kl-off': 'the coefficient is 0 on purpose' }),
  'kl-0.01': healthy({ ...TIED, ...SPIKE }),
  'kl-0.1': healthy({ ...TIED, ...SPIKE }),
  'kl-0.3': healthy(SPIKE),
  'kl-ent-cosine': healthy({ ...TIED, ...SPIKE, confounded: 'three settings were changed at once' }),
  'cosine-only': healthy({ ...TIED, ...SPIKE, 'kl-off': 'the coefficient is 0 on purpose' }),
  'ent-only': healthy({ ...TIED, ...SPIKE, 'kl-off': 'the coefficient is 0 on purpose' }),
  'sick-lr-high': sick(
    {
      collapse: 'validation 0.60 → 0.04, within five steps',
      stopped: 'the gradient is exactly 0 from about step 100',
      'entropy-collapse': '0.47 → 0.00001',
      'kl-runaway': 'KL 1,888 in step 1, then 5 to 8 for good',
      'no-signal': 'all groups tied',
    },
    {
      ...ENDED_DEAD,
      truncation: 'all answers at the limit',
      'length-explosion': '5 → 8, the limit',
      clipping: '0.45 in step 1',
      'gradient-spikes': 'up to 21 before death',
    },
  ),
  'sick-lr-extreme-noclip': sick(
    {
      collapse: 'validation 0.60 → 0.10',
      stopped: 'the gradient is exactly 0 from step 5',
      'entropy-collapse': '0.19 → 0',
      'kl-runaway': 'KL 7.7e7 in step 1, then 5 for good',
      'no-signal': 'all groups tied',
    },
    {
      ...ENDED_DEAD,
      truncation: 'all answers at the limit',
      'length-explosion': '5 → 8, the limit',
      clipping: '0.48 in step 1',
    },
  ),
  'sick-tied-rewards': sick(
    { 'no-signal': 'every reward is 0.5', stopped: 'gradient and policy loss are exactly 0 throughout' },
    {
      ...TAMPERED,
      'no-progress': 'validation never moves',
      plateau: 'validation never moves',
      'kl-inert': 'KL stays 0',
    },
    { 'kl-off': 'KL 0 throughout' },
  ),
  'sick-dropout-mismatch': sick(
    { 'kl-at-start': 'KL 0.89 before the first update', clipping: '0.19 to 0.28 throughout' },
    {
      'ratio-off': 'ratio 0.94 before the first update',
      'gradient-spikes': '1,586 against a median of 3',
      plateau: 'validation 0.655 at half time, 0.657 at the end',
    },
  ),
  'sick-dropout-mismatch-tied': sick(
    {
      'kl-at-start': 'KL 0.58 before the first update',
      'no-signal': 'every reward is 0.5',
      clipping: '0.2 to 0.29 throughout',
    },
    {
      ...TAMPERED,
      'ratio-off': 'ratio 0.95 before the first update',
      'gradient-spikes': '759 against a median of 0.3',
      'no-progress': 'validation 0.60 → 0.59',
      plateau: 'the same',
      stopped: 'the policy loss is exactly 0; only the KL term moves anything',
    },
  ),
  'sick-kl-sign': sick(
    {
      'kl-sign': 'the coefficient is −0.05',
      'kl-runaway': '0.06 → 4, with 4,083 once',
      collapse: 'validation 0.67 → 0.31',
    },
    {
      truncation: 'all answers at the limit at the end',
      'length-explosion': '5 → 8, the limit',
      'gradient-spikes': '26,580 against a median of 3.5',
      'no-signal': 'two thirds of the groups tied at the end',
      'entropy-collapse': '0.33 → 0.07 while the task is lost',
      plateau: 'no longer learning',
      'no-progress': 'it ended below where it began',
    },
  ),
  'sick-length-bonus': sick(
    {
      'reward-hacking': 'reward 1.30 → 1.62, task score 0.55 → 0.42',
      collapse: 'validation 0.60 → 0.43',
      truncation: 'all answers at the limit',
    },
    {
      ...TAMPERED,
      'length-explosion': '5 → 8, the limit',
      'gradient-spikes': '398 against a median of 3',
      'kl-runaway': 'KL 2 for good',
      plateau: 'flat since step 40',
      'no-progress': 'it ended below where it began',
    },
    { 'no-signal': '47 % of the groups tied at the end' },
  ),
  'sick-length-penalty': sick(
    {
      'length-collapse': '5 tokens → 1',
      collapse: 'validation 0.60 → 0',
      'reward-hacking': 'reward −0.64 → −0.25, task score 0.62 → 0',
      stopped: 'the gradient is exactly 0 in the second half',
      'entropy-collapse': '0.34 → 0.0002',
      'no-signal': 'all groups tied',
      'kl-runaway': 'KL 8.5 for good',
    },
    { ...TAMPERED, ...ENDED_DEAD, 'gradient-spikes': 'some before death' },
  ),
  'sick-entropy-bonus': sick(
    {
      'entropy-explosion': '0.31 → 2.4',
      collapse: 'training score 0.56 → 0.12, validation 0.60 → 0.50',
      truncation: '62 to 79 % at the limit',
    },
    {
      'kl-runaway': 'KL 4 for good',
      'length-explosion': '5 → 7 of 8',
      plateau: 'no longer learning',
      'no-progress': 'it ended below where it began',
    },
  ),
  'sick-lr-tiny': sick(
    { stopped: 'KL below 3e-7 after 400 steps, every evaluation identical', 'rate-negligible': 'rate 1e-9' },
    {
      'no-progress': 'validation never moves',
      plateau: 'validation never moves',
      'kl-inert': 'KL stays 0',
      'rate-zero': 'prints as 0.000',
    },
    SPIKE,
  ),
  'sick-other-reference': sick({ 'kl-at-start': 'KL 0.39 before the first update' }, {}, { ...TIED, ...SPIKE }),
  'sick-sparse-reward': sick(
    { 'no-signal': '90 % of the groups tied throughout' },
    {
      ...TAMPERED,
      'no-progress': 'no gain',
      plateau: 'no gain',
      collapse: 'validation 0.68 at best, 0.52 at the end',
      stopped: 'steps in which all groups were tied',
      'gradient-spikes': 'a few groups with signal among many without',
    },
  ),
}
