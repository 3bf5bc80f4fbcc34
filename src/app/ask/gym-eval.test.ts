import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadRun } from '../../core/store/catalogue.js'
import { RunWriter } from '../../core/store/run-writer.js'
import { listSamples } from '../../core/store/samples.js'
import { runFolder, type Workspace, workspaceAt } from '../../core/store/workspace.js'
import { gymCheck } from './gym-check.js'
import { gymEval } from './gym-eval.js'
import { resolveSides } from './names.js'
import { ask } from './question.js'

const root = mkdtempSync(join(tmpdir(), 'klens-gym-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function within<Result>(work: (workspace: Workspace) => Promise<Result>): Promise<Result> {
  const workspace = workspaceAt(join(root, '.klens'))
  try {
    return await work(workspace)
  } finally {
    await workspace.close()
  }
}

test('judges a simulator by intervals: few questions cannot show that it is fit, many can', async () => {
  await within(async workspace => {
    const few = await ask(workspace, gymCheck, { questions: 40 })
    expect(few).toMatchObject({ verdict: 'not-shown' })
    const talk = few.parts.find(({ kind }) => kind === 'talk')
    expect(talk).toMatchObject({ state: 'open', limit: 0.05 })
    expect(talk?.share).toBeLessThan(0.05)
    expect((await ask(workspace, gymCheck, {})).parts.find(({ kind }) => kind === 'model')?.state).toBe('met')
  })
})

test('says of a file of tasks that is not there that it is not there', async () => {
  await within(async workspace => {
    const asked = ask(workspace, gymEval, { policies: ['scripted:oracle'], data: [join(root, 'nofile.json')] })
    await expect(asked).rejects.toMatchObject({ code: 'not-found', sentence: { key: 'gym.tasks.missing' } })
  })
})

test('scores policies task by task and keeps their dialogues as samples of a run each', async () => {
  await within(async workspace => {
    const answer = await ask(workspace, gymEval, { policies: ['scripted:oracle', 'scripted:silent'], limit: 8 })
    const [oracle, silent] = answer.policies
    expect(oracle).toMatchObject({ n: 8, failed: 0, wasted: 0, coverage: 1 })
    expect(oracle.score).toBeCloseTo(oracle.ceiling ?? Number.NaN, 12)
    expect(silent).toMatchObject({ score: 0, ends: { stopped: 8 } })
    expect(answer.tasks).toHaveLength(8)
    expect(answer.tasks[0].ends).toEqual([['solved'], ['stopped']])
    const run = await loadRun(workspace, oracle.run)
    if (run === null) throw new Error('the run was not kept')
    const kept = await listSamples(run)
    expect(kept.map(({ metric, step, prompts }) => [metric, step, prompts])).toEqual(
      ['compound', 'coverage', 'malformed', 'score', 'turns', 'wasted'].map(name => [`eval.${name}`, 0, 8]),
    )
  })
})

test('plays the function gym too, and quirks otherwise where asked', async () => {
  await within(async workspace => {
    const policies = ['scripted:oracle', 'scripted:prober', 'scripted:silent']
    const answer = await ask(workspace, gymEval, { gym: 'function', policies })
    expect(answer.policies.map(({ score, turns, n }) => [score, turns, n])).toEqual([
      [1, 1, 20],
      // The value at the test is not told, so asking for it there brings nothing.
      [0, 16, 20],
      [0, 1, 20],
    ])
    const limited = { policies: ['scripted:oracle'], maxTurns: 2, limit: 8 }
    const usual = await ask(workspace, gymEval, limited)
    const other = await ask(workspace, gymEval, { ...limited, quirk: ['limitSkipsLastCall=false'] })
    expect(other.policies[0].score).toBeGreaterThan(usual.policies[0].score ?? Number.NaN)
    expect(other.policies[0].run).not.toBe(usual.policies[0].run)
    await expect(ask(workspace, gymEval, { ...limited, quirk: ['nonsense=1'] })).rejects.toThrow('gym.bad-quirk')
  })
})

test('plays a checkpoint of a training under a name of its own, so that RUN@STEP goes on meaning the step', async () => {
  await within(async workspace => {
    const trained = { id: 'trained', name: 'arm/seed1', source: 'klens' }
    await (await RunWriter.open(workspace, trained, 'train')).close()
    const start = join(import.meta.dirname, '../../../test/data/intention-start')
    cpSync(start, join(runFolder(workspace, trained.id), 'checkpoints', 'step5'), { recursive: true })
    const answer = await ask(workspace, gymEval, { policies: ['arm/seed1@5'], limit: 2, maxTurns: 2 })
    expect(answer.policies[0]).toMatchObject({ label: 'gym/arm/seed1@5', n: 2 })
    const [step] = await resolveSides(workspace, ['arm/seed1@5'], {})
    expect(step).toMatchObject({ checkpoint: 5, runs: [{ manifest: { id: 'trained' } }] })
    const [played] = await resolveSides(workspace, ['gym/arm/*@0'], {})
    expect(played).toMatchObject({ checkpoint: 0, runs: [{ manifest: { id: answer.policies[0].run } }] })
  })
})

test('a simulator that breaks down leaves dialogues without a score, never with a zero', async () => {
  const server = createServer((_, response) => response.writeHead(400).end('no'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    await within(async workspace => {
      const simulator = `http://127.0.0.1:${port}/v1#user`
      const answer = await ask(workspace, gymEval, { policies: ['scripted:oracle'], simulator, limit: 4 })
      expect(answer.policies[0]).toMatchObject({ score: null, interval: null, failed: 4, n: 0 })
      expect(answer.tasks[0].scores).toEqual([null])
      expect(answer.reasons.join()).toContain('400')
    })
  } finally {
    server.close()
  }
})
