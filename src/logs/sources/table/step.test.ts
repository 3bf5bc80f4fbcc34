import { describe, expect, it } from 'vitest'
import { eventsOf } from '../../../../test/support/binary.js'
import { fixture, readEvents, rowsOf, sourceFile, withFile } from '../../../../test/support/reading.js'
import type { Source } from '../source.js'
import { csv } from './csv.js'
import { jsonl, jsonTable } from './json.js'

async function eventsIn(text: string, name: string, source: Source) {
  return await withFile(text, path => readEvents(source, path), name)
}

async function stepsIn(text: string, name = 'x.csv', source: Source = csv): Promise<number[]> {
  return eventsOf(await eventsIn(text, name, source), 'row').map(({ step }) => step)
}

async function warningsIn(text: string, name = 'x.csv', source: Source = csv): Promise<string[]> {
  return eventsOf(await eventsIn(text, name, source), 'warning').map(({ message }) => message.key)
}

describe('the step of a framework', () => {
  it.each([
    ['sb3/progress.csv', csv, 2048],
    ['rllib/progress.csv', csv, 4000],
    ['rllib/result.json', jsonl, 4000],
    ['spinning-up/progress.txt', csv, 4000],
    ['baselines/progress.csv', csv, 1024],
  ])('is the one that its file names: %s', async (path, source, first) => {
    const rows = rowsOf(await readEvents(source, fixture(`classic/${path}`)))
    expect(rows[0].step).toBe(first)
    expect(rows.length).toBeGreaterThan(4)
  })

  it('holds for rows with holes, where evaluations have rows of their own', async () => {
    const rows = rowsOf(await readEvents(csv, fixture('classic/sb3/progress.csv')))
    expect(rows).toHaveLength(15)
    expect(rows[4]).toEqual({ step: 8199, 'eval/mean_reward': 34.5, 'eval/mean_ep_length': 35 })
  })

  it('of a monitor is the sum of the lengths of its episodes, never the seconds', async () => {
    const events = await readEvents(csv, fixture('classic/sb3/monitor.csv'))
    expect(rowsOf(events).slice(0, 3)).toEqual([
      { step: 9, r: 9, l: 9, t: 0.1 },
      { step: 19, r: 10, l: 10, t: 0.47 },
      { step: 30, r: 11, l: 11, t: 0.84 },
    ])
    expect(eventsOf(events, 'config')).toMatchObject([{ config: { env_id: 'CartPole-v1' } }])
  })

  it('of RLlib leaves the settings of a row out of its metrics', async () => {
    const events = await readEvents(jsonl, fixture('classic/rllib/result.json'))
    expect(Object.keys(rowsOf(events)[0]).filter(name => name.startsWith('config'))).toEqual([])
    expect(eventsOf(events, 'config')).toMatchObject([{ config: { lr: 5e-5, num_sgd_iter: 30 } }])
  })
})

describe('the step', () => {
  it('is the first of two numbers', async () => {
    const text =
      '{"global_step/max_steps":"5/150","iter":"5/150","loss":1}\n{"global_step/max_steps":"10/150","iter":"10/150","loss":0.5}\n'
    expect(await stepsIn(text, 'x.jsonl', jsonl)).toEqual([5, 10])
  })

  it('is finer than the epoch where there is such a column', async () => {
    expect(await stepsIn('Epoch,Total Timesteps,loss\n1,100,3\n2,200,2\n')).toEqual([100, 200])
    expect(await warningsIn('Epoch,Total Timesteps,loss\n1,100,3\n2,200,2\n')).toEqual([])
  })

  it('is said to be the epoch where there is none', async () => {
    expect(await warningsIn('Epoch,loss\n1,3\n2,2\n')).toEqual(['table.step-is-epoch'])
    expect(await warningsIn('Episode,reward\n1,3\n2,2\n')).toEqual([])
  })

  it('is the episode beside lengths of episodes', async () => {
    expect(await stepsIn('episode,steps,reward\n1,20,3\n2,35,5\n3,15,2\n')).toEqual([1, 2, 3])
    expect(await stepsIn('episode,step,reward\n1,20,3\n2,35,5\n3,15,2\n')).toEqual([1, 2, 3])
  })

  it('counts on where it begins again with every epoch, and says so', async () => {
    const text = `epoch,iter,loss\n${[0, 1, 2].flatMap(epoch => [0, 10, 20].map(i => `${epoch},${i},0.5\n`)).join('')}`
    expect(await stepsIn(text)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80])
    expect(await warningsIn(text)).toEqual(['table.step-within'])
    const batches = 'Epoch,Batch,loss\n0,1,3\n0,2,3\n1,1,2\n1,2,2\n'
    expect(await stepsIn(batches)).toEqual([1, 2, 3, 4])
  })

  it('begins again with a training whose epochs begin again', async () => {
    const training = [0, 1, 2, 3, 4, 5].map(i => `${Math.floor(i / 3)},${i},0.5\n`).join('')
    expect(await stepsIn(`epoch,step,loss\n${training}${training}`)).toEqual([0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5])
  })
})

const history = (length: number) => Array.from({ length }, (_, i) => i / 8)

describe('lists of numbers', () => {
  const read = async (value: object, name: string) => eventsIn(JSON.stringify(value), name, jsonTable)

  it('are placed by the one that counts steps', async () => {
    const rows = rowsOf(await read({ iterations: [10, 20, 30], rewards: [1, 2, 3] }, 'x.json'))
    expect(rows).toEqual([10, 20, 30].map((step, i) => ({ step, rewards: i + 1 })))
  })

  it('are placed by their order where their names say that they are a training', async () => {
    for (const [value, name] of [
      [{ training_rewards: history(20), seed: 3 }, 'x.json'],
      [{ loss: [3, 2], val_loss: [4, 3] }, 'x.json'],
      [{ train_loss: [3, 2], test_loss: [4, 3] }, 'x.json'],
      [{ train: [3, 2], val: [4, 3] }, 'loss_history.json'],
      [history(20), 'episode_rewards.json'],
    ] as const) {
      const events = await read(value, name)
      expect(
        rowsOf(events)
          .map(({ step }) => step)
          .slice(0, 2),
      ).toEqual([0, 1])
      expect(eventsOf(events, 'warning').map(({ message }) => message.key)).toEqual(['table.step-is-place'])
    }
  })

  it('beside a table of rows stand on an axis of their own', async () => {
    const value = { evaluations: [100, 200, 300].map(step => ({ step, score: step })), training_rewards: history(25) }
    const rows = eventsOf(await read(value, 'x.json'), 'row')
    expect(rows.filter(({ axis }) => axis === undefined)).toHaveLength(3)
    expect(rows.filter(({ axis, metrics }) => axis === 'place' && metrics[0] === 'training_rewards')).toHaveLength(25)
  })

  it('of anything else are no training', async () => {
    const files = [
      [{ accuracy: 0.5, per_class: history(30) }, 'results.json'],
      [{ rewards: [1, 2, 3], mean_reward: 2 }, 'evaluation.json'],
      [{ eval_rewards: history(30) }, 'x.json'],
      [history(64), 'embedding.json'],
      [{ embedding: history(64) }, 'x.json'],
    ] as const
    for (const [value, name] of files) {
      const found = await withFile(
        JSON.stringify(value),
        async path => {
          const file = await sourceFile(path)
          return jsonTable.recognise(file) ? await jsonTable.describe(file, {}) : []
        },
        name,
      )
      expect(found, name).toEqual([])
    }
  })
})
