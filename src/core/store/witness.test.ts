import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixture } from '../../../test/support/reading.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { isTelling } from '../../logs/sources/metric-names.js'
import { render } from '../../text/sentences.js'
import { loadRun, pointCount } from './catalogue.js'
import { importLogs } from './ingest.js'
import { type Manifest, wholeConfig } from './manifest.js'
import { readSeries } from './series.js'
import type { Workspace } from './workspace.js'

const HOUR_AGO = Date.now() / 1000 - 3600

/** As it lies after an hour: nothing of it may still be written. */
function copied(name: string): string {
  const folder = join(temporaryFolder(), 'out')
  cpSync(fixture(name), folder, { recursive: true })
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), HOUR_AGO, HOUR_AGO)
  }
  return folder
}

async function onlyRun(workspace: Workspace, folder: string): Promise<Manifest> {
  const { runs, skipped } = await importLogs(workspace, [folder])
  expect(skipped).toEqual([])
  expect(runs).toHaveLength(1)
  return runs[0]
}

async function pointsOf(workspace: Workspace, { id }: Manifest, metric: string): Promise<[number, number][]> {
  const run = await loadRun(workspace, id)
  const series = run === null ? undefined : (await readSeries(run, [metric])).get(metric)
  return series === undefined ? [] : Array.from(series.steps, (step, i) => [step, series.values[i]])
}

describe('a TRL training that reported to all of its trackers', () => {
  it('has every point once, all settings, its answers, and how it ended', async () => {
    const workspace = await temporaryWorkspace()
    const run = await onlyRun(workspace, copied('hf/output/finished'))
    expect(run.status).toBe('finished')
    expect(run.metrics.get('train/reward')).toMatchObject({ n: 6, stored: 6, repeated: 0 })
    expect([...run.metrics.keys()].filter(name => name === 'reward' || name === 'loss')).toEqual([])
    // The last row of trainer_state.json, which goes to no tracker's history.
    expect(run.metrics.get('train/train_loss')).toMatchObject({ n: 1 })
    expect(wholeConfig(run)).toMatchObject({
      beta: 0.04,
      num_generations: 4,
      max_steps: 6,
      lr_scheduler_type: 'linear',
    })
    expect(run.samples).toBe(72)
    expect(run.segments).toHaveLength(1)
  })

  it.each(['hf/output/finished', 'hf/output/crashed'])('%s has the same points in a copy made just now', async name => {
    const workspace = await temporaryWorkspace()
    const old = await onlyRun(workspace, copied(name))
    const folder = join(temporaryFolder(), 'out')
    cpSync(fixture(name), folder, { recursive: true })
    const young = await onlyRun(await temporaryWorkspace(), folder)
    expect(pointCount(young)).toBe(pointCount(old))
    expect(young.status).toBe(old.status)
  })

  it('is read to its last step where one log was cut off before the others, and tells the error of its console', async () => {
    const workspace = await temporaryWorkspace()
    const run = await onlyRun(workspace, copied('hf/output/crashed'))
    expect((await pointsOf(workspace, run, 'reward')).map(([step]) => step)).toEqual([1, 2, 3, 4])
    expect(run.metrics.has('train/reward')).toBe(false)
    expect(wholeConfig(run)).toMatchObject({ beta: 0.04, seed: 7 })
    expect(run.status).toBe('failed')
    expect(run.ending.map(message => render(message, 'zh'))).toEqual([
      '因异常退出：RuntimeError: CUDA error: an illegal memory access was encountered',
      '计划 6 步，日志到第 4 步',
    ])
  })

  it('has its console for a log of it, though only standard output was kept and that tells no steps', async () => {
    const workspace = await temporaryWorkspace()
    const folder = copied('hf/output/finished')
    const path = join(folder, 'train.log')
    const dicts = readFileSync(path, 'utf8').match(/\{'[\w/]+': [^{}\r\n]+\}/g) ?? []
    expect(dicts.length).toBeGreaterThan(5)
    writeFileSync(path, `${dicts.join('\n')}\n`)
    utimesSync(path, HOUR_AGO, HOUR_AGO)
    const run = await onlyRun(workspace, folder)
    expect(run.metrics.get('train/reward')).toMatchObject({ n: 6, stored: 6, firstStep: 1, lastStep: 6 })
    expect(run.samples).toBe(72)
    expect(run.files.find(file => file.path === path)).toMatchObject({ role: 'witness' })
  })

  it('does not change when it is imported again', async () => {
    const workspace = await temporaryWorkspace()
    const folder = copied('hf/output/finished')
    expect(await onlyRun(workspace, folder)).toEqual(await onlyRun(workspace, folder))
  })
})

