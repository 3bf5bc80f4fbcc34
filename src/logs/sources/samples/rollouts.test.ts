import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rowsOf, withFolder } from '../../../../test/support/reading.js'
import { importFile, warningsIn } from '../../../../test/support/tables.js'
import { isJsonObject, type Json } from '../../model/json.js'
import { discover } from '../discover.js'
import { rolloutPlace } from './rollout-place.js'
import { messagesRollout } from './rollout-records.js'
import { rollouts } from './rollouts.js'

/** As verifiers' `Trace.to_record` has it, training tensors left out. */
const TRACE = {
  version: 1,
  id: '0123456789abcdef0123456789abcdef',
  verifiers: { version: '0.2.0' },
  task: { type: 'Task', data: { prompt: 'What is 2 + 2?' }, key: 'k'.repeat(20), hash: 'h' },
  agent: { name: 'agent', trainable: true },
  nodes: [
    { message: { role: 'user', content: 'What is 2 + 2?' }, sampled: false, parent: null },
    {
      message: { role: 'assistant', content: 'Let me see.', tool_calls: [{ name: 'calc', arguments: '{"x": "2+2"}' }] },
      sampled: true,
      parent: 0,
    },
    { message: { role: 'tool', content: '4' }, sampled: false, parent: 1 },
    { message: { role: 'assistant', content: 'It is 4.' }, sampled: true, parent: 2 },
  ],
  calls: [
    { node: 1, finish_reason: 'tool_calls' },
    { node: 3, finish_reason: 'stop' },
  ],
  rewards: { correct: { score: 1, weight: 1 }, format: { score: 0.5, weight: 0.2 }, unscored: null },
  metrics: { num_tools: 1, none: null },
  info: { env_name: 'calc', group_id: 'g1' },
  is_completed: true,
  ok: true,
  stop_condition: 'max_turns',
  run: { type: 'train', id: 'r', step: 3 },
}

const SUMMARY = {
  schema_version: 1,
  split: 'train',
  iteration: 10,
  group_idx: 2,
  traj_idx: 1,
  tags: ['gsm8k'],
  sampling_client_step: 10,
  total_reward: 1.1,
  final_reward: 1,
  trajectory_metrics: { correct: 1 },
  steps: [
    {
      step_idx: 0,
      ob_len: 20,
      ac_len: 30,
      reward: 0.1,
      episode_done: false,
      stop_reason: 'stop',
      metrics: {},
      logs: {},
    },
    {
      step_idx: 1,
      ob_len: 60,
      ac_len: 12,
      reward: 0,
      episode_done: true,
      stop_reason: 'length',
      metrics: {},
      logs: { said: 'hm' },
    },
  ],
  final_ob_len: 90,
}

const EPISODE = {
  training_step: 7,
  epoch: 0,
  episode_id: 'task-1:2',
  session_id: null,
  task: { question: 'How many?', data_source: 'deepscaler' },
  task_hash: 'abcd1234',
  is_correct: false,
  termination_reason: 'max_turns_exceeded',
  metrics: { acc: 0 },
  metadata: {},
  timing: {},
  trajectories: [
    {
      name: 'solver',
      uid: 'u',
      reward: 0.25,
      num_steps: 1,
      timing: {},
      steps: [
        {
          observation: 'How many?',
          thought: '',
          action: null,
          reward: 0.25,
          done: true,
          model_response: 'Five.',
          chat_completions: [],
        },
      ],
    },
  ],
}

const lines = (...records: readonly object[]) => records.map(record => `${JSON.stringify(record)}\n`).join('')

function inFolder<Result>(files: { readonly [path: string]: string }, use: (folder: string) => Promise<Result>) {
  return withFolder(async folder => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    return use(folder)
  })
}

const read = (path: string, text: string) =>
  inFolder({ [path]: text }, folder => importFile(rollouts, join(folder, path)))

describe('the path of rollouts', () => {
  it.each([
    ['grpo-kl/rollouts/step_42/train/effective/traces.jsonl', 42, 'rollout', 'grpo-kl'],
    ['grpo-kl/rollouts/step_42/eval/all/traces.jsonl', 42, 'val', 'grpo-kl'],
    ['log/iteration_000010/train_rollout_summaries.jsonl', 10, 'rollout', 'log'],
    ['log/iteration_000010/eval_gsm8k_rollout_summaries.jsonl', 10, 'val', 'log'],
    ['logs/exp_001/train_data_step5.jsonl', 5, 'rollout', 'logs/exp_001'],
    ['logs/exp_001/val_data_step40.jsonl', 40, 'val', 'logs/exp_001'],
    ['a/b/episodes/val_step_3_epoch_1/episode_hash1_id2.json', 3, 'val', 'a/b'],
    ['a/traces.jsonl', null, 'rollout', 'a'],
  ])('tells step, kind and run: %s', (path, step, table, folder) => {
    const place = rolloutPlace(`/x/${path}`)
    expect([place.step, place.table, place.belonging.folder]).toEqual([step, table, `/x/${folder}`])
  })
})

