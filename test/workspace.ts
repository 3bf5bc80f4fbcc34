import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openWorkspace, type Workspace } from '../src/store/workspace.js'

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
