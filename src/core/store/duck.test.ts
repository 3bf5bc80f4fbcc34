import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/workspace.js'
import { sqlText } from './duck.js'
import { workspaceAt } from './workspace.js'

const SORTED = 'SELECT range AS i, hash(range) AS h FROM range(6_000_000) ORDER BY h'

it('spills into the workspace that is asked, each time, and leaves nothing there', async () => {
  for (const name of ['first', 'second']) {
    const root = join(temporaryFolder(), name)
    mkdirSync(root)
    const workspace = workspaceAt(root)
    const out = sqlText(join(root, 'sorted.parquet'))
    const sorting = workspace.duck.copy(`COPY (${SORTED}) TO ${out} (FORMAT parquet)`)
    const spilled = new Set<string>()
    const watching = setInterval(() => {
      for (const file of readdirSync(root, { recursive: true })) spilled.add(String(file))
    }, 5)
    await sorting.finally(() => clearInterval(watching))
    expect([...spilled].some(file => /^cache\/spill-.+\/.+/.test(file))).toBe(true)
    await workspace.close()
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(['cache', 'sorted.parquet'])
  }
})

it('removes what a killed process spilled, and leaves a living one alone', async () => {
  const root = temporaryFolder()
  const { hostname } = await import('node:os')
  const dead = `spill-${hostname()}-4194400-1`
  const alive = `spill-${hostname()}-${process.ppid}-1`
  for (const name of [dead, alive, 'spill-elsewhere-4194400-1'])
    mkdirSync(join(root, 'cache', name), { recursive: true })
  const workspace = workspaceAt(root)
  await workspace.duck.readRows('SELECT 1')
  expect(readdirSync(join(root, 'cache')).sort()).toEqual([alive, 'spill-elsewhere-4194400-1'].sort())
  await workspace.close()
})

it('answers while a stream of rows is being read', async () => {
  const workspace = workspaceAt(temporaryFolder())
  let rows = 0
  for await (const batch of workspace.duck.streamRows('SELECT range AS i FROM range(10_000)')) {
    rows += batch.length
    expect(await workspace.duck.readDoubles('SELECT 42::DOUBLE', 1)).toEqual([Float64Array.of(42)])
  }
  expect(rows).toBe(10_000)
  await workspace.close()
  await expect(workspace.duck.readRows('SELECT 1')).rejects.toThrow('closed')
})

it('closes under questions that have just been asked: each is answered or told so', async () => {
  for (let turn = 0; turn < 20; turn += 1) {
    const workspace = workspaceAt(temporaryFolder())
    await workspace.duck.readRows('SELECT 1')
    const asked = Array.from({ length: 4 }, () => workspace.duck.readRows('SELECT 42 AS x'))
    const answers = Promise.allSettled(asked)
    if (turn % 2 > 0) await new Promise(setImmediate)
    await workspace.close()
    for (const answer of await answers) {
      if (answer.status === 'fulfilled') expect(answer.value).toEqual([{ x: 42 }])
      else expect(answer.reason).toMatchObject({ message: 'this workspace has been closed' })
    }
  }
})
