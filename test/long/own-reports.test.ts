import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { audit } from '../../src/app/ask/audit.js'
import { report } from '../../src/app/ask/report.js'
import { listRuns } from '../../src/core/store/catalogue.js'
import { answerTo } from '../ask.js'
import { sharedFolder, sharedWorkspace } from '../workspace.js'

/** Every run of the examples, pairs of them and the sweeps: klens's own reports trace to the last figure. */

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url))
const SETS = ['grpo-addition', 'userrl-intentiongym', 'kl-beta-sweep', 'plan-six', 'kl-012-015', 'trl-gym']

describe('reports of every run of the examples', () => {
  const workspace = sharedWorkspace(...SETS.map(name => join(EXAMPLES, name)))
  const folder = sharedFolder()

  it('are traced completely and without a finding, alone, in pairs and in sweeps, in both languages and formats', async () => {
    const { entries } = await listRuns(workspace())
    const ids = entries.map(({ id }) => id)
    const pairs = ids.slice(1).map((id, i) => [ids[i], id])
    const sweeps = [
      { runs: ['kl-0.0/*', 'kl-0.1/*', 'kl-0.3/*'] },
      { runs: ['kl-0.12', 'kl-0.145', 'kl-0.15'], over: ['kl.loss.coef'] },
    ]
    const orders = [...ids.map(id => ({ runs: [id] })), ...pairs.map(runs => ({ runs })), ...sweeps]
    const open: unknown[] = []
    let [written, figures] = [0, 0]
    for (const order of orders) {
      for (const [lang, extension] of [
        ['en', 'md'],
        ['zh', 'html'],
      ]) {
        const output = join(folder, `${written}.${extension}`)
        const made = await answerTo(workspace(), report, { ...order, lang, output }).catch(() => null)
        // Two runs without a score in common have no report.
        if (made === null) continue
        written += 1
        const { files } = await answerTo(workspace(), audit, { reports: [output], data: order.runs })
        for (const { findings, ledger } of files) {
          figures += ledger?.length ?? 0
          const untraced = ledger?.filter(({ state }) => state !== 'traced' && state !== 'derived') ?? []
          if (findings.length + untraced.length > 0) open.push({ order, lang, findings, untraced })
        }
      }
    }
    expect(open).toEqual([])
    expect(written).toBeGreaterThan(80)
    expect(figures).toBeGreaterThan(3000)
  }, 1_200_000)
})
