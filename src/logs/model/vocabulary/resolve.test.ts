import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FRAMEWORKS, type Framework } from './framework.js'
import { METRICS } from './metrics.js'
import { meaningOf, rawNamesFor, vocabularyFor } from './resolve.js'
import { parseUserVocabulary } from './user.js'

function meaning(name: string, framework: Framework | null = null) {
  return meaningOf(name, vocabularyFor({ framework }))
}

function noteKeys(name: string, framework: Framework | null = null) {
  return meaning(name, framework).notes.map(note => note.key)
}

describe('the names of a framework', () => {
  test.each([
    ['verl', 'critic/rewards/mean', 'reward.mean'],
    ['verl', 'critic/score/max', 'score.max'],
    ['verl', 'actor/kl_loss', 'kl.ref'],
    ['verl', 'kl_loss', 'kl.ref'],
    ['verl', 'critic_score_mean', 'score.mean'],
    ['verl', 'timing_s_update_actor', 'time.update'],
    ['verl', 'perf_mfu_actor', 'mfu'],
    ['verl', 'actor/reward_kl_penalty', 'kl.ref'],
    ['verl', 'actor/reward_kl_penalty_coeff', 'kl.coef'],
    ['verl', 'actor/ppo_kl', 'kl.old'],
    ['verl', 'actor/entropy_loss', 'entropy'],
    ['verl', 'mismatch/k3_kl', 'kl.train_infer'],
    ['verl', 'rollout_corr/rollout_is_eff_sample_size', 'rollout.ratio.ess'],
    ['verl', 'timing/gen', 'time.generate'],
    ['verl', 'mfu/actor', 'mfu'],
    ['verl', 'response_length/clip_ratio', 'len.truncated'],
    ['verl', 'grpo/frac_reward_zero_std', 'group.zero_std_frac'],
    ['verl', 'actor/ratio_mean', 'ratio.mean'],
    ['verl', 'actor/ratio_mean_first_minibatch', 'ratio.mean.start'],
    ['verl', 'actor/kl_loss_first_minibatch', 'kl.ref.start'],
    ['trl', 'reward', 'reward.mean'],
    ['trl', 'train/reward_std', 'reward.std'],
    ['trl', 'completion_length', 'len.response'],
    ['trl', 'clip_ratio/low_mean', 'clip.frac.low'],
    ['trl', 'learning_rate', 'lr'],
    ['trl', 'train/global_step', 'step'],
    ['trl', 'sampling/sampling_logp_difference/mean', 'kl.train_infer'],
    ['trl-ppo', 'objective/rlhf_reward', 'reward.mean'],
    ['trl-ppo', 'objective/scores', 'score.mean'],
    ['trl-ppo', 'ppo/policy/approxkl', 'kl.old'],
    ['trl-ppo', 'objective/entropy', 'entropy.sequence'],
    ['trl-ppo', 'policy/entropy_avg', 'entropy'],
    ['openrlhf', 'train/reward', 'score.mean'],
    ['openrlhf', 'train/return', 'reward.mean'],
    ['openrlhf', 'train/timing/step_total', 'time.step'],
    ['openrlhf', 'act_loss', 'loss.policy'],
    ['openrlhf', 'vllm_kl', 'kl.train_infer'],
    ['hf', 'train_loss', 'loss.total'],
    ['hf', 'eval_loss', 'val.loss'],
    ['lever-plus', 'grpo_loss', 'loss.total'],
    ['lever-plus', 'kl_loss', 'kl.weighted'],
    ['lever-plus', 'max_advantage', 'adv.max'],
    ['lever-plus', 'Adv Std', 'adv.std'],
    ['lever-plus', '**Val Loss**', 'val.loss'],
    ['lever-plus', 'Beta', 'kl.coef'],
    ['klens', 'kl.ref', 'kl.ref'],
  ] as const)('%s %s is %s', (framework, name, canonical) => {
    expect(meaning(name, framework).canonical).toBe(canonical)
  })

  test.each([
    ['KL值', 'kl.ref'],
    ['KL散度 (KL Divergence)', 'kl.ref'],
    ['Train Loss', 'loss.total'],
    ['PPO Loss', 'loss.policy'],
    ['Mean Ratio (Policy Update Ratio)', 'ratio.mean'],
    ['PG Loss', 'loss.policy'],
    ['Grad Norm', 'grad.norm'],
    ['验证集Reward', 'val.score'],
    ['验证集 Reward', 'val.score'],
    ['**每步时间**', 'time.step'],
    ['time/step_s', 'time.step'],
    ['响应长度', 'len.response'],
    ['MFU ⬆️', 'mfu'],
  ])('a report heading %s is %s', (heading, canonical) => {
    expect(meaning(heading).canonical).toBe(canonical)
  })

  test('older and newer verl names of one metric are told apart only by rank', () => {
    const names = ['actor/entropy_loss', 'actor/entropy']
    expect(rawNamesFor('entropy', names, vocabularyFor({ framework: 'verl' }))).toEqual(names.toReversed())
  })

  test('a part of the reward is not the reward', () => {
    for (const name of ['rewards/format/mean', 'train/rewards/format/mean', 'rewards/format']) {
      expect(meaning(name, 'trl')).toMatchObject({ canonical: 'reward.part', goal: 'max', validation: false })
    }
    expect(meaning('rewards/format/std', 'trl')).toMatchObject({ canonical: 'reward.part.std', goal: null })
    expect(meaning('eval_rewards/format/mean', 'trl')).toMatchObject({ canonical: 'val.reward.part', validation: true })
  })

  test('losses, KL and entropy have no goal although their names would suggest one', () => {
    for (const name of ['actor/pg_loss', 'actor/kl_loss', 'actor/entropy_loss']) {
      expect(meaning(name, 'verl').goal).toBeNull()
    }
  })
})

