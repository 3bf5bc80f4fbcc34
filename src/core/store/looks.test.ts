import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/workspace.js'
import { readLooks, recordLook } from './looks.js'
import { workspaceAt } from './workspace.js'

const PAIR = { sides: [['a1', 'a2'], ['b']], metric: 'val.score' }
const TWICE = 2
const at = (n: number) => ({ n, until: 5 * n })

describe('a look at a pair', () => {
  it('is remembered when the evaluations have doubled, and is the same look until then, whichever side stands first', async () => {
    const workspace = workspaceAt(temporaryFolder())
    expect(await recordLook(workspace, PAIR, at(9), TWICE)).toEqual([expect.objectContaining(at(9))])
    for (const n of [9, 12, 17]) expect(await recordLook(workspace, PAIR, at(n), TWICE)).toHaveLength(1)
    const turned = { sides: [['b'], ['a2', 'a1']], metric: PAIR.metric }
    expect(await recordLook(workspace, turned, at(18), TWICE)).toHaveLength(2)
    expect(await recordLook(workspace, { ...PAIR, metric: 'other' }, at(18), TWICE)).toHaveLength(1)
    expect(await readLooks(workspace, PAIR, TWICE)).toEqual([
      expect.objectContaining(at(9)),
      expect.objectContaining(at(18)),
    ])
  })

  it('is one look when many ask at once, and loses none', async () => {
    const root = temporaryFolder()
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, i) => recordLook(workspaceAt(root), PAIR, at(10 + (i % 10)), TWICE)),
    )
    expect(new Set(asked.map(looks => looks.length))).toEqual(new Set([1]))
    expect(new Set(asked.map(([{ n }]) => n)).size).toBe(1)
  })

  it('survives a line that was cut short, and a line of something else', async () => {
    const workspace = workspaceAt(temporaryFolder())
    const file = join(workspace.root, 'looks.jsonl')
    await recordLook(workspace, PAIR, at(9), TWICE)
    appendFileSync(file, '{"sides":[["a1"\n[]\nnull\n{"sides":[["a')
    expect(await recordLook(workspace, PAIR, at(20), TWICE)).toHaveLength(2)
    expect(readFileSync(file, 'utf8')).toContain('"n":20')
  })

  it('is answered where nothing can be written', async () => {
    const workspace = workspaceAt(temporaryFolder())
    mkdirSync(join(workspace.root, 'looks.jsonl'))
    expect(await recordLook(workspace, PAIR, at(9), TWICE)).toEqual([at(9)])
    expect(await recordLook(workspaceAt(join(workspace.root, 'nowhere')), PAIR, at(9), TWICE)).toEqual([at(9)])
  })
})
