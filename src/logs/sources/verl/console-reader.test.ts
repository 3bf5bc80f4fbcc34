import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  aboutTheFile,
  eventsOf,
  fixture,
  isRow,
  lastCursor,
  readEvents,
  rowsOf,
  withFile,
} from '../../../../test/support/reading.js'
import type { RunEvent } from '../../model/events.js'
import { verlConsole } from './console.js'

async function rows(text: string) {
  return rowsOf(await eventsOf(verlConsole, text))
}

async function events(text: string, type: RunEvent['type']) {
  return (await eventsOf(verlConsole, text)).filter(event => event.type === type)
}

describe('a step line', () => {
  test.each([
    ['plain', 'step:1 - actor/entropy:0.4331 - actor/pg_loss:-0.0051'],
    ['of a Ray task', '(main_task pid=63313) step:1 - actor/entropy:0.4331 - actor/pg_loss:-0.0051'],
    [
      'of a Ray actor on another node',
      '(TaskRunner pid=1, ip=10.0.0.7) step:1 - actor/entropy:0.4331 - actor/pg_loss:-0.0051',
    ],
    [
      'with colours',
      '\x1b[36m(TaskRunner pid=1)\x1b[0m step:1 - \x1b[1mactor/entropy\x1b[0m:0.4331 - actor/pg_loss:-0.0051\x1b[0m',
    ],
    [
      'that Ray saw repeated',
      'step:1 - actor/entropy:0.4331 - actor/pg_loss:-0.0051\x1b[32m [repeated 3x across cluster]\x1b[0m',
    ],
    [
      'with Ray’s explanation',
      'step:1 - actor/entropy:0.4331 - actor/pg_loss:-0.0051 [repeated 3x across cluster] (Ray deduplicates logs by default. Set RAY_DEDUP_LOGS=0 to disable)',
    ],
    [
      'glued to a progress bar',
      'Epoch 1/3:   0%|   | 0/35 [00:00<?, ?it/s]step:1 - actor/entropy:0.4331 - actor/pg_loss:-0.0051',
    ],
    [
      'behind a redrawn progress bar',
      '\rTraining Progress:  10%|█ | 1/10 [..]\r(TaskRunner pid=1) step:1 - actor/entropy:0.4331 - actor/pg_loss:-0.0051',
    ],
    [
      'before a redrawn progress bar',
      'step:1 - actor/entropy:0.4331 - actor/pg_loss:-0.0051\rTraining Progress:  20%|██ | 2/10 [..]',
    ],
    ['with a timestamp', '2025-08-02T00:35:19Z INFO step:1 - actor/entropy:0.4331 - actor/pg_loss:-0.0051'],
    ['labelled by srun', '0: (TaskRunner pid=1) step:1 - actor/entropy:0.4331 - actor/pg_loss:-0.0051'],
    ['of an old EasyR1', 'step 1: - actor/entropy:0.4331 - actor/pg_loss:-0.0051'],
    ['with Windows line ends', 'step:1 - actor/entropy:0.4331 - actor/pg_loss:-0.0051\r'],
    ['over two lines', 'step:1 - actor/entropy:0.4331\n    - actor/pg_loss:-0.0051'],
  ])('%s is read', async (_, line) => {
    const merged = Object.assign({}, ...(await rows(`${line}\n`)))
    expect(merged).toEqual({ step: 1, 'actor/entropy': 0.4331, 'actor/pg_loss': -0.0051 })
  })

  test('may hold every kind of number that Python prints', async () => {
    const line =
      'step:7 - a/b:np.float64(0.1) - a/c:np.float32(-2.5) - a/d:tensor(0.1250) - a/e:nan - a/f:inf - a/g:-inf - actor/lr:1e-06 - a/h:-0.0 - a/i:12'
    expect(await rows(`${line}\n`)).toEqual([
      {
        step: 7,
        'a/b': 0.1,
        'a/c': -2.5,
        'a/d': 0.125,
        'a/e': Number.NaN,
        'a/f': Number.POSITIVE_INFINITY,
        'a/g': Number.NEGATIVE_INFINITY,
        'actor/lr': 1e-6,
        'a/h': -0,
        'a/i': 12,
      },
    ])
  })

  test('may have keys with any sign that verl uses, and colons in names of data sets', async () => {
    const line =
      'step:5 - val-core/openai/gsm8k/acc/best@4/mean:0.5 - actor/lr(1e-4):0.25 - train/time(s):2.0 - val/a:b/acc.x:1.5 - val/数学/acc:0.75'
    expect(await rows(`${line}\n`)).toEqual([
      {
        step: 5,
        'val-core/openai/gsm8k/acc/best@4/mean': 0.5,
        'actor/lr(1e-4)': 0.25,
        'train/time(s)': 2,
        'val/a:b/acc.x': 1.5,
        'val/数学/acc': 0.75,
      },
    ])
  })

  test('shares its names with the line before when they are the same, validation steps in between or not', async () => {
    const plain = ' - a/b:1 - a/c:2\n'
    const found = await eventsOf(verlConsole, `step:1${plain}step:2 - a/b:1 - val/x:1 - a/c:2\nstep:3${plain}`)
    const [first, second, third] = found.filter(isRow)
    expect(third.metrics).toBe(first.metrics)
    expect(second.metrics).toEqual(['a/b', 'val/x', 'a/c'])
  })

  test('loses only the values that cannot be read, and says so', async () => {
    const found = await eventsOf(
      verlConsole,
      'step:3 - a/b:1 - timing_s/step:87.47s - a/c:2 - a/d:None\nstep:4 - a/b:oops - a/c:3\n',
    )
    expect(rowsOf(found)).toEqual([
      { step: 3, 'a/b': 1, 'a/c': 2 },
      { step: 4, 'a/c': 3 },
    ])
    expect(found).toContainEqual(
      expect.objectContaining({
        type: 'warning',
        message: expect.objectContaining({
          key: 'verl.bad-values',
          params: { count: 3, step: 3, field: 'timing_s/step:87.47s' },
        }),
      }),
    )
  })

  test('is not read while its end is missing, because half a number is a wrong number', async () => {
    const found = await eventsOf(verlConsole, 'step:1 - a/b:0.5\nstep:2 - a/b:0.12')
    expect(rowsOf(found)).toEqual([{ step: 1, 'a/b': 0.5 }])
    expect(found).toContainEqual({ type: 'tail', unreadBytes: 17 })
  })
})