describe('a name that frameworks use differently', () => {
  test('kl is per token in TRL and per sequence in Lever-Plus', () => {
    expect(meaning('kl', 'trl').unit).toBe('nats/token')
    expect(meaning('kl', 'lever-plus').unit).toBe('nats/sequence')
    expect(noteKeys('kl', 'lever-plus')).toEqual(['metric-note.kl-per-pointers'])
  })

  test('kl of an unknown framework has no unit, and a note lists the readings', () => {
    expect(meaning('kl')).toMatchObject({ canonical: 'kl.ref', unit: null })
    expect(meaning('kl').notes[0]?.params.readings).toContain('Lever-Plus: kl.ref (nats/sequence)')
  })

  test('reward is optimised in TRL and the raw score in OpenRLHF; unknown, it is read as the reward with a note', () => {
    expect(meaning('reward', 'trl').canonical).toBe('reward.mean')
    expect(meaning('reward', 'openrlhf').canonical).toBe('score.mean')
    expect(meaning('reward').canonical).toBe('reward.mean')
    expect(noteKeys('reward')).toEqual(['metric-note.ambiguous'])
  })

  test('kl_loss is unweighted in verl and weighted in Lever-Plus', () => {
    expect(meaning('kl_loss', 'verl').canonical).toBe('kl.ref')
    expect(meaning('kl_loss', 'lever-plus').canonical).toBe('kl.weighted')
    expect(noteKeys('kl_loss')).toEqual(['metric-note.ambiguous'])
  })

  test('val/ratio of TRL PPO is no validation metric', () => {
    expect(meaning('val/ratio', 'trl-ppo')).toMatchObject({ canonical: 'ratio.mean', validation: false })
    expect(noteKeys('val/ratio')).toEqual(['metric-note.val-not-validation'])
  })

  test('an old learning rate in units of 1e-4 says so', () => {
    expect(meaning('actor/lr(1e-4)', 'verl')).toMatchObject({ canonical: 'lr', unit: '1e-4' })
    expect(noteKeys('actor/lr(1e-4)', 'verl')).toEqual(['metric-note.lr-scaled'])
  })

  test('a name of another framework is understood in a run of this one', () => {
    expect(meaning('frac_reward_zero_std', 'verl').canonical).toBe('group.zero_std_frac')
  })
})

