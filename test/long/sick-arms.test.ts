import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkpoints } from '../../src/app/ask/checkpoints.js'
import { compare } from '../../src/app/ask/compare.js'
import { diagnose } from '../../src/app/ask/diagnose.js'
import { report } from '../../src/app/ask/report.js'
import { samples } from '../../src/app/ask/samples.js'
import { train } from '../../src/app/ask/train.js'
import { answerTo } from '../ask.js'
import { sharedWorkspace } from '../workspace.js'

/**
 * Trainings in the gym with one thing wrong each, and what `diagnose` finds in them. All start from one small model that has
 * learned enough to earn something (data/intention-start); the same arms at full size are commands in
 * examples/intention-kl/README.md.
 */

const START = join(import.meta.dirname, '..', 'data', 'intention-start')
const SMALL = ['temperature=0.7', 'gym.max_turns=6', 'batch.prompts=4', 'eval.samples=20', 'save.every=1000']

const workspace = sharedWorkspace()

async function findingsOf(name: string, ...settings: readonly string[]): Promise<readonly string[]> {
  await answerTo(workspace(), train, { name, from: START, set: [...SMALL, ...settings] })
  const { findings } = await answerTo(workspace(), diagnose, { runs: [name] })
  return findings.filter(({ severity }) => severity !== 'note').map(({ rule }) => rule)
}

const COLLAPSES = ['validation-collapse', 'run-dead', 'reward-absorbing', 'validation-worsened']

describe('diagnose', () => {
  it('finds nothing grave in a healthy run', async () => {
    const found = await findingsOf('healthy', 'steps=25')
    for (const rule of ['environment-outage', 'reward-hacking', 'train-eval-prompt-mismatch', ...COLLAPSES]) {
      expect(found).not.toContain(rule)
    }
  })

  it.each(['missing', 'zero'])('tells a simulator that failed (%s) from a policy that collapsed', async failed => {
    const outage = [`gym.failed_call=${failed}`, 'gym.outage.from=14', 'gym.outage.to=19']
    const found = await findingsOf(`outage-${failed}`, 'steps=25', ...outage)
    expect(found).toContain('environment-outage')
    for (const rule of COLLAPSES) expect(found).not.toContain(rule)
  })

  // Forty small steps do not unlearn the task for the pay, which `reward-hacking` would see; the pay itself is seen at once.
  it('finds that the reward holds what the task does not say, where compound questions are paid for', async () => {
    const found = await findingsOf('hacked', 'steps=12', 'reward.compound=1.5')
    expect(found).toContain('loss-identity')
  })

  it('finds that the learning rate was sixty times too large', async () => {
    const found = await findingsOf('fast', 'steps=30', 'lr.grpo=6e-3')
    expect(found.some(rule => ['run-dead', 'validation-collapse'].includes(rule))).toBe(true)
  })

  it('finds that the reward was shown in training only', async () => {
    const found = await findingsOf('shown', 'steps=1', 'gym.show_reward=training')
    expect(found).toContain('train-eval-prompt-mismatch')
  })

  it('leaves the other verbs a run like any other: pairs of tasks, dialogues, a checkpoint to take, a report', async () => {
    const sides = ['healthy', 'fast']
    const { verdicts, headline } = await answerTo(workspace(), compare, { sides })
    expect(verdicts[headline.verdict]).toMatchObject({ scope: 'runs', baseline: 'healthy' })
    const shown = await answerTo(workspace(), samples, { sides: ['healthy@0', 'healthy@25'], flips: true })
    expect(shown).toMatchObject({ n: 20 })
    expect(shown.flips[0].outputs?.join()).toMatch(/1\. \[action\] .+\?[\s\S]*— (?:solved|stopped|limit)/)
    const { ranking } = await answerTo(workspace(), checkpoints, { run: 'healthy' })
    expect(ranking).toHaveLength(6)
    const output = join(workspace().root, 'report.md')
    await answerTo(workspace(), report, { runs: sides, output })
    expect(readFileSync(output, 'utf8')).toContain('interact_intention')
  })
})
