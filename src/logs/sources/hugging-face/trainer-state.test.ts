import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  eventsOf,
  fixture,
  readEvents,
  rowsOf,
  sourceFile,
  withFile,
  withFolder,
} from '../../../../test/support/reading.js'
import { trainerState } from './trainer-state.js'

const FINAL = fixture('hf/grpo/trainer_state.json')
const THIRD = fixture('hf/grpo/checkpoint-3/trainer_state.json')
const SIXTH = fixture('hf/grpo/checkpoint-6/trainer_state.json')

test('reads the training, evaluation and summary rows of a real TRL run', async () => {
  const rows = rowsOf(await readEvents(trainerState, FINAL))
  expect(rows.map(row => row.step)).toEqual([1, 2, 3, 3, 4, 5, 6, 6, 6])
  const [first] = rows
  expect(first).toMatchObject({ epoch: expect.any(Number), reward: expect.any(Number), 'clip_ratio/region_mean': 0 })
  expect(first.kl).toBeGreaterThan(0)
  expect(rows[3]).toHaveProperty('eval_reward')
  expect(rows.at(-1)).toMatchObject({ train_runtime: expect.any(Number), epoch: 0.25 })
})

test('keeps settings as config, and leaves results out of it', async () => {
  const [config] = await readEvents(trainerState, FINAL)
  expect(config).toEqual({
    type: 'config',
    config: { max_steps: 6, num_train_epochs: 1, logging_steps: 1, eval_steps: 3, save_steps: 3, train_batch_size: 4 },
  })
})

test('is finished when the last step was reached, and says nothing before', async () => {
  const finished = { type: 'status', status: 'finished' }
  expect(await readEvents(trainerState, SIXTH)).toContainEqual(finished)
  expect(await readEvents(trainerState, THIRD)).not.toContainEqual(finished)
})

test('checkpoints of one output folder are one run, in the order of their steps', async () => {
  const belongings = await Promise.all(
    [THIRD, SIXTH, FINAL].map(async path => (await trainerState.describe(await sourceFile(path), {}))[0]),
  )
  const output = fixture('hf/grpo')
  for (const belonging of belongings) {
    expect(belonging).toMatchObject({ run: `hf:${output}`, folder: output, name: 'grpo' })
    expect(belonging.firstRecord).toBe(belongings[0].firstRecord)
  }
  const orders = belongings.map(belonging => belonging.order)
  expect(orders).toEqual(orders.toSorted((one, other) => one - other))
  expect(new Set(orders).size).toBe(3)
})

test('reads NaN as Python writes it', async () => {
  const text = '{"global_step":1,"log_history":[{"loss":NaN,"grad_norm":Infinity,"note":"NaN inside","step":1}]}'
  expect(rowsOf(await eventsOf(trainerState, text))).toEqual([
    { step: 1, loss: Number.NaN, grad_norm: Number.POSITIVE_INFINITY },
  ])
})

test('flattens the parameters of a trial', async () => {
  const text = '{"log_history":[],"trial_params":{"learning_rate":0.1,"seed":3},"max_steps":5}'
  expect(await eventsOf(trainerState, text)).toEqual([
    { type: 'config', config: { max_steps: 5, 'trial_params.learning_rate': 0.1, 'trial_params.seed': 3 } },
  ])
})

test('leaves out rows without a step and counts them', async () => {
  const text = '{"global_step":1,"log_history":[{"loss":1},{"loss":2,"step":"x"},7,{"loss":3,"step":2}]}'
  const events = await eventsOf(trainerState, text)
  expect(rowsOf(events)).toEqual([{ step: 2, loss: 3 }])
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'warning',
      message: expect.objectContaining({ key: 'source.bad-step', params: { count: 3, step: 'undefined' } }),
    }),
  )
})

test('says so when the file was cut', async () => {
  const text = readFileSync(FINAL, 'utf8').slice(0, 5000)
  const [warning] = await eventsOf(trainerState, text)
  expect(warning).toMatchObject({
    type: 'warning',
    message: expect.objectContaining({ key: 'trainer-state.unreadable', params: {} }),
  })
})

test('does not load a file larger than memory should bear', async () => {
  await withFile('{"log_history": [', async path => {
    truncateSync(path, 300 << 20)
    expect(await readEvents(trainerState, path)).toMatchObject([
      { type: 'warning', message: expect.objectContaining({ key: 'trainer-state.too-large', params: { limit: 256 } }) },
    ])
    expect(await trainerState.describe(await sourceFile(path), {})).toEqual([])
  })
})

test.each([
  ['a whole state', '{"log_history": []}', true],
  ['the head of a long one', '{"best_metric": null, "global_step": 6, "is_world_process_zero": true, "lo', true],
  ['another JSON object', '{"global_step": 6, "loss": 1}', false],
  ['a list', '[{"log_history": []}]', false],
  ['nothing', '', false],
])('recognises %s: %s → %s', async (_, text, ours) => {
  expect(await withFile(text, async path => trainerState.recognise(await sourceFile(path)))).toBe(ours)
})

test('holds no run before anything was logged', async () => {
  const text = '{"global_step": 0, "log_history": []}'
  expect(await withFile(text, async path => trainerState.describe(await sourceFile(path), {}))).toEqual([])
})

test('finds the first row also when it is not in the head', async () => {
  await withFolder(async folder => {
    const output = join(folder, 'kl', 'seed0', 'checkpoint-7')
    mkdirSync(output, { recursive: true })
    const path = join(output, 'trainer_state.json')
    writeFileSync(path, JSON.stringify({ global_step: 7, a: 'x'.repeat(70_000), log_history: [{ step: 1, loss: 2 }] }))
    expect(await trainerState.describe(await sourceFile(path), {})).toMatchObject([
      { name: 'kl/seed0', order: 7, firstRecord: '[["step",1],["loss",2]]' },
    ])
  })
})

test('never throws, however the file is damaged', async () => {
  const text = readFileSync(THIRD)
  const deep = `{"log_history":[{"a":${'['.repeat(50_000)}${']'.repeat(50_000)},"step":1}]}`
  const damaged = fc.array(fc.tuple(fc.nat(text.length - 1), fc.nat(255)), { maxLength: 8 }).map(wounds => {
    const content = Buffer.from(text)
    for (const [at, byte] of wounds) content[at] = byte
    return content
  })
  await fc.assert(
    fc.asyncProperty(fc.oneof(damaged, fc.constant(Buffer.from(deep))), async content => {
      await withFile(content, async path => {
        const file = await sourceFile(path)
        trainerState.recognise(file)
        await trainerState.describe(file, {})
        await readEvents(trainerState, path)
      })
    }),
    { numRuns: 100 },
  )
})
