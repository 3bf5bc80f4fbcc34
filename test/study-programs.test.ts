import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { StudyRunAnswer, StudyStatusAnswer } from '../src/logs/model/study/answers.js'
import { ended, klens, klensJson, startKlens } from './cli.js'
import { starts, studyIn } from './support/study-program.js'
import { temporaryFolder } from './workspace.js'

describe('a study of programs', () => {
  it('goes on at the newest checkpoint after klens and a trial were killed, and starts nothing twice', async () => {
    const folder = temporaryFolder()
    const file = studyIn(folder, 'base: {waits: 2}\narms: {a: {}, b: {add: 0.1}}\nseeds: 1\n')
    const { programs } = klensJson<StudyRunAnswer>(folder, ['study', 'run', file, '--dry-run'])
    const child = startKlens(folder, ['study', 'run', file, '--trust', programs?.hash ?? ''])
    const jobs = join(folder, '.klens', 'studies', 'tiny', 'jobs')
    const kept = (): number =>
      existsSync(join(jobs, '..', 'trials'))
        ? readdirSync(join(jobs, '..', 'trials'), { recursive: true }).filter(name => String(name).endsWith('2.txt'))
            .length
        : 0
    while (kept() < 2) await pause(20)
    child.kill('SIGKILL')
    await ended(child)
    const [claim] = readdirSync(jobs).filter(name => name.endsWith('.claim'))
    process.kill(-Number(readFileSync(join(jobs, claim), 'utf8').split('\n')[0]), 'SIGKILL')
    writeFileSync(join(folder, 'go'), '')
    const { out } = klens(folder, ['study', 'run', file, '--json'])
    const { trials } = JSON.parse(out.trim().split('\n').at(-1) ?? '') as StudyRunAnswer
    expect(trials.map(({ state }) => state)).toEqual(['done', 'done'])
    // The one that was killed went on; the other was found as it was.
    expect(starts(folder)).toEqual([expect.stringMatching(/^1 .*kept\/2\.txt$/), '1 fresh', '1 fresh'])
    const { cells } = klensJson<StudyStatusAnswer>(folder, ['study', 'status', file])
    expect(cells.map(({ n, value }) => [n, Number(value).toFixed(3)])).toEqual([
      [6, '0.521'],
      [6, '0.621'],
    ])
  })
})
