import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { StudyStatusAnswer } from '../../src/logs/model/study/answers.js'
import { ended, klens, klensJson, startKlens } from '../cli.js'
import { temporaryFolder } from '../workspace.js'

/** A study with a stage and evaluations, killed over and over: it completes, and nothing is trained or evaluated twice. */

const STUDY = `question: does the KL matter?
base: {policy.hidden: 16, data.width: 16, data.candidates: 16, epochs: {rce: 0, grpo: 2}}
stages: {rce: {epochs: {rce: 1, grpo: 0}}}
from: rce
arms: {kl: {kl.loss.coef: 0.1}, no-kl: {kl.loss.coef: 0}}
evaluations: {held-out: {shots: [1, 2, 4], split: test, samples: 60, checkpoints: all}}
seeds: 2
`
const KILLS = 12

it('completes a study whose klens is killed at any moment', { timeout: 600_000 }, async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'tiny.yaml'), STUDY)
  const progress: number[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = startKlens(folder, ['study', kill % 3 === 2 ? 'eval' : 'run', 'tiny.yaml'])
    await pause(700 + 450 * kill)
    child.kill('SIGKILL')
    await ended(child)
    const { cells } = klensJson<StudyStatusAnswer>(folder, ['study', 'status', 'tiny.yaml'])
    progress.push(cells.filter(({ state }) => state === 'done').length)
  }
  // What a killed klens had begun may still be ending.
  let last = klens(folder, ['study', 'run', 'tiny.yaml'])
  for (let again = 0; last.code !== 0 && again < 3; again += 1) last = klens(folder, ['study', 'run', 'tiny.yaml'])
  expect(last.code).toBe(0)
  expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  const { cells, stages } = klensJson<StudyStatusAnswer>(folder, ['study', 'status', 'tiny.yaml'])
  expect(new Set(cells.map(({ state }) => state))).toEqual(new Set(['done']))
  expect(stages.map(({ state, runs }) => [state, runs.length])).toEqual([
    ['done', 1],
    ['done', 1],
  ])
  expect(cells.slice(0, 4).map(({ runs }) => runs.length)).toEqual([1, 1, 1, 1])
  expect(klensJson<readonly object[]>(folder, ['runs'])).toHaveLength(6)
  const records = readFileSync(join(folder, '.klens', 'studies', 'tiny', 'evaluations.jsonl'), 'utf8')
    .split('\n')
    .flatMap(line => {
      try {
        return line === '' ? [] : [JSON.parse(line)]
      } catch {
        return []
      }
    })
  const keys = records.map(({ condition, contentHash }) => `${condition} ${contentHash}`)
  expect(new Set(keys).size).toBe(keys.length)
  // Two stages at their end, four trials at two further steps, three numbers of shots.
  expect(keys).toHaveLength(3 * (2 + 4 * 2))
})
