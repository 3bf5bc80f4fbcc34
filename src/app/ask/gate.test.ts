import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import type { Workspace } from '../../core/store/workspace.js'
import { Problem } from '../../logs/model/problem.js'
import { compare } from './compare.js'
import { gate, gateStatus } from './gate.js'
import { remove } from './manage.js'

const EVALUATIONS = 20

/** A run whose score is `level` at every evaluation but for a wiggle; `change` is a setting. */
function train(
  folder: string,
  name: string,
  level: number,
  { change = '', seed = 0, steps = EVALUATIONS } = {},
): string {
  const place = join(folder, name, `seed${seed}`)
  mkdirSync(place, { recursive: true })
  const planned = { 'trainer.total_training_steps': 10 * EVALUATIONS, 'trainer.test_freq': 10 }
  writeFileSync(join(place, 'config.json'), JSON.stringify({ change, seed, ...planned }))
  const rows = Array.from({ length: steps }, (_, i) => {
    const score = level + 0.001 * Math.sin(7 * i + seed)
    return JSON.stringify({ step: 10 * (i + 1), 'val-core/math/acc/mean@1': score })
  })
  writeFileSync(join(place, 'metrics.jsonl'), `${rows.join('\n')}\n`)
  return join(folder, name)
}

interface Loop {
  readonly workspace: Workspace
  readonly folder: string
  readonly base: string
  readonly ask: (candidate: string, more?: object) => ReturnType<typeof answerOf>
}

function answerOf(workspace: Workspace, baseline: string, candidate: string, more: object) {
  return answerTo(workspace, gate, { baseline, candidate, loop: 'demo', ...more })
}

/** Four runs of the incumbent: 0.500, 0.510, 0.495, 0.505. */
async function loopOf(runs = 4): Promise<Loop> {
  const [workspace, folder] = [await temporaryWorkspace(), temporaryFolder()]
  const levels = [0.5, 0.51, 0.495, 0.505].slice(0, runs)
  for (const [seed, level] of levels.entries()) train(folder, 'base', level, { seed })
  const base = join(folder, 'base')
  return { workspace, folder, base, ask: (candidate, more = {}) => answerOf(workspace, base, candidate, more) }
}

async function problemOf(asked: Promise<unknown>): Promise<Problem> {
  const error = await asked.then(
    () => null,
    reason => reason,
  )
  if (!(error instanceof Problem)) throw error ?? new Error('nothing was refused')
  return error
}