test('reads one metric a line', async () => {
  expect(await rows('step:40 - train/loss:5.2e-05\nstep:40 - train/lr:1e-05\nstep:41 - train/loss:0.25\n')).toEqual([
    { step: 40, 'train/loss': 5.2e-5 },
    { step: 40, 'train/lr': 1e-5 },
    { step: 41, 'train/loss': 0.25 },
  ])
})

test.each([
  ['listed', 'step:5\n - actor/kl_loss:0.25\n - actor/lr:1e-06\nlr: 3\n'],
  [
    'as key: value',
    '(main_task pid=1) step: 5\n(main_task pid=1) actor/kl_loss: 0.25\n(WorkerDict pid=2) x/y: 9\n(main_task pid=1) actor/lr: 1e-06\n',
  ],
  ['nested', 'Step 5\nactor:\n  kl_loss: 0.25\n  lr: 1.0e-06\n  note: text\n\nother/chatter: 7\n'],
])('reads metrics under a bare step, %s', async (_, text) => {
  expect(Object.assign({}, ...(await rows(text)))).toEqual({ step: 5, 'actor/kl_loss': 0.25, 'actor/lr': 1e-6 })
})

test('passes over chatter, also when it speaks of steps', async () => {
  const chatter = [
    'Step 1: add 3 and 4',
    'training/global_step:3 - x:1',
    '(WorkerDict pid=2) total: 5 - 3',
    "print('step:1 - a/b:1')",
    '"step:1 - a/b:1 - c/d:2"',
    'we are at step:12 - now: 3 o’clock',
    'step:abc - a/b:1',
    'step:99999999999999999999 - a/b:1',
    '- item: 3',
    '  a/b: 3',
    '{not: python',
    'warnings.warn(',
  ]
  expect(aboutTheFile(await eventsOf(verlConsole, `${chatter.join('\n')}\n`))).toEqual([])
})

