import { z } from 'zod'
import { TRAJECTORY_SCORES, TURN_CREDITS } from '../../../logs/model/dialogue.js'
import { once } from '../../../logs/model/util/memo.js'
import { DEFAULT_DECODER } from '../lm/shape.js'
import { TOKEN_KL_ESTIMATORS } from '../objectives/kl-estimators.js'
import { AGGREGATIONS } from '../objectives/token-grpo.js'
import type { CoefficientRules } from '../schedules/kl-coefficient.js'
import {
  atLeastOne,
  flag,
  notNegative,
  number,
  numberOrNone,
  positive,
  share,
  text,
  textOrNone,
  texts,
  whole,
  wholeOrNone,
  word,
} from './leaves.js'
import {
  CLIP_RANGE,
  CONTROLLER_SETTINGS,
  coefficientRule,
  klRule,
  klSettings,
  LEARNED_REWARD,
  LOSS_TYPE,
  OPTIMISER_SETTINGS,
  REFERENCE_SETTINGS,
  WARMUP_LENGTH,
} from './shared-settings.js'

/**
 * Settings of `klens train --task intention`. As with the selector, a key has the name under which klens knows the
 * setting in any run. Defaults are a small version of UserRL's training: 48 dialogues a step in groups of one request,
 * one update on them, greedy validation every five steps on 40 test requests.
 */
