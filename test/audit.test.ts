import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { klensInside } from './cli-inside.js'
import { temporaryFolder } from './workspace.js'

/** What `klens audit` leaves to the shell. What it finds is tested in src/app/ask/audit.test.ts. */

const EXAMPLE = fileURLToPath(new URL('../examples/userrl-intentiongym', import.meta.url))

it('ends with 1 for a wrong figure and with 0 for warnings alone', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'report.md')
  writeFileSync(path, 'The reward rose from 2.0 to 3.0, i.e. by 20 %.\n')
  const wrong = await klensInside(folder, ['audit', path])
  expect([wrong.code, wrong.error]).toEqual([1, ''])
  expect(wrong.out).toContain('1 error')
  expect((await klensInside(folder, ['audit', path, '--fail-on', 'never'])).code).toBe(0)
  const data = ['--data', join(EXAMPLE, 'no-kl'), '--data', join(EXAMPLE, 'kl')]
  expect((await klensInside(folder, ['audit', join(EXAMPLE, 'estimates.md'), ...data])).code).toBe(0)
  expect((await klensInside(folder, ['audit', path, '--format', 'xml'])).error).toContain('"xml"')
})