describe('printed decimals', () => {
  test('are kept when a fixed format printed all numbers of a line', async () => {
    const [row] = (await eventsOf(verlConsole, 'step:1 - a/b:484245.000 - a/c:-0.005 - a/d:nan\n')).filter(isRow)
    expect(row.decimals).toEqual([3, 3, 3])
  })

  test('are left out when numbers are printed in full', async () => {
    const [row] = (await eventsOf(verlConsole, 'step:1 - a/b:484245 - a/c:0.565 - a/d:0.508\n')).filter(isRow)
    expect(row.decimals).toBeUndefined()
  })

  test('of a line that could be either are kept until the log has printed a number in full', async () => {
    const found = await eventsOf(verlConsole, 'step:0 - v/a:0.565\nstep:1 - a/b:484245 - a/c:0.5\nstep:2 - v/a:0.565\n')
    expect(found.filter(isRow).map(row => row.decimals)).toEqual([[3], undefined, undefined])
  })

  test('are kept for tensors, which torch rounds', async () => {
    const [row] = (await eventsOf(verlConsole, 'step:1 - a/b:0.5 - a/c:tensor(0.1250) - a/d:7\n')).filter(isRow)
    expect(row.decimals).toEqual([null, 4, null])
  })
})

describe('validation before training', () => {
  const printed = `("Initial validation metrics: {'val-core/x/acc/mean@1': "\n "0.25, 'val-aux/y': np.float64(nan)}")\n`

  test('is not doubled when a step line repeats it', async () => {
    expect(await rows(`${printed}step:0 - val-core/x/acc/mean@1:0.25\nstep:1 - a/b:1\n`)).toEqual([
      { step: 0, 'val-core/x/acc/mean@1': 0.25 },
      { step: 1, 'a/b': 1 },
    ])
  })

  test.each(['step:1 - a/b:1\n', 'chatter\nstep:1 - a/b:1\n'])('goes to step 0 when none does', async rest => {
    expect(await rows(`${printed}${rest}`)).toEqual([
      { step: 0, 'val-core/x/acc/mean@1': 0.25, 'val-aux/y': Number.NaN },
      { step: 1, 'a/b': 1 },
    ])
  })

  test('goes to the step that a resumed run starts from', async () => {
    expect(await rows(`Setting global step to 40\n${printed}step:41 - a/b:1\n`)).toMatchObject([
      { step: 40 },
      { step: 41 },
    ])
  })

  test('at the end of the log is said, and taken back if the log grows', async () => {
    const found = await withFile(printed, path => readEvents(verlConsole, path))
    expect(rowsOf(found)).toHaveLength(1)
    expect(lastCursor(found)).toBeNull()
  })

  test.each([
    "'Initial validation metrics: None'",
    '("Initial validation metrics: {',
    'Initial validation metrics: {}',
  ])('that holds nothing is passed over: %s', async line => {
    expect(await rows(`${line}\nstep:1 - a/b:1\n`)).toEqual([{ step: 1, 'a/b': 1 }])
  })

  test('is read from a plain print as well', async () => {
    expect(await rows("Initial validation metrics: {'val/test_score/nq': 0.5}\nstep:1 - a/b:1\n")).toMatchObject([
      { step: 0, 'val/test_score/nq': 0.5 },
      { step: 1 },
    ])
  })
})

