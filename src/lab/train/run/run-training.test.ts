import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../test/support/refusal.js'
import { smallConfig, smallDigits } from '../../../../test/support/small-digits.js'
import { temporaryWorkspace } from '../../../../test/workspace.js'
import { loadRun } from '../../../core/store/catalogue.js'
import { readSeries } from '../../../core/store/series.js'
import type { Workspace } from '../../../core/store/workspace.js'
import { loadStart } from '../load-start.js'
import { digitsTask } from '../tasks/digits/digits.js'
import type { Task } from '../tasks/task.js'
import { runTraining, type TrainingResult } from './run-training.js'
import { type SelectorRequest, selectorTraining } from './selector-training.js'
import type { Begin } from './trainable.js'

const task = smallDigits(8, 5)

interface Stop {
  /** Asks to stop while the epoch after this one is being trained. */
  readonly after?: number
}

async function trained(
  workspace: Workspace,
  settings: object,
  { after }: Stop = {},
  { begin = { kind: 'auto' }, ...rest }: Partial<SelectorRequest> & { readonly begin?: Begin } = {},
): Promise<TrainingResult & { readonly resumedAfter: number | null }> {
  const controller = new AbortController()
  let resumedAfter: number | null = null
  const training = selectorTraining({ config: smallConfig(settings), task, from: null, ...rest })
  const result = await runTraining(workspace, training, {
    begin,
    code: '1',
    signal: controller.signal,
    observer: {
      started: run => {
        resumedAfter = run.resumedAfter
        if (after === 0) controller.abort()
      },
      epoch: ({ epoch }) => {
        if (epoch === after) controller.abort()
      },
    },
  })
  return { ...result, resumedAfter }
}

/** All that a checkpoint holds, but for whose it is. */
function checkpoint(folder: string, name: string): { readonly about: object; readonly tensors: string } {
  const bytes = readFileSync(join(folder, name))
  const end = 8 + Number(bytes.readBigUInt64LE())
  const { __metadata__, ...tensors } = JSON.parse(bytes.subarray(8, end).toString())
  const { run: _, seal: __, ...about } = JSON.parse(__metadata__.klens)
  return { about: { ...about, tensors }, tensors: createHash('sha256').update(bytes.subarray(end)).digest('hex') }
}

async function pointsOf(workspace: Workspace, id: string) {
  const run = await loadRun(workspace, id)
  if (run === null) throw new Error('no run')
  const names = [...run.manifest.metrics.keys()].filter(
    name => !name.startsWith('time.') && !name.startsWith('throughput.'),
  )
  const series = await readSeries(run, names)
  const points = names
    .sort()
    .map(name => [name, [...(series.get(name)?.steps ?? [])], [...(series.get(name)?.values ?? [])]])
  const { status, metrics, evaluations, samples } = run.manifest
  return { points, status, evaluations, samples, stored: names.map(name => metrics.get(name)?.stored) }
}

async function expectSame(
  one: Workspace,
  first: TrainingResult,
  other: Workspace,
  second: TrainingResult,
): Promise<void> {
  expect(second.checkpoints).toEqual(first.checkpoints)
  expect(second.evaluations).toEqual(first.evaluations)
  for (const name of first.checkpoints) {
    expect(checkpoint(second.folder, name), name).toEqual(checkpoint(first.folder, name))
  }
  expect(await pointsOf(other, second.run)).toEqual(await pointsOf(one, first.run))
}

const TRAININGS: readonly (readonly [what: string, stops: readonly number[], settings: object])[] = [
  ['in the warm-up, between the phases and in GRPO', [0, 1, 2, 3], { epochs: { rce: 2, grpo: 2 } }],
  [
    'with all that has a memory: dropout, band controller, cosine rate, curriculum, inner epochs, batches',
    [1, 3],
    {
      seed: 5,
      epochs: { rce: 2, grpo: 3, inner: 2 },
      batch: { prompts: 3 },
      dropout: { hidden: 0.2, attention: 0.1, reference: 'off' },
      kl: { controller: 'band' },
      lr: { rce: 1e-3, grpo: 1e-3, schedule: 'cosine', warmup: { ratio: 0.2 } },
      curriculum: { early_epochs: 1, early_beams: 4, order: 'hard-first' },
      policy: { hidden: 16, form: 'gated' },
    },
  ],
  [
    'with a KL and a clip to the policy before the warm-up',
    [1, 3],
    { epochs: { rce: 2, grpo: 2 }, kl: { reference: 'before-rce' }, clip: { old: 'start' } },
  ],
  ['with a reference that is reset', [3, 4], { epochs: { rce: 1, grpo: 4 }, ref: { sync: { steps: 2 } } }],
  [
    'with a reference that is a moving average',
    [2, 3],
    { epochs: { rce: 1, grpo: 3 }, lr: { grpo: 1e-3 }, ref: { sync: { steps: 1, mixup: 0.3 } } },
  ],
  ['with a learned reward', [2], { epochs: { rce: 1, grpo: 3 }, reward: { source: 'learned', labels: 30 } }],
  ['without a warm-up', [1], { epochs: { rce: 0, grpo: 2 }, kl: { controller: 'proportional' } }],
  ['when not every epoch is kept', [2, 4], { epochs: { rce: 2, grpo: 4 }, save: { every: 5 }, eval: { every: 3 } }],
  [
    'with patience running out',
    [2],
    { epochs: { rce: 0, grpo: 9 }, lr: { grpo: 1e-12 }, early_stopping: { patience: 2 } },
  ],
]

