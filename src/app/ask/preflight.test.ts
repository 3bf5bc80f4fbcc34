import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { jsonInside, klensInside } from '../../../test/cli-inside.js'
import { launchFolder } from '../../../test/launch-folder.js'
import { temporaryFolder } from '../../../test/workspace.js'
import { LAUNCH_RULES } from '../../lab/launch/registry.js'
import type { PlanAnswer } from './plan.js'
import type { PreflightAnswer } from './preflight.js'

describe('klens preflight', () => {
  it('answers with the effective experiment, what it can detect, and findings with their lines', async () => {
    const folder = temporaryFolder()
    await launchFolder(folder)
    const answer = await jsonInside<PreflightAnswer>(folder, ['preflight', 'intention.sh'])
    const { effective, detectable, findings } = answer
    expect(effective).toMatchObject({
      framework: 'verl',
      kl: { where: 'loss', coefficient: 0.01, estimator: 'k3', reference: true },
      entropy: 0.01,
      clip: { inert: true },
      promptsPerStep: 6,
      groupSize: 8,
      updatesPerStep: 1,
      totalSteps: 630,
      evaluation: { every: 5, count: 126, prompts: 40 },
      checkpoints: { every: 5, saves: 126, kept: 2 },
      seed: null,
      data: { train: 380, validation: 40, shared: 3, moved: [] },
      turns: { limit: 16, executed: 15 },
      simulator: { state: 'unreachable' },
      cost: null,
    })
    expect(effective.rate?.atEvaluations[0]).toMatchObject({ step: 5, factor: expect.closeTo(0.157, 3) })
    expect(detectable).toMatchObject({ metric: 'val-core/interact_intention/reward/mean@1', n: 40, evals: 126 })
    for (const { line, message, remedy } of findings) {
      expect(line).toBeGreaterThan(0)
      expect(message).not.toMatch(/undefined|\{|NaN/)
      expect(remedy).not.toMatch(/undefined|\{|NaN/)
    }
  })

  it('says what the objective really does, and names defaults that depend on the release', async () => {
    const folder = temporaryFolder()
    await launchFolder(folder)
    const { objective } = await jsonInside<PreflightAnswer>(folder, ['preflight', 'intention.sh'])
    expect(objective).toMatchObject({
      paper: null,
      version: '0.4',
      clip: { low: 0.2, high: 0.2 },
      aggregation: 'token-mean',
      updates: 1,
      kl: [{ place: 'loss', coefficient: 0.01, estimator: 'k3', weight: 'none', gradient: 'biased' }],
    })
    expect(objective?.name).toContain('turn-level credit')
    expect(objective?.loss).toBe('token-mean[max(−A·r, −A·clip(r, 1±0.2))] + 0.01·token-mean[k3] − 0.01·token-mean[H]')
    const trl = await jsonInside<PreflightAnswer>(folder, [
      'preflight',
      'trl grpo --model_name_or_path m --num_generations 8',
    ])
    expect(trl.objective).toMatchObject({ framework: 'trl', version: null })
    expect(trl.objective?.unknown.join()).toContain('beta is left to its default, which depends on the release: 0 (')
    const weighed = await jsonInside<PreflightAnswer>(folder, ['preflight', 'trl grpo --num_generations 8 --beta 0.1'])
    expect(weighed.objective?.kl).toMatchObject([{ coefficient: 0.1, weight: null, gradient: null }])
    writeFileSync(join(folder, 'own.yaml'), 'task: intention\nkl: { loss: { coef: 0.1 } }\n')
    const own = await jsonInside<PreflightAnswer>(folder, ['preflight', 'own.yaml'])
    expect(own.objective).toMatchObject({
      aggregation: 'token-mean',
      updates: 1,
      kl: [{ estimator: 'k3', gradient: 'biased' }],
    })
    const open = await jsonInside<PreflightAnswer>(folder, [
      'preflight',
      'python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.actor.use_kl_loss=$KL',
    ])
    expect(open.objective).toMatchObject({ kl: null, paper: null })
  })

  it('reckons as klens plan does', async () => {
    const folder = temporaryFolder()
    await launchFolder(folder)
    const { detectable } = await jsonInside<PreflightAnswer>(folder, ['preflight', 'intention.sh', '--sd', '0.12'])
    const words = ['plan', '--sd', '0.12', '--prompts', '40', '--evals', '126', '--difference', '0.1']
    const planned = await jsonInside<PlanAnswer>(folder, words)
    expect(planned.detectable).toEqual([
      { prompts: 40, difference: detectable.difference },
      { evals: 126, difference: detectable.betweenRuns },
    ])
  })

  it('ends with 1 for findings that are grave enough, with 2 where nothing could be read, else with 0', async () => {
    const folder = temporaryFolder()
    await launchFolder(folder)
    const codes = []
    for (const words of [
      ['intention.sh'],
      ['intention.sh', '--fail-on', 'error'],
      ['intention.sh', '--fail-on', 'error', '--verl', '0.9.1'],
      ['intention.sh', '--fail-on', 'warning'],
      ['nothing.sh'],
      ['intention.sh', '--verl', '9.9'],
      ['train.parquet'],
    ]) {
      codes.push((await klensInside(folder, ['preflight', ...words])).code)
    }
    expect(codes).toEqual([0, 0, 1, 1, 2, 2, 2])
  })

  it('prints the same to people, in both languages', async () => {
    const folder = temporaryFolder()
    await launchFolder(folder)
    const english = await klensInside(folder, ['preflight', 'intention.sh'])
    expect(english.out).toMatch(/KL +0\.01 in the loss, by k3; reference loaded/)
    expect(english.out).toMatch(/warning +sum-is-mean +line 19/)
    const chinese = await klensInside(folder, ['preflight', 'intention.sh', '--lang', 'zh', '--all'])
    expect(chinese.out).toMatch(/警告 +sum-is-mean +第 19 行/)
  })

  it('takes words behind a script as what is added to its command', async () => {
    const folder = temporaryFolder()
    await launchFolder(folder)
    const words = ['preflight', 'intention.sh', 'actor_rollout_ref.actor.kl_loss_coef=0', 'trainer.total_epochs=2']
    const { effective } = await jsonInside<PreflightAnswer>(folder, words)
    expect([effective.kl.where, effective.totalSteps]).toEqual(['none', 126])
  })

  it('runs nothing of what it reads', async () => {
    const folder = temporaryFolder()
    const lines = [
      'touch ran',
      'X=$(touch ran) Y=`touch ran`',
      'eval "touch ran"',
      'source ./other.sh',
      '. ./other.sh',
      'cat <<EOF',
      '$(touch ran)',
      'EOF',
      'exec 3> ran',
      'python3 -m verl.trainer.main_ppo data.train_batch_size=$(touch ran; echo 8) trainer.nnodes=`touch ran` > ran',
    ]
    writeFileSync(join(folder, 'other.sh'), 'touch ran\n')
    writeFileSync(join(folder, 'hostile.sh'), lines.join('\n'))
    const { effective } = await jsonInside<PreflightAnswer>(folder, ['preflight', 'hostile.sh'])
    expect(effective.promptsPerStep).toBeNull()
    expect(existsSync(join(folder, 'ran'))).toBe(false)
  })

  it('finds data that lie beside a script which was written for another machine, and says so', async () => {
    const folder = temporaryFolder()
    const script = await launchFolder(folder)
    writeFileSync(script, readFileSync(script, 'utf8').replaceAll('_files=', '_files=/data/of/somebody/'))
    const { effective } = await jsonInside<PreflightAnswer>(folder, ['preflight', 'intention.sh'])
    expect([effective.data.train, effective.data.moved.length]).toEqual([380, 2])
  })

  it('reckons the cost from like runs of the workspace, and from no others', async () => {
    const folder = temporaryFolder()
    await launchFolder(folder)
    for (const [name, batch] of [
      ['alike', 6],
      ['other', 60],
    ] as const) {
      mkdirSync(join(folder, name))
      const rows = Array.from({ length: 5 }, (_, i) =>
        JSON.stringify({ step: i + 1, data: { 'perf/time_per_step': 120 * (batch / 6), 'actor/pg_loss': 0.1 } }),
      )
      writeFileSync(join(folder, name, `${name}.jsonl`), rows.join('\n'))
      const config = [
        `data: {train_batch_size: ${batch}, max_response_length: 4096}`,
        'actor_rollout_ref: {model: {path: /models/Qwen3-8B}, rollout: {n: 8}}',
        'trainer: {n_gpus_per_node: 3}',
      ]
      writeFileSync(join(folder, name, 'config.yaml'), config.join('\n'))
      await klensInside(folder, ['import', name])
    }
    const { effective } = await jsonInside<PreflightAnswer>(folder, ['preflight', 'intention.sh'])
    expect(effective.cost).toEqual({ secondsPerStep: 120, hours: 21, gpuHours: 63, runs: ['alike'] })
  })

  it('asks a simulator on this machine whether it answers, and one elsewhere only when told to', async () => {
    const folder = temporaryFolder()
    const script = await launchFolder(folder)
    const asked: string[] = []
    const server = createServer(({ url }, response) => {
      asked.push(url ?? '')
      response.end(JSON.stringify({ data: [{ id: 'another-model' }] }))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const text = readFileSync(script, 'utf8')
    const simulatorAt = async (url: string): Promise<PreflightAnswer> => {
      writeFileSync(script, text.replace('http://127.0.0.1:9/v1', url))
      return jsonInside<PreflightAnswer>(folder, ['preflight', 'intention.sh'])
    }
    const here = await simulatorAt(`http://127.0.0.1:${port}/v1`)
    expect(asked).toEqual(['/v1/models'])
    expect(here.effective.simulator?.state).toBe('reachable')
    expect(here.findings.find(({ rule }) => rule === 'simulator')?.message).toContain('does not serve user-simulator')
    const elsewhere = await simulatorAt('https://simulator.example/v1')
    expect(elsewhere.effective.simulator?.state).toBe('not-asked')
    expect(elsewhere.notChecked.map(({ rule }) => rule)).toEqual(['simulator'])
  })
})

describe('the pages of klens preflight', () => {
  it.each(['docs/verbs/preflight.md', 'docs/verbs/preflight.zh.md'])('%s names every rule', path => {
    const page = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
    for (const { id } of LAUNCH_RULES) expect(page).toContain(`\`${id}\``)
  })
})
