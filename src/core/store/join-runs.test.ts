import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type MadeTraining,
  madeTraining,
  TRAINING_WRITERS,
  type TrainingFormat,
  writeTogether,
  writeTraining,
} from '../../../test/support/one-training.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { plainName } from '../../logs/sources/metric-names.js'
import { listRuns, loadRun } from './catalogue.js'
import { importLogs } from './ingest.js'
import { readSeries } from './series.js'
import type { Workspace } from './workspace.js'

const FORMATS = Object.keys(TRAINING_WRITERS) as TrainingFormat[]
/** The digits that are right in each. */
const EXACT: readonly TrainingFormat[] = ['wandb', 'mlflow', 'swanlab', 'trackio', 'jsonl']

async function idsIn(workspace: Workspace): Promise<string[]> {
  return (await listRuns(workspace)).entries.map(({ id }) => id)
}

/** Every value of the run, by its plain name and step. */
async function valuesIn(workspace: Workspace, id: string): Promise<Map<string, number>> {
  const run = await loadRun(workspace, id)
  if (run === null) throw new Error(`no run ${id}`)
  const series = await readSeries(run, [...run.manifest.metrics.keys()])
  return new Map(
    [...series].flatMap(([metric, { steps, values }]) =>
      Array.from(steps, (step, i) => [`${plainName(metric)} ${step}`, values[i] ?? Number.NaN] as const),
    ),
  )
}

function expectValues(values: ReadonlyMap<string, number>, { rows }: MadeTraining, within: number): void {
  const wrong = rows.flatMap(({ step, values: logged }) =>
    Object.entries(logged).filter(([metric, value]) => {
      const found = values.get(`${plainName(metric)} ${step}`)
      return found === undefined || Math.abs(found - value) > within * Math.max(1, Math.abs(value))
    }),
  )
  expect(wrong).toEqual([])
  expect(values.size).toBe(rows.reduce((sum, row) => sum + Object.keys(row.values).length, 0))
}

const pairs = FORMATS.flatMap((one, i) => FORMATS.slice(i + 1).map(other => [one, other] as const)).filter(
  ([one, other]) => !(one === 'console' && other === 'console of three decimals'),
)

describe('one training in two logs', () => {
  const training = madeTraining({ seed: 1 })
  const within = (formats: readonly TrainingFormat[]): number =>
    formats.some(format => EXACT.includes(format)) ? 0 : formats.includes('tensorboard') ? 1e-6 : 1e-3

  it.each(pairs)('%s and %s: is one run with the best digits, and stays it when imported again', async (one, other) => {
    const folder = join(temporaryFolder(), 'logs')
    const workspace = await temporaryWorkspace()
    const paths = [one, other].map(format => writeTraining(format, folder, training))
    for (const path of paths) await importLogs(workspace, [path])
    const ids = await idsIn(workspace)
    expect(ids).toHaveLength(1)
    expectValues(await valuesIn(workspace, ids[0] ?? ''), training, within([one, other]))
    const before = await loadRun(workspace, ids[0] ?? '')
    for (const path of paths.toReversed()) await importLogs(workspace, [path])
    await importLogs(workspace, [folder])
    expect(await idsIn(workspace)).toEqual(ids)
    expect((await loadRun(workspace, ids[0] ?? ''))?.manifest).toEqual(before?.manifest)
  })

  it.each([
    [['console', 'jsonl']],
    [['console', 'tensorboard']],
    [['jsonl', 'tensorboard', 'wandb']],
    [['console', 'jsonl', 'wandb', 'mlflow']],
    [['console', 'jsonl', 'tensorboard', 'swanlab', 'trackio']],
  ] as const)('%s: is one run where they lie in one folder', async formats => {
    const folder = join(temporaryFolder(), 'out')
    const workspace = await temporaryWorkspace()
    writeTogether(folder, training, formats)
    const { runs } = await importLogs(workspace, [folder])
    expect(runs).toHaveLength(1)
    expect(runs[0]?.files.map(({ role }) => role).sort()).toEqual(['log', ...formats.slice(1).map(() => 'witness')])
    expectValues(await valuesIn(workspace, runs[0]?.id ?? ''), training, within(formats))
    await importLogs(workspace, [folder])
    expect((await loadRun(workspace, runs[0]?.id ?? ''))?.manifest).toEqual(runs[0])
  })

  it('is one run in any number of logs, in any order, in any number of imports', async () => {
    const some = fc.subarray(
      FORMATS.filter(format => format !== 'console of three decimals'),
      { minLength: 3, maxLength: 5 },
    )
    await fc.assert(
      fc.asyncProperty(
        some,
        fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
        fc.infiniteStream(fc.nat()),
        async (formats, cuts, order) => {
          const folder = temporaryFolder()
          const shuffled = formats.map(format => [order.next().value, format] as const).sort(([a], [b]) => a - b)
          const workspace = await temporaryWorkspace()
          let together: string[] = []
          for (const [i, [, format]] of shuffled.entries()) {
            together.push(writeTraining(format, join(folder, 'logs'), training))
            if (!cuts[i]) continue
            await importLogs(workspace, together)
            together = []
          }
          if (together.length > 0) await importLogs(workspace, together)
          const ids = await idsIn(workspace)
          expect(ids).toHaveLength(1)
          expectValues(await valuesIn(workspace, ids[0] ?? ''), training, within(formats))
        },
      ),
      { numRuns: 6 },
    )
  })
})

