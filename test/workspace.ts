import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { importLogs } from '../src/core/store/ingest.js'
import { openWorkspace, type Workspace } from '../src/core/store/workspace.js'

/** A folder of one's own, gone when the test is. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'klens-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function temporaryWorkspace(): Promise<Workspace> {
  const workspace = await openWorkspace(temporaryFolder(), {})
  onTestFinished(() => workspace.close())
  return workspace
}

/** One for all tests of a group, gone after them. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'klens-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A workspace for all tests of a group, with these logs in it. */
export function sharedWorkspace(...logs: readonly string[]): () => Workspace {
  const folder = sharedFolder()
  let workspace: Workspace
  beforeAll(async () => {
    workspace = await openWorkspace(folder, {})
    if (logs.length > 0) await importLogs(workspace, logs)
  })
  afterAll(() => workspace.close())
  return () => workspace
}
