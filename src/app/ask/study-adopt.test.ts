import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { starts, studyIn } from '../../../test/support/study-program.js'
import { temporaryWorkspace } from '../../../test/workspace.js'
import { studyAcknowledge, studyAdopt } from './study-marks.js'
import { studyRun } from './study-run.js'
import { studyStatus } from './study-status.js'

/** A run as another loop has left it: a log, and what it was told. */
function runElsewhere(folder: string, name: string, config: object, last: number): string {
  const path = join(folder, name)
  mkdirSync(path)
  const rows = [0.1, 0.2, last].map((score, i) =>
    JSON.stringify({ step: 10 * (i + 1), 'val.score': score, who: name.length }),
  )
  writeFileSync(join(path, 'metrics.jsonl'), `${rows.join('\n')}\n`)
  writeFileSync(join(path, 'config.json'), JSON.stringify(config))
  return path
}

describe('a run that was made elsewhere', () => {
  it('fills a cell, held against its settings, and is not trained again', async () => {
    const workspace = await temporaryWorkspace()
    const folder = dirname(workspace.root)
    const text = 'base: {steps: 6, kl.loss.coef: 0.1}\nvary: {add: [0, 0.1]}\nseeds: 1\n'
    const file = join(folder, studyIn(folder, text))
    const right = runElsewhere(folder, 'right', { steps: 6, kl_coef: 0.1, add: 0, seed: 1 }, 0.7)
    const wrong = runElsewhere(folder, 'wrongly', { steps: 6, kl_coef: 0.15, seed: 2 }, 0.8)
    writeFileSync(join(folder, 'model-30.bin'), 'weights')

    const one = await answerTo(
      workspace,
      studyAdopt,
      { file, runs: [`${right}=add=0/1`], checkpoint: join(folder, 'model-30.bin') },
      { importPaths: true },
    )
    expect(one.adopted).toMatchObject([
      { trial: 'tiny/add=0/seed1', differences: [], untold: [], checkpoint: { step: 30 } },
    ])
    const two = await answerTo(workspace, studyAdopt, { file, runs: [`${wrong}=add=0.1/seed1`] }, { importPaths: true })
    expect(two.adopted).toMatchObject([
      {
        differences: [
          { key: 'kl.loss.coef', study: 0.1, run: 0.15 },
          { key: 'seed', study: 1, run: 2 },
        ],
        untold: ['add'],
      },
    ])
    const { cells } = await answerTo(workspace, studyStatus, { file })
    expect(cells.map(({ state, value, checkpoint }) => [state, value, checkpoint?.step])).toEqual([
      ['done', 0.7, 30],
      ['suspicious', 0.8, undefined],
    ])
    expect(cells[1].suspicious[0]).toContain('was trained with other settings: kl.loss.coef is 0.15, 0.1 in the study')

    const { programs } = await answerTo(workspace, studyRun, { file, dryRun: true })
    await answerTo(workspace, studyRun, { file, trust: programs?.hash })
    expect(starts(folder)).toEqual([])
    await answerTo(workspace, studyAcknowledge, { file, trial: 'add=0.1/seed1', because: 'a typo in its config' })
    expect((await answerTo(workspace, studyStatus, { file })).cells[1].state).toBe('done')

    // Neither for two cells, nor beside a run of the study's own; and it can be taken back.
    const again = answerTo(workspace, studyAdopt, { file, runs: [`${right}=add=0.1/1`] }, { importPaths: true })
    await expect(again).rejects.toThrow(/study.adopt.twice/)
    await answerTo(workspace, studyAdopt, { file, runs: ['none=add=0.1/1'] })
    await answerTo(workspace, studyRun, { file })
    expect(starts(folder)).toEqual(['1 fresh'])
    const beside = answerTo(workspace, studyAdopt, { file, runs: [`${wrong}=add=0.1/1`] }, { importPaths: true })
    await expect(beside).rejects.toThrow(/study.adopt.there/)
    await expect(answerTo(workspace, studyAdopt, { file, runs: ['x=add=7/1'] })).rejects.toThrow(/study.adopt.form/)
  })
})
