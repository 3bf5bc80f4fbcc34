import { z } from 'zod'
import { once } from '../../../logs/model/util/memo.js'
import { KL_ESTIMATORS } from '../objectives/kl-estimators.js'
import { ORIGINAL_REWARD_MODES, REWARD_MODES } from '../objectives/rewards.js'
import { DEFAULT_TEMPLATE } from '../tasks/llm/prompt.js'
import {
  atLeastOne,
  flag,
  notNegative,
  number,
  numberOrNone,
  numbers,
  positive,
  share,
  text,
  textOrEmpty,
  textOrNone,
  texts,
  whole,
  wholeOrNone,
  word,
  wordOrFlag,
} from './leaves.js'
import {
  CLIP_RANGE,
  klSettings,
  LEARNED_REWARD,
  LOSS_TYPE,
  OPTIMISER_SETTINGS,
  REFERENCE_SETTINGS,
  WARMUP_LENGTH,
} from './shared-settings.js'

/**
 * Settings of `klens train` for a selector, with their defaults. A key has the name under which
 * klens knows the setting in any run (`kl.loss.coef`, `entropy.coef`, `lr.schedule`), so that `compare`, `sweep` and
 * `diagnose` read a trained run like an imported one. Defaults are those with which `digits` learns within a minute;
 * they leave out what made the original's logs mislead: no controller, no dropout mismatch, no selection of beams by
 * reward.
 */

