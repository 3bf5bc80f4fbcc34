import { join } from 'node:path'
import { expect, it } from 'vitest'
import { klensInside } from './cli-inside.js'
import { temporaryFolder } from './workspace.js'

/** How `klens train` and `klens eval` read. What they do is tested in src/app/ask/train.test.ts. */

const QUICK = ['epochs.rce=1', 'epochs.grpo=1', 'policy.hidden=16', 'data.width=16', 'data.candidates=16']
const SETTINGS = QUICK.flatMap(setting => ['--set', setting])

it('a training prints a line per epoch, or as JSON; eval prints a table', async () => {
  const folder = temporaryFolder()
  const { code, out } = await klensInside(folder, ['train', ...SETTINGS, '--name', 'mine'])
  expect(code).toBe(0)
  expect(out).toMatch(/^training mine \(\w+\): \d+ queries/)
  expect(out).toMatch(/random 0\.\d+/)
  expect(out).toMatch(/\n +epoch +phase +loss.*\n +1 +rce .*\n +2 +grpo .*\n/)
  const id = /\((\w+)\)/.exec(out)?.[1] ?? ''

  const again = await klensInside(folder, ['train', ...SETTINGS, '--json', '--fresh'])
  const lines = again.out.trim().split('\n')
  expect(lines.map(line => Object.keys(JSON.parse(line)))).toEqual([
    ['epoch', 'phase', 'metrics', 'volatile'],
    ['epoch', 'phase', 'metrics', 'volatile'],
    ['run', 'status', 'lastEpoch', 'checkpoints', 'evaluations', 'volatile'],
  ])

  const file = (epoch: number): string => join('.klens', 'runs', id, 'checkpoints', `epoch${epoch}.safetensors`)
  const scores = await klensInside(folder, ['eval', file(1), file(2), '--shots', '1,2', '--samples', '20'])
  expect(scores.out).toMatch(/1 shot +2 shots\n/)
  expect(scores.out).toMatch(
    /2 shots: identical selections on [\d.]+ % of 20 queries|identical selections, in the same order/,
  )
  expect((await klensInside(folder, ['train', '--set', 'kl.los.coef=1'])).error).toContain(
    'Did you mean "kl.loss.coef"?',
  )
})