describe('a training that was interrupted', () => {
  it.each(TRAININGS)('goes on bit by bit as if nothing had been: %s', async (_, stops, settings) => {
    const whole = await temporaryWorkspace()
    const inOneGo = await trained(whole, settings)
    expect(inOneGo.status).toBe('finished')
    for (const after of stops) {
      const workspace = await temporaryWorkspace()
      expect(await trained(workspace, settings, { after })).toMatchObject({ status: 'killed', epoch: after })
      const resumed = await trained(workspace, settings)
      expect(resumed).toMatchObject({ status: 'finished', resumedAfter: after })
      await expectSame(whole, inOneGo, workspace, resumed)
    }
  })

  const settings = { epochs: { rce: 1, grpo: 3 } }

  it('starts a new run once it is finished, or when it is asked to begin anew', async () => {
    const workspace = await temporaryWorkspace()
    const first = await trained(workspace, settings)
    const second = await trained(workspace, settings, { after: 2 })
    expect(second.run).not.toBe(first.run)
    const third = await trained(workspace, settings, {}, { begin: { kind: 'new' } })
    expect([first.run, second.run]).not.toContain(third.run)
    expect((await trained(workspace, settings)).run).toBe(second.run)
  })

  it('is another one for other settings, other data or another name', async () => {
    const workspace = await temporaryWorkspace()
    const { run } = await trained(workspace, { ...settings, name: 'a' }, { after: 1 })
    const others = [
      await trained(workspace, { ...settings, seed: 2 }),
      await trained(workspace, { ...settings, name: 'b' }),
      await trained(workspace, settings, {}, { task: { ...task, dataHash: 'other' } }),
    ]
    for (const other of others) expect(other).toMatchObject({ resumedAfter: null })
    expect((await trained(workspace, settings)).run).toBe(run)
  })

  it('is taken up at the checkpoint before one that is torn or damaged, and says so', async () => {
    const whole = await temporaryWorkspace()
    const inOneGo = await trained(whole, settings)
    const damages: readonly ((path: string) => void)[] = [
      path => truncateSync(path, 20_000),
      path => {
        const bytes = readFileSync(path)
        bytes[bytes.length - 5] ^= 1
        writeFileSync(path, bytes)
      },
      path =>
        writeFileSync(
          path,
          readFileSync(path, 'latin1').replace(/\\"effective\\":0\.1/, '\\"effective\\":0.2'),
          'latin1',
        ),
    ]
    for (const damage of damages) {
      const workspace = await temporaryWorkspace()
      const { folder } = await trained(workspace, settings, { after: 3 })
      damage(join(folder, 'epoch3.safetensors'))
      const resumed = await trained(workspace, settings)
      expect(resumed.resumedAfter).toBe(2)
      await expectSame(whole, inOneGo, workspace, resumed)
      const run = await loadRun(workspace, resumed.run)
      expect(JSON.stringify(run?.manifest.warnings)).toContain('epoch3.safetensors')
    }
  })

  it('cannot go on, and says so, when no checkpoint is whole', async () => {
    const workspace = await temporaryWorkspace()
    const { folder } = await trained(workspace, settings, { after: 2 })
    for (const name of readdirSync(folder)) truncateSync(join(folder, name), 100)
    expect(await refusal(trained(workspace, settings))).toMatch('epoch2.safetensors, epoch1.safetensors damaged')
  })

  it('leaves alone what the store has, where a kill came between the metrics and the checkpoint', async () => {
    const whole = await temporaryWorkspace()
    const inOneGo = await trained(whole, settings)
    const workspace = await temporaryWorkspace()
    const { folder } = await trained(workspace, settings, { after: 3 })
    truncateSync(join(folder, 'epoch3.safetensors'), 0)
    await expectSame(whole, inOneGo, workspace, await trained(workspace, settings))
  })

  it('is refused to a second process', async () => {
    const workspace = await temporaryWorkspace()
    const { run } = await trained(workspace, settings, { after: 1 })
    const second: unknown[] = []
    await runTraining(workspace, selectorTraining({ config: smallConfig(settings), task, from: null }), {
      begin: { kind: 'auto' },
      code: '1',
      observer: { started: async () => void second.push(await refusal(trained(workspace, settings))) },
    })
    expect(second.join()).toContain(`run ${run} is this training, and process ${process.pid}`)
  })
})

