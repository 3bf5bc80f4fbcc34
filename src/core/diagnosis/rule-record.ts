/**
 * How often the errors and warnings of each rule were right, as [fired, right], counted once per run. The labs are 462
 * GRPO runs with known truth (five labs; what is said of a sick or overoptimised run is right, of any other wrong); the
 * public logs are 54 files of 27 repositories, judged by hand. Made with bench/diagnosis/record.mjs. A rule whose errors
 * are right less than nine times in ten, of at least ten, is made a warning.
 */
export type RightOfFired = readonly [fired: number, right: number]

interface RuleRecord {
  readonly error: RightOfFired
  readonly warning: RightOfFired
}

export const RULE_RECORD: {
  readonly [rule: string]: { readonly lab?: RuleRecord; readonly public?: RuleRecord } | undefined
} = {
  'clip-fraction': { lab: { error: [0, 0], warning: [14, 14] } },
  'entropy-collapse': { lab: { error: [8, 8], warning: [0, 0] } },
  'entropy-explosion': { lab: { error: [4, 4], warning: [0, 0] } },
  'environment-outage': { lab: { error: [2, 2], warning: [0, 0] } },
  'evals-identical': { lab: { error: [0, 0], warning: [10, 10] } },
  'evals-in-warmup': { lab: { error: [0, 0], warning: [2, 2] } },
  'grad-spike': { lab: { error: [0, 0], warning: [12, 12] } },
  'grad-vanishing': { lab: { error: [0, 0], warning: [2, 2] }, public: { error: [0, 0], warning: [2, 2] } },
  'groups-degenerate': { lab: { error: [21, 21], warning: [11, 11] } },
  'kl-runaway': { lab: { error: [60, 60], warning: [32, 32] } },
  'kl-start-nonzero': { lab: { error: [4, 4], warning: [4, 4] }, public: { error: [0, 0], warning: [4, 4] } },
  'kl-too-strong': { lab: { error: [0, 0], warning: [8, 8] } },
  'learning-stalled': { lab: { error: [0, 0], warning: [11, 11] } },
  'length-collapse': { lab: { error: [2, 2], warning: [4, 4] } },
  'length-explosion': { lab: { error: [0, 0], warning: [43, 43] }, public: { error: [0, 0], warning: [1, 1] } },
  'loss-identity': { lab: { error: [0, 0], warning: [10, 10] } },
  'lr-negligible': { lab: { error: [2, 2], warning: [4, 4] } },
  'validation-loss-rising': { public: { error: [0, 0], warning: [1, 1] } },
  overoptimised: { lab: { error: [63, 61], warning: [0, 0] } },
  'reward-absorbing': { lab: { error: [15, 15], warning: [0, 0] } },
  'reward-hacking': { lab: { error: [6, 6], warning: [38, 38] } },
  'run-dead': { lab: { error: [15, 15], warning: [0, 0] } },
  'series-jump': { lab: { error: [0, 0], warning: [2, 2] } },
  truncation: { lab: { error: [0, 0], warning: [53, 53] } },
  'validation-collapse': { lab: { error: [44, 44], warning: [24, 23] } },
  'validation-worsened': { lab: { error: [0, 0], warning: [2, 2] }, public: { error: [0, 0], warning: [1, 1] } },
}
