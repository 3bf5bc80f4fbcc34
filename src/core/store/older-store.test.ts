import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/workspace.js'
import { encodeJson, numberFromJson } from '../../logs/model/json.js'
import { listRuns, loadRun, stepRange } from './catalogue.js'
import { readEvaluations } from './evaluations.js'
import { emptyManifest, shownName, wholeConfig } from './manifest.js'
import { parseManifest, readManifest } from './manifest-file.js'
import { RunWriter } from './run-writer.js'
import { listSamples } from './samples.js'
import { type LoadedRun, readSeries } from './series.js'
import { runFolder, type Workspace, workspaceAt } from './workspace.js'

/** What 0.1 kept is all there, before and after this version has written to it. */

const FIXTURE = fileURLToPath(new URL('./fixtures/store-0.1', import.meta.url))

interface Expected {
  readonly id: string
  readonly name: string
  readonly points: readonly (readonly [metric: string, step: number, value: number | string | null])[]
}

const EXPECTED: readonly Expected[] = JSON.parse(readFileSync(join(FIXTURE, 'expected.json'), 'utf8'))

function olderStore(): Workspace {
  const root = join(temporaryFolder(), '.klens')
  cpSync(FIXTURE, root, { recursive: true })
  return workspaceAt(root)
}

async function loaded(workspace: Workspace, id: string): Promise<LoadedRun> {
  const run = await loadRun(workspace, id)
  if (run === null) throw new Error(`${id} is gone`)
  return run
}

/** In the words of expected.json. */
async function told(run: LoadedRun) {
  const { manifest } = run
  const { id, source, status, tags, evaluations, samples } = manifest
  const series = await readSeries(run, [...manifest.metrics.keys()])
  const points = [...series].flatMap(([metric, { steps, values }]) =>
    Array.from(steps, (step, i) => [metric, step, values[i]] as const),
  )
  expect((await readEvaluations(run)).length).toBe(evaluations)
  expect((await listSamples(run)).reduce((sum, { prompts }) => sum + prompts, 0)).toBe(samples)
  return {
    ...{ id, name: shownName(manifest), source, status, steps: stepRange(manifest), metrics: manifest.metrics.size },
    ...{ tags, config: wholeConfig(manifest), evaluations, samples, points: inOrder(points) },
  }
}

function inOrder(points: Expected['points']) {
  const plain = points.map(([metric, step, value]) => [metric, step, numberFromJson(value) ?? value] as const)
  return plain.toSorted(([a, i], [b, j]) => (a === b ? i - j : a < b ? -1 : 1))
}

describe('a store that klens 0.1 wrote', () => {
  it('is read without loss', async () => {
    const workspace = olderStore()
    const { entries, damaged } = await listRuns(workspace)
    expect(damaged).toEqual([])
    expect(entries.map(({ id }) => id).sort()).toEqual(EXPECTED.map(({ id }) => id).sort())
    for (const expected of EXPECTED) {
      expect(await told(await loaded(workspace, expected.id))).toEqual({
        ...expected,
        points: inOrder(expected.points),
      })
    }
    await workspace.close()
  })

  it('gets the lineage of its trainings and checkpoints into its place, and no file that is none', async () => {
    const workspace = olderStore()
    const of = async (name: string) => {
      const entry = (await listRuns(workspace)).entries.find(each => each.name === name)
      return (await loaded(workspace, entry?.id ?? '')).manifest
    }
    const [finished, killed, strange] = [await of('finished'), await of('killed'), await of('strange')]
    expect(finished.lineage).toEqual({
      parent: null,
      data: '67e89ba91c830c6524f96d3807c5e277d6819a2e131f60d67958a6768029d517',
      settings: expect.stringMatching(/^[0-9a-f]{64}$/),
      code: '0.1.0',
    })
    const contentHash = '735e92858cb8c2855a2547ff0db571496c71bc2133465cbd2d3159df886c775d'
    expect(killed.lineage.parent).toEqual({ contentHash, path: null, step: null, run: null })
    expect(strange.lineage.parent).toMatchObject({
      contentHash: 'ee16185ef3b935f14ac1105d055da910c27b74baa8af58274d20a4356f215768',
      path: '/tmp/store/other/strange.safetensors',
    })
    const dataset = 'dataset=digits-67e89ba9/split=test'
    expect([...(finished.evaluated?.keys() ?? [])]).toEqual([
      `eval.score/${dataset}/shots=1`,
      `eval.score/${dataset}/shots=2`,
    ])
    expect([finished.files, killed.files, strange.files]).toEqual([[], [], []])
    await workspace.close()
  })

  it('is brought up to date by the next write, the live file of a killed training included', async () => {
    const workspace = olderStore()
    for (const expected of EXPECTED) {
      const { name, source, lineage } = (await loaded(workspace, expected.id)).manifest
      const writer = await RunWriter.open(workspace, { id: expected.id, name, source }, 'import')
      await writer.close()
      expect(JSON.parse(readFileSync(join(runFolder(workspace, expected.id), 'run.json'), 'utf8')).format).toBe(2)
      const run = await loaded(workspace, expected.id)
      // Readers of a live file replay its points; its evaluations and samples are there when a writer has folded it.
      const folded = name === 'killed' ? { evaluations: 6, samples: 6 * 147 } : {}
      expect(await told(run)).toEqual({ ...expected, ...folded, points: inOrder(expected.points) })
      expect(run.manifest.lineage).toEqual(lineage)
      expect(run.live).toBeNull()
    }
    await workspace.close()
  })

  it('keeps what a run held before its log was written over', async () => {
    const workspace = olderStore()
    const manifest = await readManifest(workspace, EXPECTED[0].id)
    if (manifest === null) throw new Error('the run is gone')
    const plain = { ...manifest, format: 1, metrics: Object.fromEntries(manifest.metrics) }
    const { lineage: _, warnings: __, earlier: ___, ...held } = plain
    const read = parseManifest(encodeJson({ ...held, earlier: held }), 'run.json')
    expect(read.earlier?.metrics).toEqual(manifest.metrics)
    expect([read.format, read.earlier?.format]).toEqual([2, 2])
  })
})

it('refuses a manifest of a format to come', () => {
  const manifest = { ...emptyManifest('a', 'a', 'jsonl'), metrics: {}, format: 3 }
  expect(() => parseManifest(encodeJson(manifest), '/runs/a/run.json')).toThrow('unreadable: run.newer')
})
