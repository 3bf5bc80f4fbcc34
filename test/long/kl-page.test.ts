import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/app/ask/audit.js'
import { frontier } from '../../src/app/ask/frontier.js'
import { importLogs } from '../../src/core/store/ingest.js'
import { openWorkspace, type Workspace } from '../../src/core/store/workspace.js'
import { answerTo } from '../ask.js'
import { writeLab, writeLearnedLab } from '../support/labs.js'
import { sharedFolder } from '../workspace.js'

/**
 * docs/kl.md in both languages against the runs that it speaks of. A table under `<!-- frontier: DATA RUNS -->` holds what
 * `klens frontier` answers about them; every other figure is traced by the ledger of `klens audit`, or stands in such a table.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const EXAMPLE = join(ROOT, 'examples/learned-reward')
const folder = sharedFolder()
const workspaces = new Map<string, Workspace>()

beforeAll(async () => {
  writeLearnedLab(join(folder, 'letters'), 'letters', 'trl', ({ group }) => /^(?:beta|many-labels)/.test(group))
  writeLab(join(folder, 'addition'), 'addition', ({ group }) => /^kl-0/.test(group))
  const arms = readdirSync(EXAMPLE).filter(name => /^(?:few|many)-[\d.]+$/.test(name))
  const logs = {
    letters: [join(folder, 'letters')],
    addition: [join(folder, 'addition')],
    'learned-reward': arms.map(arm => join(EXAMPLE, arm)),
  }
  for (const [name, paths] of Object.entries(logs)) {
    const workspace = await openWorkspace(join(folder, 'workspaces', name), {})
    await importLogs(workspace, paths)
    workspaces.set(name, workspace)
  }
}, 600_000)

function workspaceOf(name: string): Workspace {
  const workspace = workspaces.get(name)
  if (workspace === undefined) throw new Error(`the page names ${name}, which this test does not import`)
  return workspace
}

const TABLE = /<!-- frontier: (\S+) (.+?) -->\n\n(?:\|.*\n){2}((?:\|.*\n)+)/g
const NUMBER = /[−-]?\d+(?:\.\d+)?/g

interface Printed {
  readonly text: string
  readonly value: number
  /** Half a unit of its last digit, and a little. */
  readonly rounding: number
}

function printed(text: string): readonly Printed[] {
  return [...text.matchAll(NUMBER)].map(([digits]) => {
    const decimals = digits.split('.')[1]?.length ?? 0
    return { text: digits, value: Number(digits.replace('−', '-')), rounding: 0.501 * 10 ** -decimals }
  })
}

function rowsOf(table: string): readonly (readonly Printed[])[] {
  return table.trimEnd().split('\n').map(printed)
}

describe.each(['docs/kl.md', 'docs/kl.zh.md'])('%s', path => {
  const page = readFileSync(join(ROOT, path), 'utf8')
  const tables = [...page.matchAll(TABLE)]

  it('prints in its tables what klens frontier answers', async () => {
    expect(tables.length).toBeGreaterThanOrEqual(4)
    for (const [, data, runs, table] of tables) {
      const { settings, pairs } = await answerTo(workspaceOf(data), frontier, { runs: runs.split(' ') })
      const expected = settings.map(({ label, values, score, kl, optimised }) => {
        const pair = pairs.find(({ other }) => other === label)
        return [
          ...Object.values(values).map(Number),
          score.estimate,
          ...(pair === undefined ? [] : [pair.score.estimate, ...(pair.score.interval ?? [])]),
          ...(kl === null ? [] : [kl.estimate]),
          ...(optimised === null ? [] : [optimised.estimate]),
        ].map(Number)
      })
      const rows = rowsOf(table)
      expect(rows.length, `${data} ${runs}`).toBe(expected.length)
      for (const [i, row] of rows.entries()) {
        const wanted = `${data} ${runs}: ${expected[i].map(value => value.toPrecision(4)).join(' ')}`
        expect(row.length, wanted).toBe(expected[i].length)
        for (const [j, { value, rounding }] of row.entries()) {
          expect(Math.abs(value - expected[i][j]), wanted).toBeLessThanOrEqual(rounding)
        }
      }
    }
  })

  it('has no figure that nobody can trace', async () => {
    const proven = new Set(
      tables.flatMap(([, , , table]) => rowsOf(table).flat()).map(({ text }) => text.replace('−', '')),
    )
    const rest = page.replace(TABLE, '')
    const untraced: string[] = []
    for (const workspace of workspaces.values()) {
      const { files } = await answerTo(workspace, audit, {
        texts: [{ name: path, text: rest }],
        data: ['*'],
        ledger: join(folder, 'ledger.json'),
      })
      const [{ ledger, findings }] = files
      expect(findings.filter(({ kind }) => kind === 'data')).toEqual([])
      untraced.push(
        ...(ledger ?? []).filter(({ state }) => state === 'untraced').map(({ line, text }) => `${line}: ${text}`),
      )
    }
    const nowhere = [...new Set(untraced)].filter(
      figure => untraced.filter(each => each === figure).length === workspaces.size,
    )
    expect(nowhere.filter(figure => !proven.has(figure.replace(/^\d+: /, '').replace(/[+−-]/, '')))).toEqual([])
  })
})
