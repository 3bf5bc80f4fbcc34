import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { sharedWorkspace } from '../../../test/workspace.js'
import { compare } from './compare.js'
import { sweep } from './sweep.js'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))

/** Two settings asked about at several doors. */
describe('two settings of one sweep', () => {
  const workspace = sharedWorkspace(join(EXAMPLES, 'grpo-addition'))

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
