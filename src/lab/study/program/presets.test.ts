import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/workspace.js'
import { render } from '../../../text/sentences.js'
import { configOf } from '../../launch/launch.js'
import { launchFromCommand } from '../../launch/read-launch.js'
import { planStudy } from '../plan/plan-study.js'
import { commandOf } from './command.js'
import { examineArms } from './preflight.js'

/** What each preset makes of klens's names, as klens's own reader of launches takes the words. */

async function armsOf(text: string) {
  const path = join(temporaryFolder(), 'kl.yaml')
  writeFileSync(path, `question: does the KL matter?\nseeds: [7]\n${text}`)
  const { arms } = await planStudy(path)
  return arms.flatMap(arm => (arm.program === null ? [] : [arm]))
}

async function launchOf(text: string, checkpoint: string | null = null) {
  const [arm] = await armsOf(text)
  const { engine, study, settings } = arm.program
  const told = { study, arm: arm.name, seed: 7, settings }
  const { words, folder, environment } = commandOf(engine, told, { folder: '/t', checkpoint })
  const launch = await launchFromCommand(words, folder, environment)
  return { words, environment, config: launch === null ? null : configOf(launch), program: launch?.program }
}

async function refused(text: string): Promise<readonly string[]> {
  const arms = await armsOf(text)
  const checks = await examineArms(arms, 7, () => '/t', { folders: [], pythonPath: [], home: null })
  return checks.flatMap(check => check.refused.map(each => `${check.arm}: ${render(each, 'en')}`))
}

