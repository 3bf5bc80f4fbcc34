import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { resolveAll } from '../src/app/ask/names.js'
import { readLoggedSeries } from '../src/audit/inputs.js'
import { logOf } from '../src/audit/trace/log.js'
import { traceFigures } from '../src/audit/trace/trace.js'
import { workspaceAt } from '../src/core/store/workspace.js'
import { readDocument } from '../src/logs/document/document.js'
import { temporaryFolder } from './workspace.js'

/** How well figures are traced, over all reports of test/reports/traced and of strangers: what the docs promise. */

const figure = z.tuple([z.number(), z.number(), z.string(), z.enum(['prose', 'table'])]).rest(z.literal(1))
const reports = z.array(
  z.object({ name: z.string(), data: z.array(z.string()), clean: z.array(figure), changed: z.array(figure) }),
)

const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url))

interface Counted {
  readonly kind: 'prose' | 'table'
  readonly isChanged: boolean
  readonly state: string
}

async function countedIn(folder: string) {
  const read = (file: string): string => readFileSync(new URL(`reports/${folder}/${file}`, import.meta.url), 'utf8')
  const workspace = workspaceAt(join(temporaryFolder(), '.klens'))
  const counted: Counted[] = []
  for (const { name, data, clean, changed } of reports.parse(JSON.parse(read('figures.json')))) {
    const runs = await resolveAll(
      workspace,
      data.map(folder => join(EXAMPLES, folder)),
      {},
    )
    const logged = await readLoggedSeries(runs)
    expect(logOf(logged).runs.length).toBeGreaterThan(1)
    for (const [file, figures] of [
      [`${name}.md`, clean],
      [`${name}.changed.md`, changed],
    ] as const) {
      const document = readDocument(file, read(file))
      const traced = traceFigures(document, logged).figures.map(one => ({
        ...one,
        ...document.placeOf(one.figure.offset),
      }))
      for (const [line, column, , kind, isChanged] of figures) {
        const found = traced.find(one => one.line === line && Math.abs(one.column - column) <= 2)
        counted.push({ kind, isChanged: isChanged === 1, state: found?.state ?? 'unseen' })
      }
    }
  }
  await workspace.close()
  const share = (all: readonly Counted[], ...states: readonly string[]): number =>
    all.filter(({ state }) => states.includes(state)).length / all.length
  const wrong = counted.filter(({ isChanged }) => isChanged)
  const right = counted.filter(({ isChanged }) => !isChanged)
  const found = (kind: Counted['kind']): number =>
    share(
      wrong.filter(one => one.kind === kind),
      'contradicted',
    )
  return { share, wrong, right, found }
}

test('figures that were changed are found, true ones are traced and not accused', { timeout: 120_000 }, async () => {
  const { share, wrong, right, found } = await countedIn('traced')
  expect([wrong.length, right.length]).toEqual([wrong.length, right.length].map(count => Math.max(count, 80)))
  expect(found('prose')).toBeGreaterThanOrEqual(0.7)
  expect(found('table')).toBeGreaterThanOrEqual(0.95)
  expect(share(wrong, 'traced', 'derived')).toBeLessThanOrEqual(1 / 60)
  expect(share(right, 'contradicted')).toBeLessThanOrEqual(1 / 200)
  expect(share(right, 'traced', 'derived')).toBeGreaterThanOrEqual(0.9)
})

test('of reports by strangers most is traced, and little that is true accused', { timeout: 120_000 }, async () => {
  const { share, wrong, right, found } = await countedIn('strangers')
  expect(found('table')).toBeGreaterThanOrEqual(0.85)
  expect(share(right, 'contradicted')).toBeLessThanOrEqual(1 / 150)
  expect(share(right, 'traced', 'derived')).toBeGreaterThanOrEqual(0.66)
  expect(share(wrong, 'traced', 'derived')).toBeLessThanOrEqual(0.08)
})