describe('validation metrics', () => {
  test.each([
    ['val-core/addition/reward/mean@1', { dataset: 'addition', aggregate: 'mean@1' }],
    ['val-core/openai/gsm8k/acc/mean@8', { dataset: 'openai/gsm8k', aggregate: 'mean@8' }],
    ['val-core/openai/gsm8k/acc/best@4/mean', { dataset: 'openai/gsm8k', aggregate: 'best@4' }],
    ['val-core/openai/gsm8k/acc/mean_at_8', { dataset: 'openai/gsm8k', aggregate: 'mean@8' }],
    ['val-aux/addition/exact/mean@1', { dataset: 'addition', aggregate: 'mean@1' }],
    ['val/test_score/openai/gsm8k', { dataset: 'openai/gsm8k' }],
    ['eval/eval_gsm8k_pass1', { dataset: 'gsm8k', aggregate: 'pass@1' }],
    ['eval_reward', {}],
    ['eval/reward', {}],
    ['eval_math_500_reward', { dataset: 'math_500' }],
    ['val/openai/gsm8k/accuracy', { dataset: 'openai/gsm8k' }],
    ['test/acc', { split: 'test' }],
    ['shot_num=2', { shots: 2 }],
    ['Shot 2', { shots: 2 }],
    ['eval/shot_2/acc', { shots: 2 }],
  ])('%s is a score with its condition', (name, condition) => {
    expect(meaning(name)).toMatchObject({ canonical: 'val.score', goal: 'max', validation: true })
    expect(meaning(name).condition).toEqual(condition)
  })

  test('the spread of a score is not a score', () => {
    for (const name of ['val-aux/math/acc/std@8', 'val-aux/math/acc/best@4/std']) {
      expect(meaning(name, 'verl')).toMatchObject({ canonical: 'val.score.std', goal: null, validation: true })
    }
  })

  test('an auxiliary variable without a direction stays without a meaning but keeps its data set', () => {
    expect(meaning('val-aux/math/response_tokens/mean@8', 'verl')).toMatchObject({
      canonical: null,
      validation: true,
      condition: { dataset: 'math', aggregate: 'mean@8' },
    })
  })

  test.each([
    ['trl', 'eval_kl', 'val.kl.ref'],
    ['trl', 'eval_completions/mean_length', 'val.len.response'],
    ['trl', 'eval_frac_reward_zero_std', 'val.group.zero_std_frac'],
    ['hf', 'eval_runtime', 'val.time.total'],
    ['verl', 'val-aux/num_turns/max', 'val.turns.max'],
    ['openrlhf', 'eval/eval_gsm8k_response_length_mean', 'val.len.response'],
    ['openrlhf', 'eval_truncated_rate', 'val.len.truncated'],
  ] as const)('%s %s is the validation twin %s, never the training metric', (framework, name, canonical) => {
    expect(meaning(name, framework)).toMatchObject({ canonical, validation: true })
  })

  test('a counter logged beside a validation is not a result of it', () => {
    expect(meaning('eval/step').canonical).toBeNull()
  })
})

describe('choosing among the metrics of a run', () => {
  test('the chosen validation variable comes before auxiliary ones, means before best-of-n, acc before reward', () => {
    const names = [
      'eval_reward',
      'val-aux/math/acc/best@8/mean',
      'val-aux/math/reward/mean@8',
      'val-aux/math/acc/mean@4',
      'val-core/math/acc/best@8/mean',
      'val-core/code/reward/mean@8',
      'val-core/math/acc/mean@8',
    ]
    expect(rawNamesFor('val.score', names, vocabularyFor({ framework: 'verl' }))).toEqual([
      'val-core/math/acc/mean@8',
      'val-core/code/reward/mean@8',
      'val-core/math/acc/best@8/mean',
      'val-aux/math/acc/mean@4',
      'val-aux/math/reward/mean@8',
      'val-aux/math/acc/best@8/mean',
      'eval_reward',
    ])
  })

  test('a metric may stand in for a second meaning, behind those that carry it first', () => {
    const trl = vocabularyFor({ framework: 'trl' })
    expect(rawNamesFor('reward.mean', ['loss', 'reward'], trl)).toEqual(['reward'])
    expect(rawNamesFor('score.mean', ['loss', 'reward'], trl)).toEqual(['reward'])
    expect(rawNamesFor('score.mean', ['reward', 'score'], trl)).toEqual(['score', 'reward'])
  })

  test('the KL in the loss comes before the KL in the reward', () => {
    const names = ['actor/reward_kl_penalty', 'actor/kl_loss_first_minibatch', 'actor/kl_loss']
    const found = rawNamesFor('kl.ref', names, vocabularyFor({ framework: 'verl' }))
    expect(found).toEqual(['actor/kl_loss', 'actor/reward_kl_penalty'])
  })

  test('a list that has grown is read again', () => {
    const names = ['actor/lr']
    const verl = vocabularyFor({ framework: 'verl' })
    expect(rawNamesFor('entropy', names, verl)).toEqual([])
    names.push('actor/entropy')
    expect(rawNamesFor('entropy', names, verl)).toEqual(['actor/entropy'])
  })
})

