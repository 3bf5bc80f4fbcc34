import { beforeAll, describe, expect, it } from 'vitest'
import { klensInside } from './cli-inside.js'
import { fixture } from './support/reading.js'
import { sharedFolder } from './workspace.js'

/** How `klens samples` reads. What it finds is tested in src/app/ask/samples.test.ts. */

describe('klens samples', () => {
  const folder = sharedFolder()
  beforeAll(async () => {
    expect((await klensInside(folder, ['import', fixture('completions')])).code).toBe(0)
  })
  const printed = async (...words: string[]) => (await klensInside(folder, ['samples', ...words])).out

  it('shows answers side by side, in both languages', async () => {
    const out = await printed('no-kl@40', 'kl@45', '--flips', '--limit', '1')
    expect(out).toContain('flipped to right  12')
    expect(out).toMatch(/no-kl@40 +│ kl@45/)
    expect(await printed('no-kl@40', '--failures', '--lang', 'zh')).toContain('被截断')
  })

  it('says plainly when all choices are the same, and where to look', async () => {
    expect(await printed('kl@45', 'kl@45')).toContain('klens weights diff')
  })

  it('says in one sentence what is wrong', async () => {
    const { code, error } = await klensInside(folder, ['samples', 'kl@45', '--metric', 'nonsense'])
    expect({ code, told: error.includes('val/format') }).toEqual({ code: 2, told: true })
  })
})
