import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { sharedWorkspace } from '../../../test/workspace.js'
import { sideOf } from '../../core/analysis/compare/evidence.js'
import { differingSettings } from '../../core/analysis/differing-settings.js'
import { judgementBlocks } from '../../core/present/comparison.js'
import { blocksMarkdown } from '../../core/present/markdown.js'
import { speakerIn } from '../../core/present/speaker.js'
import { shownName } from '../../core/store/manifest.js'
import { compare } from './compare.js'
import { resolveAll } from './names.js'
import { report } from './report.js'
import { sweep } from './sweep.js'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))

const workspace = sharedWorkspace(join(EXAMPLES, 'grpo-addition'))

/** Two settings asked about at several doors. */
describe('two settings of one sweep', () => {
  it.each([
    ['three seeds each', ['kl-0.0/*', 'kl-0.3/*']],
    ['one seed each', ['kl-0.0/seed0', 'kl-0.3/seed0']],
  ])('are judged alike by compare and by sweep: %s', async (_, sides) => {
    for (const metric of ['val.score', 'val-core/addition/reward/mean@1', 'val-aux/addition/exact/mean@1']) {
      const compared = await answerTo(workspace(), compare, { sides, metric })
      const swept = await answerTo(workspace(), sweep, { runs: sides, over: ['kl.loss.coef'], metric })
      const { answer, estimate, interval, p, scope, question } = compared.verdicts[compared.headline.verdict]
      expect(swept.verdicts).toHaveLength(1)
      const close = (value: unknown) => (typeof value === 'number' ? expect.closeTo(value, 10) : value)
      expect(swept.verdicts[0]).toMatchObject({ answer, scope, question, estimate: close(estimate), p: close(p) })
      expect(swept.verdicts[0].interval).toEqual(interval?.map(close))
    }
  })
})

describe('three settings of one sweep', () => {
  it('have the p-values and answers of a comparison of the three', async () => {
    const sides = ['kl-0.0/*', 'kl-0.1/*', 'kl-0.3/*']
    const compared = await answerTo(workspace(), compare, { sides })
    const swept = await answerTo(workspace(), sweep, { runs: sides, over: ['kl.loss.coef'] })
    const contrasts = swept.verdicts.filter(({ question }) => question !== 'trend')
    expect(contrasts).toHaveLength(2)
    for (const [i, { headline }] of compared.others.entries()) {
      const { answer, p } = compared.verdicts[headline]
      expect(contrasts[i]).toMatchObject({ answer, p: expect.closeTo(Number(p), 10) })
    }
  })
})

describe('what stands beside a verdict', () => {
  it('counts the settings that differ alike in the terminal, the report and the page', async () => {
    const sides = ['kl-0.0/*', 'kl-ent-cosine/*']
    const compared = await answerTo(workspace(), compare, { sides })
    const { turned } = differingSettings(compared.others[0].confounds)
    const shown = blocksMarkdown(judgementBlocks(compared, 0, speakerIn('en')), id => id)
    const { blocks = [] } = await answerTo(workspace(), report, { runs: sides, write: false })
    const document = blocksMarkdown(blocks, id => id)
    expect(turned.length).toBeGreaterThan(2)
    const counts = [...`${shown} ${document}`.matchAll(/(\d+) settings (?:differ|changed)/g)].map(([, n]) => Number(n))
    expect(counts.length).toBeGreaterThan(1)
    expect(new Set(counts)).toEqual(new Set([turned.length]))
  })

  it('takes an estimator that only one side uses for no setting of its own', async () => {
    const compared = await answerTo(workspace(), compare, { sides: ['kl-0.0/*', 'kl-0.3/*'] })
    expect(differingSettings(compared.others[0].confounds).turned.map(({ key }) => key)).toEqual(['kl.loss.coef'])
  })

  it('names the first run of a side by its name, in whatever order the runs were found', async () => {
    const runs = await resolveAll(workspace(), ['kl-0.0/seed2', 'kl-0.0/seed1', 'kl-0.0/seed0'], {})
    const names = sideOf('kl-0.0', runs, null).runs.map(({ manifest }) => shownName(manifest))
    expect(names).toEqual(['kl-0.0/seed0', 'kl-0.0/seed1', 'kl-0.0/seed2'])
    const { blocks = [] } = await answerTo(workspace(), report, { runs: ['kl-0.0/*', 'kl-0.3/*'], write: false })
    expect(blocksMarkdown(blocks, id => id)).toContain("klens checkpoints 'kl-0.0/seed0'")
  })
})