export const intentionSchema = once(() =>
  z.object({
    task: word(['intention'], 'intention'),
    name: textOrNone(),
    seed: whole(1, notNegative),

    data: z
      .object({
        train: texts([]).describe(
          'Files of tasks as UserRL writes them: JSON, and Parquet that chooses among it. Left out: klens’s own.',
        ),
        test: texts([]).describe('The same, to validate on. Left out: `data.val_share` of the training tasks.'),
        val_share: number(0.1, { above: 0, below: 1 }),
      })
      .prefault({})
      .describe('Own tasks.'),
    simulator: text('embedded').describe('Who plays the user: `embedded`, or a model, `http://…/v1#MODEL`.'),
    endpoint: z
      .object({
        prompts: textOrNone().describe(
          'What it is told: `klens`, `userrl`, or where a checkout of UserRL is. Left out: UserRL’s where the tasks come from one.',
        ),
        key_env: text('OPENAI_API_KEY').describe('The variable that holds the key.'),
        concurrency: whole(16, atLeastOne),
        requests_per_minute: numberOrNone(positive),
        attempts: whole(6, atLeastOne),
        timeout: number(60, positive).describe('Seconds for one answer.'),
      })
      .prefault({})
      .describe('How a model that plays the user is asked. Answers are kept in the workspace and asked for once.'),

    model: z
      .object({
        vocabulary: whole(700, { least: 300 }),
        width: whole(DEFAULT_DECODER.width, atLeastOne),
        layers: whole(DEFAULT_DECODER.layers, atLeastOne),
        heads: whole(DEFAULT_DECODER.heads, atLeastOne),
        key_heads: whole(DEFAULT_DECODER.keyHeads, atLeastOne),
        head_width: whole(DEFAULT_DECODER.headWidth, { least: 2 }),
        inner: whole(DEFAULT_DECODER.inner, atLeastOne),
        context: whole(DEFAULT_DECODER.positions, { least: 64 }).describe('Tokens of the longest dialogue.'),
      })
      .prefault({})
      .describe('A decoder in the layout of Qwen3; about 270,000 parameters.'),

    start: z
      .object({
        seed: wholeOrNone(notNegative)
          .prefault(1)
          .describe('`none`: the run’s own. Left at 1, all runs of a workspace start from the same model, made once.'),
        steps: whole(1100, notNegative).describe('On dialogues that ask for everything (`scripted:diligent`).'),
        habits: whole(120, notNegative).describe('Then on dialogues with bad habits (`scripted:novice`).'),
        batch: whole(16, atLeastOne).describe('Dialogues a step; each is seen once.'),
        lr: number(3e-3, positive),
        share: number(0.7, { above: 0, below: 1 }).describe(
          'Of own tasks, those that the start imitates dialogues about; the others are kept for the steps.',
        ),
      })
      .prefault({})
      .describe('The supervised start.'),

    gym: z
      .object({
        language: word(['en', 'zh'], 'en'),
        max_turns: whole(16, atLeastOne),
        turn_tokens: whole(48, { least: 4 }).describe('Tokens that a message may have.'),
        multi_detail_penalty: number(0.2, notNegative),
        show_reward: word(['never', 'training', 'always'], 'never').describe(
          'Whether the policy reads its reward behind each answer; UserRL: in training only.',
        ),
        limit_skips_last_call: flag(true),
        parallel_calls: word(['last', 'sum'], 'last'),
        failed_call: word(['missing', 'zero'], 'missing').describe(
          '`zero`: a failed simulator pays 0 and goes on, as in UserRL.',
        ),
        outage: z
          .object({ from: wholeOrNone(atLeastOne), to: wholeOrNone(atLeastOne) })
          .prefault({})
          .describe('Steps in which the simulator fails, to see what that does to a run.'),
      })
      .prefault({})
      .describe('The rules and quirks of docs/gym.md.'),

    reward: z
      .object({
        compound: number(0, notNegative).describe(
          'Paid in training, and not in validation, for each further thing that one question asks for.',
        ),
        ...LEARNED_REWARD,
      })
      .prefault({}),

    steps: whole(200, notNegative),
    batch: z
      .object({
        prompts: whole(8, atLeastOne),
        mini: wholeOrNone(atLeastOne).describe('Requests an update; left out, all of a step.'),
      })
      .prefault({}),
    group: z.object({ size: whole(6, atLeastOne) }).prefault({}),
    epochs: z.object({ inner: whole(1, atLeastOne) }).prefault({}),
    temperature: number(1, positive),

    credit: z
      .object({
        score: word(TRAJECTORY_SCORES, 'sum', { r2g: 'discounted' }).describe(
          'Of a dialogue, from the rewards of its turns. What UserRL calls "Sum" is `mean`.',
        ),
        turn: word([...TURN_CREDITS, 'turnwise'], 'return', {
          ...{ equalized: 'equal', r2g: 'return', em: 'exponential' },
        }).describe(
          'How turns share the advantage of their dialogue, as in UserRL; `turnwise`: each turn has its own, against the same turn of the others.',
        ),
        discount: number(0.8, share),
      })
      .prefault({}),
    adv: z
      .object({ scale: flag(true).describe('Whether advantages are divided by the deviation of their group.') })
      .prefault({}),

    clip: z
      .object({
        ...CLIP_RANGE,
        dual: numberOrNone({ above: 1 }).prefault(3),
        ratio: word(['token', 'sequence'], 'token'),
      })
      .prefault({}),
    loss: z.object({ type: LOSS_TYPE, aggregation: word(AGGREGATIONS, 'token-mean') }).prefault({}),

    kl: z
      .object(klSettings(0, TOKEN_KL_ESTIMATORS, { loss: 'k3', reward: 'k1' }))
      .prefault({})
      .describe('To the supervised start. Both coefficients move by the rule of `kl.controller`.'),
    ref: REFERENCE_SETTINGS,
    entropy: z
      .object({ coef: number(0, notNegative), ...CONTROLLER_SETTINGS })
      .prefault({})
      .describe('`band` and `proportional` raise the coefficient when the entropy is low.'),

    lr: z
      .object({
        grpo: number(1e-4, positive),
        schedule: word(['constant', 'linear', 'cosine', 'warmup-stable-decay'], 'constant'),
        warmup: z
          .object({
            ...WARMUP_LENGTH,
            from: word(['zero', 'floor'], 'zero').describe(
              'The first step: 0, as in Hugging Face and verl, or `lr.min_ratio`, as in UserRL’s verl.',
            ),
          })
          .prefault({}),
        min_ratio: number(0, share),
        cycles: number(0.5, positive),
        stable_ratio: number(0.9, share),
      })
      .prefault({}),
    ...OPTIMISER_SETTINGS,

    eval: z
      .object({
        every: whole(5, atLeastOne).describe('In steps; also before the first and after the last.'),
        samples: whole(40, atLeastOne).describe('Tasks to validate on.'),
        temperature: number(0, notNegative).describe(
          '0: greedy. Above it each task draws from a generator of its own, the same at every step and in `gym eval`.',
        ),
      })
      .prefault({}),
    save: z
      .object({ every: whole(50, atLeastOne) })
      .prefault({})
      .describe('In steps. What is needed to go on is kept at every evaluation.'),
  }),
)

export type IntentionConfig = z.output<ReturnType<typeof intentionSchema>>

export const intentionDefaults = once((): IntentionConfig => intentionSchema().parse({}))

export const TASK_FILES: ReadonlySet<string> = new Set(['data.train', 'data.test'])

/** What holds instead where own tasks are given: they have more words than klens's own, and no practice without end. */
export const OWN_TASKS_DEFAULTS = {
  'model.vocabulary': 4096,
  'model.width': 128,
  'model.head_width': 32,
  'model.inner': 352,
  'model.context': 640,
  'start.steps': 600,
  'start.habits': 40,
} as const

export function coefficientRules({ kl, entropy }: IntentionConfig): CoefficientRules {
  return { kl: klRule(kl), entropy: coefficientRule(entropy.coef, entropy) }
}