describe('a preset gives klens’s settings the names of its framework', () => {
  const COMMON = 'lr: 1e-6, entropy.coef: 0.01, kl.loss.coef: 0.05, steps: 100, save.every: 20, eval.every: 5'

  it('verl', async () => {
    const { words, environment, config, program } = await launchOf(
      `engine: verl\nbase: {${COMMON}, group.size: 8, clip.range: 0.3, kl.loss.estimator: k3, model: "a b/c"}\narms: {a: {}}\n`,
    )
    expect(words.slice(0, 3)).toEqual(['python3', '-m', 'verl.trainer.main_ppo'])
    expect(program).toMatchObject({ framework: 'verl', flavour: 'ppo_trainer', isOwn: false })
    expect(config).toMatchObject({
      'actor_rollout_ref.actor.optim.lr': 1e-6,
      'actor_rollout_ref.actor.entropy_coeff': 0.01,
      'actor_rollout_ref.actor.use_kl_loss': true,
      'actor_rollout_ref.actor.kl_loss_coef': 0.05,
      'actor_rollout_ref.actor.kl_loss_type': 'low_var_kl',
      'actor_rollout_ref.actor.clip_ratio_high': 0.3,
      'actor_rollout_ref.rollout.n': 8,
      'actor_rollout_ref.model.path': 'a b/c',
      'trainer.total_training_steps': 100,
      'trainer.save_freq': 20,
      'trainer.test_freq': 5,
      'trainer.default_local_dir': '/t/checkpoints',
      'trainer.logger': ['console', 'file'],
      'data.seed': 7,
      'actor_rollout_ref.rollout.seed': 7,
    })
    expect(environment).toEqual({ VERL_FILE_LOGGER_PATH: '/t/metrics.jsonl' })
  })

  it('verl of a release that called things otherwise, and keys of its own as they are', async () => {
    const { config, words } = await launchOf(
      'engine: {preset: verl, release: 0.5.0}\nbase: {lr.schedule: cosine, trainer.nnodes: 2, +mine.x: 1}\narms: {a: {kl.loss.coef: 0}}\n',
    )
    expect(config).toMatchObject({
      'actor_rollout_ref.actor.optim.warmup_style': 'cosine',
      'actor_rollout_ref.actor.use_kl_loss': false,
      'trainer.nnodes': 2,
    })
    expect(words).toContain('+mine.x=1')
    expect(words).toContain('+data.seed=7')
  })

  it('UserRL', async () => {
    const { words, config, environment } = await launchOf(
      'engine: userrl\nbase: {algorithm: grpo_multiturn, turns.max: 16}\narms: {a: {kl.loss.coef: 0.01}}\n',
    )
    expect(words[4]).toBe('--config-name=grpo_multiturn')
    expect(config).toMatchObject({
      'algorithm.adv_estimator': 'grpo_multiturn',
      'actor_rollout_ref.actor.use_kl_loss': true,
      'actor_rollout_ref.rollout.multi_turn.max_turns': 16,
    })
    expect(environment).toEqual({ WANDB_MODE: 'offline', WANDB_DIR: '/t' })
  })

  it('TRL', async () => {
    const text = `engine: trl\nbase: {${COMMON}, group.size: 4, model: m, data.train: d, reward_funcs: [x, y], clip.range: 0.1}\narms: {a: {}}\n`
    const { config, program } = await launchOf(text)
    expect(program).toMatchObject({ framework: 'trl', flavour: 'grpo' })
    expect(config).toMatchObject({
      ...{ learning_rate: 1e-6, beta: 0.05, entropy_coef: 0.01, max_steps: 100, save_steps: 20 },
      ...{ eval_steps: 5, eval_strategy: 'steps', num_generations: 4, model_name_or_path: 'm', dataset_name: 'd' },
      ...{ reward_funcs: ['x', 'y'], epsilon: 0.1, seed: 7, output_dir: '/t/checkpoints', report_to: 'none' },
    })
    const { words } = await launchOf(text, '/t/checkpoints/checkpoint-40')
    expect(words.join(' ')).toContain('--resume_from_checkpoint /t/checkpoints/checkpoint-40')
  })

  it('OpenRLHF, new and old', async () => {
    const rest = `base: {lr: 1e-6, entropy.coef: 0.01, group.size: 8, clip.low: 0.2, clip.high: 0.3}\narms: {a: {kl.loss.coef: 0.05}}\n`
    expect((await launchOf(`engine: openrlhf\n${rest}`)).config).toMatchObject({
      ...{ 'actor.adam.lr': 1e-6, 'actor.entropy_coef': 0.01, 'rollout.n_samples_per_prompt': 8, 'train.seed': 7 },
      ...{ 'algo.kl.init_coef': 0.05, 'algo.kl.use_loss': true, 'actor.eps_clip_low_high': [0.2, 0.3] },
      'ckpt.path': '/t/checkpoints',
    })
    const old = `engine: {preset: openrlhf, release: 0.9.10}\n${rest}`
    expect((await launchOf(old)).config).toMatchObject({
      ...{ actor_learning_rate: 1e-6, n_samples_per_prompt: 8, init_kl_coef: 0.05, use_kl_loss: true, seed: 7 },
      ckpt_path: '/t/checkpoints',
    })
    expect((await launchOf(old, '/t/c')).words).toContain('--load_checkpoint')
  })

  it('Lever-Plus, whose controller is told to leave the coefficient alone', async () => {
    const { words } = await launchOf(
      'engine: lever-plus\nbase: {epochs.rce: 5, epochs.grpo: 50, lr: 5e-6, freeze_backbone_in_grpo: true}\narms: {a: {kl.loss.coef: 0.1}}\n',
    )
    expect(words.slice(2).join(' ')).toBe(
      'lever_lm.workflows.grpo_post_train --rce_epochs 5 --grpo_epochs 50 --grpo_lr 0.000005 --freeze_backbone_in_grpo --kl_beta 0.1 --disable_adaptive_kl --output_dir /t/checkpoints',
    )
  })
})