describe('a candidate at the gate', () => {
  it('is discarded after one run where it is behind, and the ledger answers when it is proposed again', async () => {
    const { ask, folder } = await loopOf()
    const worse = train(folder, 'worse', 0.47, { change: 'a' })
    const first = await ask(worse)
    expect(first).toMatchObject({ decision: 'discard', try: 1, fromLedger: false, more: null })
    expect(await ask(worse)).toMatchObject({ decision: 'discard', try: 1, fromLedger: true, spent: first.spent })
    expect((await ask(train(folder, 'other', 0.46, { change: 'b' }))).try).toBe(2)
  })

  it('is kept after more runs and one more of the incumbent; then the incumbent is the kept one, and is run again', async () => {
    const { ask, folder, workspace } = await loopOf()
    const better = train(folder, 'better', 0.62, { change: 'a' })
    expect(await ask(better)).toMatchObject({ decision: 'more', more: { what: 'candidate', n: 1 } })
    train(folder, 'better', 0.63, { change: 'a', seed: 1 })
    const kept = await ask(better)
    expect(kept).toMatchObject({ decision: 'keep', try: 1 })
    expect(kept.difference?.estimate).toBeCloseTo(0.1225, 3)
    expect(kept.difference?.p).toBeLessThan(kept.difference?.level ?? 0)
    expect(await ask(better)).toMatchObject({ decision: 'keep', fromLedger: true })

    const next = train(folder, 'next', 0.65, { change: 'b' })
    expect((await problemOf(ask(next))).sentence.key).toBe('gate.other-incumbent')
    const askOnward = (candidate: string) => answerOf(workspace, better, candidate, {})
    expect(await askOnward(next)).toMatchObject({ decision: 'more', more: { what: 'baseline', n: 1 }, try: 2 })
    train(folder, 'better', 0.61, { change: 'a', seed: 2 })
    expect((await askOnward(next)).reasons[0]).not.toContain('lucky')
    const { loops } = await answerTo(workspace, gateStatus, {})
    expect(loops).toMatchObject([
      { loop: 'demo', tries: 2, runs: 8, incumbent: 'better', remeasured: expect.any(Number) },
    ])
    expect(loops[0].kept).toMatchObject([{ claimed: expect.closeTo(0.1225, 3), remeasured: expect.closeTo(0.1075, 3) }])
  })

  it('judges by the scores and with the difference of compare, and says in one line why it does not keep what compare calls better', async () => {
    const { ask, folder, workspace, base } = await loopOf()
    for (const [seed, level] of [0.515, 0.52, 0.512].entries()) train(folder, 'small', level, { change: 'a', seed })
    const small = join(folder, 'small')
    const answer = await ask(small)
    const compared = await answerTo(workspace, compare, { sides: [base, small] })
    const verdict = compared.verdicts[compared.headline.verdict]
    expect(answer.verdict?.answer).toBe(verdict.answer)
    expect(answer.difference?.estimate).toBeCloseTo(Number(verdict.estimate), 12)
    expect(answer.verdict?.answer).toBe('better')
    expect(answer.decision).not.toBe('keep')
  })

  it('needs three runs of the baseline, and is told what to run', async () => {
    const { ask, folder } = await loopOf(1)
    const answer = await ask(train(folder, 'new', 0.6, { change: 'a' }))
    expect(answer).toMatchObject({ decision: 'more', more: { what: 'baseline', n: 2 } })
  })

  it('is stopped in the middle of its training where it is clearly below, and goes on where it is not', async () => {
    const { ask, folder } = await loopOf()
    const half = { change: 'a', steps: EVALUATIONS / 2 + 2 }
    expect(await ask(train(folder, 'slow', 0.4, half))).toMatchObject({ decision: 'discard' })
    const going = await ask(train(folder, 'going', 0.52, { ...half, change: 'b' }))
    expect(going).toMatchObject({ decision: 'more', more: { what: 'steps' } })
    expect((await ask(train(folder, 'early', 0.4, { change: 'c', steps: 4 }))).decision).toBe('more')
  })

  it('gains nothing by leaving out its worse runs: the ledger knows them', async () => {
    const { ask, folder } = await loopOf()
    train(folder, 'mixed', 0.48, { change: 'a' })
    await ask(join(folder, 'mixed'))
    train(folder, 'mixed', 0.53, { change: 'a', seed: 1 })
    const answer = await ask(join(folder, 'mixed', 'seed1'))
    expect(answer.candidate.runs).toHaveLength(2)
    expect(answer.try).toBe(2)
  })

  it('is worth keeping only above the margin', async () => {
    const { ask, folder } = await loopOf()
    for (const seed of [0, 1, 2]) train(folder, 'better', 0.6 + 0.002 * seed, { change: 'a', seed })
    expect((await ask(join(folder, 'better'), { margin: '40%' })).decision).toBe('discard')
  })
})

