import { describe, expect, it } from 'vitest'
import { eventsOf, rowsOf, sourceFile, withFile } from '../../../../test/support/reading.js'
import type { Config } from '../../model/run.js'
import { discover } from '../discover.js'
import { stepConsole } from './step-console.js'

const rows = async (text: string) => rowsOf(await eventsOf(stepConsole, text))
const isRecognised = (text: string, name = 'train.log') =>
  withFile(text, async path => stepConsole.recognise(await sourceFile(path)), name)
const reasonOf = (text: string) =>
  withFile(text, async path => stepConsole.lacks?.(await sourceFile(path))?.key ?? null, 'x.log')
async function configOf(text: string): Promise<Config> {
  const events = await eventsOf(stepConsole, text)
  return Object.assign({}, ...events.map(event => (event.type === 'config' ? event.config : {})))
}
const repeated = (n: number, line: (i: number) => string) => Array.from({ length: n }, (_, i) => line(i)).join('\n')

const merged = async (text: string) => {
  const byStep = new Map<unknown, object>()
  for (const row of await rows(text)) byStep.set(row.step, { ...byStep.get(row.step), ...row })
  return [...byStep.values()]
}

describe('numbers of one step on several lines', () => {
  it('are told apart by the section or the split that their line is of', async () => {
    const section = (step: number, loss: number) =>
      `Iter ${step}:\nTrain results:\n    Loss : ${loss}\nVal results:\n    Loss : ${loss + 1}\n\n`
    expect(await merged(section(53, 0.5) + section(118, 0.25))).toEqual([
      { step: 53, 'train/Loss': 0.5, 'val/Loss': 1.5 },
      { step: 118, 'train/Loss': 0.25, 'val/Loss': 1.25 },
    ])
    const epoch = (n: number) =>
      `Epoch ${n}/9\ntrain Loss: ${n} Top-1 Acc: ${n + 0.5}\ntest Loss: ${n + 1} Top-1 Acc: 7\n`
    expect(await merged(epoch(1) + epoch(2))).toEqual([
      { step: 1, train_Loss: 1, 'train/Top-1_Acc': 1.5, test_Loss: 2, 'test/Top-1_Acc': 7 },
      { step: 2, train_Loss: 2, 'train/Top-1_Acc': 2.5, test_Loss: 3, 'test/Top-1_Acc': 7 },
    ])
  })

  it('stay under the counter above their block, whatever else it counts', async () => {
    const block = (n: number, reward: number, steps: number) =>
      `Episode ${n}:\n  Reward: ${reward}\n  Steps: ${steps}\n  Loss: 0.5\n---------------\n`
    expect(await merged(block(1, -28.5, 98) + block(2, -41, 99) + block(3, 771, 462))).toEqual([
      { step: 1, Reward: -28.5, Steps: 98, Loss: 0.5 },
      { step: 2, Reward: -41, Steps: 99, Loss: 0.5 },
      { step: 3, Reward: 771, Steps: 462, Loss: 0.5 },
    ])
  })
})