describe('two trainings', () => {
  it('with two seeds are two runs, in however many logs each', async () => {
    const folder = temporaryFolder()
    const workspace = await temporaryWorkspace()
    const seeds = [1, 2, 3].map(seed => {
      const training = madeTraining({ seed })
      return {
        training,
        paths: FORMATS.map(format => writeTraining(format, join(folder, `${seed}`, format), training)),
      }
    })
    await importLogs(workspace, [folder])
    const ids = await idsIn(workspace)
    expect(ids).toHaveLength(3)
    const runs = await Promise.all(ids.map(id => valuesIn(workspace, id)))
    for (const { training } of seeds) {
      const first = training.rows[0]?.values['timing_s/step'] ?? 0
      const own = runs.filter(values => values.get('timingsstep 1') === first)
      expect(own).toHaveLength(1)
      expectValues(own[0] ?? new Map(), training, 0)
    }
  })

  it('with the same values and other settings stay two, and each import says that they are identical', async () => {
    const folder = temporaryFolder()
    const workspace = await temporaryWorkspace()
    const training = madeTraining({ seed: 1 })
    const other = {
      ...training,
      name: 'kl',
      config: { ...training.config, 'actor_rollout_ref.actor.kl_loss_coef': 0.1 },
    }
    const paths = [
      writeTraining('wandb', join(folder, 'a'), training),
      writeTraining('wandb', join(folder, 'b'), other),
    ]
    for (let time = 0; time < 2; time += 1) {
      const { runs } = await importLogs(workspace, paths)
      expect(runs).toHaveLength(2)
      expect(runs.flatMap(({ warnings }) => warnings)).toMatchObject([
        {
          key: 'import.identical',
          params: { key: 'actor_rollout_ref.actor.kl_loss_coef', one: '0.1', other: '0.001' },
        },
      ])
    }
  })

  it('that one log each says are two by its settings are not joined over a third', async () => {
    const folder = temporaryFolder()
    const workspace = await temporaryWorkspace()
    const training = madeTraining({ seed: 1 })
    const other = { ...training, name: 'kl', config: { ...training.config, 'data.seed': 7 } }
    await importLogs(workspace, [
      writeTraining('wandb', join(folder, 'a'), training),
      writeTraining('mlflow', join(folder, 'b'), other),
    ])
    expect(await idsIn(workspace)).toHaveLength(2)
  })
})

describe('logs that are to stay apart', () => {
  it('do so from the beginning, and when they are imported again without a word', async () => {
    const folder = temporaryFolder()
    const workspace = await temporaryWorkspace()
    const training = madeTraining({ seed: 1 })
    const paths = (['wandb', 'tensorboard'] as const).map(format => writeTraining(format, folder, training))
    await importLogs(workspace, paths, { hints: { separate: true } })
    expect(await idsIn(workspace)).toHaveLength(2)
    await importLogs(workspace, paths)
    expect(await idsIn(workspace)).toHaveLength(2)
  })

  it('are told apart again after they were joined', async () => {
    const folder = temporaryFolder()
    const training = madeTraining({ seed: 1 })
    for (const formats of [
      ['wandb', 'tensorboard'],
      ['tensorboard', 'wandb'],
    ] as const) {
      const workspace = await temporaryWorkspace()
      const paths = formats.map(format => writeTraining(format, join(folder, formats[0]), training))
      for (const path of paths) await importLogs(workspace, [path])
      expect(await idsIn(workspace)).toHaveLength(1)
      await importLogs(workspace, paths, { hints: { separate: true } })
      const { entries } = await listRuns(workspace)
      expect(entries.map(({ source }) => source).sort()).toEqual(['tensorboard', 'wandb'])
      for (const { id } of entries) expect((await valuesIn(workspace, id)).size).toBe(336)
    }
  })
})
