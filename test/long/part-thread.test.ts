import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listRuns, loadRun } from '../../src/core/store/catalogue.js'
import { importLogs } from '../../src/core/store/ingest.js'
import { openWorkspace } from '../../src/core/store/workspace.js'
import { klensJson } from '../cli.js'
import { temporaryFolder, temporaryWorkspace } from '../workspace.js'

/** The built command line encodes parts of a long run in a thread; the sources, which run here, do it in place. */
it('writes the parts of a long run byte by byte alike, in a thread or in place', async () => {
  const folder = temporaryFolder()
  const [metrics, steps] = [80, 13_500]
  const row = (step: number): string =>
    `{"step":${step},"data":{${Array.from({ length: metrics }, (_, i) => `"m/${i}":${(step * 31 + i) % 97}`).join()}}}\n`
  writeFileSync(join(folder, 'train.jsonl'), Array.from({ length: steps }, (_, step) => row(step)).join(''))
  const { runs } = klensJson<{ runs: readonly { points: number }[] }>(folder, ['import', 'train.jsonl'])
  expect(runs.map(({ points }) => points)).toEqual([metrics * steps])
  const here = await temporaryWorkspace()
  const there = await openWorkspace(folder, {})
  await importLogs(here, [join(folder, 'train.jsonl')])
  const [inPlace, byThread] = await Promise.all(
    [here, there].map(async workspace => {
      const [{ id }] = (await listRuns(workspace)).entries
      return (await loadRun(workspace, id))?.manifest
    }),
  )
  expect(existsSync('dist/cli/part-thread.cjs')).toBe(true)
  expect(byThread?.parts.length).toBe(2)
  expect(byThread?.checksums).toEqual(inPlace?.checksums)
  expect(byThread?.metrics).toEqual(inPlace?.metrics)
  await there.close()
}, 60_000)