describe('a training from a checkpoint', () => {
  it('starts at its weights, takes them for the reference and names them as its parent', async () => {
    const workspace = await temporaryWorkspace()
    const first = await trained(workspace, { epochs: { rce: 1, grpo: 0 } })
    const path = join(first.folder, 'epoch1.safetensors')
    const settings = { epochs: { rce: 0, grpo: 1 } }
    const from = await loadStart(path, smallConfig(settings), task)
    const { run, folder, checkpoints } = await trained(workspace, settings, {}, { from })
    expect(checkpoints).toEqual(['epoch0.safetensors', 'epoch1.safetensors'])
    const { contentHash } = from
    expect(checkpoint(folder, 'epoch1.safetensors').about).toMatchObject({
      parent: contentHash,
      reference: contentHash,
    })
    expect((await trained(workspace, settings)).run).not.toBe(run)
  })

  it('refuses weights of another shape, and weights that were damaged', async () => {
    const workspace = await temporaryWorkspace()
    const { folder } = await trained(workspace, { epochs: { rce: 1, grpo: 0 } })
    const path = join(folder, 'epoch1.safetensors')
    const wider = smallConfig({ policy: { hidden: 64 } })
    expect(await refusal(loadStart(path, wider, task))).toMatch('add --set policy.hidden=32')
    const bytes = readFileSync(path)
    bytes[8 + Number(bytes.readBigUInt64LE()) + 100] ^= 1
    writeFileSync(path, bytes)
    expect(await refusal(loadStart(path, smallConfig({}), task))).toContain('damaged')
  })
})

describe('a run that is told to go on', () => {
  const settings = { epochs: { rce: 1, grpo: 2 } }
  const going = (run: string, allowChanges = false) => ({ begin: { kind: 'continue', run, allowChanges } }) as const

  it('refuses other settings and other data by name, unless they are allowed; then it notes them', async () => {
    const workspace = await temporaryWorkspace()
    const { run } = await trained(workspace, settings, { after: 2 })
    const other = { ...settings, kl: { loss: { coef: 1 } } }
    expect(await refusal(trained(workspace, other, {}, going(run)))).toMatch('kl.loss.coef 0.1 → 1;')
    const otherData: Task = { ...task, dataHash: 'f'.repeat(64) }
    expect(await refusal(trained(workspace, settings, {}, { ...going(run), task: otherData }))).toMatch('data ')
    const wider = { ...settings, policy: { hidden: 64 } }
    expect(await refusal(trained(workspace, wider, {}, going(run, true)))).toMatch(
      'cannot continue with another policy.hidden',
    )
    const narrower: Task = { ...otherData, ...digitsTask({ poolSize: 24, width: 16 }), dataHash: otherData.dataHash }
    expect(await refusal(trained(workspace, settings, {}, { ...going(run, true), task: narrower }))).toMatch(
      'cannot continue with another data.width 24 → 16',
    )
    const changed = await trained(workspace, other, {}, going(run, true))
    expect(changed).toMatchObject({ run, status: 'finished', resumedAfter: 2 })
    expect(checkpoint(changed.folder, 'epoch3.safetensors').about).toMatchObject({
      changes: ['2: kl.loss.coef 0.1 → 1'],
    })
    const manifest = (await loadRun(workspace, run))?.manifest
    expect(manifest?.config['kl.loss.coef']).toBe(1)
    expect(JSON.stringify(manifest?.warnings)).toContain('2: kl.loss.coef 0.1 → 1')
  })

  it('notes that another version of klens went on with it', async () => {
    const workspace = await temporaryWorkspace()
    await trained(workspace, settings, { after: 1 })
    const training = selectorTraining({ config: smallConfig(settings), task, from: null })
    const { folder } = await runTraining(workspace, training, { begin: { kind: 'auto' }, code: '2' })
    const { about } = checkpoint(folder, 'epoch3.safetensors')
    expect(about).toMatchObject({ klens: '2', changes: ['1: klens 1 → 2'] })
  })

  it('has nothing to do when it is finished, but can be made longer', async () => {
    const workspace = await temporaryWorkspace()
    const { run } = await trained(workspace, settings)
    expect(await refusal(trained(workspace, settings, {}, going(run)))).toMatch('is finished')
    const longer = await trained(workspace, { epochs: { rce: 1, grpo: 4 } }, {}, going(run, true))
    expect(longer).toMatchObject({ run, epoch: 5, resumedAfter: 3 })
  })
})
