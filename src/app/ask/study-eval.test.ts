import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { sharedFolder } from '../../../test/workspace.js'
import { openWorkspace, runFolder, type Workspace } from '../../core/store/workspace.js'
import { evaluateTrials } from '../../lab/study/engine/evaluate.js'
import { trainStages } from '../../lab/study/engine/stages.js'
import { readRecords } from '../../lab/study/evaluations/records.js'
import { type PlannedStudy, planStudy } from '../../lab/study/plan/plan-study.js'
import { readCells } from '../../lab/study/status/status.js'
import { trainAssigned } from '../../lab/train/sweep/worker.js'
import { ask } from './question.js'
import { studyAcknowledge } from './study-marks.js'
import { engineFor } from './study-run.js'
import { studyStatus } from './study-status.js'

/** A whole study in one process: one warm-up, two arms that start from it, evaluated at one and two shots. */

const STUDY = `question: does the KL matter at one and two shots?
base: {policy.hidden: 8, data.width: 8, data.candidates: 8, epochs: {rce: 0, grpo: 1}, eval.samples: 20}
stages: {rce: {epochs: {rce: 1, grpo: 0}}}
from: rce
arms: {kl: {kl.loss.coef: 5}, no-kl: {kl.loss.coef: 0}}
evaluations: {held-out: {shots: [1, 2], split: test, samples: 25, checkpoints: [0, 1]}}
seeds: 1
`

const folder = sharedFolder()
const file = join(folder, 'tiny.yaml')
let workspace: Workspace
let study: PlannedStudy
const trained: string[] = []

async function train(named: ReadonlyMap<string, Parameters<typeof trainAssigned>[0]['trial']>): Promise<void> {
  for (const trial of named.values()) {
    const assignment = { trial, root: workspace.root, fresh: false, code: 'test' }
    const outcome = await trainAssigned(assignment, {}, () => {}, new AbortController().signal)
    if (outcome.kind === 'trained') trained.push(trial.name ?? '')
    else expect(outcome.kind).toBe('known')
  }
}

async function trainAll(): Promise<void> {
  const { signal } = new AbortController()
  const builtin = study.trials.filter(trial => trial.program === null)
  const { ready } = await trainStages({ workspace, plan: study }, builtin, train, new Map(), signal)
  await train(ready)
}

const evaluate = () => evaluateTrials(engineFor(workspace, study, { workers: null, lang: 'en' }, {}), study.trials)
const status = () => ask(workspace, studyStatus, { file })

beforeAll(async () => {
  writeFileSync(file, STUDY)
  workspace = await openWorkspace(folder, {})
  study = await planStudy(file)
  await trainAll()
}, 60_000)

describe('a study with a stage and evaluations', () => {
  it('trains the stage once, and nothing again', async () => {
    expect(trained).toEqual(['stage/rce/seed1', 'tiny/kl/seed1', 'tiny/no-kl/seed1'])
    await trainAll()
    expect(trained).toHaveLength(3)
    const { stages, cells } = await status()
    expect(stages).toMatchObject([{ stage: 'rce', seed: 1, state: 'done', from: null }])
    expect(cells.map(({ state }) => state)).toEqual(['done', 'done', ...Array.from({ length: 8 }, () => 'pending')])
  })

  it('evaluates what is missing once, the weights that arms share too, fewer shots first', async () => {
    // Of four checkpoints two are the stage's own: three weights at two numbers of shots.
    expect(await evaluate()).toEqual({ evaluated: 6, left: 0 })
    const records = await readRecords(workspace, study.name)
    expect(records.map(({ origin, n }) => [origin, n])).toEqual(records.map(() => ['evaluated', 25]))
    const { cells } = await status()
    const evaluations = cells.filter(({ evaluation }) => evaluation !== null)
    expect(evaluations.every(({ state, n, value }) => state === 'done' && n === 25 && value !== null)).toBe(true)
    expect(evaluations[0].condition).toEqual({ dataset: 'held-out', shots: 1, split: 'test' })
    const start = evaluations.filter(({ checkpoint }) => checkpoint?.step === 0)
    expect(new Set(start.map(({ checkpoint }) => checkpoint?.contentHash)).size).toBe(1)
    expect(await evaluate()).toEqual({ evaluated: 0, left: 0 })
  })

  it('records what a killed process had stored, without evaluating it again', async () => {
    const path = join(workspace.root, 'studies', study.name, 'evaluations.jsonl')
    const before = await readRecords(workspace, study.name)
    truncateSync(path, readFileSync(path).length - 40)
    expect(await readRecords(workspace, study.name)).toHaveLength(5)
    expect(await evaluate()).toEqual({ evaluated: 1, left: 0 })
    const after = await readRecords(workspace, study.name)
    const { origin, value, scores, choices } = after[5]
    expect({ origin, value, scores, choices }).toEqual({
      ...{ origin: 'store', value: before[5].value, scores: before[5].scores, choices: before[5].choices },
    })
  })

  it('tells a file under the wrong name, and whose it is, until somebody vouches for it', async () => {
    const [kl, noKl] = (await readCells(workspace, study, study.trials)).map(({ runs }) => runs[0])
    const last = (run: string): string => join(runFolder(workspace, run), 'checkpoints', 'epoch1.safetensors')
    cpSync(last(kl), last(noKl))
    rmSync(join(workspace.root, 'cache'), { recursive: true })
    const { cells } = await status()
    expect(cells[1].state).toBe('suspicious')
    const told = cells[1].suspicious.join('\n')
    expect(told).toContain('the same weights as that of tiny/kl/seed1: this file is the copy')
    expect(told).toContain(`names run ${kl} as its writer, which is tiny/kl/seed1`)
    expect(told).toContain('kl.loss.coef is 5, 0 in the study')
    expect(cells[0].suspicious).toEqual([
      `its last checkpoint has the same weights as that of tiny/no-kl/seed1: the file of tiny/no-kl/seed1 names run ${kl} as its writer, which is this trial: the other one is the copy`,
    ])

    const because = 'the copy was made on purpose'
    await ask(workspace, studyAcknowledge, { file, trial: 'no-kl/seed1', because })
    const [, after] = (await status()).cells
    expect(after.state).toBe('done')
    expect(after.acknowledged.map(each => each.because)).toEqual([because, because, because])
    await expect(ask(workspace, studyAcknowledge, { file, trial: 'no-kl/seed1', because })).rejects.toThrow()
  })
})