export const trainSchema = once(() =>
  z.object({
    task: word(['digits', 'lever', 'llm'], 'digits'),
    name: textOrNone(),
    seed: whole(1, notNegative),

    data: z
      .object({
        train: textOrNone().describe('`lever`: logged groups; `llm`: the queries, one JSON object a line.'),
        val: textOrNone().describe('`lever`: groups to validate on; left out, a share of `train`.'),
        query_embeddings: textOrNone(),
        candidate_embeddings: textOrNone().describe('Left out: those of the queries.'),
        examples: textOrNone().describe('`llm`: the items that can be shown; left out, the queries themselves.'),
        images: textOrNone().describe(
          '`llm`: the folder of the pictures; left out, that of the items. None is sent from elsewhere.',
        ),
        fallback: word(['drop', 'keep'], 'drop').describe("Scores of the original's fallback metric."),
        methods: texts([]).describe(
          '`lever`: only choices proposed so (`beam`, `sample`, `retrieval`, `random`); empty, all.',
        ),
        require_positive: flag(false).describe(
          '`lever`: train only on queries with a reward of at least 1, in whatever mode, as the original; validation stays whole.',
        ),
        val_share: numberOrNone({ least: 0, below: 1 }).describe(
          'Left out: what the task does by itself, 0.2 and 0 for `lever`, 0.1 and 0.1 for `llm`.',
        ),
        test_share: numberOrNone({ least: 0, below: 1 }),
        split: word(['ordered', 'random'], 'ordered'),
        draw: whole(0, notNegative).describe(
          'Which random split and pools. Not called a seed, because a run on other data is not another seed.',
        ),
        candidates: whole(64, atLeastOne).describe(
          'Pool size of `digits` and `llm`; the most that the pool of an older `lever` file may hold.',
        ),
        width: whole(64, atLeastOne).describe('Embedding width of `digits`; otherwise the data has it.'),
      })
      .prefault({}),

    policy: z
      .object({
        form: word(['static', 'gated'], 'static'),
        hidden: whole(256, atLeastOne),
        heads: whole(1, atLeastOne),
        layers: whole(1, atLeastOne),
        shots: whole(2, atLeastOne),
        temperature: number(0.1, positive),
      })
      .prefault({}),

    dropout: z
      .object({
        hidden: number(0, { least: 0, below: 1 }),
        attention: number(0, { least: 0, below: 1 }),
        reference: word(['same', 'off'], 'same').describe(
          "`off` is the original's way: dropout in the policy, none in the reference, and a KL above zero from the start.",
        ),
      })
      .prefault({}),

    freeze: z
      .object({ rce: texts([]), grpo: texts([]) })
      .prefault({})
      .describe(
        'Names of parameters, or their beginnings; `backbone` stands for what the original freezes while it post-trains.',
      ),

    group: z
      .object({
        source: word(['auto', 'policy', 'logged'], 'auto').describe(
          '`auto`: logged groups where the task has them, else samples of the policy.',
        ),
        size: whole(8, { least: 2 }),
        proposals: z
          .object({
            beams: whole(5, notNegative),
            temperatures: numbers([1, 1.3], positive),
            samples: whole(2, notNegative),
            random: whole(1, notNegative),
            retrieval: whole(0, notNegative),
          })
          .prefault({})
          .describe(
            'What the warm-up imitates where nothing is logged: beams, samples at each temperature, chance, the nearest.',
          ),
      })
      .prefault({}),

    epochs: z
      .object({ rce: whole(3, notNegative), grpo: whole(10, notNegative), inner: whole(1, atLeastOne) })
      .prefault({}),
    batch: z.object({ prompts: whole(1, atLeastOne) }).prefault({}),

    lr: z
      .object({
        rce: number(1e-4, positive),
        grpo: number(1e-4, positive),
        schedule: word(['constant', 'linear', 'cosine'], 'constant'),
        warmup: z
          .object({
            ...WARMUP_LENGTH,
            from: word(['stride', 'zero', 'floor'], 'stride').describe(
              'The first step: one stride above 0; 0 itself, as in Hugging Face and verl; or `lr.min_ratio`, as in older verl.',
            ),
          })
          .prefault({}),
        min_ratio: number(0, share),
      })
      .prefault({}),

    ...OPTIMISER_SETTINGS,

    rce: z
      .object({
        weights: word(['raw', 'normalised', 'rank', 'best', 'first'], 'raw'),
        temperature: z.object({ start: number(2, positive), end: number(0.5, positive) }).prefault({}),
      })
      .prefault({}),

    reward: z
      .object({
        mode: word(REWARD_MODES, 'hard+soft', ORIGINAL_REWARD_MODES).describe(
          "The original's names do too (`hard_plus_soft_v2` is `separated`); docs/tasks.md has the formulas.",
        ),
        hard_weight: number(1, notNegative),
        soft_weight: number(1, notNegative),
        relevance_weight: number(0.1, notNegative),
        alpha: number(1, notNegative).describe('`legacy`: the weight of the quality; that of the judgement is `beta`.'),
        beta: number(1, notNegative),
        quality: word(['beam-score', 'log-probability'], 'beam-score'),
        correctness: word(['zero-one', 'plus-minus'], 'zero-one', { '01': 'zero-one', pm1: 'plus-minus' }),
        normalise: wordOrFlag(['none', 'z-score', 'rank'], { on: 'z-score', off: 'none' }).describe(
          "Per query before the advantages, as the original's data set has them: z-scores, clamped, or ranks from 1 (best) to −1.",
        ),
        clamp: number(3, positive),
        ...LEARNED_REWARD,
      })
      .prefault({}),

    adv: z
      .object({
        kind: word(['z-score', 'rank', 'centred', 'leave-one-out'], 'z-score'),
        minimum_std: number(0.1, positive),
        clip: number(5, positive),
        degenerate: word(['skip', 'keep'], 'skip').describe(
          '`keep`: a group without information still feels the KL and the entropy bonus, as in the original.',
        ),
      })
      .prefault({}),

    clip: z
      .object({
        ...CLIP_RANGE,
        old: word(['inner', 'start'], 'inner').describe(
          'What the ratio is to: `inner`, the policy at the first inner epoch; `start`, the reference, as in the original, so that the clip bounds the whole way from there.',
        ),
      })
      .prefault({}),

    loss: z.object({ type: LOSS_TYPE }).prefault({}),

    kl: z
      .object({
        ...klSettings(0.1, KL_ESTIMATORS, { loss: 'k3', reward: 'k1' }),
        reference: word(['after-rce', 'before-rce'], 'after-rce').describe(
          "`before-rce`: the policy that the whole training starts from, as in the original where both phases are one process; the KL then holds the warm-up's move too.",
        ),
      })
      .prefault({}),

    ref: REFERENCE_SETTINGS,

    entropy: z.object({ coef: number(0, notNegative) }).prefault({}),

    curriculum: z
      .object({
        early_epochs: whole(0, notNegative),
        early_beams: wholeOrNone({ least: 2 }),
        late_beams: wholeOrNone({ least: 2 }),
        ties: word(['stored', 'torch-cpu'], 'stored').describe(
          'Which of equally rewarded beams are the best: the first stored, as `torch.topk` takes them on a GPU, or those that it takes on a CPU.',
        ),
        order: word(['shuffled', 'stored', 'easy-first', 'hard-first'], 'shuffled'),
      })
      .prefault({}),

    early_stopping: z
      .object({
        patience: wholeOrNone(atLeastOne),
        metric: text('val.score'),
        goal: word(['max', 'min'], 'max'),
        minimum_gain: number(0, notNegative),
      })
      .prefault({}),

    llm: z
      .object({
        url: textOrNone(),
        model: textOrNone(),
        key_env: textOrNone().describe('The name of an environment variable. The key itself is kept nowhere.'),
        temperature: number(0, notNegative),
        max_tokens: whole(16, atLeastOne),
        beams: whole(1, atLeastOne).describe(
          "Above 1: the likeliest of so many beams, if the server is vLLM; the original's inference has 3.",
        ),
        metric: word(['vqa', 'exact'], 'vqa'),
        images: flag(true),
        pool: word(['random', 'retrieval', 'first'], 'random').describe(
          "`first`: the first `data.candidates` examples, the same for every query, as the original's inference has it.",
        ),
        answer: word(['first-line', 'cut'], 'first-line').describe(
          "What of a reply counts; `cut`: all before Question, Answer, Short or a comma, as the original's inference takes it.",
        ),
        prompt: z
          .object({
            shape: word(['one', 'turns'], DEFAULT_TEMPLATE.shape).describe(
              '`turns`: each example is a question of the user in the words of `query` and an answer of the assistant.',
            ),
            instruction: textOrEmpty(DEFAULT_TEMPLATE.instruction),
            example: text(DEFAULT_TEMPLATE.example),
            query: text(DEFAULT_TEMPLATE.query),
          })
          .prefault({}),
        concurrency: whole(8, atLeastOne),
        requests_per_minute: numberOrNone(positive),
        attempts: whole(6, atLeastOne),
        timeout: number(60, positive).describe('Seconds.'),
        cache_dir: textOrNone().describe('Left out: `answers` in the workspace.'),
      })
      .prefault({})
      .describe('The endpoint that scores the task `llm`.'),

    eval: z
      .object({ every: whole(1, atLeastOne), samples: wholeOrNone(atLeastOne) })
      .prefault({})
      .describe('In epochs; `samples`: how many validation queries, all when left out.'),
    save: z.object({ every: whole(1, atLeastOne) }).prefault({}),
  }),
)