describe('config', () => {
  test('is read from the dict that verl prints, other processes in between', async () => {
    const found = await readEvents(verlConsole, fixture('verl/console.log'))
    expect(found.filter(event => event.type === 'config')).toEqual([
      {
        type: 'config',
        config: {
          'actor_rollout_ref.actor._target_': 'verl.workers.config.FSDPActorConfig',
          'actor_rollout_ref.actor.checkpoint.async_save': false,
          'actor_rollout_ref.actor.checkpoint.load_contents': ['model', 'optimizer', 'extra'],
          'actor_rollout_ref.actor.clip_ratio': 0.2,
          'actor_rollout_ref.actor.entropy_coeff': 0,
          'actor_rollout_ref.actor.kl_loss_coef': 0.001,
          'actor_rollout_ref.actor.kl_loss_type': 'low_var_kl',
          'actor_rollout_ref.actor.optim.lr': 1e-6,
          'actor_rollout_ref.actor.optim.lr_warmup_steps': -1,
          'actor_rollout_ref.actor.optim.weight_decay': 0.01,
          'actor_rollout_ref.actor.ppo_micro_batch_size': null,
          'actor_rollout_ref.actor.use_kl_loss': true,
          'actor_rollout_ref.model.path': '~/models/deepseek-llm-7b-chat',
          'actor_rollout_ref.rollout.chat_note':
            "a long line that pprint breaks into several string literals, because it is wider than eighty columns; it's quoted",
          'actor_rollout_ref.rollout.n': 8,
          'actor_rollout_ref.rollout.name': 'vllm',
          'actor_rollout_ref.rollout.val_kwargs.do_sample': false,
          'actor_rollout_ref.rollout.val_kwargs.temperature': 0,
          'algorithm.adv_estimator': 'grpo',
          'algorithm.kl_ctrl.kl_coef': 0.001,
          'algorithm.kl_ctrl.type': 'fixed',
          'algorithm.use_kl_in_reward': false,
          'data.train_batch_size': 128,
          'data.train_files': './char_count/rl/train.parquet',
          'trainer.experiment_name': 'smol135m_grpo',
          'trainer.logger': ['console'],
          'trainer.project_name': 'verl_example',
          'trainer.total_epochs': 2,
          'trainer.total_training_steps': null,
        },
      },
      { type: 'config', config: { 'trainer.total_training_steps': 6 } },
    ])
    expect(found).toContainEqual({ type: 'about', about: { name: 'smol135m_grpo', project: 'verl_example' } })
  })

  test('that breaks off is reported, and the steps behind it are read', async () => {
    const found = await eventsOf(verlConsole, "{'actor_rollout_ref': {'actor': {'lr': 1,\n  'x': 2,\nstep:1 - a/b:1\n")
    expect(found).toContainEqual(
      expect.objectContaining({
        type: 'warning',
        message: expect.objectContaining({ key: 'verl.config-unreadable', params: { line: 1 } }),
      }),
    )
    expect(rowsOf(found)).toHaveLength(1)
  })

  test('is not ended by a brace that another process prints', async () => {
    const text = "(A pid=1) {'trainer': {'n': 1,\n(B pid=2) {\n(B pid=2)   3}\n(A pid=1)              'm': 2}}\n"
    expect(await events(text, 'config')).toEqual([{ type: 'config', config: { 'trainer.n': 1, 'trainer.m': 2 } }])
  })

  test('of a second experiment in the same file is reported', async () => {
    const config = (name: string) => `{'trainer': {'experiment_name': '${name}'}}\n`
    const found = await eventsOf(verlConsole, `${config('a')}step:9 - a/b:1\n${config('b')}step:1 - a/b:1\n`)
    expect(found).toContainEqual(
      expect.objectContaining({
        type: 'warning',
        message: expect.objectContaining({
          key: 'verl.several-experiments',
          params: { first: 'a', second: 'b', line: 3 },
        }),
      }),
    )
    expect(found.filter(event => event.type === 'restart')).toHaveLength(1)
  })

  test('names the version of verl where the log does', async () => {
    expect(await events('Successfully installed torch-2.6.0 verl-0.4.0.dev0\n', 'about')).toEqual([
      { type: 'about', about: { versions: { verl: '0.4.0.dev0' } } },
    ])
  })
})

