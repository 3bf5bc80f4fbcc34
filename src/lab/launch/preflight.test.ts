import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { launchFolder, writeTasks } from '../../../test/launch-folder.js'
import { sharedFolder, temporaryFolder } from '../../../test/workspace.js'
import { render } from '../../text/sentences.js'
import type { LaunchSetting } from './launch.js'
import { type Preflight, type PreflightOptions, preflightLaunch } from './preflight.js'
import { readLaunch } from './read-launch.js'

/** What is found, as `rule` or, where a rule speaks more than once, `rule key`. */
function rulesOf({ check }: Preflight): readonly string[] {
  return check.findings.map(({ rule, key }) => (rule === 'key-unknown' ? `${rule} ${key}` : rule)).sort()
}

function sentenceOf({ check }: Preflight, rule: string): string {
  const found = check.findings.find(finding => finding.rule === rule)
  return found === undefined ? '' : render(found.message, 'en')
}

describe('a launch with the settings of the first report', () => {
  const folder = sharedFolder()
  let script: string
  let text: string
  beforeAll(async () => {
    script = await launchFolder(folder)
    text = readFileSync(script, 'utf8')
    await writeTasks(join(folder, 'more.parquet'), { from: 377, to: 700 })
    await writeTasks(join(folder, 'other.parquet'), { from: 1_000, to: 1_380 })
  })

  const examine = async (changed = text, examination: PreflightOptions = {}): Promise<Preflight> => {
    const path = join(folder, 'changed.sh')
    writeFileSync(path, changed)
    return preflightLaunch(await readLaunch(path), examination)
  }

  it('is named for what it is', async () => {
    const examined = await examine()
    expect(examined.subject.schema?.version).toBe('userrl')
    expect(sentenceOf(examined, 'kl-acts')).toContain('KL 0.01 to the reference, in the loss, by k3')
    expect(sentenceOf(examined, 'entropy-bonus')).toContain('0.01')
    expect(sentenceOf(examined, 'evals-in-warmup')).toContain('63 of 630 steps')
    expect(sentenceOf(examined, 'clip-inert')).toContain('has no effect')
    expect(sentenceOf(examined, 'eval-small')).toMatch(/n = 40 .*differ by 0\.33/)
    expect(sentenceOf(examined, 'checkpoints-deleted')).toContain('126 saves')
    expect(sentenceOf(examined, 'sum-is-mean')).toContain('"Sum" is a mean')
    expect(sentenceOf(examined, 'argument-twice')).toContain('argument 1 of the script arrives twice')
    expect(sentenceOf(examined, 'data-overlap')).toContain('3 of 40')
    expect(rulesOf(examined)).toContain('no-seed')
    expect(examined.check.notChecked).toEqual([])
  })

  it('has at each evaluation the rate that the trainer will use, and over the first 45 steps 41 % of it', async () => {
    const examined = await examine(text, { until: 45 })
    const factorAt = examined.subject.rate?.factorAt ?? (() => Number.NaN)
    const factors = [5, 10, 20, 30, 40, 45].map(step => Number(factorAt(step - 1).toFixed(3)))
    expect(factors).toEqual([0.157, 0.229, 0.371, 0.514, 0.657, 0.729])
    expect(sentenceOf(examined, 'evals-in-warmup')).toMatch(/all 9 compared evaluations .* 41\.4 % of the peak/)
  })

  /** One change for each finding, on its own line. */
  const CHANGES: readonly (readonly [rule: string, from: string, to: string])[] = [
    ['kl-acts', 'use_kl_loss=True', 'use_kl_loss=False'],
    ['entropy-bonus', 'entropy_coeff=0.01', 'entropy_coeff=0'],
    ['evals-in-warmup', 'lr_warmup_steps_ratio=0.1', 'lr_warmup_steps_ratio=0.0'],
    ['no-start-evaluation', 'val_before_train=False', 'val_before_train=True'],
    ['clip-inert', 'ppo_mini_batch_size=6', 'ppo_mini_batch_size=3'],
    ['eval-small', 'data.val_files=test.parquet', 'data.val_files=more.parquet'],
    ['data-overlap', 'data.train_files=train.parquet', 'data.train_files=other.parquet'],
    ['checkpoints-deleted', 'trainer.save_freq=5', 'trainer.save_freq=-1'],
    ['no-seed', 'python3 -m verl.trainer.main_ppo', 'python3 -m verl.trainer.main_ppo +data.seed=1'],
    ['sum-is-mean', 'trajectory_score_method=Sum', 'trajectory_score_method=R2G'],
    ['argument-twice', '$@ $1', '"$@"'],
    ['turns-off-by-one', 'multi_turn.max_turns=16', 'name=sglang'],
    ['userrl-traps', 'adv_estimator=grpo_multiturn', 'adv_estimator=grpo'],
  ]

  it('has a change for everything that is found', async () => {
    expect(rulesOf(await examine())).toEqual(CHANGES.map(([rule]) => rule).sort())
  })

  it.each(CHANGES)('loses %s, and no other finding, by a change of that line', async (rule, from, to) => {
    const before = await examine()
    const found = before.check.findings.find(finding => finding.rule === rule)
    const lines = text.split('\n')
    const at = (found?.line ?? 0) - 1
    expect(lines[at]).toContain(from)
    lines[at] = lines[at].replace(from, to)
    const after = rulesOf(await examine(lines.join('\n')))
    const gone = rulesOf(before).filter(each => !after.includes(each))
    expect(gone).toEqual([rule])
  })

  it('is refused by verl 0.9.1 with the names of the keys, the new one where there is one, and the unknown estimator', async () => {
    const examined = await examine(text, { verl: '0.9.1' })
    const section = 'actor_rollout_ref.rollout.multi_turn'
    const refused = examined.check.findings.filter(({ severity }) => severity === 'error')
    expect(refused.map(({ key, line }) => [key, line])).toEqual([
      ['actor_rollout_ref.rollout.mode', 14],
      [`${section}.max_turns`, 16],
      [`${section}.model_name`, 17],
      [`${section}.turn_level_method`, 18],
      [`${section}.trajectory_score_method`, 19],
      ['algorithm.adv_estimator', 24],
    ])
    expect(render(refused[1].remedy, 'en')).toBe(`write ${section}.max_assistant_turns, ${section}.max_user_turns`)
    expect(render(refused[5].message, 'zh')).toContain('grpo_multiturn')
    expect(rulesOf(examined)).toContain('key-superseded')
  })

  it('says which figures cannot be known where its data are missing', async () => {
    const path = join(temporaryFolder(), 'alone.sh')
    writeFileSync(path, text)
    const { subject, check } = await preflightLaunch(await readLaunch(path))
    expect(check.notChecked.map(({ rule }) => rule)).toEqual(['evals-in-warmup', 'eval-small', 'data-overlap'])
    expect([subject.amounts.totalSteps, subject.detectable]).toEqual([null, null])
  })

  it('can be examined arm by arm, with the overrides of each', async () => {
    const launch = await readLaunch(script)
    const { line } = launch.program
    const arms = [0, 0.1].map(value => {
      const key = 'actor_rollout_ref.actor.kl_loss_coef'
      const added: LaunchSetting = { key, value, line, operation: 'force', from: 'command' }
      return { ...launch, settings: [...launch.settings, added] }
    })
    const terms = await Promise.all(arms.map(async arm => (await preflightLaunch(arm)).subject.kl))
    expect(terms.map(({ where, coefficient }) => [where, coefficient])).toEqual([
      ['none', 0],
      ['loss', 0.1],
    ])
  })
})