describe('lines with a counter', () => {
  it.each([
    [
      'modded nanoGPT',
      'step:0/3040 val_loss:10.8258 train_time:0ms step_avg:nanms\nstep:125/3040 val_loss:4.5102 train_time:12345ms step_avg:98.76ms\n',
      [
        { step: 0, val_loss: 10.8258, train_time: 0, step_avg: Number.NaN },
        { step: 125, val_loss: 4.5102, train_time: 12345, step_avg: 98.76 },
      ],
    ],
    [
      'nanoGPT',
      'step 0: train loss 10.9, val loss 10.8\niter 0: loss 10.93, time 45021.31ms, mfu -100.00%\niter 10: loss 9.2, time 1.2s, mfu 12.50%\nstep 20: train loss 8.1, val loss 8.2\niter 20: loss 8.3, time 400ms, mfu 12.50%\n',
      undefined,
    ],
    [
      'a line behind a bar that counts for itself',
      'Epochs:   0%|      | 0/1000 [00:00<?, ?it/s]Epoch: 1, Train Loss: 11.0, Val Loss: 10.9\nEpochs:   0%|      | 2/1000 [00:02<21:01,  1.26s/it]Epoch: 3, Train Loss: 10.0, Val Loss: 9.9\n',
      [
        { step: 1, Train_Loss: 11, Val_Loss: 10.9 },
        { step: 3, Train_Loss: 10, Val_Loss: 9.9 },
      ],
    ],
    [
      'fields between bars',
      'Epoch 1/10 | loss=0.53 | acc=81.2%\nEpoch 2/10 | loss=0.41 | acc=85.0%\n',
      [
        { step: 1, loss: 0.53, acc: 81.2 },
        { step: 2, loss: 0.41, acc: 85 },
      ],
    ],
    [
      'a logger before the line, with its time',
      '2026-04-19 06:27:38,030 [INFO] pilot: Step 10 - loss: 0.5, lr: 1e-4\n2026-04-19 06:28:38,030 [INFO] pilot: Step 20 - loss: 0.4, lr: 9e-5\n',
      [
        { step: 10, loss: 0.5, lr: 1e-4 },
        { step: 20, loss: 0.4, lr: 9e-5 },
      ],
    ],
    [
      'Megatron',
      ' iteration        1/  500000 | consumed samples:         8 | elapsed time per iteration (ms): 1234.5 | learning rate: 1.000E-05 | lm loss: 1.05E+01 |\n iteration        2/  500000 | consumed samples:        16 | elapsed time per iteration (ms): 1200.5 | learning rate: 2.000E-05 | lm loss: 1.01E+01 |\n',
      [
        { step: 1, consumed_samples: 8, elapsed_time_per_iteration: 1234.5, learning_rate: 1e-5, lm_loss: 10.5 },
        { step: 2, consumed_samples: 16, elapsed_time_per_iteration: 1200.5, learning_rate: 2e-5, lm_loss: 10.1 },
      ],
    ],
    [
      'ImageNet, a step within each epoch',
      'Epoch: [0][ 10/100]\tTime  0.510 ( 0.920)\tLoss 6.9e+00 (7.0e+00)\nEpoch: [0][100/100]\tTime  0.500 ( 0.800)\tLoss 6.5e+00 (6.8e+00)\nEpoch: [1][ 10/100]\tTime  0.500 ( 0.500)\tLoss 6.0e+00 (6.1e+00)\n',
      [
        { step: 10, Time: 0.51, Time_avg: 0.92, Loss: 6.9, Loss_avg: 7, epoch: 0 },
        { step: 100, Time: 0.5, Time_avg: 0.8, Loss: 6.5, Loss_avg: 6.8, epoch: 0 },
        { step: 110, Time: 0.5, Time_avg: 0.5, Loss: 6, Loss_avg: 6.1, epoch: 1 },
      ],
    ],
    [
      'training and test apart',
      'Train Epoch: 1 [0/60000 (0%)]\tLoss: 2.30\nTrain Epoch: 1 [59520/60000 (99%)]\tLoss: 0.20\n\nTest set: Average loss: 0.0537, Accuracy: 9822/10000 (98%)\n\nTrain Epoch: 2 [0/60000 (0%)]\tLoss: 0.19\n',
      [
        { step: 0, 'train/Loss': 2.3, epoch: 1 },
        { step: 59520, 'train/Loss': 0.2, epoch: 1 },
        { step: 59520, 'test/Average_loss': 0.0537, 'test/Accuracy': 0.9822 },
        { step: 60000, 'train/Loss': 0.19, epoch: 2 },
      ],
    ],
    [
      'Lightning',
      'Epoch 0:  50%|█████     | 50/100 [00:10<00:10,  4.9it/s, v_num=0, train_loss=0.523]\rEpoch 0: 100%|██████████| 100/100 [00:20<00:00,  4.9it/s, v_num=0, train_loss=0.423]\nEpoch 1:  50%|█████     | 50/100 [00:10<00:10,  4.9it/s, v_num=0, train_loss=0.323]\n',
      [
        { step: 50, v_num: 0, train_loss: 0.523, epoch: 0 },
        { step: 100, v_num: 0, train_loss: 0.423, epoch: 0 },
        { step: 150, v_num: 0, train_loss: 0.323, epoch: 1 },
      ],
    ],
    [
      'Keras, whose epochs stand above their numbers',
      'Epoch 1/2\n  1/782 [....................] - ETA: 5:00 - loss: 2.30\b\b\b\b782/782 [==============================] - 4s 5ms/step - loss: 1.5 - accuracy: 0.4 - val_loss: 1.2\nEpoch 2/2\n782/782 [==============================] - 4s 5ms/step - loss: 1.1 - accuracy: 0.6 - val_loss: 1.0\n',
      [
        { step: 1, loss: 1.5, accuracy: 0.4, val_loss: 1.2 },
        { step: 2, loss: 1.1, accuracy: 0.6, val_loss: 1 },
      ],
    ],
    [
      'dicts',
      "step 1: {'loss': 0.5, 'lr': 0.001}\nstep 2: {'loss': 0.4, 'lr': 0.001}\n",
      [
        { step: 1, loss: 0.5, lr: 0.001 },
        { step: 2, loss: 0.4, lr: 0.001 },
      ],
    ],
    [
      'episodes of varying length',
      'Episode: 1, steps: 200, reward: -120.5, epsilon: 0.99\nEpisode: 2, steps: 90, reward: -80.1, epsilon: 0.98\nEpisode: 3, steps: 150, reward: -60.1, epsilon: 0.97\n',
      [
        { step: 1, steps: 200, reward: -120.5, epsilon: 0.99 },
        { step: 2, reward: -80.1, epsilon: 0.98 },
        { step: 3, reward: -60.1, epsilon: 0.97 },
      ],
    ],
  ])('are read as rows: %s', async (_, text, expected) => {
    expect(await isRecognised(text)).toBe(true)
    if (expected !== undefined) expect(await rows(text)).toMatchObject(expected)
  })

  it('keep a time in the unit that it was first printed with', async () => {
    const read = await rows(
      'iter 0: loss 10.9, time 450ms\niter 10: loss 9.2, time 1.2s\niter 20: loss 9.0, time 90ms\n',
    )
    expect(read.map(({ time }) => time)).toEqual([450, 1200, 90])
  })

  it('with names of one’s own pass among words of a training', async () => {
    const lines = repeated(6, i => `s:${i * 250} tel:${6.31 - i / 10}`)
    expect(await isRecognised(`GPT model, 124M parameters, training on cuda\n${lines}\n`)).toBe(true)
    expect(await isRecognised(`${lines}\n`)).toBe(false)
  })

  it('of a script that prints its own source first are found behind it', async () => {
    const text = `${'x = 1 # some code\n'.repeat(5000)}${repeated(250, i => `step:${i}/300 val_loss:${9 - i / 100}`)}\n`
    const found = await withFile(text, async path => {
      const file = await sourceFile(path)
      const tail = Buffer.from(text.slice(-4096))
      return { recognised: stepConsole.recognise({ ...file, tail }), described: await stepConsole.describe(file, {}) }
    })
    expect(found).toMatchObject({ recognised: true, described: [{ metrics: ['val_loss'] }] })
    expect(await rows(text)).toHaveLength(250)
  })

  it('that go back say that the process was started again', async () => {
    const text = 'step 1: loss 3\nstep 2: loss 2\nstep 3: loss 1\nstep 2: loss 2.1\nstep 3: loss 1.5\nstep 4: loss 1\n'
    const events = await eventsOf(stepConsole, `${repeated(20, i => `step ${i}: loss ${i}`)}\n${text}`)
    expect(events.filter(({ type }) => type === 'restart')).toHaveLength(2)
  })
})

