import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sharedFolder } from '../../../test/workspace.js'
import { workspaceAt } from '../../core/store/workspace.js'
import { log } from './log.js'
import { ask } from './question.js'
import { show } from './show.js'

async function* lines(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts
}

async function logged(root: string, ...texts: readonly string[]) {
  const workspace = workspaceAt(root)
  const passed: string[] = []
  try {
    const answer = await ask(
      workspace,
      log,
      { name: 'mine', lines: lines(...texts), lang: 'en' },
      { onProgress: ({ line }) => passed.push(line) },
    )
    const shown = await ask(workspace, show, { run: 'mine', metric: [], lang: 'en' })
    return { answer, passed, shown }
  } finally {
    await workspace.close()
  }
}

describe('lines of JSON on standard input', () => {
  const root = join(sharedFolder(), '.klens')

  it('become a run with its settings; what is said to people is passed on', async () => {
    const { answer, passed, shown } = await logged(
      root,
      'loading',
      '{"config":{"lr":1e-6}}',
      '{"step":1,"loss":0.5}',
      '{"step":2,"loss":0.25,"val/score":0.7}',
      '{broken',
    )
    expect(answer).toMatchObject({ rows: 2, ignored: 2, runs: [{ name: 'mine' }] })
    expect(passed).toEqual(['loading', '{broken'])
    expect(shown.run).toMatchObject({ status: 'unknown', steps: [1, 2], config: { lr: 1e-6 } })
    expect(shown.series.find(({ metric }) => metric === 'loss')?.points).toEqual([
      [1, 0.5],
      [2, 0.25],
    ])
  })

  it('go on where they ended, and count steps that are not told', async () => {
    const { shown } = await logged(root, '{"step":3,"loss":0.2}', '{"loss":0.1}')
    expect(shown.run.steps).toEqual([1, 4])
    const kept = readFileSync(join(root, 'logs', 'mine', 'metrics.jsonl'), 'utf8')
      .trim()
      .split('\n')
    expect(kept).toHaveLength(4)
    expect(JSON.parse(kept[3])).toMatchObject({ step: 4, loss: 0.1, timestamp: expect.any(Number) })
  })
})
