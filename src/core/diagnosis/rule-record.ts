import { type Message, sentences } from '../../text/sentences.js'

/**
 * How often the errors and warnings of each rule were right, as [fired, right], counted once per run. The labs are 462
 * GRPO runs with known truth (five labs; what is said of a sick or overoptimised run is right, of any other wrong); the
 * public logs are 67 files of 40 repositories, judged by hand. Made with bench/diagnosis/record.mjs. A rule whose errors
 * are right less than nine times in ten, of at least ten, is made a warning.
 */
type RightOfFired = readonly [fired: number, right: number]

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
  'grad-vanishing': { lab: { error: [0, 0], warning: [2, 2] } },
  'groups-degenerate': { lab: { error: [21, 21], warning: [11, 11] }, public: { error: [2, 2], warning: [0, 0] } },
  'kl-runaway': { lab: { error: [60, 60], warning: [32, 32] } },
  'kl-start-nonzero': { lab: { error: [4, 4], warning: [4, 4] }, public: { error: [0, 0], warning: [4, 4] } },
  'kl-too-strong': { lab: { error: [0, 0], warning: [8, 8] } },
  'learning-stalled': { lab: { error: [0, 0], warning: [11, 11] } },
  'length-collapse': { lab: { error: [2, 2], warning: [4, 4] } },
  'length-explosion': { lab: { error: [0, 0], warning: [43, 43] }, public: { error: [0, 0], warning: [1, 1] } },
  'loss-identity': { lab: { error: [0, 0], warning: [10, 10] } },
  'lr-negligible': { lab: { error: [2, 2], warning: [4, 4] } },
  'validation-loss-rising': { public: { error: [0, 0], warning: [1, 1] } },
  overoptimised: { lab: { error: [61, 61], warning: [0, 0] } },
  'reward-absorbing': { lab: { error: [15, 15], warning: [0, 0] }, public: { error: [1, 1], warning: [0, 0] } },
  'reward-hacking': { lab: { error: [6, 6], warning: [38, 38] } },
  'run-dead': { lab: { error: [15, 15], warning: [0, 0] }, public: { error: [2, 2], warning: [0, 0] } },
  'series-jump': { lab: { error: [0, 0], warning: [2, 2] } },
  truncation: { lab: { error: [0, 0], warning: [53, 53] }, public: { error: [0, 0], warning: [1, 1] } },
  'validation-collapse': { lab: { error: [44, 44], warning: [24, 23] }, public: { error: [1, 1], warning: [0, 0] } },
  'validation-worsened': { lab: { error: [0, 0], warning: [2, 2] }, public: { error: [0, 0], warning: [1, 1] } },
}

const say = sentences({
  'record.right': {
    en: 'confirmed by hand or by measured truth: {list}',
    zh: '经人工或实验真值核对，判断正确的：{list}',
  },
  'record.none': {
    en: 'it has not yet raised an error or warning on a real run',
    zh: '尚未在真实 run 上给出过错误或警告',
  },
  'record.lab.error': {
    en: '{right} of {fired} error{fired||s} in the labs',
    zh: '实验中的错误 {fired} 次中 {right} 次',
  },
  'record.lab.warning': {
    en: '{right} of {fired} warning{fired||s} in the labs',
    zh: '实验中的警告 {fired} 次中 {right} 次',
  },
  'record.public.error': {
    en: '{right} of {fired} error{fired||s} in public logs',
    zh: '公开日志中的错误 {fired} 次中 {right} 次',
  },
  'record.public.warning': {
    en: '{right} of {fired} warning{fired||s} in public logs',
    zh: '公开日志中的警告 {fired} 次中 {right} 次',
  },
})

/** How often a rule spoke and was right. */
export function recordOf(rule: string): Message {
  const parts = (['lab', 'public'] as const).flatMap(kind =>
    (['error', 'warning'] as const).flatMap(severity => {
      const [fired, right] = RULE_RECORD[rule]?.[kind]?.[severity] ?? [0, 0]
      return fired === 0 ? [] : [say(`record.${kind}.${severity}`, { fired, right })]
    }),
  )
  return parts.length === 0 ? say('record.none', {}) : say('record.right', { list: parts })
}