describe('tables and blocks', () => {
  const SB3 = (steps: number, reward: number) => `---------------------------------
| rollout/           |          |
|    ep_len_mean     | 22.4     |
|    ep_rew_mean     | ${reward}     |
| time/              |          |
|    fps             | 1200     |
|    iterations      | ${steps / 2048}        |
|    total_timesteps | ${steps}     |
---------------------------------
`
  it('of Stable-Baselines3 keep their groups', async () => {
    const text = `Using cuda device\n${SB3(2048, 21.3)}${SB3(4096, 30.1)}`
    expect(await isRecognised(text)).toBe(true)
    expect(await rows(text)).toMatchObject([
      { step: 2048, 'rollout/ep_rew_mean': 21.3, 'time/fps': 1200 },
      { step: 4096, 'rollout/ep_rew_mean': 30.1, 'time/iterations': 2 },
    ])
  })

  it('of Spinning Up have none', async () => {
    const table = (epoch: number) =>
      `---------------------------------------\n|             Epoch |               ${epoch} |\n|      AverageEpRet |            22.3 |\n| TotalEnvInteracts |            ${(epoch + 1) * 4000} |\n---------------------------------------\n`
    expect(await rows(table(0) + table(1))).toMatchObject([
      { step: 4000, AverageEpRet: 22.3, Epoch: 0 },
      { step: 8000, AverageEpRet: 22.3, Epoch: 1 },
    ])
  })

  it('of rsl_rl stand under their iteration', async () => {
    const block = (i: number) => `${'#'.repeat(80)}
                      \x1b[1m Learning iteration ${i}/1500 \x1b[0m

                           Total steps: ${(i + 1) * 98304}
                      Steps per second: 45678
          Mean value_function loss: 0.0123
                       Mean reward: ${i + 0.5}
               Mean episode length: 123.40
    Mean episode rew_tracking_lin_vel: 0.1234
${'-'.repeat(80)}
                    Iteration time: 1.50s
                              ETA: 00:40:00
`
    const read = await rows(block(12) + block(13))
    expect(read.filter(row => 'Mean_reward' in row)).toMatchObject([
      { step: 12, Mean_reward: 12.5 },
      { step: 13, Mean_reward: 13.5 },
    ])
    const names = new Set(read.flatMap(row => Object.keys(row)))
    expect([...names].sort()).toEqual(
      [
        'Iteration_time',
        'Mean_episode_length',
        'Mean_episode_rew_tracking_lin_vel',
        'Mean_reward',
        'Mean_value_function_loss',
        'Steps_per_second',
        'Total_steps',
        'step',
      ].sort(),
    )
  })
})

