import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { klensInside } from './cli-inside.js'
import { temporaryFolder } from './workspace.js'

it('finds in a console of Lever-Plus that weights were missing when they were loaded, as an error', async () => {
  const folder = temporaryFolder()
  const lines = [
    "缺失的键: ['pointer_selector.cross_attn_layers.0.in_proj_weight']",
    "意外的键: ['pointer_selector.cross_attn.in_proj_weight']",
    ' Epoch   Train Loss     Val Loss     PPO Loss         KL    Adv Std    Adv Max     Beta',
    ...[1, 2, 3].map(
      epoch => `     ${epoch}      0.01000      8.36909      0.00900    0.01095     0.9466     1.0697   0.1450`,
    ),
  ]
  writeFileSync(join(folder, 'train.log'), `${lines.join('\n')}\n`)
  await klensInside(folder, ['import', join(folder, 'train.log')])
  const { out } = await klensInside(folder, ['diagnose', '*', '--json'])
  const { findings } = JSON.parse(out)
  expect(findings.filter(({ rule }: { rule: string }) => rule === 'weights-not-loaded')).toMatchObject([
    { severity: 'error', evidence: { missing: 1, unexpected: 1 } },
  ])
})