describe("verl's file log, which is begun anew when a training is resumed", () => {
  const row = (step: number): string =>
    `${JSON.stringify({ step, data: { 'actor/pg_loss': step / 8, 'actor/kl': step / 4 } })}\n`
  const line = (step: number): string => `step:${step} - actor/pg_loss:${step / 8} - actor/kl:${step / 4}\n`
  const steps = [1, 2, 3, 4, 5, 6, 7, 8]

  it('is completed by what the console printed before, and takes the settings from there', async () => {
    const folder = join(temporaryFolder(), 'kl')
    mkdirSync(folder)
    writeFileSync(join(folder, 'kl.jsonl'), steps.slice(4).map(row).join(''))
    const config = "{'actor_rollout_ref': {'actor': {'kl_loss_coef': 0.1}},\n 'trainer': {'experiment_name': 'kl'}}\n"
    writeFileSync(join(folder, 'train.log'), `${config}Total training steps: 8\n${steps.map(line).join('')}`)
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), HOUR_AGO, HOUR_AGO)
    const workspace = await temporaryWorkspace()
    const run = await onlyRun(workspace, folder)
    expect(await pointsOf(workspace, run, 'actor/pg_loss')).toEqual(steps.map(step => [step, step / 8]))
    expect(wholeConfig(run)).toMatchObject({ 'actor_rollout_ref.actor.kl_loss_coef': 0.1 })
    expect(run.status).toBe('finished')
  })

  it('is waited for while it is being written, and not overtaken', async () => {
    const folder = join(temporaryFolder(), 'kl')
    mkdirSync(folder)
    // Their last line was written a second after they were made: no copy is.
    const write = (name: string, content: string): void => {
      writeFileSync(join(folder, name), content)
      const later = Date.now() / 1000 + 1
      utimesSync(join(folder, name), later, later)
    }
    write('kl.jsonl', steps.slice(0, 4).map(row).join(''))
    write('train.log', steps.slice(0, 5).map(line).join(''))
    const workspace = await temporaryWorkspace()
    expect((await onlyRun(workspace, folder)).metrics.get('actor/kl')).toMatchObject({ n: 4 })
    write('kl.jsonl', steps.slice(0, 6).map(row).join(''))
    expect(await onlyRun(workspace, folder)).toMatchObject({ segments: [{ firstStep: 1, lastStep: 6 }] })
  })
})

describe("a trial of Ray Tune's, in lines, as a table and in TensorBoard", () => {
  const NAMES = [
    'env_runners.episode_len_mean',
    'env_runners.episode_return_mean',
    'iterations_since_restore',
    'learners.default_policy.entropy',
    'learners.default_policy.mean_kl_loss',
    'learners.default_policy.policy_loss',
    'pid',
    'time_since_restore',
    'time_this_iter_s',
    'time_total_s',
    'training_iteration',
  ]
  const stepsOf = ({ segments }: Manifest) => segments.map(({ firstStep, lastStep }) => [firstStep, lastStep])

  it('has every value once, at the steps of the environment, though TensorBoard counts iterations', async () => {
    const workspace = await temporaryWorkspace()
    const folder = copied('classic/tune-trial')
    const run = await onlyRun(workspace, folder)
    expect(run.source).toBe('jsonl')
    expect([...run.metrics.keys()].sort()).toEqual(NAMES)
    expect(stepsOf(run)).toEqual([[4000, 48_000]])
    expect(wholeConfig(run)).toMatchObject({ lr: 0.0003, gamma: 0.99 })
    const events = readdirSync(folder).find(name => name.startsWith('events')) ?? ''
    const again = await onlyRun(workspace, join(folder, events))
    expect(again.id).toBe(run.id)
    expect([pointCount(again), stepsOf(again)]).toEqual([pointCount(run), stepsOf(run)])
  })

  it('is one run without TensorBoard, and with the table alone beside it', async () => {
    for (const gone of [/^events/, /^result/]) {
      const folder = copied('classic/tune-trial')
      for (const name of readdirSync(folder)) if (gone.test(name)) rmSync(join(folder, name))
      const run = await onlyRun(await temporaryWorkspace(), folder)
      expect([...run.metrics.keys()].map(name => name.replaceAll('/', '.')).sort()).toEqual(NAMES)
      expect(stepsOf(run)).toEqual([[4000, 48_000]])
    }
  })
})

it("Lightning's two loggers, which number their folders apart, are of one training", async () => {
  const workspace = await temporaryWorkspace()
  const run = await onlyRun(workspace, copied('classic/lightning'))
  expect(run.source).toBe('csv')
  expect([...run.metrics.keys()].sort()).toEqual([
    'epoch',
    'hp_metric',
    'train_loss_epoch',
    'train_loss_step',
    'val_loss',
  ])
  expect(await pointsOf(workspace, run, 'train_loss_epoch')).toHaveLength(4)
  expect(['train_loss_step', 'epoch', '_step', 'train/global_step', 'trainer/env_step'].filter(isTelling)).toEqual([
    'train_loss_step',
  ])
})
