import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { StudyRunAnswer, StudyStatusAnswer } from '../src/logs/model/study/answers.js'
import { ended, startKlens } from './cli.js'
import { jsonInside, klensInside } from './cli-inside.js'
import { answerOf, trainingsIn } from './support/study-trainings.js'
import { temporaryFolder } from './workspace.js'

/** Studies as people run them: real trainings in processes of their own, killed and asked again. */

describe('a study', () => {
  it('trains what it plans once, tells what was changed after that, and reports', { timeout: 120_000 }, async () => {
    const folder = temporaryFolder()
    const arms = 'arms: {a: {}, b: {kl.loss.coef: 0}}\nseeds: 1\n'
    const file = trainingsIn(folder, `margin: 0.01\n${arms}`)
    const planned = await jsonInside<StudyRunAnswer>(folder, ['study', 'run', file, '--dry-run'])
    expect(planned.trials.map(({ trial, state }) => [trial, state])).toEqual([
      ['tiny/a/seed1', 'pending'],
      ['tiny/b/seed1', 'pending'],
    ])
    expect(planned.design.frozen).toBeNull()

    const first = answerOf<StudyRunAnswer>(folder, ['study', 'run', file])
    expect(first.trials.every(({ state }) => state === 'done')).toBe(true)
    const again = answerOf<StudyRunAnswer>(folder, ['study', 'run', file])
    expect(again).toMatchObject({ known: 2, trials: first.trials })

    trainingsIn(folder, `margin: 0.02\n${arms}`)
    const status = await jsonInside<StudyStatusAnswer>(folder, ['study', 'status', file])
    expect(status.design.frozen?.hash).toBe(first.design.hash)
    expect(status.design.changed).toEqual([{ key: 'margin', before: 0.01, now: 0.02 }])
    expect(status.cost.trials).toBe(2)
    for (const { state, value, checkpoint, values } of status.cells) {
      expect(state).toBe('done')
      expect(value).toBeGreaterThan(0)
      expect(checkpoint?.contentHash).toMatch(/^\w{40,}$/)
      expect(values).toHaveProperty('seed', 1)
    }

    trainingsIn(folder, `margin: 0.01\n${arms}`)
    const report = await jsonInside<{ take: { arm: string; file: string } }>(folder, [
      'study',
      'report',
      file,
      '-o',
      'r.md',
    ])
    expect(readFileSync(join(folder, report.take.file), 'utf8')).toContain('task: digits')
    const audited = await klensInside(folder, ['audit', 'r.md', '--ledger', 'r.json'])
    expect(audited.out).toMatch(/ 0 contradicted, 0 untraced\n[\s\S]*0 errors, 0 warnings/)
    expect(await jsonInside(folder, ['study', 'drop', file, 'b'])).toMatchObject({
      drops: [{ arm: 'b', by: 'person' }],
    })
    expect(await jsonInside(folder, ['study', 'keep', file, 'b'])).toMatchObject({ drops: [], kept: ['b'] })
    expect((await klensInside(folder, ['study', 'drop', file, 'a'])).error).toContain('is the baseline')
  })

  it('goes on after all of it was killed, and trains nothing twice', { timeout: 120_000 }, async () => {
    const folder = temporaryFolder()
    const file = trainingsIn(folder, 'arms: {a: {epochs.grpo: 4}, b: {epochs.grpo: 4, kl.loss.coef: 0}}\nseeds: 1\n')
    const child = startKlens(folder, ['study', 'run', file, '--workers', '1'])
    const runs = join(folder, '.klens', 'runs')
    /** The process that trains, once there is a checkpoint. */
    const trainer = (): number | null => {
      try {
        const [id] = readdirSync(runs)
        const names = readdirSync(join(runs, id))
        const lease = names.find(name => name.startsWith('lease.'))
        if (lease === undefined || readdirSync(join(runs, id, 'checkpoints')).length === 0) return null
        return JSON.parse(readFileSync(join(runs, id, lease), 'utf8')).pid
      } catch {
        return null
      }
    }
    let worker = trainer()
    while (worker === null) {
      await pause(20)
      worker = trainer()
    }
    child.kill('SIGKILL')
    process.kill(worker, 'SIGKILL')
    await ended(child)
    const { trials } = answerOf<StudyRunAnswer>(folder, ['study', 'run', file])
    expect(trials.map(({ state }) => state)).toEqual(['done', 'done'])
    expect(readdirSync(runs)).toHaveLength(2)
  })

  it('suspects two trials of one course, and a checkpoint of other settings', { timeout: 120_000 }, async () => {
    const folder = temporaryFolder()
    const file = trainingsIn(folder, 'arms: {a: {}, b: {kl.loss.coef: 0}}\nseeds: [3]\n')
    const planned = await jsonInside<StudyRunAnswer>(folder, ['study', 'run', file, '--dry-run'])
    const { id: other, trial } = planned.trials[1]
    const only = trainingsIn(folder, 'arms: {a: {}}\nseeds: [3]\n')
    const [{ run }] = answerOf<StudyRunAnswer>(folder, ['study', 'run', only]).trials
    // The results of one trial under the name of another, as a copied folder leaves them.
    const runs = join(folder, '.klens', 'runs')
    const copy = 'copiedrun1'
    cpSync(join(runs, String(run)), join(runs, copy), { recursive: true })
    const manifest = JSON.parse(readFileSync(join(runs, copy, 'run.json'), 'utf8'))
    const renamed = { ...manifest, id: copy, name: trial, lineage: { ...manifest.lineage, settings: other } }
    writeFileSync(join(runs, copy, 'run.json'), JSON.stringify(renamed))
    trainingsIn(folder, 'arms: {a: {}, b: {kl.loss.coef: 0}}\nseeds: [3]\n')
    const { cells } = await jsonInside<StudyStatusAnswer>(folder, ['study', 'status', file])
    expect(cells.map(({ state }) => state)).toEqual(['suspicious', 'suspicious'])
    expect(cells[0].suspicious).toEqual([
      expect.stringMatching(/same weights as that of tiny\/b\/seed3: .* is the copy$/),
    ])
    expect(cells[1].suspicious.slice(1)).toEqual([
      expect.stringContaining(`names run ${run} as its writer, which is tiny/a/seed3`),
      expect.stringContaining('kl.loss.coef is 0.1, 0 in the study'),
    ])
  })

  it('is refused before anything is spent, with the place in the file', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, '.klens'))
    const file = trainingsIn(folder, 'engine: comand\narms: {a: {}}\n')
    for (const verb of ['run', 'status', 'settle']) {
      const { code, error } = await klensInside(folder, ['study', verb, file])
      expect(code).toBe(2)
      expect(error).toContain('tiny.yaml:3:9: "engine.preset" must be builtin')
    }
    expect((await klensInside(folder, ['study', 'init', file])).error).toContain('tiny.yaml exists')
    expect(readdirSync(join(folder, '.klens'))).toEqual([])
  })

  it('begins with a file that is whole in both languages', async () => {
    const folder = temporaryFolder()
    for (const lang of ['en', 'zh']) {
      expect((await klensInside(folder, ['study', 'init', `${lang}.yaml`, '--lang', lang])).code).toBe(0)
      const { trials } = await jsonInside<StudyRunAnswer>(folder, ['study', 'run', `${lang}.yaml`, '--dry-run'])
      expect(trials).toHaveLength(6)
    }
  })
})
