import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { planStudy } from '../../lab/study/plan/plan-study.js'
import { Problem } from '../../logs/model/problem.js'
import { studyInit } from './study-marks.js'

/** Logs of verl with their configs beside them. */
function verlRun(folder: string, name: string, config: object): string {
  const path = join(folder, name)
  mkdirSync(path)
  const rows = [1, 2].map(step =>
    JSON.stringify({ step, data: { 'actor/kl_loss': step, 'critic/score/mean': name.length } }),
  )
  writeFileSync(join(path, 'log.jsonl'), `${rows.join('\n')}\n`)
  writeFileSync(join(path, 'config.json'), JSON.stringify(config))
  return path
}

describe('a study made of runs', () => {
  it('has what varies, what they share beyond defaults, their seeds, and can be planned', async () => {
    const folder = temporaryFolder()
    const common = { 'data.train_batch_size': 64, 'trainer.nnodes': 1, 'trainer.experiment_name': 'x\nengine: {}' }
    const runs = [0.001, 0.01].flatMap(coefficient =>
      [1, 2].map(seed =>
        verlRun(folder, `kl${coefficient}-${seed}-${'x'.repeat(seed)}`, {
          ...common,
          'actor_rollout_ref.actor.use_kl_loss': true,
          'actor_rollout_ref.actor.kl_loss_coef': coefficient,
          'data.seed': seed,
        }),
      ),
    )
    const file = join(folder, 'made.yaml')
    await answerTo(await temporaryWorkspace(), studyInit, { file, fromRuns: runs }, { importPaths: true })
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('Does actor_rollout_ref.actor.kl_loss_coef make a difference to val.score?')
    expect(text).toContain('# 1 further shared settings')
    expect(text).toMatch(/^#.*study adopt .*=actor_rollout_ref\.actor\.kl_loss_coef=0\.001\/1 /m)
    const { arms, trials, file: study } = await planStudy(file)
    expect(study.base).toEqual({ 'actor_rollout_ref.actor.use_kl_loss': true, 'data.train_batch_size': 64 })
    expect(study.engine).toMatchObject({ preset: 'verl' })
    expect(arms.map(({ settings }) => Object.values(settings))).toEqual([[0.001], [0.01]])
    expect(trials.map(({ seed }) => seed)).toEqual([1, 1, 2, 2])
  })

  it('wants runs of one program', async () => {
    const folder = temporaryFolder()
    const mine = join(folder, 'mine.jsonl')
    writeFileSync(mine, '{"step":1,"loss":2}\n{"step":2,"loss":1}\n')
    const other = verlRun(folder, 'other', { 'actor_rollout_ref.actor.kl_loss_coef': 1 })
    const asked = answerTo(
      await temporaryWorkspace(),
      studyInit,
      { file: join(folder, 'made.yaml'), fromRuns: [mine, other] },
      { importPaths: true },
    )
    await expect(asked).rejects.toThrow(Problem)
    await expect(asked).rejects.toThrow(/study.from-runs.mixed/)
  })
})
