import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { importLogs } from './ingest.js'

it('a step column that was named once is known for that file from then on', async () => {
  const path = join(temporaryFolder(), 'progress.csv')
  const write = (rows: number): void =>
    writeFileSync(path, `played,reward\n${Array.from({ length: rows }, (_, i) => `${100 * i},${i / 7}\n`).join('')}`)
  write(5)
  const workspace = await temporaryWorkspace()
  expect((await importLogs(workspace, [path])).runs).toEqual([])
  const { runs } = await importLogs(workspace, [path], { hints: { step: 'played' } })
  expect(runs).toMatchObject([{ segments: [{ firstStep: 0, lastStep: 400 }] }])
  write(8)
  const again = await importLogs(workspace, [path])
  expect(again.runs).toMatchObject([{ id: runs[0]?.id, segments: [{ firstStep: 0, lastStep: 700 }] }])
})
