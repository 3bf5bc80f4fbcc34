import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { sharedFolder, sharedWorkspace } from '../../../test/workspace.js'
import { decisionBlocks } from '../../core/present/decision.js'
import { blocksMarkdown } from '../../core/present/markdown.js'
import { speakerIn } from '../../core/present/speaker.js'
import { seededRandom } from '../../stats/random.js'
import { compare } from './compare.js'
import { decide } from './decide.js'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))

/** One seed of each of two coefficients, validated on thirty prompts: far too little to tell them apart. */
function oneSeedEach(folder: string): string {
  const random = seededRandom(5)
  for (const [coefficient, level] of [
    [0.001, 0.205],
    [0.05, 0.185],
  ]) {
    const run = join(folder, `kl${coefficient}-s1`)
    mkdirSync(run, { recursive: true })
    const config = {
      'actor_rollout_ref.actor.use_kl_loss': true,
      'actor_rollout_ref.actor.kl_loss_coef': coefficient,
      'trainer.total_training_steps': 300,
    }
    writeFileSync(join(run, 'config.json'), JSON.stringify(config))
    const rows = Array.from({ length: 15 }, (_, i) => {
      const score = level + 0.03 * random.normal()
      return JSON.stringify({ step: 20 * (i + 1), 'val-core/aime_2024/reward/mean@32': score })
    })
    writeFileSync(join(run, 'metrics.jsonl'), `${rows.join('\n')}\n`)
  }
  return folder
}

describe('a decision between two settings', () => {
  const single = sharedWorkspace(oneSeedEach(sharedFolder()))
  const several = sharedWorkspace(join(EXAMPLES, 'grpo-addition'))

  it('after one seed of each is as unsure as the comparison of the two, and suggests the same seeds', async () => {
    const compared = await answerTo(single(), compare, { sides: ['kl0.05-s1', 'kl0.001-s1'] })
    const decided = await answerTo(single(), decide, {})
    const verdict = compared.verdicts[compared.headline.verdict]
    expect(verdict.answer).toBe('undetermined')
    const { answer, estimate, interval, p, toSettle } = decided.judged?.verdict ?? {}
    expect({ answer, estimate, interval, p, toSettle }).toEqual({
      answer: verdict.answer,
      estimate: verdict.estimate,
      interval: verdict.interval,
      p: verdict.p,
      toSettle: verdict.toSettle,
    })
    expect(decided.judged?.choose?.probability).toBe(compared.choose?.probability)
    expect(decided.judged?.choose?.probability).toBeLessThan(0.9)
    expect(decided.next.map(({ buy, count }) => [buy, count])).toEqual([
      ['seed', 2],
      ['seed', 2],
    ])
    expect(decided.expectedLoss).toBeGreaterThan(1e-4)
  })

  it('says so in words: run more seeds, expected loss, never that there is nothing to run', async () => {
    const text = blocksMarkdown(decisionBlocks(await answerTo(single(), decide, {}), speakerIn('en')), id => id)
    expect(text).toMatch(/Expected loss \(regret\)/)
    expect(text).toMatch(/run 2 more seeds of kl\.loss\.coef=0\.001/)
    expect(text).not.toMatch(/nothing to run|Nothing:|buy|gives away/)
  })

  it('after three seeds of each gives the verdict, the odds and the seeds that a comparison gives', async () => {
    const runs = ['kl-0.0/*', 'kl-0.3/*']
    const compared = await answerTo(several(), compare, { sides: ['kl-0.3/*', 'kl-0.0/*'] })
    const decided = await answerTo(several(), decide, { runs })
    const { baseline: _, other: __, ...own } = compared.verdicts[compared.headline.verdict]
    expect(decided.judged?.verdict).toMatchObject(own)
    expect(decided.judged).toMatchObject({ seeds: [3, 3], choose: { probability: compared.choose?.probability } })
    expect(decided.ship).toMatchObject({ setting: 'kl.loss.coef=0' })
  })
})