describe('restarts', () => {
  test('are told once, by the first line of a resumed process that says so', async () => {
    const found = await readEvents(verlConsole, fixture('verl/console-0.4.log'))
    const told = found
      .filter(event => event.type === 'row' || event.type === 'restart')
      .map(event => (event.type === 'row' ? event.step : event.type))
    expect(told).toEqual([1, 2, 3, 4, 5, 'restart', 4, 5, 6])
  })

  test('are none when the first process itself was resumed', async () => {
    expect(
      await events('Setting global step to 40\nResuming from /x/global_step_40\nstep:41 - a/b:1\n', 'restart'),
    ).toEqual([])
  })

  test('show in the same metrics being logged at an earlier step', async () => {
    expect(await events('step:9 - a/b:1\nstep:3 - a/b:1\n', 'restart')).toHaveLength(1)
  })

  test('are none when a validation of earlier weights comes late', async () => {
    expect(await events('step:9 - a/b:1\nstep:7 - val/x:1\nstep:10 - a/b:1\n', 'restart')).toEqual([])
  })
})

describe('status', () => {
  const bar = (done: number) => `Training Progress: ${done * 10}%|██████████| ${done}/10 [2:25:28<00:00, 83.13s/it]\n`

  test.each([
    ['the final validation', `("Final validation metrics: {'val-core/x': "\n '0.5}')\n`],
    ['a full progress bar', bar(10)],
    ['a step as high as the total', 'Total training steps: 10\nstep:10 - a/b:1\n'],
  ])('is finished after %s', async (_, text) => {
    expect(await events(`step:9 - a/b:1\n${text}`, 'status')).toEqual([{ type: 'status', status: 'finished' }])
  })

  test('is not said while training goes on', async () => {
    expect(await events(`Total training steps: 10\n${bar(9)}step:9 - a/b:1\n`, 'status')).toEqual([])
  })

  test('is taken back when the run is started again', async () => {
    expect(await events(`step:9 - a/b:1\n${bar(10)}Setting global step to 9\n`, 'status')).toEqual([
      { type: 'status', status: 'finished' },
      { type: 'status', status: 'unknown' },
    ])
  })

  test('the final validation is a copy and makes no row', async () => {
    expect(await rows('step:9 - val/x:0.5\n"Final validation metrics: {\'val/x\': 0.5}"\n')).toHaveLength(1)
  })
})

test('reads a step line alike, whatever lines came before it', async () => {
  const starts = ['', '(TaskRunner pid=1) ', '\x1b[36m(TaskRunner pid=1)\x1b[0m ', '\r', 'bar|\r', '2026-11-15 ']
  const fields = [
    ' - a/x:0.5 - a/y:1',
    ' - a/x:0.25 - a/y:nan',
    ' - a/x:-1e-07 - a/y:np.float64(0.1)',
    ' - a/x:0.12345678901234567',
    ' - a/x:0.5 - a/é:2 - a/y:3',
    ' - a/x:oops - a/y:1',
    ' - a/x:0.5 s - a/y:1',
    ' - a/x:0.5 - \x1b[1ma/y\x1b[0m:1',
    ' - a/x:0.5\r - a/y:1',
    ' - a/x: 0.5 - a/y:1  ',
  ]
  const ends = ['', '\r', ' ', '\x1b[32m [repeated 3x across cluster]\x1b[0m']
  const line = fc.tuple(fc.constantFrom(...starts), fc.constantFrom(...fields), fc.constantFrom(...ends))
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 2, maxLength: 8 }), async parts => {
      const lines = parts.map(([start, rest, end], i) => `${start}step:${i + 1}${rest}${end}\n`)
      const alone = []
      for (const each of lines) alone.push(...(await rows(each)))
      expect(await rows(lines.join(''))).toEqual(alone)
    }),
    { numRuns: 60 },
  )
})