describe('settings before the first step', () => {
  it.each([
    ['Namespace', "Namespace(lr=0.001, name='a b', seed=1)\n", { lr: 0.001, name: 'a b', seed: 1 }],
    ['a list', 'lr = 1e-3\nbatch_size: 12\nmodel: gpt2\n\n', { lr: 0.001, batch_size: 12, model: 'gpt2' }],
    ['YAML', 'optim:\n  lr: 0.1\n  beta: 0.9\nseed: 3\n', { 'optim.lr': 0.1, 'optim.beta': 0.9, seed: 3 }],
    ['Megatron', '  lr .......... 0.1\n  seed ........ 3\n  fp16 ........ True\n', { lr: 0.1, seed: 3, fp16: true }],
  ])('are read from %s', async (_, text, expected) => {
    expect(await configOf(`${text}step 1: loss 3\nstep 2: loss 2\n`)).toEqual(expected)
  })

  it('are none where a single line looks like one', async () => {
    expect(await configOf('device: cuda\nloading the model\nstep 1: loss 3\nstep 2: loss 2\n')).toEqual({})
  })
})

describe('a console that begins as another format’s', () => {
  it('is read by its lines where that format finds nothing in it', async () => {
    const text = `Loading weights:  50%|█████     | 5/10 [00:00<00:00]\n${'chatter\n'.repeat(9000)}${repeated(300, i => `step ${i}: loss ${9 - i / 100}`)}\n`
    const { runs } = await withFile(text, path => discover([path]), 'train.log')
    expect(runs.map(({ source }) => source.id)).toEqual(['console'])
  })
})

describe('half a megabyte that no trainer prints', () => {
  const many = 1 << 19
  const wide = (cell: (i: number) => string) => `step  ${Array.from({ length: 90_000 }, (_, i) => cell(i)).join('  ')}`
  it.each([
    ['blanks before a bar', `[INFO] train${' '.repeat(many)}x | loss`],
    ['blanks before columns', `step  loss  acc\n${' '.repeat(many)}x  y  z`],
    ['blanks in the cells of a table', repeated(1000, () => `|${' '.repeat(250)}|${' '.repeat(250)}x`)],
    ['warnings of NCCL', 'NCCL WARN '.repeat(many / 10)],
    ['columns', `${wide(i => `a${i}`)}\n${wide(i => `${i}`).replace('step', '3')}`],
    ['digits', `{'loss': '${'1'.repeat(3900)}x'}\n`.repeat(many / 1000)],
  ])('takes no longer than its bytes: %s', async (_, line) => {
    const read = await rows(`step 1: loss 3\nstep 2: loss 2\n${line}\nstep 4: loss 1\n`)
    expect(read.filter(({ loss }) => loss !== undefined)).toEqual([
      { step: 1, loss: 3 },
      { step: 2, loss: 2 },
      { step: 4, loss: 1 },
    ])
  })
})

describe('what is no training', () => {
  it.each([
    ['a build', repeated(12, i => `Step ${i}/12 : RUN pip install torch==2.${i}`), 'skip.console-no-values'],
    ['a solver', repeated(12, i => `Iteration ${i}, residual = ${1 / (i + 1)}, dt = 0.1`), 'skip.console-no-training'],
    ['a server', repeated(30, i => `2026-11-17 10:00:${10 + i} INFO GET /api/v${i} 200 took ${i} ms`), null],
    ['prose', 'In epoch 3 the loss fell to 0.5. We then waited.\nAnother line with 5 of 7 people.\n', null],
    ['one step', 'step 5: loss 0.3\n', null],
    ['a count that stands', repeated(9, () => 'step 5: loss 0.3'), 'skip.console-not-advancing'],
  ])('is refused with its reason: %s', async (_, text, reason) => {
    expect(await isRecognised(text)).toBe(false)
    expect(await reasonOf(text)).toBe(reason)
  })
})