describe('launches', () => {
  const read = async (name: string, text: string, examination: PreflightOptions = {}): Promise<Preflight> => {
    const path = join(temporaryFolder(), name)
    writeFileSync(path, text)
    return preflightLaunch(await readLaunch(path), examination)
  }

  it('of TRL are read from flags behind accelerate, and a flag that is nearly right gets its name', async () => {
    const examined = await read(
      'trl.sh',
      `accelerate launch --num_processes 4 trl/scripts/grpo.py --model_name_or_path m --beta 0.04 --num_generations 8 \\
        --per_device_train_batch_size 4 --gradient_accumulation_steps 4 --max_steps 500 --warmup_ratio 0.2 \\
        --eval_strategy steps --eval_steps 10 --save_steps 50 --save_total_limit 2 --max_completion_lenght 9`,
    )
    const { kl, amounts } = examined.subject
    expect([kl.where, kl.coefficient, kl.estimator]).toEqual(['loss', 0.04, 'k3'])
    expect([amounts.promptsPerStep, amounts.updatesPerStep, amounts.gpus]).toEqual([8, 1, 4])
    expect(rulesOf(examined)).toEqual([
      'checkpoints-deleted',
      'clip-inert',
      'evals-in-warmup',
      'key-unknown max_completion_lenght',
      'kl-acts',
      'no-start-evaluation',
    ])
    const [unknown] = examined.check.findings
    expect(render(unknown.remedy, 'en')).toBe('write max_completion_length')
  })

  it('of TRL without eval_strategy are advised to set it: eval_steps alone does nothing', async () => {
    const start =
      'from trl import GRPOConfig\n\nargs = GRPOConfig(output_dir="x", beta=0.1, max_steps=100, eval_steps=20'
    const finding = async (text: string) =>
      (await read('train.py', text)).check.findings.find(({ rule }) => rule === 'no-evaluation')
    const [found] = [await finding(`${start})\n`)].filter(each => each !== undefined)
    expect(render(found.remedy, 'en')).toContain('eval_strategy=steps, with eval_steps=20')
    expect(await finding(`${start}, eval_strategy="steps")\n`)).toBeUndefined()
  })

  it('of TRL are read from YAML and from a config in Python, each setting with its line', async () => {
    const yaml = await read('grpo.yaml', 'model_name_or_path: m\nnum_generations: 1\nbeta: 0.0\nmax_steps: 10\n')
    expect(yaml.check.findings.find(({ rule }) => rule === 'group-of-one')?.line).toBe(2)
    expect(yaml.subject.kl.where).toBe('none')
    const python = await read(
      'train.py',
      'from trl import GRPOConfig\n\nargs = GRPOConfig(\n    output_dir="x",  # beta=9,\n    beta=0.1, max_steps=count(),\n)\n',
    )
    expect(python.check.findings.find(({ rule }) => rule === 'kl-acts')?.line).toBe(5)
    expect([python.subject.kl.coefficient, python.subject.amounts.totalSteps]).toEqual([0.1, null])
  })

  it('of OpenRLHF are read behind ray job submit, and an older flag gets its new name', async () => {
    const examined = await read(
      'ppo.sh',
      `ray job submit --address=x -- python3 -m openrlhf.cli.train_ppo_ray --algo.kl.use_loss --algo.kl.init_coef 1e-3 \\
         --algo.kl.estimator k3 --rollout.n_samples_per_prompt 8 --rollout.batch_size 128 --train.batch_size 512 \\
         --actor_learning_rate 1e-6`,
    )
    const { kl, amounts } = examined.subject
    expect([kl.where, kl.coefficient, kl.estimator, amounts.updatesPerStep]).toEqual(['loss', 0.001, 'k3', 2])
    const [unknown] = examined.check.findings
    expect([unknown.key, render(unknown.remedy, 'en')]).toEqual(['actor_learning_rate', 'write actor.adam.lr'])
  })

  it('of klens are checked as klens train checks them', async () => {
    const examined = await read('klens.yaml', 'task: digits\nkl:\n  loss:\n    coff: 0.1\nepochs:\n  grpo: 5\n')
    expect(examined.check.findings.map(({ rule, line }) => [rule, line])).toEqual([['klens-config', 4]])
  })

  it('may be bare overrides', async () => {
    const launch = await readLaunch(
      'actor_rollout_ref.actor.kl_loss_coeff=0.1 actor_rollout_ref.actor.use_kl_loss=ture',
    )
    const examined = await preflightLaunch(launch)
    expect(rulesOf(examined)).toContain('value-type')
    expect(render(examined.check.findings[0].remedy, 'en')).toBe('write actor_rollout_ref.actor.kl_loss_coef')
    const command = await readLaunch('trl grpo --beta 0.04 --num_generations 8')
    expect([command.program.framework, command.settings.length]).toEqual(['trl', 2])
  })

  it('whose command a comment cuts in two lose what follows, and that is an error', async () => {
    const examined = await read(
      'cut.sh',
      'python3 -m verl.trainer.main_ppo \\\n  data.train_batch_size=512 \\\n  # smaller\n  actor_rollout_ref.rollout.n=4 \\\n  trainer.nnodes=1\n',
    )
    expect(examined.check.findings[0]).toMatchObject({ rule: 'lines-lost', severity: 'error', line: 4 })
  })

  it('are checked against the verl that is installed beside them', async () => {
    const folder = temporaryFolder()
    const { mkdirSync } = await import('node:fs')
    const config = join(folder, '.venv/lib/python3.12/site-packages/verl/trainer/config')
    mkdirSync(config, { recursive: true })
    writeFileSync(
      join(config, 'ppo_trainer.yaml'),
      'trainer:\n  test_freq: 7\n  nnodes: 1\ndata:\n  train_batch_size: 4\n',
    )
    const path = join(folder, 'train.sh')
    writeFileSync(path, 'python3 -m verl.trainer.main_ppo trainer.nodes=1 data.train_batch_size=4\n')
    const { subject, check } = await preflightLaunch(await readLaunch(path))
    expect(subject.schema?.origin).toBe('installed')
    expect(subject.amounts.evaluateEvery).toBe(7)
    expect(check.findings[0]).toMatchObject({ rule: 'key-unknown', severity: 'error', key: 'trainer.nodes' })
    expect(render(check.findings[0].remedy, 'en')).toBe('write trainer.nnodes')
  })

  it('that add what exists, or set the batch as verl refuses it, are errors', async () => {
    const examined = await read(
      'bad.sh',
      'python3 -m verl.trainer.main_ppo +trainer.nnodes=1 data.train_batch_size=6 actor_rollout_ref.rollout.n=3 trainer.n_gpus_per_node=4 actor_rollout_ref.actor.ppo_mini_batch_size=6\n',
      { verl: '0.9.1' },
    )
    expect(examined.check.findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual([
      'key-unknown',
      'batch-refused',
    ])
  })

  it('of other programs of verl are none, and a recipe of one’s own may have settings of its own', async () => {
    const generation = 'python3 -m verl.trainer.main_generation data.path=x model.path=m trainer.nnodes=1 rollout.n=1\n'
    await expect(read('generate.sh', generation)).rejects.toThrow()
    const recipe = await read(
      'recipe.sh',
      'ray job submit -- python3 -m recipe.dapo.main_dapo data.gen_batch_size=64 algorithm.filter_groups.enable=True data.train_batch_size=32 trainer.test_freq=5\n',
    )
    expect(recipe.check.findings.filter(({ severity }) => severity !== 'note')).toEqual([])
  })

  it('with a million overrides, or a key of a megabyte, are read in part', async () => {
    const start = 'python3 -m verl.trainer.main_ppo trainer.nnodes=1'
    const many = await read('many.sh', `${start}${' a.b=1'.repeat(1_000_000)}`)
    expect(many.subject.launch.settings.length).toBeLessThanOrEqual(5_000)
    const long = await read('long.sh', `${start} ${'a.'.repeat(500_000)}b=1`)
    expect(long.subject.launch.settings.length).toBe(1)
  })

  it('whose KL acts twice, or whose coefficient does nothing, are told so', async () => {
    const twice = await read(
      'twice.sh',
      'python3 -m verl.trainer.main_ppo algorithm.use_kl_in_reward=True actor_rollout_ref.actor.use_kl_loss=True trainer.test_freq=5\n',
    )
    expect(rulesOf(twice)).toContain('kl-twice')
    const idle = await read(
      'idle.sh',
      'python3 -m verl.trainer.main_ppo algorithm.kl_ctrl.kl_coef=0.01 trainer.test_freq=5 actor_rollout_ref.rollout.n=4\n',
    )
    expect(rulesOf(idle)).toContain('kl-idle')
    expect(idle.subject.kl.where).toBe('none')
  })
})

describe('a launch of a framework that only its file describes', () => {
  it('is read by the settings of the file, from a command without Python and from a config', async () => {
    const command =
      'train-agent --learning-rate 0.0003 --ent-coef 0.01 --clip-coef 0.2 --num-minibatches 4 --update-epochs 4 --seed 3'
    const { subject } = await preflightLaunch(await readLaunch(command))
    expect(subject.launch.program).toMatchObject({ framework: 'cleanrl', flavour: 'train' })
    expect([subject.entropy, subject.seed, subject.setting('lr').value]).toEqual([0.01, 3, 0.0003])
    // A schedule that is not written is not guessed.
    expect([subject.schema, subject.rate]).toEqual([null, null])
    const config = join(temporaryFolder(), 'ppo.yaml')
    writeFileSync(config, 'num_minibatches: 4\nupdate_epochs: 4\nent_coef: 0.02\nseed: 5\n')
    const read = await preflightLaunch(await readLaunch(config))
    expect([read.subject.launch.program.framework, read.subject.entropy, read.subject.seed]).toEqual([
      'cleanrl',
      0.02,
      5,
    ])
  })

  it('takes a command with a flag or two for no training', async () => {
    await expect(readLaunch('rsync --seed 3 --learning-rate 1')).rejects.toThrow(/not-found/)
    await expect(readLaunch('pytest --ent-coef 3')).rejects.toThrow(/not-found/)
  })
})
