import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryWorkspace } from '../../../test/workspace.js'
import type { Workspace } from '../../core/store/workspace.js'
import { jobRecords } from './executor/records.js'
import { readFrozen } from './file/frozen.js'
import {
  keepArm,
  readAcknowledged,
  readAdopted,
  readDropLedger,
  readLooks,
  readSettled,
  readSettling,
  studyFolder,
} from './ledger.js'

const job = (workspace: Workspace, study: string) => jobRecords(workspace, study).read('one')

it.each([
  ['frozen.json', readFrozen, null],
  ['drops.json', readDropLedger, { drops: [], kept: [] }],
  ['adopted.json', readAdopted, {}],
  ['acknowledged.json', readAcknowledged, []],
  ['settle.json', readLooks, new Map()],
  ['settled.json', readSettled, null],
  ['settling.json', readSettling, null],
  ['jobs/one.json', job, null],
] as const)(
  '%s says nothing where it is not there, and is named where it was cut off or is no file',
  async (name, read, nothing) => {
    const workspace = await temporaryWorkspace()
    expect(await read(workspace, 'none')).toEqual(nothing)
    mkdirSync(join(studyFolder(workspace, 'cut'), 'jobs'), { recursive: true })
    mkdirSync(join(studyFolder(workspace, 'folder'), name), { recursive: true })
    const path = join(studyFolder(workspace, 'cut'), name)
    for (const text of ['', '{"format":1,', '[1]', '{}', '\0\0\0\0']) {
      writeFileSync(path, text)
      await expect(read(workspace, 'cut')).rejects.toMatchObject({ code: 'damaged', sentence: { params: { path } } })
    }
    await expect(read(workspace, 'folder')).rejects.toMatchObject({ code: 'damaged' })
  },
)

it('never writes over what cannot be read', async () => {
  const workspace = await temporaryWorkspace()
  mkdirSync(studyFolder(workspace, 'cut'), { recursive: true })
  const path = join(studyFolder(workspace, 'cut'), 'drops.json')
  const cut = '{"format":1,"drops":[{"arm":"a"'
  writeFileSync(path, cut)
  await expect(keepArm(workspace, 'cut', 'b')).rejects.toMatchObject({ code: 'damaged' })
  expect(readFileSync(path, 'utf8')).toBe(cut)
})
