import { appendFileSync, copyFileSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { listRuns, loadRun } from '../../core/store/catalogue.js'
import { importLogs } from '../../core/store/ingest.js'
import { readSeries } from '../../core/store/series.js'
import type { Workspace } from '../../core/store/workspace.js'
import { origin } from './origin.js'

const FIXTURES = fileURLToPath(new URL('../../logs/sources/fixtures', import.meta.url))

async function workspaceWith(...paths: readonly string[]): Promise<Workspace> {
  const workspace = await temporaryWorkspace()
  await importLogs(workspace, paths)
  return workspace
}

/** A log of one's own, written twice at step 2. */
function ownLog(): string {
  const folder = join(temporaryFolder(), 'mine')
  mkdirSync(folder)
  const rows = [
    { step: 1, loss: 0.5, kl: 0.25 },
    { step: 2, loss: 0.4, kl: 0.5 },
    { step: 2, loss: 0.5, kl: 0.4 },
  ]
  writeFileSync(join(folder, 'metrics.jsonl'), `# mine\n${rows.map(row => JSON.stringify(row)).join('\n')}\n`)
  return join(folder, 'metrics.jsonl')
}

describe('the origin of a number', () => {
  it('is the line of the log that counts, with the number marked', async () => {
    const path = ownLog()
    const workspace = await workspaceWith(path)
    const answer = await answerTo(workspace, origin, { run: 'mine', metric: 'loss', step: 2 })
    const [point] = answer.points
    expect(point).toMatchObject({ value: 0.5, file: { path }, place: { unit: 'line', number: 4, line: 4 }, why: null })
    const marked = point.lines.find(({ mark }) => mark !== null)
    expect(marked?.number).toBe(4)
    expect(marked?.text.slice(marked.mark?.from, marked.mark?.to)).toBe('0.5')
    expect(marked?.text.slice(0, marked.mark?.from)).toMatch(/"loss":$/)
  })

  it('of a stretch is that of its lowest and its highest point', async () => {
    const workspace = await workspaceWith(ownLog())
    const { points, total } = await answerTo(workspace, origin, { run: 'mine', metric: 'kl', step: 0, to: 9 })
    expect(total).toBe(2)
    expect(points.map(({ value, place }) => [value, place?.number])).toEqual([
      [0.25, 2],
      [0.4, 4],
    ])
  })

  it.each([
    ['verl', 'line'],
    ['openrlhf', 'text'],
    ['lever/kl012', 'text'],
    ['hf/output/crashed', 'text'],
    ['tensorboard', 'record'],
    ['wandb', 'record'],
    ['hf/grpo', 'entry'],
    ['tables', 'line'],
  ])('is found in the logs of %s, by %s', async (folder, unit) => {
    const workspace = await workspaceWith(join(FIXTURES, folder))
    const { entries } = await listRuns(workspace)
    const units: (string | undefined)[] = []
    for (const { id } of entries) {
      const run = await loadRun(workspace, id)
      const logged = [...(run?.manifest.metrics.keys() ?? [])].filter(name => !run?.manifest.evaluated?.has(name))
      const metric = logged.find(name => (run?.manifest.metrics.get(name)?.n ?? 0) > 0)
      if (run === null || metric === undefined) continue
      const series = (await readSeries(run, [metric])).get(metric)
      const step = series?.steps.at(-1)
      const { points } = await answerTo(workspace, origin, { run: id, metric, step })
      const [{ place, lines, file }] = points
      units.push(place?.unit)
      const marked = lines.find(({ mark }) => mark !== null)
      if (marked?.mark == null || file === null) continue
      expect(Number(marked.text.slice(marked.mark.from, marked.mark.to))).toBe(series?.values.at(-1))
      // Where the line stands by an editor's count.
      const own = readFileSync(file.path, 'utf8').split('\n')[Number(marked.number) - 1]
      expect(own.replace(/[\r\u001b]/g, '')).toContain(marked.text.slice(marked.mark.from, marked.mark.to))
    }
    expect(units).toContain(unit)
  })

  it('is not told of a file that is another one now, is gone, or was replaced by a link', async () => {
    const path = ownLog()
    const workspace = await workspaceWith(path)
    const asked = { run: 'mine', metric: 'loss', step: 1 }
    const why = async () => (await answerTo(workspace, origin, asked)).points[0]
    appendFileSync(path, '{"step": 3, "loss": 0.1}\n')
    expect((await why()).place).toMatchObject({ number: 2 })
    const elsewhere = join(temporaryFolder(), 'secret.jsonl')
    copyFileSync(path, elsewhere)
    renameSync(path, `${path}.old`)
    expect(await why()).toMatchObject({ file: null, lines: [], why: expect.stringMatching(/no longer at its path/) })
    symlinkSync(elsewhere, path)
    expect(await why()).toMatchObject({
      file: null,
      lines: [],
      why: expect.stringMatching(/has changed since it was read/),
    })
    renameSync(path, `${path}.link`)
    writeFileSync(path, '{"step": 1, "loss": 0.5, "secret": true}\n')
    expect(await why()).toMatchObject({
      file: null,
      lines: [],
      why: expect.stringMatching(/has changed since it was read/),
    })
  })

  it('beyond this machine is shown only of files in the workspace', async () => {
    const workspace = await workspaceWith(ownLog())
    const asked = { run: 'mine', metric: 'loss', step: 1, reach: 'workspace' }
    const outside = await answerTo(workspace, origin, asked)
    expect(outside.points[0]).toMatchObject({ value: 0.5, file: null, lines: [] })
    const uploads = join(workspace.root, 'uploads')
    mkdirSync(uploads)
    writeFileSync(join(uploads, 'sent.jsonl'), '{"step": 1, "loss": 0.75}\n')
    await importLogs(workspace, [uploads])
    const inside = await answerTo(workspace, origin, { ...asked, run: 'sent' })
    expect(inside.points[0].place).toMatchObject({ line: 1 })
  })
})
