import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { StudyRunAnswer, StudyStatusAnswer } from '../src/logs/model/study/answers.js'
import { klens, klensJson } from './cli.js'
import { servedStudy } from './support/served-study.js'
import { temporaryFolder } from './workspace.js'

describe('services beside the programs of a study', () => {
  it('score every checkpoint that was asked for, and judge the study by it', () => {
    const { folder, hash } = servedStudy(text => text.replace('every: 20', 'every: 30'))
    const { out } = klens(folder, ['study', 'run', 'served.yaml', '--trust', hash, '--json'])
    const { trials } = JSON.parse(out.trim().split('\n').at(-1) ?? '') as StudyRunAnswer
    expect(trials.map(({ state }) => state)).toEqual(['done', 'done'])
    const { cells } = klensJson<StudyStatusAnswer>(folder, ['study', 'status', 'served.yaml'])
    const scored = cells.filter(({ evaluation }) => evaluation === 'judged')
    expect(scored.map(({ checkpoint, n }) => [checkpoint?.step, n])).toEqual(['free', 'held'].flatMap(() => [[60, 50]]))
    const judged = cells.filter(({ evaluation }) => evaluation === null)
    expect(judged.map(({ value }) => value)).toEqual(scored.map(({ value }) => value))
    // Nothing is left to do, and nothing is started again.
    expect(klens(folder, ['study', 'run', 'served.yaml']).out).not.toContain('started')
  }, 60_000)

  it('say why one did not become ready, and leave the trial failed', () => {
    const { folder, hash } = servedStudy(text =>
      text.replace('bandit-served.mjs, judge,', 'bandit-served.mjs, nobody,'),
    )
    const { out } = klens(folder, ['study', 'run', 'served.yaml', '--trust', hash])
    expect(out).toContain('the service "judge" did not become ready')
    expect(out).toContain('is not a function')
  }, 60_000)
})

it.each([
  ['a blank that nothing fills', '"{judge.url}"', '"{juge.url}"', 'did you mean "judge.url"'],
  ['an evaluation that names no checkpoint', '"{checkpoint}", --out', 'one, --out', 'names {checkpoint}'],
  [
    'a member for klens alone',
    '    scores: scores.jsonl',
    '    scores: scores.jsonl\n    shots: [2]',
    'tell the command',
  ],
])('refuses %s before anything is started', (_, from, to, said) => {
  const folder = temporaryFolder()
  const text = readFileSync(join(import.meta.dirname, '..', 'examples', 'studies', 'bandit-served.yaml'), 'utf8')
  writeFileSync(join(folder, 'served.yaml'), text.replace(from, to))
  expect(klens(folder, ['study', 'run', 'served.yaml', '--dry-run'])).toMatchObject({
    code: 2,
    error: expect.stringContaining(said),
  })
})
