/**
 * The gym as a training uses it: which requests there are to learn from and to be validated on, by which rules, and who
 * plays the user. The simulator can be made to fail for some steps (`gym.outage`).
 */
import { createHash } from 'node:crypto'
import { mean } from '../../../stats/descriptive.js'
import { sentences } from '../../../text/sentences.js'
import type { Gym, InstantEpisode } from '../../gym/gym.js'
import { embeddedSimulator } from '../../gym/intention/embedded/embedded.js'
import { intentionGym } from '../../gym/intention/intention.js'
import { ownTasks } from '../../gym/intention/own/tasks.js'
import { ceilingOf, type IntentionRules, KLENS_RULES } from '../../gym/intention/rules.js'
import type { InstantSimulator } from '../../gym/intention/simulator.js'
import type { IntentionTask } from '../../gym/intention/task.js'
import type { RolloutRules } from '../../gym/rollout.js'
import { elementCount } from '../../weights/tensor.js'
import type { IntentionConfig } from '../config/language-settings.js'
import { DEFAULT_DECODER, decoderTensors } from '../lm/shape.js'

const say = sentences({
  'train.intention.outage': {
    en: 'gym.outage: the simulator fails on purpose in this step',
    zh: 'gym.outage：设置要求模拟器在这一步失败',
  },
})

export interface GymSetup {
  readonly gym: Gym<IntentionTask, InstantEpisode>
  readonly trainTasks: readonly IntentionTask[]
  readonly validationTasks: readonly IntentionTask[]
  readonly trainRules: RolloutRules
  readonly validationRules: RolloutRules
  /** What is to be had at most on the validation tasks, on average. */
  readonly ceiling: number
  readonly dataHash: string
  /** Which step the simulator is to answer in. */
  enter(step: number): void
}

export function openGymSetup({ gym: settings, eval: evaluation }: IntentionConfig): GymSetup {
  const { language, outage, max_turns: maxTurns } = settings
  let isOut = false
  const failure = { kind: 'missing', reason: say('train.intention.outage', {}) } as const
  const simulator: InstantSimulator = {
    reply: situation => (isOut ? failure : embeddedSimulator.reply(situation)),
    judge: situation => (isOut ? failure : embeddedSimulator.judge(situation)),
  }
  const rules: IntentionRules = {
    ...KLENS_RULES,
    maxSteps: maxTurns,
    multiDetailPenalty: settings.multi_detail_penalty,
    quirks: { ...KLENS_RULES.quirks, failedCall: settings.failed_call },
  }
  const rollout = (shows: boolean): RolloutRules => ({
    maxTurns,
    showReward: shows,
    limitSkipsLastCall: settings.limit_skips_last_call,
    parallelCalls: settings.parallel_calls,
  })
  const trainTasks = ownTasks('train', language)
  const validationTasks = evenly(ownTasks('test', language), evaluation.samples)
  const questions = maxTurns - (settings.limit_skips_last_call ? 1 : 0)
  return {
    gym: intentionGym({ simulator, rules, language }),
    trainTasks,
    validationTasks,
    trainRules: rollout(settings.show_reward !== 'never'),
    validationRules: rollout(settings.show_reward === 'always'),
    ceiling: mean(validationTasks.map(task => ceilingOf(task.missing_details, questions, rules))),
    dataHash: createHash('sha256')
      .update(JSON.stringify([trainTasks, validationTasks]))
      .digest('hex'),
    enter(step) {
      isOut = outage.from !== null && step >= outage.from && step <= (outage.to ?? Number.POSITIVE_INFINITY)
    },
  }
}

/** So many of them, from all parts of the list alike. */
function evenly<Item>(items: readonly Item[], count: number): readonly Item[] {
  const taken = Math.min(count, items.length)
  return Array.from({ length: taken }, (_, i) => items[Math.floor((i * items.length) / taken)])
}

/** What is known of a training before it begins: how much there is to learn from, how large the model is, what can be had. */

export function introduction(config: IntentionConfig) {
  const { trainTasks, ceiling } = openGymSetup(config)
  return {
    queries: trainTasks.length,
    parameters: parametersOf(config),
    baselines: [{ name: 'ceiling', score: ceiling }],
  }
}

/** As many tokens as are asked for; a gym with fewer words makes it smaller. */
function parametersOf({ model }: IntentionConfig): number {
  const { key_heads: keyHeads, head_width: headWidth, ...rest } = model
  const tensors = decoderTensors({ ...DEFAULT_DECODER, ...rest, keyHeads, headWidth })
  return tensors.reduce((sum, { dimensions }) => sum + elementCount(dimensions), 0)
}
