import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { klensInside } from './cli-inside.js'
import { sharedFolder } from './workspace.js'

/** How `klens sweep` and `klens plan` read. What they say is tested in src/app/ask. */

const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url))
const BETAS = ['kl-0.12', 'kl-0.145', 'kl-0.15', 'kl-0.155', 'kl-0.18', '--over', 'KL_BETA']

const folder = sharedFolder()
beforeAll(async () => {
  await klensInside(folder, ['import', `${EXAMPLES}/kl-beta-sweep`])
})

describe('klens sweep', () => {
  it('puts the answer first, then the matrix, then what is wrong, then what would settle it', async () => {
    const { out, code } = await klensInside(folder, ['sweep', ...BETAS])
    expect(code).toBe(0)
    const places = ['UNDETERMINED', '1 shot', 'a row was copied', '±6.8 points', 'about 52,000 paired prompts'].map(
      words => out.indexOf(words),
    )
    expect(places.every(place => place >= 0)).toBe(true)
    expect([...places].sort((a, b) => a - b)).toEqual(places)
    expect(out).toContain('57=')
    expect(out).toContain('it belongs to 0.145')
  })

  it('speaks Chinese', async () => {
    const { out } = await klensInside(folder, ['sweep', ...BETAS, '--lang', 'zh'])
    for (const words of ['无法判定', '±6.8 个百分点', '52,000 个配对样本']) expect(out).toContain(words)
  })

  it('says in one sentence what is wrong', async () => {
    const { code, out, error } = await klensInside(folder, ['sweep', ...BETAS.slice(0, 5)])
    expect([code, out]).toEqual([2, ''])
    expect(error).toMatch(/^klens: name the swept config key with --over; these differ.*: kl\.loss\.coef.*\n$/)
  })
})

describe('klens plan', () => {
  it('prints what is needed, what it assumes, and how to split a budget', async () => {
    const given = ['--difference', '0.02', '--margin', '0.03', '--p', '0.6', '--seed-sd', '0.012']
    const budget = ['--budget', '100', '--cost-run', '3', '--cost-prompt', '0.001']
    const { code, out } = await klensInside(folder, ['plan', ...given, ...budget])
    expect(code).toBe(0)
    for (const words of [/difference of 0\.02/, /equivalence within 0\.03/, /seeds/, /20 %/]) expect(out).toMatch(words)
    const chinese = await klensInside(folder, ['plan', ...given, ...budget, '--lang', 'zh'])
    expect(chinese.out).toContain('个种子')
  })
})