describe('the user’s vocabulary', () => {
  const { vocabulary: user } = parseUserVocabulary(`
metrics:
  kl.ref: [my/kl, actor/ppo_kl]
  val.score: "val/*/solved"
  kl.old: { goal: min }
  agent.calls: { names: [agent/api_calls], unit: calls, goal: min }
`)

  test('wins over every table', () => {
    const verl = vocabularyFor({ framework: 'verl', user })
    expect(meaningOf('actor/ppo_kl', verl)).toMatchObject({ canonical: 'kl.ref', unit: 'nats/token', notes: [] })
    expect(rawNamesFor('kl.ref', ['actor/kl_loss', 'actor/ppo_kl', 'my/kl'], verl)).toEqual([
      'my/kl',
      'actor/ppo_kl',
      'actor/kl_loss',
    ])
  })

  test('may use * and may add metrics of its own', () => {
    const own = vocabularyFor({ framework: null, user })
    expect(meaningOf('val/math/solved', own)).toMatchObject({ canonical: 'val.score', goal: 'max', validation: true })
    expect(meaningOf('val/solved', own).canonical).not.toBe('val.score')
    expect(meaningOf('agent/api_calls', own)).toMatchObject({ canonical: 'agent.calls', unit: 'calls', goal: 'min' })
  })

  test('may give a direction to a known metric', () => {
    expect(meaningOf('policy/approxkl_avg', vocabularyFor({ framework: 'trl-ppo', user })).goal).toBe('min')
  })

  test('does not reach runs read without it', () => {
    expect(meaning('actor/ppo_kl', 'verl').canonical).toBe('kl.old')
  })
})

describe('any name at all', () => {
  test('every name in the table means its row in its own framework', () => {
    for (const row of METRICS) {
      for (const framework of FRAMEWORKS) {
        for (const name of row[framework] ?? []) expect(meaning(name, framework).canonical, name).toBe(row.canonical)
      }
      expect(meaning(row.canonical, 'klens').canonical).toBe(row.canonical)
    }
  })

  test('a name nobody knows keeps only the direction its words suggest', () => {
    expect(meaning('custom/foo')).toMatchObject({ canonical: null, unit: null, goal: null, validation: false })
    expect(meaning('custom/win_rate')).toMatchObject({ canonical: null, goal: 'max' })
    expect(meaning('timing_s/new_part', 'verl')).toMatchObject({ canonical: null, unit: 's', goal: 'min' })
  })

  test('reading never throws, and what is remembered is what would be read afresh', () => {
    const pieces = fc.constantFrom('val-core', 'val', 'eval', '/', '_', 'shot_num=', '3', 'rewards', '@8', 'mean', '(')
    const name = fc.oneof(
      fc.string(),
      fc.array(fc.oneof(pieces, fc.string({ maxLength: 4 }))).map(list => list.join('')),
    )
    fc.assert(
      fc.property(name, fc.constantFrom(null, ...FRAMEWORKS), (text, framework) => {
        const first = meaning(text, framework)
        const user = { metrics: new Map(), config: new Map() }
        expect(meaningOf(text, vocabularyFor({ framework, user }))).toEqual(first)
        expect(first.canonical?.startsWith('val.') ?? false).toBe(first.canonical !== null && first.validation)
      }),
    )
  })

  test('names like those of an object’s own members, and names without end, are only names', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'eval_'.repeat(50_000), '('.repeat(50_000)]) {
      expect(meaning(name).canonical).toBeNull()
    }
  })
})
