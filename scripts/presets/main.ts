import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { cacheFolder, pythonEnvironment } from '../trl/environment.js'

/**
 * `npm run test:presets`: the words that a study's presets make are read by the frameworks themselves, as they come from
 * PyPI, and what they make of them is held against what the study means. In a folder whose name has everything in it that
 * hydra gives a meaning to. Where packages cannot be had this says so and goes on with the next.
 */

interface Reading {
  readonly preset: 'verl' | 'trl' | 'openrlhf'
  /** In examples/studies. */
  readonly study: string
  readonly arm: string
  /** The package whose files are read without installing it; null: the environment has it. */
  readonly wheel: string | null
  readonly requirements: string
  readonly gigabytes: number
  readonly expected: (folder: string) => { readonly [key: string]: unknown }
}

const READINGS: readonly Reading[] = [
  {
    ...{ preset: 'verl', study: 'verl-kl', arm: 'strong', wheel: 'verl==0.9.1' },
    requirements: 'scripts/presets/requirements.txt',
    gigabytes: 1,
    expected: folder => ({
      'algorithm.adv_estimator': 'grpo',
      'actor_rollout_ref.model.path': 'Qwen/Qwen3-8B',
      'actor_rollout_ref.actor.use_kl_loss': true,
      'actor_rollout_ref.actor.kl_loss_coef': 0.01,
      'actor_rollout_ref.actor.kl_loss_type': 'low_var_kl',
      'actor_rollout_ref.actor.optim.lr': 1e-6,
      'actor_rollout_ref.rollout.n': 8,
      'data.train_batch_size': 256,
      'data.seed': 1,
      'trainer.total_training_steps': 400,
      'trainer.test_freq': 10,
      'trainer.save_freq': 50,
      'trainer.logger': ['console', 'file'],
      'trainer.default_local_dir': `${folder}/checkpoints`,
    }),
  },
  {
    ...{ preset: 'openrlhf', study: 'openrlhf-kl', arm: 'loss', wheel: 'openrlhf==0.11.2' },
    requirements: 'scripts/presets/requirements.txt',
    gigabytes: 1,
    expected: folder => ({
      'algo.advantage.estimator': 'group_norm',
      'algo.kl.init_coef': 0.01,
      'algo.kl.use_loss': true,
      'algo.kl.estimator': 'k3',
      'actor.adam.lr': 1e-6,
      'rollout.n_samples_per_prompt': 8,
      'train.seed': 1,
      'ckpt.save_hf': true,
      'ckpt.path': `${folder}/checkpoints`,
      'logger.tensorboard_dir': `${folder}/tensorboard`,
    }),
  },
  {
    ...{ preset: 'trl', study: 'trl-kl', arm: 'held', wheel: null },
    requirements: 'scripts/trl/requirements.txt',
    gigabytes: 12,
    expected: folder => ({
      model_name_or_path: 'Qwen/Qwen2.5-0.5B-Instruct',
      dataset_name: 'trl-lib/DeepMath-103K',
      reward_funcs: ['accuracy_reward'],
      beta: 0.04,
      learning_rate: 1e-6,
      num_generations: 8,
      max_steps: 300,
      eval_steps: 20,
      save_steps: 50,
      seed: 1,
      output_dir: `${folder}/checkpoints`,
    }),
  },
]

const programs = z.object({
  programs: z.object({ arms: z.array(z.object({ arm: z.string(), words: z.array(z.string()) })) }),
})

const work = mkdtempSync(join(tmpdir(), "klens presets [1], {2}: 'it' = 研究 "))
try {
  cpSync('examples/studies', join(work, 'studies'), { recursive: true })
  for (const reading of READINGS) console.log(`${reading.preset}: ${outcomeOf(reading)}`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

function outcomeOf(reading: Reading): string {
  const { preset, arm, wheel, requirements, gigabytes, expected } = reading
  const environment = pythonEnvironment(gigabytes > 1 ? 'trl' : 'presets', requirements, gigabytes)
  if ('lacks' in environment) return `skipped: ${environment.lacks}`
  const unpacked = wheel === null ? '' : unpack(environment.python, wheel)
  if (unpacked === null) return `skipped: pip cannot download ${wheel}`
  const words = wordsOf(reading)
  const { status, stdout, stderr } = spawnSync(
    environment.python,
    ['scripts/presets/parse_words.py', preset, unpacked],
    { input: JSON.stringify(words), encoding: 'utf8', maxBuffer: 1 << 26 },
  )
  assert.equal(status, 0, `${preset} refuses the words: ${stderr.trim().split('\n').slice(-3).join(' ')}`)
  const found = z.record(z.string(), z.unknown()).parse(JSON.parse(stdout))
  const folder = join(work, '.klens', 'studies', reading.study, 'trials', folderIn(words))
  for (const [key, value] of Object.entries(expected(folder))) assert.deepEqual(found[key], value, `${preset}: ${key}`)
  const read = Object.keys(expected(folder)).length
  return `${wheel ?? 'its own parser'} takes all ${words.length} words of the arm "${arm}", and ${read} settings are what the study says`
}

function wordsOf({ study, arm }: Reading): readonly string[] {
  const file = join(work, 'studies', `${study}.yaml`)
  const out = execFileSync(process.execPath, ['bin/klens.js', 'study', 'run', file, '--dry-run', '--json'], {
    env: { ...process.env, KLENS_HOME: join(work, '.klens') },
    encoding: 'utf8',
  })
  const found = programs.parse(JSON.parse(out)).programs.arms.find(each => each.arm === arm)
  assert.ok(found, `${study} has no arm "${arm}"`)
  return found.words
}

/** The trial's own, which has a hash in its name. */
function folderIn(words: readonly string[]): string {
  const [, name] = /\/trials\/([^/]+)\//.exec(words.find(word => word.includes('/trials/')) ?? '') ?? []
  assert.ok(name, 'no word names the folder of the trial')
  return name
}

/** The wheel's files; null where it cannot be had. */
function unpack(python: string, wheel: string): string | null {
  const place = join(cacheFolder(), wheel.replace('==', '-'))
  if (existsSync(place)) return place
  const downloads = mkdtempSync(join(tmpdir(), 'klens-wheel-'))
  try {
    const words = ['-m', 'pip', 'download', '-q', '--no-deps', '--only-binary', ':all:', wheel, '-d', downloads]
    if (spawnSync(python, words, { stdio: 'ignore' }).status !== 0) return null
    const [file] = readdirSync(downloads)
    mkdirSync(place, { recursive: true })
    execFileSync(python, ['-m', 'zipfile', '-e', join(downloads, file), place])
    return place
  } finally {
    rmSync(downloads, { recursive: true, force: true })
  }
}