describe('Lever-Plus', () => {
  it('is given the embeddings by its own flag', async () => {
    const { words } = await launchOf(
      'engine: lever-plus\nbase: {data.query_embeddings: q.pt}\narms: {a: {kl_beta: 0}}\n',
    )
    expect(words.join(' ')).toContain('--img_emb q.pt')
  })

  it('is given no name of klens that it would not know', async () => {
    const study = 'engine: lever-plus\nbase: {data.candidate_embeddings: c.pt}\narms: {a: {kl_beta: 0}}\n'
    await expect(launchOf(study)).rejects.toThrow()
  })
})

describe('the examples', () => {
  it.each(['verl-kl', 'userrl-kl', 'trl-kl', 'openrlhf-kl', 'lever-kl', 'bandit-kl'])(
    '%s would be started as it stands',
    async name => {
      const { arms, trials } = await planStudy(join('examples', 'studies', `${name}.yaml`))
      const programs = arms.flatMap(arm => (arm.program === null ? [] : [arm]))
      expect(programs).toHaveLength(arms.length)
      expect(trials.length).toBeGreaterThanOrEqual(2 * arms.length)
      const checks = await examineArms(programs, 1, () => '/t', { folders: [], pythonPath: [], home: null })
      expect(checks.flatMap(({ refused }) => refused)).toEqual([])
      expect(checks.every(({ check }) => check !== null)).toBe(!['lever-kl', 'bandit-kl'].includes(name))
    },
  )
})

describe('before anything is spent it is refused', () => {
  const VERL = 'engine: verl\nbase: {data.train_batch_size: 64, actor_rollout_ref.actor.ppo_mini_batch_size: 16}\n'

  it('that a setting does not exist, or has no counterpart', async () => {
    expect(await refused(`${VERL}arms: {a: {actor_rollout_ref.actor.kl_los_coef: 0.1}}\n`)).toEqual([
      expect.stringContaining('a: verl 0.9.1 has no actor_rollout_ref.actor.kl_los_coef'),
    ])
    await expect(armsOf('engine: trl\narms: {a: {kl.reward.coef: 0.1}}\n')).rejects.toThrow(/study.translate.none/)
    await expect(armsOf('engine: openrlhf\narms: {a: {kl.loss.coef: 0.1, kl.reward.coef: 0.1}}\n')).rejects.toThrow(
      /study.translate.both/,
    )
    await expect(armsOf('engine: {preset: verl, release: 1.2.3}\narms: {a: {}}\n')).rejects.toThrow(
      /study.engine.release/,
    )
  })

  it('that what varies does nothing', async () => {
    const key = 'actor_rollout_ref.actor.kl_loss_coef'
    expect(await refused(`${VERL}arms: {a: {${key}: 0.1}, b: {${key}: 0.2}}\n`)).toEqual(
      ['a', 'b'].map(arm => expect.stringContaining(`${arm}: "${key}" varies between the arms but has no effect`)),
    )
    expect(
      await refused(
        `${VERL}arms: {a: {kl.loss.on: false, kl.loss.coef: 0.1}, b: {kl.loss.on: false, kl.loss.coef: 0.2}}\n`,
      ),
    ).toHaveLength(2)
    expect(await refused(`${VERL}arms: {a: {kl.loss.coef: 0.1}, b: {kl.loss.coef: 0}}\n`)).toEqual([])
    expect(await refused(`${VERL}arms: {a: {clip.range: 0.1}, b: {clip.range: 0.3}}\n`)).toEqual([])
    const once = VERL.replace('_size: 16', '_size: 64')
    expect(await refused(`${once}arms: {a: {clip.range: 0.1}, b: {clip.range: 0.3}}\n`)).toHaveLength(2)
  })

  it('of Lever-Plus too, whose launches klens does not read', async () => {
    const text =
      'engine: lever-plus\narms: {a: {use_ppo_clip_only: true, kl_beta: 0.1}, b: {use_ppo_clip_only: true, kl_beta: 0.2}}\n'
    expect(await refused(text)).toHaveLength(2)
  })
})
