import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { temporaryFolder } from '../../../test/workspace.js'
import { blocksMarkdown } from '../../core/present/markdown.js'
import { speakerIn } from '../../core/present/speaker.js'
import { statusBlocks } from '../../core/present/study/status.js'
import { importLogs } from '../../core/store/ingest.js'
import { openWorkspace, type Workspace } from '../../core/store/workspace.js'
import { freeze } from '../../lab/study/file/frozen.js'
import { planStudy } from '../../lab/study/plan/plan-study.js'
import { seedsOf, trialsOf } from '../../lab/study/trial.js'
import { SOURCE } from '../../lab/train/run/lineage.js'
import type { FinalVerdict } from '../../logs/model/study/terms.js'
import { seededRandom } from '../../stats/random.js'
import { studies, studyView } from './studies.js'
import { studyReport } from './study-report.js'
import { studyRun } from './study-run.js'
import { studyStatus } from './study-status.js'

const TEXT = `
question: Does the KL term cost?
base: {task: digits}
arms: {none: {kl.loss.coef: 0}, strong: {kl.loss.coef: 1}}
seeds: 3
settle: {most: 20}
`

/** A study of which so many seeds of each arm were trained, without training any. */
async function studyWith(seeds: number, gap: number) {
  const folder = temporaryFolder()
  const file = join(folder, 'kl.yaml')
  writeFileSync(file, TEXT)
  const plan = await planStudy(file)
  const random = seededRandom(3)
  const trials = trialsOf(plan.name, plan.arms, seedsOf(plan.file.seeds, seeds))
  for (const { id, arm } of trials) {
    mkdirSync(join(folder, 'logs', id), { recursive: true })
    const score = 0.8 + (arm.name === 'strong' ? gap : 0) + 0.01 * random.normal()
    writeFileSync(join(folder, 'logs', id, 'metrics.jsonl'), `${JSON.stringify({ step: 5, 'val.score': score })}\n`)
  }
  const home = join(folder, '.klens')
  const imported = await openWorkspace(folder, {})
  await freeze(imported, plan)
  await importLogs(imported, [join(folder, 'logs')])
  imported.close()
  for (const run of readdirSync(join(home, 'runs'))) {
    const path = join(home, 'runs', run, 'run.json')
    const manifest = JSON.parse(readFileSync(path, 'utf8'))
    const trial = trials.find(({ id }) => JSON.stringify(manifest).includes(id))
    const lineage = { settings: trial?.settings }
    writeFileSync(path, JSON.stringify({ ...manifest, name: trial?.name, source: SOURCE, status: 'finished', lineage }))
  }
  const workspace = await openWorkspace(folder, {})
  onTestFinished(() => workspace.close())
  return { workspace, file, folder }
}

/** What every door says of the one arm. */
async function verdictsEverywhere(
  workspace: Workspace,
  file: string,
  folder: string,
): Promise<readonly FinalVerdict[]> {
  const status = await answerTo(workspace, studyStatus, { file })
  const run = await answerTo(workspace, studyRun, { file, dryRun: true })
  const view = await answerTo(workspace, studyView, { name: 'kl' })
  await answerTo(workspace, studyReport, { file, output: join(folder, 'r.md') })
  expect(status.judgedBy).toMatchObject({ metric: 'val.score', source: 'log' })
  expect([run.judgedBy, view.judgedBy]).toEqual([status.judgedBy, status.judgedBy])
  const report = readFileSync(join(folder, 'r.md'), 'utf8')
  expect(report.toLowerCase()).toContain(status.judgedBy?.sentence.toLowerCase())
  return [status, run, view].flatMap(({ verdicts }) => verdicts)
}

describe('a study', () => {
  it('as planned is judged alike by run, status, report and page, whatever no interim analysis says', async () => {
    const { workspace, file, folder } = await studyWith(3, -0.19)
    const [first, ...others] = await verdictsEverywhere(workspace, file, folder)
    expect(first).toMatchObject({ other: 'strong', verdict: 'worse', seeds: 3, interim: null })
    for (const other of others) expect(other).toEqual(first)
    expect(readFileSync(join(folder, 'r.md'), 'utf8')).toContain('**strong scored worse than none')
    const { settle } = await answerTo(workspace, studyView, { name: 'kl' })
    expect(settle?.others).toEqual([{ arm: 'strong', looks: [], verdict: null }])
  })

  it('counts every seed that was added, at every door, and claims nothing that no interim analysis claims', async () => {
    const { workspace, file, folder } = await studyWith(10, -0.0055)
    const [first, ...others] = await verdictsEverywhere(workspace, file, folder)
    expect(first).toMatchObject({ verdict: 'undetermined', seeds: 10, interim: { look: { seeds: 10 }, verdict: null } })
    expect(first.p).toBeLessThan(0.05)
    for (const other of others) expect(other).toEqual(first)
    const status = await answerTo(workspace, studyStatus, { file })
    expect(status.cells.filter(({ state }) => state === 'done')).toHaveLength(20)
    expect(status.cost.trials).toBe(20)
    const [{ states }] = (await answerTo(workspace, studies, {})).studies
    expect(states.done).toBe(20)
    const text = blocksMarkdown(statusBlocks(status, speakerIn('en')), id => id)
    expect(text).toMatch(/10 seeds each.*interim analysis at 10 seeds each: p = [\d.]+, claims below/)
    const report = readFileSync(join(folder, 'r.md'), 'utf8')
    expect(report).toContain('by 10 seeds of each')
    expect(report).toMatch(/interim analysis at 10 seeds each: p = [\d.]+, claims below/)
  })
})
