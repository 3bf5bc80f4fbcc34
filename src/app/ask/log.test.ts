import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sharedFolder } from '../../../test/workspace.js'
import { workspaceAt } from '../../core/store/workspace.js'
import type { Message } from '../../logs/model/run.js'
import { LONGEST_LINE, log } from './log.js'
import { ask } from './question.js'
import { show } from './show.js'

async function* lines(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts
}

async function logged(root: string, ...texts: readonly string[]) {
  const workspace = workspaceAt(root)
  const passed: string[] = []
  const remarks: Message[] = []
  try {
    const answer = await ask(
      workspace,
      log,
      { name: 'mine', lines: lines(...texts), lang: 'en' },
      { onProgress: ({ line }) => passed.push(line), remark: each => void remarks.push(each) },
    )
    const shown = await ask(workspace, show, { run: 'mine', metric: [], lang: 'en' })
    return { answer, passed, shown, remarks }
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

  it('keep NaN and infinities, however they are written, and the other values of their lines', async () => {
    const { shown, passed } = await logged(
      join(sharedFolder(), '.klens'),
      '{"step":1,"loss":0.5,"lr":1}',
      '{"step":2,"loss":NaN,"lr":2}',
      '{"step":3,"loss":-Infinity,"lr":3}',
      '{"step":4,"loss":1e999,"lr":4}',
    )
    expect(passed).toEqual([])
    expect(shown.run.steps).toEqual([1, 4])
    const points = (name: string) => shown.series.find(({ metric }) => metric === name)?.points
    expect(points('loss')).toEqual([
      [1, 0.5],
      [2, 'NaN'],
      [3, '-Infinity'],
      [4, 'Infinity'],
    ])
    expect(points('lr')).toHaveLength(4)
  })

  it('are kept beside one whose step is no number and one that is endless, which are said', async () => {
    const { answer, shown, remarks } = await logged(
      join(sharedFolder(), '.klens'),
      '{"step":1,"loss":0.5}',
      '{"step":"x","loss":0.4}',
      '{"step":null,"loss":0.3}',
      'x'.repeat(LONGEST_LINE + 1),
      '{"step":"y","loss":0.2}',
    )
    expect(answer).toMatchObject({ rows: 2, ignored: 3 })
    expect(shown.series.find(({ metric }) => metric === 'loss')?.points).toEqual([
      [1, 0.5],
      [2, 0.3],
    ])
    expect(remarks).toMatchObject([
      { key: 'log.bad-step', params: { line: 2, step: '"x"' } },
      { key: 'log.long-line', params: { line: 4 } },
    ])
  })
})