export type TrainConfig = z.output<ReturnType<typeof trainSchema>>

/** Settings that name a file or folder. */
export const PATH_SETTINGS: ReadonlySet<string> = new Set([
  'data.train',
  'data.val',
  'data.query_embeddings',
  'data.candidate_embeddings',
  'data.examples',
  'data.images',
  'llm.cache_dir',
])

/** What holds when nothing is said. */
export const defaultConfig = once((): TrainConfig => trainSchema().parse({}))

/** Of any task. */
const FILES = [...PATH_SETTINGS, 'data.test']
const SERVERS = ['llm', 'simulator', 'endpoint']

/**
 * Whether a setting names files, folders or servers: a server that trains for others refuses these. Also of a
 * section that holds one: `data={"train": …}` says as much as `data.train=…`.
 */
export function isOutside(key: string): boolean {
  const isAtServer = SERVERS.some(server => key === server || key.startsWith(`${server}.`))
  return isAtServer || FILES.some(path => path === key || path.startsWith(`${key}.`))
}

/** The key of the first of some `key=value` that is one; null where none is. */
export function outsideAmong(given: unknown): string | null {
  const words = Array.isArray(given) ? given.map(String) : []
  return words.map(word => word.split('=')[0].trim()).find(isOutside) ?? null
}
