import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { StudySettleAnswer } from '../../src/logs/model/study/answers.js'
import { klens, klensJson } from '../cli.js'
import { answerOf, trainingsIn } from '../support/study-trainings.js'
import { temporaryFolder } from '../workspace.js'

it('a study buys the seeds of the next look until its budget is spent', { timeout: 120_000 }, () => {
  const folder = temporaryFolder()
  const file = trainingsIn(
    folder,
    'arms: {a: {}, b: {kl.loss.coef: 0.05}}\nseeds: [7]\nbudget: {trials: 10}\nsettle: {most: 6}\nmargin: 1e-6\n',
  )
  const answer = answerOf<StudySettleAnswer>(folder, ['study', 'settle', file])
  expect(answer.bought).toHaveLength(1)
  expect(answer.bought[0].trials).toHaveLength(10)
  expect(answer.bought[0].trials.at(-1)).toBe('tiny/b/seed11')
  expect(answer.looks).toMatchObject([{ other: 'b', seeds: 5 }])
  expect(answer.cost.trials).toBe(10)
  const isOpen = answer.answer === null
  expect(answer.stopped).toBe(isOpen ? 'out-of-budget' : null)
  const again = answerOf<StudySettleAnswer>(folder, ['study', 'settle', file])
  expect(again).toMatchObject({ bought: [], looks: answer.looks, answer: answer.answer })

  const report = klensJson<{ take: { arm: string; file: string } }>(folder, ['study', 'report', file, '-o', 'r.md'])
  expect(readFileSync(join(folder, report.take.file), 'utf8')).toContain('task: digits')
  const audited = klens(folder, ['audit', 'r.md', '--ledger', 'r.json'])
  expect(audited.out).toMatch(/ 0 contradicted, 0 untraced\n[\s\S]*0 errors, 0 warnings/)
  expect(klensJson(folder, ['study', 'drop', file, 'b'])).toMatchObject({ drops: [{ arm: 'b', by: 'person' }] })
  expect(klensJson(folder, ['study', 'keep', file, 'b'])).toMatchObject({ drops: [], kept: ['b'] })
  expect(klens(folder, ['study', 'drop', file, 'a']).error).toContain('is the baseline')
})
