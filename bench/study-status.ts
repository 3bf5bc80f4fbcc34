import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest, writeManifest } from '../src/core/store/manifest-file.js'
import { runFolder, type Workspace, workspaceAt } from '../src/core/store/workspace.js'
import { keepRecord } from '../src/lab/study/evaluations/records.js'
import { planStudy } from '../src/lab/study/plan/plan-study.js'
import { writeSafetensors } from '../src/lab/weights/safetensors.js'
import { type Benchmark, sizeOf } from './benchmark.js'
import { klens } from './child.js'
import { DATA } from './generate.js'
import { waiting } from './runs.js'

/**
 * How long a person waits for the status of a study whose trials are all trained and evaluated under three conditions.
 * One trial is trained; the others are copies that say of themselves what their own trial says.
 */
export const studyStatus: Benchmark = {
  name: 'study-status',
  about: 'status of a large study as a process; size in trials, 1,000',
  async run(settings) {
    const count = sizeOf(settings, 1000)
    const { file, workspace } = await doneStudy(count)
    const status = async (...more: readonly string[]) => {
      const finished = await klens(workspace.root, ['study', 'status', file, ...more])
      if (!finished.output.includes(more.length > 0 ? '"state":"done"' : `${(4 * count).toLocaleString('en')} done`)) {
        throw new Error(`not all is done: ${finished.output.slice(-400)}`)
      }
      return finished
    }
    await status()
    return {
      title: `study status, ${count} trials × 3 conditions`,
      rows: [
        await waiting('klens --version', settings, () => klens(workspace.root, ['--version'])),
        await waiting('klens study status', settings, () => status()),
        await waiting('klens study status --json', settings, () => status('--json')),
      ],
    }
  },
}

interface DoneStudy {
  readonly file: string
  readonly workspace: Workspace
}

const SEEDS = 10

export async function doneStudy(count: number): Promise<DoneStudy> {
  const folder = join(DATA, `study-${count}`)
  const workspace = workspaceAt(join(folder, '.klens'))
  const file = join(folder, 'many.yaml')
  const complete = `${folder}.complete`
  if (existsSync(complete)) return { file, workspace }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const coefficients = Array.from({ length: Math.ceil(count / SEEDS) }, (_, i) => i / 1000)
  const study = (values: readonly number[], seeds: number): string => `question: does it matter?
base: {policy.hidden: 16, data.width: 16, data.candidates: 16, epochs: {rce: 1, grpo: 1}}
vary: {kl.loss.coef: [${values.join(', ')}]}
evaluations: {held-out: {shots: [1, 2, 4], split: test, samples: 40}}
seeds: ${seeds}
`
  writeFileSync(file, study([0], 1))
  await klens(workspace.root, ['study', 'run', file])
  const [first] = readdirSync(join(workspace.root, 'runs'))
  writeFileSync(file, study(coefficients, SEEDS))
  await copyToAllTrials(workspace, file, first)
  writeFileSync(complete, '')
  return { file, workspace }
}

async function copyToAllTrials(workspace: Workspace, file: string, first: string): Promise<void> {
  const { name, trials, conditions } = await planStudy(file)
  const made = await readManifest(workspace, first)
  if (made === null) throw new Error('the study that was just run has no run')
  for (const [nth, { id: trial, settings, name: called, arm }] of trials.entries()) {
    const id = `trial${String(nth).padStart(5, '0')}`
    const folder = runFolder(workspace, id)
    cpSync(runFolder(workspace, first), folder, { recursive: true })
    const metrics = new Map(
      [...made.metrics].map(([metric, record]) => [metric, { ...record, last: record.last + nth }]),
    )
    await writeManifest(workspace, { ...made, id, name: called, metrics, lineage: { ...made.lineage, settings } })
    // The header is all that a status reads.
    const weights = createHash('sha256').update(id).digest('hex')
    rmSync(join(folder, 'checkpoints'), { recursive: true })
    mkdirSync(join(folder, 'checkpoints'))
    const about = { epoch: 2, contentHash: weights, configHash: settings, run: id }
    await writeSafetensors(join(folder, 'checkpoints', 'epoch2.safetensors'), [], about)
    for (const { hash: condition } of conditions.get(arm.name) ?? []) {
      await keepRecord(workspace, name, {
        ...{ condition, contentHash: weights, trial, step: 2, run: id, dataset: 'digits-0', split: 'test' },
        ...{ value: nth / trials.length, n: 40, missing: 0, reasons: [], scores: `${nth}`.repeat(20) },
        ...{ choices: Array.from({ length: 16 }, (_, i) => `${nth}-${i}-abcdef`).join(' '), distinctScores: 2 },
        ...{ distinctChoices: 40, origin: 'evaluated', seconds: 1, at: 1_794_700_000 },
      })
    }
  }
  rmSync(runFolder(workspace, first), { recursive: true })
}