describe('rollouts', () => {
  it('of prime-rl have reward, parts, turns and why they ended', async () => {
    const { recognised, runs } = await read('grpo-kl/rollouts/step_3/train/effective/traces.jsonl', lines(TRACE, TRACE))
    expect(recognised).toBe(true)
    const [{ name, events }] = runs
    expect(name).toBe('grpo-kl')
    expect(rowsOf(events)).toMatchObject([
      {
        step: 3,
        'rollout/reward': 1.1,
        'rollout/rewards/format': 0.5,
        'rollout/turns': 2,
        'rollout/truncated': 1,
        'rollout/ok': 1,
      },
    ])
    const samples = events.flatMap(event => (event.type === 'samples' ? [event.samples] : []))
    expect(samples[0]).toMatchObject({
      metric: 'rollout/reward',
      ids: ['k'.repeat(16), 'k'.repeat(16)],
      repeats: [0, 1],
    })
    expect(samples[0]?.condition).toEqual({ dataset: 'calc' })
    const texts = events.flatMap(event => (event.type === 'texts' ? [event.texts] : []))
    expect(texts[0]?.inputs[0]).toBe('What is 2 + 2?')
    expect(texts[0]?.outputs[0]).toBe(
      '1. Let me see.\n[calc] {"x": "2+2"}\n   → 4  (?)\n2. It is 4.\n   → –  (?)\n— max_turns',
    )
  })

  it('of an episode of several agents count where they train', async () => {
    const judge = { ...TRACE, agent: { name: 'judge', trainable: false } }
    const { id, task } = TRACE
    const episode = { id, env: { id: 'calc' }, task, run: { type: 'train', step: 4 }, traces: [TRACE, judge] }
    const { recognised, runs } = await read('grpo-kl/rollouts/step_4/train/all/traces.jsonl', lines(episode))
    expect(recognised).toBe(true)
    const samples = runs[0].events.flatMap(event => (event.type === 'samples' ? [event.samples] : []))
    expect(samples[0]).toMatchObject({ step: 4, scores: [1.1] })
  })

  it('of Tinker cookbook tell lengths, and the texts that were logged', async () => {
    const { recognised, runs } = await read('log/iteration_000010/train_rollout_summaries.jsonl', lines(SUMMARY))
    expect(recognised).toBe(true)
    expect(rowsOf(runs[0].events)).toMatchObject([
      {
        step: 10,
        'rollout/reward': 1.1,
        'rollout/correct': 1,
        'rollout/turns': 2,
        'rollout/tokens': 42,
        'rollout/truncated': 1,
      },
    ])
    const samples = runs[0].events.flatMap(event => (event.type === 'samples' ? [event.samples] : []))
    expect(samples[0]).toMatchObject({ ids: ['10-2'], repeats: [1], condition: { dataset: 'gsm8k' } })
  })

  it('of Tinker cookbook as its release 0.5.8 writes them have the metrics of their steps, and why they ended', async () => {
    const begun = {
      step_idx: 0,
      ob_len: 7,
      ac_len: 5,
      reward: 0,
      episode_done: false,
      metrics: { format: 1 },
      logs: {},
    }
    const metrics = { format: 0, correct: 1, 'stop/context_overflow': 1 }
    const { stop_reason: _, ...ended } = { ...SUMMARY.steps[1], metrics }
    const record = { ...SUMMARY, trajectory_metrics: {}, steps: [begun, ended] }
    const other = { ...record, group_idx: 3, tags: ['code'], total_reward: 0.1 }
    const { runs } = await read('log/iteration_000010/train_rollout_summaries.jsonl', lines(record, other))
    expect(rowsOf(runs[0].events)).toMatchObject([
      { 'rollout/reward': (1.1 + 0.1) / 2, 'rollout/format': 0.5, 'rollout/correct': 1, 'rollout/truncated': 1 },
    ])
    expect(Object.keys(rowsOf(runs[0].events)[0] ?? {})).not.toContain('rollout/stop/context_overflow')
    const means = runs[0].events.flatMap(event => (event.type === 'evaluation' ? [event.evaluation] : []))
    const rewards = means.filter(({ metric }) => metric === 'rollout/reward')
    expect(rewards.map(({ condition, value }) => [condition.dataset, value])).toEqual([
      ['gsm8k', 1.1],
      ['code', 0.1],
    ])
  })

  it('of NeMo-RL are read where tokens stand in place of texts', async () => {
    const row = { idx: 0, step: 40, sample_id: ['a_0'], input_lengths: [3], metadata: [{ prompt_idx: 12 }] }
    const record = { ...row, token_ids: [[1, 2, 3]], advantages: [[0, 0, 1]], rewards: [1], prompt_ids: [[1, 2]] }
    const again = { ...record, idx: 1, sample_id: ['a_1'], rewards: [0] }
    const { recognised, runs } = await read('exp_001/train_data_step40.jsonl', lines(record, again))
    expect(recognised).toBe(true)
    expect(rowsOf(runs[0].events)).toMatchObject([{ step: 40, 'rollout/reward': 0.5, 'rollout/tokens': 3 }])
    const samples = runs[0].events.flatMap(event => (event.type === 'samples' ? [event.samples] : []))
    expect(new Set(samples[0]?.ids).size).toBe(1)
    expect(samples[0]?.repeats).toEqual([0, 1])
  })

  it.each([
    ['texts', ['What is 2 + 2?', '4']],
    [
      'messages',
      [
        { role: 'user', content: 'What is 2 + 2?' },
        { role: 'assistant', content: '4' },
      ],
    ],
  ])('of NeMo-RL are read from %s', async (_, content) => {
    const record = { content: [content], rewards: [0.5], input_lengths: [12], generation_logprobs: [[-0.1]], idx: 0 }
    const { recognised, runs } = await read('exp_001/val_data_step40.jsonl', lines(record, { ...record, rewards: [1] }))
    expect(recognised).toBe(true)
    expect(rowsOf(runs[0].events)).toMatchObject([{ step: 40, 'val/reward': 0.75 }])
    const texts = runs[0].events.flatMap(event => (event.type === 'texts' ? [event.texts] : []))
    expect([texts[0]?.inputs[0], texts[0]?.outputs[0]]).toEqual(['What is 2 + 2?', '4'])
  })

  it('of rLLM are a file each, whose mean nobody may take for the step’s', async () => {
    const path = 'logs/p/e/episodes/train_step_7_epoch_0/episode_hash1_id2.json'
    const { recognised, runs } = await read(path, JSON.stringify(EPISODE, null, 2))
    expect(recognised).toBe(true)
    const { events } = runs[0]
    expect(events.filter(({ type }) => type === 'row' || type === 'evaluation')).toEqual([])
    const samples = events.flatMap(event => (event.type === 'samples' ? [event.samples] : []))
    expect(
      samples.map(({ metric, step, ids, scores, repeats }) => [metric, step, ids[0], scores[0], repeats?.[0]]),
    ).toEqual([
      ['rollout/reward', 7, 'abcd1234', 0.25, 2],
      ['rollout/correct', 7, 'abcd1234', 0, 2],
      ['rollout/acc', 7, 'abcd1234', 0, 2],
      ['rollout/turns', 7, 'abcd1234', 1, 2],
      ['rollout/truncated', 7, 'abcd1234', 1, 2],
    ])
  })

  it('of many steps belong to the log of their folder', async () => {
    const metrics = [1, 2, 3].map(step => ({ step, 'optim/lr': 1e-6 * step, 'train/agg/effective/reward/mean': step }))
    const files = {
      'grpo-kl/metrics.jsonl': lines(...metrics),
      'grpo-kl/rollouts/step_1/train/all/traces.jsonl': lines(TRACE),
      'grpo-kl/rollouts/step_1/train/effective/traces.jsonl': lines(TRACE),
      'grpo-kl/rollouts/step_2/train/effective/traces.jsonl': lines(TRACE),
    }
    const { runs, skipped } = await inFolder(files, folder => discover([folder]))
    expect(skipped).toEqual([])
    expect(runs.map(({ name, logs, tables }) => [name, logs.length, tables.length])).toEqual([['grpo-kl', 1, 2]])
  })

  it('that cannot be read are counted', async () => {
    const { runs } = await read('grpo-kl/rollouts/step_3/train/all/traces.jsonl', `${lines(TRACE)}{"version": 1, "id\n`)
    expect(warningsIn(runs[0].events)).toMatchObject([{ key: 'source.bad-lines', params: { count: 1, line: 2 } }])
  })
})

describe('messages with metadata', () => {
  it('are a rollout where something scores them', () => {
    const messages: Json[] = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: 'a' },
    ]
    expect(messagesRollout(messages, { source: 'validation_generations', sample_index: 3, score: 0.5 })).toMatchObject({
      scores: [
        ['score', 0.5],
        ['turns', 1],
      ],
      input: 'q',
      output: 'a',
    })
    expect(messagesRollout(messages.filter(isJsonObject), { sample_index: 3 })).toBeNull()
  })
})
