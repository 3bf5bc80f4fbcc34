import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixture, withFolder } from '../../../test/support/reading.js'
import { discover } from './discover.js'
import type { FoundRun } from './run-identity.js'

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

const lines = (rows: readonly object[]): string => `${rows.map(row => JSON.stringify(row)).join('\n')}\n`

/** Who tells what of a run, by the names of the files. */
function shown(folder: string, { name, source, logs, tables, configs }: FoundRun) {
  const names = (files: readonly { readonly file: { readonly path: string } }[]): string[] =>
    files.map(({ file }) => relative(folder, file.path)).sort()
  return {
    name,
    source: source.id,
    logs: names(logs),
    secondary: names(tables.filter(({ mergesInto }) => mergesInto !== undefined)),
    tables: names(tables.filter(({ mergesInto }) => mergesInto === undefined)),
    configs: names(configs.map(file => ({ file }))),
  }
}

async function found(folder: string, paths = [folder]) {
  const { runs, skipped } = await discover(paths)
  return { runs: runs.map(run => shown(folder, run)), skipped: skipped.map(({ reason }) => reason.key) }
}

describe('the output folder of a TRL training', () => {
  const output = fixture('hf/output')

  it('is one run: W&B tells the points, all else is merged into it or lies beside', async () => {
    const { runs, skipped } = await found(join(output, 'finished'))
    expect(skipped).toEqual([])
    expect(runs).toEqual([
      {
        name: 'grpo-beta-0.04',
        source: 'wandb',
        logs: [expect.stringMatching(/^wandb\/offline-run-.*\.wandb$/)],
        secondary: [expect.stringMatching(/^runs\/Nov15_04-30-00_trainer\/events/), 'train.log', 'trainer_state.json'],
        tables: [1, 2, 3, 4, 5, 6].map(step => `completions/completions_0000${step}.parquet`),
        configs: ['checkpoint-6/training_args.bin'],
      },
    ])
  })

  it('without W&B is told by trainer_state.json, which has all digits', async () => {
    const { runs } = await found(join(output, 'crashed'))
    expect(runs).toMatchObject([
      {
        name: 'crashed',
        source: 'hf',
        logs: ['checkpoint-3/trainer_state.json'],
        secondary: [expect.stringMatching(/^runs\//), 'train.log'],
        configs: ['checkpoint-3/training_args.bin'],
      },
    ])
  })

  it('stays apart from another training beside it, even where both are below one folder', async () => {
    expect((await found(output)).runs.map(({ name }) => name)).toEqual(['crashed', 'grpo-beta-0.04'])
  })

  it('does not take in the logs of another training', () =>
    withFolder(async folder => {
      cpSync(join(output, 'crashed', 'checkpoint-3'), join(folder, 'checkpoint-3'), { recursive: true })
      cpSync(fixture('hf/grpo/checkpoint-3'), join(folder, 'old', 'checkpoint-3'), { recursive: true })
      cpSync(fixture('tensorboard/output/runs'), join(folder, 'runs'), { recursive: true })
      const { runs } = await found(folder)
      expect(runs.map(({ secondary }) => secondary)).toEqual([[], [], []])
    }))

  it('is not drawn in by a console that is named: that is the console alone', async () => {
    const { runs } = await found(join(output, 'finished'), [join(output, 'finished', 'train.log')])
    expect(runs).toMatchObject([{ logs: ['train.log'], secondary: [] }])
  })
})

describe("verl's console beside its file log", () => {
  const values = [0.125, 0.25, 0.3125, 0.5]
  const file = lines(values.map((loss, i) => ({ step: i + 1, data: { 'actor/pg_loss': loss, 'actor/kl': 2 * loss } })))
  const console = (scale = 1): string =>
    values.map((loss, i) => `step:${i + 1} - actor/pg_loss:${scale * loss} - actor/kl:${2 * loss}\n`).join('')

  it('is one run with it, which the file log tells', () =>
    withFolder(async folder => {
      put(join(folder, 'kl-0.1.jsonl'), file)
      put(join(folder, 'train.log'), `Total training steps: 4\n${console()}`)
      const { runs } = await found(folder)
      expect(runs).toMatchObject([{ name: 'kl-0.1', logs: ['kl-0.1.jsonl'], secondary: ['train.log'] }])
    }))

  it('of another run is another run', () =>
    withFolder(async folder => {
      put(join(folder, 'kl-0.1.jsonl'), file)
      put(join(folder, 'train.log'), console(1.5))
      expect((await found(folder)).runs).toHaveLength(2)
    }))

  it('is found among many by its name', () =>
    withFolder(async folder => {
      for (let i = 0; i < 12; i += 1) {
        put(join(folder, `seed${i}-x.jsonl`), file.replaceAll('0.125', `0.1${i}`))
        put(join(folder, `seed${i}-x.log`), console().replaceAll('0.125', `0.1${i}`))
      }
      const { runs } = await found(folder)
      expect(runs).toHaveLength(12)
      expect(runs.every(({ secondary }) => secondary.length === 1)).toBe(true)
    }))
})

describe('a folder of tables', () => {
  const metrics = lines([0, 1, 2].map(step => ({ step, loss: 1 / (step + 1), reward: step, 'kl/ref': 0.1 * step })))
  const checkpoints = lines([0, 2].map(step => ({ step, batch: step, path: `weights/${step}` })))

  it('with a log and a list of checkpoints is one run, with its config', () =>
    withFolder(async folder => {
      put(join(folder, 'metrics.jsonl'), metrics)
      put(join(folder, 'checkpoints.jsonl'), checkpoints)
      put(join(folder, 'config.json'), '{"max_steps": 3}')
      expect((await found(folder)).runs).toMatchObject([
        { logs: ['metrics.jsonl'], tables: ['checkpoints.jsonl'], configs: ['config.json'] },
      ])
    }))

  it('with several logs of the same metrics is several runs, and says whose config is not clear', () =>
    withFolder(async folder => {
      put(join(folder, 'kl-0.jsonl'), metrics)
      put(join(folder, 'kl-1.jsonl'), metrics)
      put(join(folder, 'config.json'), '{"max_steps": 3}')
      put(join(folder, 'kl-1.config.json'), '{"max_steps": 4}')
      expect(await found(folder)).toMatchObject({
        runs: [
          { logs: ['kl-0.jsonl'], configs: [] },
          { logs: ['kl-1.jsonl'], configs: ['kl-1.config.json'] },
        ],
        skipped: ['skip.whose-config'],
      })
    }))

  it('keeps runs with names of their own apart, whatever they log', () =>
    withFolder(async folder => {
      put(join(folder, 'sft.jsonl'), lines([0, 1].map(step => ({ step, nll: step, accuracy: step }))))
      put(join(folder, 'grpo.jsonl'), metrics)
      expect((await found(folder)).runs).toHaveLength(2)
    }))
})

describe('a table with numbered columns', () => {
  const wide = (prefix: string, count: number, value = 0.25): string =>
    `step,${Array.from({ length: count }, (_, i) => `${prefix}${i}`)}\n${[1, 2]
      .map(step => `${step},${Array.from({ length: count }, (_, i) => value * i)}`)
      .join('\n')}\n`

  it.each([
    ['twenty metrics', 'val_m', 20, 'csv'],
    ['twenty prompts', 'p', 20, 'samples'],
    ['two hundred of whatever', 'val_m', 200, 'samples'],
  ])('by itself may be %s', async (_, prefix, count, source) => {
    await withFolder(async folder => {
      put(join(folder, 'scores.csv'), wide(prefix, count))
      expect((await found(folder)).runs).toMatchObject([{ source }])
    })
  })

  it('beside a log holds scores of samples', () =>
    withFolder(async folder => {
      put(join(folder, 'scores.csv'), wide('val_m', 20))
      put(join(folder, 'metrics.jsonl'), lines([{ step: 1, loss: 1 }]))
      const { runs } = await discover([folder])
      expect(runs).toMatchObject([{ tables: [{ source: { id: 'samples' } }] }])
    }))
})

describe('the folder of W&B', () => {
  it('holds no run but those of its logs, though debug.log quotes a config', () =>
    withFolder(async folder => {
      const run = join(folder, 'wandb', 'offline-run-20261115_043613-abc123')
      const debug = "2026-11-15 config: {'actor_rollout_ref': {'actor': 1}, 'trainer': {'experiment_name': 'kl'}}\n"
      put(join(run, 'logs', 'debug.log'), debug)
      cpSync(fixture('wandb/finished.wandb'), join(run, 'run-abc123.wandb'))
      symlinkSync(join(run, 'logs', 'debug.log'), join(folder, 'wandb', 'debug.log'))
      expect(await found(folder)).toMatchObject({ runs: [{ source: 'wandb' }], skipped: [] })
      expect((await found(join(folder, 'wandb'))).runs).toHaveLength(1)
    }))

  it('tells runs of two projects apart that were given the same id', async () => {
    const { runs } = await discover([fixture('wandb/projects')])
    expect(runs.map(({ name, logs }) => [name, logs.length])).toEqual([
      ['one-seed1', 1],
      ['two-seed1', 1],
    ])
    expect(runs.map(({ id }) => id)).toEqual(['seed1', expect.not.stringMatching(/^seed1$/)])
    expect(runs[0].identity).not.toBe(runs[1].identity)
  })
})
