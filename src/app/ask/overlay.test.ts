import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { sharedWorkspace, temporaryWorkspace } from '../../../test/workspace.js'
import { effects } from './effects.js'
import { keepPanels, overlay } from './overlay.js'
import { ask } from './question.js'
import { series } from './series.js'

const ADDITION = fileURLToPath(new URL('../../../examples/grpo-addition', import.meta.url))

describe('an overlay', () => {
  const workspace = sharedWorkspace(ADDITION)

  it('draws what fits a search and a setting, or what is ticked whether it fits or not', async () => {
    const fitting = await answerTo(workspace(), overlay, { search: '^kl-0', where: ['kl.loss.coef>0'] })
    expect(new Set(fitting.drawn.map(({ name }) => name.split('/')[0]))).toEqual(new Set(['kl-0.1', 'kl-0.3']))
    expect(fitting.found).toBe(fitting.drawn.length)
    const [{ id }] = (await answerTo(workspace(), overlay, { search: 'sick-lr-high' })).runs
    const ticked = await answerTo(workspace(), overlay, { search: '^kl-0', ids: [id] })
    expect(ticked.drawn.map(each => each.id)).toEqual([id])
    expect(ticked.runs.every(({ name }) => name.startsWith('kl-0'))).toBe(true)
  })

  it('names metrics by their meaning unless a run has two of it, and settings of the method that differ', async () => {
    const { metrics, settings, drawn } = await answerTo(workspace(), overlay, {
      search: '^kl-0',
      group: 'kl.loss.coef',
    })
    const names = metrics.map(({ metric }) => metric)
    expect(names).toContain('entropy')
    expect(names).toContain('val-core/addition/reward/mean@1')
    expect(names).not.toContain('val.score')
    expect(settings[0].key).toBe('kl.loss.coef')
    expect(new Set(drawn.map(({ value }) => value))).toEqual(new Set([0, 0.1, 0.3]))
  })

  it('has the date of points along time by the clock, or says which runs tell none', async () => {
    const [{ id }] = (await answerTo(workspace(), overlay, { search: 'kl-0.0/seed0' })).runs
    const { series: found, without } = await answerTo(workspace(), series, {
      runs: [id],
      metric: ['entropy'],
      along: 'time',
    })
    expect(found.length + without.length).toBe(1)
  })

  it('says of each setting what it does, and why not where nothing can be said', async () => {
    const { drawn } = await answerTo(workspace(), overlay, { search: '^kl-0' })
    const asked = { runs: drawn.map(({ id }) => id), over: ['kl.loss.coef', 'lr'] }
    const [coefficient, rate] = (await answerTo(workspace(), effects, asked)).effects
    const cells = coefficient.sweep?.cells ?? []
    expect(cells.map(({ values }) => values['kl.loss.coef'])).toEqual([0, 0.1, 0.3])
    for (const { mean, interval, runScores } of cells) {
      expect(runScores).toHaveLength(3)
      expect(interval?.[0]).toBeLessThan(Number(mean))
      expect(interval?.[1]).toBeGreaterThan(Number(mean))
    }
    expect(rate).toMatchObject({ sweep: null, reason: expect.stringContaining('lr') })
  })
})

describe('panels', () => {
  const panels = [{ metric: 'entropy', columns: 2, height: 300 }]

  it('are kept for the workspace; a file that cannot be read is as good as none', async () => {
    const workspace = await temporaryWorkspace()
    const left = { panels, sizes: [{ metric: 'kl.ref', columns: 1, height: 500 }], logX: true, logY: false }
    await answerTo(workspace, keepPanels, left)
    expect((await answerTo(workspace, overlay, {})).kept).toEqual(left)
    const earlier = '[{"metric":"entropy","isWide":true,"isTall":false}]'
    for (const [text, pinned] of [
      ['{"panels":', []],
      [earlier, [{ metric: 'entropy', columns: 1, height: 190 }]],
    ] as const) {
      writeFileSync(join(workspace.root, 'panels.json'), text)
      const { kept } = await answerTo(workspace, overlay, {})
      expect(kept).toEqual({ panels: pinned, sizes: [], logX: false, logY: false })
    }
  })

  it('are few, and named shortly', async () => {
    const workspace = await temporaryWorkspace()
    const many = Array.from({ length: 51 }, () => panels[0])
    const long = [{ ...panels[0], metric: 'x'.repeat(501) }]
    for (const refused of [many, long]) await expect(ask(workspace, keepPanels, { panels: refused })).rejects.toThrow()
  })
})
