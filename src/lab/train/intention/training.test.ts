import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { smallIntention } from '../../../../test/support/small-intention.js'
import { temporaryWorkspace } from '../../../../test/workspace.js'
import { viewRun } from '../../../core/analysis/run-view.js'
import { loadRun } from '../../../core/store/catalogue.js'
import { readSeries } from '../../../core/store/series.js'
import { loadVocabulary } from '../../../core/store/vocabulary.js'
import type { Workspace } from '../../../core/store/workspace.js'
import { runTraining } from '../run/run-training.js'
import { openGymSetup } from './gym-setup.js'
import { intentionTraining } from './training.js'

async function trained(workspace: Workspace, settings: object = {}, after?: number) {
  const controller = new AbortController()
  let resumedAfter: number | null = null
  let lessons = 0
  const config = smallIntention(settings)
  const setup = await openGymSetup(config, workspace, {})
  const result = await runTraining(workspace, intentionTraining(config, workspace, setup), {
    begin: { kind: 'auto' },
    code: '1',
    signal: controller.signal,
    observer: {
      started: run => {
        resumedAfter = run.resumedAfter
      },
      progress: (_, total) => {
        if (total === LESSONS) lessons += 1
      },
      epoch: ({ epoch }) => {
        if (epoch === after) controller.abort()
      },
    },
  })
  return { ...result, resumedAfter, lessons }
}

const LESSONS = 10

/** All that a training leaves, but for whose it is and how long it took. */
async function leftBy(workspace: Workspace, { run: id, folder }: { readonly run: string; readonly folder: string }) {
  const run = await loadRun(workspace, id)
  if (run === null) throw new Error('no run')
  const names = [...run.manifest.metrics.keys()].filter(name => !/^(?:time|throughput)\./.test(name)).sort()
  const series = await readSeries(run, names)
  const weights = readdirSync(folder)
    .sort()
    .flatMap(step =>
      ['model', 'training'].map(file => [step, file, tensorHash(join(folder, step, `${file}.safetensors`))]),
    )
  return {
    points: names.map(name => [name, [...(series.get(name)?.steps ?? [])], [...(series.get(name)?.values ?? [])]]),
    weights,
    evaluations: run.manifest.evaluations,
    samples: run.manifest.samples,
  }
}

function tensorHash(path: string): string {
  const bytes = readFileSync(path)
  return createHash('sha256')
    .update(bytes.subarray(8 + Number(bytes.readBigUInt64LE())))
    .digest('hex')
}

describe('a training in the gym', () => {
  it('is the same to the bit with the same seed, in one go or taken up again, and another one with another', async () => {
    const settings = {
      kl: { loss: { coef: 0.1, estimator: 'exact' }, controller: 'band' },
      entropy: { coef: 0.01, controller: 'proportional', target: 4, horizon: 10 },
      lr: { schedule: 'cosine', warmup: { steps: 2 } },
      batch: { prompts: 2, mini: 1 },
      epochs: { inner: 2 },
    }
    const whole = await temporaryWorkspace()
    const inOneGo = await trained(whole, settings)
    expect(inOneGo).toMatchObject({ status: 'finished', epoch: 7, checkpoints: ['step0', 'step4', 'step7'] })
    expect(inOneGo.evaluations.map(({ epoch }) => epoch)).toEqual([0, 2, 4, 6, 7])
    const expected = await leftBy(whole, inOneGo)
    const workspace = await temporaryWorkspace()
    for (const after of [0, 3, 6]) {
      expect(await trained(workspace, settings, after)).toMatchObject({ status: 'killed', epoch: after })
    }
    const resumed = await trained(workspace, settings)
    expect(resumed).toMatchObject({ status: 'finished', resumedAfter: 6, evaluations: inOneGo.evaluations })
    expect(await leftBy(workspace, resumed)).toEqual(expected)

    const other = await trained(whole, { ...settings, seed: 2 })
    expect((await leftBy(whole, other)).weights.at(-1)).not.toEqual(expected.weights.at(-1))
    expect([inOneGo.lessons > 0, other.lessons]).toEqual([true, 0])
  })

  it.each([
    ['is reset', { steps: 2, mixup: 1 }],
    ['is a moving average', { steps: 1, mixup: 0.3 }],
  ])('goes on to the bit with a reference that %s, and tells how far the start is', async (_, sync) => {
    const settings = { steps: 5, kl: { loss: { coef: 0.1, bias_correction: true } }, lr: { grpo: 1e-3 }, ref: { sync } }
    const whole = await temporaryWorkspace()
    const inOneGo = await trained(whole, settings)
    const expected = await leftBy(whole, inOneGo)
    const workspace = await temporaryWorkspace()
    await trained(workspace, settings, 3)
    expect(await leftBy(workspace, await trained(workspace, settings))).toEqual(expected)

    const values = (metric: string) => expected.points.find(([name]) => name === metric)?.at(-1)
    expect(values('ref.resets')).toEqual(sync.mixup === 1 ? [0, 0, 1, 1, 2] : undefined)
    const [fromReference, fromStart] = [values('kl.ref.exact'), values('kl.start.exact')].map(list =>
      [list ?? []].flat(),
    )
    expect(fromStart.map((kl, i) => Number(kl) > Number(fromReference[i]))).toEqual(
      sync.mixup === 1 ? [false, false, true, true, true] : [false, true, true, true, true],
    )
    if (sync.mixup === 1) expect([fromReference[2], fromReference[4]]).toEqual([0, 0])
  })

  it('goes on to the bit with a learned reward, and is judged by the score of the gym', async () => {
    const settings = { steps: 4, reward: { source: 'learned', labels: 40 } }
    const whole = await temporaryWorkspace()
    const inOneGo = await trained(whole, settings)
    const workspace = await temporaryWorkspace()
    await trained(workspace, settings, 2)
    expect(await leftBy(workspace, await trained(workspace, settings))).toEqual(await leftBy(whole, inOneGo))
    const run = await loadRun(whole, inOneGo.run)
    if (run === null) throw new Error('no run')
    const { yardsticks, optimised, rewardKind } = viewRun(run, await loadVocabulary(whole)).goal
    expect(yardsticks.map(({ metric, role }) => [metric, role])).toEqual([
      ['val-core/interact_intention/gold/mean@1', 'independent'],
    ])
    expect(optimised.map(({ metric }) => metric)).toEqual(['val-core/interact_intention/reward/mean@1'])
    expect(rewardKind.kind).toBe('learned')
  })

  it('goes on from the checkpoint before one that was torn', async () => {
    const whole = await temporaryWorkspace()
    const expected = await leftBy(whole, await trained(whole))
    const workspace = await temporaryWorkspace()
    const { folder } = await trained(workspace, {}, 6)
    truncateSync(join(folder, 'latest', 'training.safetensors'), 500)
    const resumed = await trained(workspace)
    expect(resumed.resumedAfter).toBe(4)
    expect(await leftBy(workspace, resumed)).toEqual(expected)
  })

  it('starts from a model of its own where its start has the seed of the run', async () => {
    const workspace = await temporaryWorkspace()
    const settings = { steps: 0, start: { steps: 8, habits: 2, batch: 4, seed: null } }
    const [one, two] = [
      await trained(workspace, { ...settings, seed: 1 }),
      await trained(workspace, { ...settings, seed: 2 }),
    ]
    const startOf = ({ folder }: { readonly folder: string }): string =>
      tensorHash(join(folder, 'step0', 'model.safetensors'))
    expect(startOf(one)).not.toBe(startOf(two))
  })
})