describe('a loop', () => {
  it('has one goal and one baseline from its beginning', async () => {
    const { ask, folder, workspace } = await loopOf()
    const worse = train(folder, 'worse', 0.47, { change: 'a' })
    await ask(worse)
    expect((await problemOf(ask(worse, { margin: 0.1 }))).sentence.key).toBe('gate.other-goal')
    expect((await problemOf(ask(worse, { goal: 'min' }))).sentence.key).toBe('gate.other-goal')
    const other = train(folder, 'other', 0.4, { change: 'z' })
    expect((await problemOf(answerOf(workspace, other, worse, {}))).sentence.key).toBe('gate.other-baseline')
  })

  it('has a name that cannot leave the workspace', async () => {
    const { ask, folder, workspace } = await loopOf()
    const worse = train(folder, 'worse', 0.47, { change: 'a' })
    expect((await problemOf(ask(worse, { loop: '' }))).sentence.key).toBe('loop.missing')
    for (const loop of ['..', '../x', 'a/b', '/tmp/x', '.hidden', 'a\0b', 'x'.repeat(101), 'a\nb']) {
      expect((await problemOf(ask(worse, { loop }))).sentence.key).toBe('loop.bad-name')
      expect((await problemOf(answerTo(workspace, gateStatus, { loop }))).sentence.key).toBe('loop.bad-name')
    }
    expect(existsSync(join(workspace.root, 'loops'))).toBe(false)
  })

  it('takes no run twice, no step of a run, and no run that is gone', async () => {
    const { ask, folder, workspace, base } = await loopOf()
    const worse = train(folder, 'worse', 0.47, { change: 'a' })
    expect((await problemOf(ask(base))).sentence.key).toBe('gate.shared-run')
    await ask(worse)
    expect((await problemOf(ask('worse/seed0@100'))).sentence.key).toBe('gate.checkpoint')
    await answerTo(workspace, remove, { runs: ['base/seed1'] })
    rmSync(join(folder, 'base', 'seed1'), { recursive: true })
    expect((await problemOf(ask(worse))).sentence.key).toBe('gate.run-gone')
  })

  it('refuses figures that no log vouches for, and runs whose log was changed after it was judged', async () => {
    const { ask, folder } = await loopOf()
    const report = join(folder, 'report.md')
    const rows = Array.from({ length: 6 }, (_, i) => `| ${10 * (i + 1)} | ${0.9} |`)
    writeFileSync(report, `# Run\n\n| step | val-core/math/acc/mean@1 |\n|---|---|\n${rows.join('\n')}\n`)
    expect((await problemOf(ask(report))).sentence.key).toBe('gate.no-log')

    const worse = train(folder, 'worse', 0.47, { change: 'a' })
    await ask(worse)
    const log = join(worse, 'seed0', 'metrics.jsonl')
    const written = readFileSync(log, 'utf8')
    // Of the same length, in the middle, and not read again: the store has the old figures still.
    writeFileSync(log, written.replaceAll('0.47', '0.67'))
    expect((await problemOf(ask('worse/seed0'))).sentence.key).toBe('gate.changed')
    expect((await problemOf(ask(worse))).sentence.key).toBe('gate.changed')
  })

  it('goes by the order of its lines, whatever the clock says, and passes over a line that was cut short', async () => {
    const { ask, folder, workspace } = await loopOf()
    await ask(train(folder, 'a', 0.47, { change: 'a' }))
    const ledger = join(workspace.root, 'loops', 'demo', 'ledger.jsonl')
    appendFileSync(ledger, '\n{"sum":"12","look":"{\\"try\\":2,')
    expect((await ask(train(folder, 'b', 0.47, { change: 'b' }))).try).toBe(2)
    const [, first, , , second] = readFileSync(ledger, 'utf8').split('\n')
    expect(JSON.parse(JSON.parse(first).look)).toMatchObject({ try: 1 })
    for (const damaged of [second, `${first.replace('0.47', '0.46')}\n${second}`, `${second}\n${first}`]) {
      writeFileSync(ledger, `${damaged}\n`)
      expect((await problemOf(ask(join(folder, 'a')))).sentence.key).toBe('loop.damaged')
    }
    writeFileSync(ledger, `\n${first}\n\n${second.slice(0, 40)}`)
    expect((await ask(join(folder, 'b'))).try).toBe(2)
  })

  it('is looked at by one process after the other, and every try counts, also after one that was killed at it', async () => {
    const { ask, folder, workspace } = await loopOf()
    const killed = spawnSync(process.execPath, ['-e', 'console.log(process.pid)'], { encoding: 'utf8' })
    const holder = { pid: Number(killed.stdout), host: hostname(), purpose: 'evaluate', token: 'x', birth: '1' }
    mkdirSync(join(workspace.root, 'loops', 'demo'), { recursive: true })
    writeFileSync(join(workspace.root, 'loops', 'demo', 'lease.7'), JSON.stringify(holder))
    const names = ['a', 'b', 'c', 'd', 'e']
    for (const name of names) train(folder, name, 0.47, { change: name })
    await ask(join(folder, 'a'))
    const answers = await Promise.all(names.map(name => ask(join(folder, name))))
    expect(answers.map(answer => answer.try).sort()).toEqual([1, 2, 3, 4, 5])
    const { loops } = await answerTo(workspace, gateStatus, { loop: 'demo' })
    expect(loops[0]).toMatchObject({ tries: 5, discarded: 5, kept: [] })
  })
})
