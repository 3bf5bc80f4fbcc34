import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { importLogs } from '../../core/store/ingest.js'
import { readManifest } from '../../core/store/manifest-file.js'
import { keepUnkept, unkeptRuns } from '../../core/store/unkept.js'
import { type Workspace, workspaceAt } from '../../core/store/workspace.js'
import { compare } from './compare.js'
import { diagnose } from './diagnose.js'
import { ask, type Question } from './question.js'
import { show } from './show.js'

/** New logs are judged from memory and kept afterwards. The answer must be the one that the store gives later. */

const FIXTURES = fileURLToPath(new URL('../../logs/sources/fixtures', import.meta.url))

/** Steps that go back, repeat and lack values, and scores on a validation set. */
function resumedLog(folder: string, shift = 0): string {
  const steps = [...Array(40).keys(), ...Array(30).keys()].map(step => (step % 7 === 3 ? step - 1 : step))
  const rows = steps.map((step, i) => ({
    step,
    'actor/pg_loss': Math.sin(i) + shift,
    'critic/score/mean': shift + i / 100,
    ...(i % 3 === 0 && { 'val-core/aime/acc': shift + i / 100 }),
    ...(i % 11 === 0 && { 'actor/entropy': null }),
  }))
  const path = join(folder, 'metrics.jsonl')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, rows.map(row => `${JSON.stringify(row)}\n`).join(''))
  return path
}

// biome-ignore lint/suspicious/noExplicitAny: any question will do
type AnyQuestion = Question<any, any, any, any>

const answerOf = async (workspace: Workspace, question: AnyQuestion, asked: object, keepsLater: boolean) =>
  JSON.stringify(await ask(workspace, question, { lang: 'en', ...asked }, { keepsLater }))

function runsOnDisk({ root }: Workspace): readonly string[] {
  return existsSync(join(root, 'runs')) ? readdirSync(join(root, 'runs')) : []
}

it.each([
  ['a resumed log', diagnose, () => ({ runs: [resumedLog(temporaryFolder())] }), 1],
  ['W&B', diagnose, () => ({ runs: [join(FIXTURES, 'wandb', 'killed.wandb')] }), 1],
  ['TensorBoard that was restarted', diagnose, () => ({ runs: [join(FIXTURES, 'tensorboard', 'restart')] }), 1],
  ['a console of verl', diagnose, () => ({ runs: [join(FIXTURES, 'verl', 'console.log')] }), 1],
  ['what DuckDB has to count', show, () => ({ run: join(FIXTURES, 'verl', 'console.log') }), 0],
  ['several runs', diagnose, () => ({ runs: [join(FIXTURES, 'verl')] }), 2],
  ['samples, which are kept at once', diagnose, () => ({ runs: [join(FIXTURES, 'completions', 'trl')] }), 0],
  [
    'two sides',
    compare,
    () => {
      const folder = temporaryFolder()
      return { sides: [resumedLog(join(folder, 'one')), resumedLog(join(folder, 'two'), 0.1)], metric: 'actor/pg_loss' }
    },
    2,
  ],
] as const)('answers about %s from memory as from the store', async (_, question, asked, fewestUnkept) => {
  const workspace = await temporaryWorkspace()
  const request = asked()
  const fromMemory = await answerOf(workspace, question, request, true)
  const unkept = unkeptRuns(workspace).map(({ manifest }) => manifest.id)
  expect(unkept.length).toBeGreaterThanOrEqual(fewestUnkept)
  for (const id of unkept) expect(runsOnDisk(workspace)).not.toContain(id)
  await keepUnkept(workspace)
  for (const id of unkept) expect(await readManifest(workspace, id)).not.toBeNull()
  const later = workspaceAt(workspace.root)
  expect(await answerOf(later, question, request, false)).toBe(fromMemory)
  await later.close()
})

it('leaves a run alone that another process has kept meanwhile', async () => {
  const workspace = await temporaryWorkspace()
  const path = resumedLog(temporaryFolder())
  await answerOf(workspace, diagnose, { runs: [path] }, true)
  const other = workspaceAt(workspace.root)
  const { runs } = await importLogs(other, [path])
  await keepUnkept(workspace)
  expect(await readManifest(workspace, runs[0].id)).toEqual(runs[0])
  await other.close()
})
