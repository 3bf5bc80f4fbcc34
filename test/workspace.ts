import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
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
    for (const log of logs) if (log.includes(LARGEST_EXAMPLE)) await putImported(log, folder)
    workspace = await openWorkspace(folder, {})
    if (logs.length > 0) await importLogs(workspace, logs)
  })
  afterAll(() => workspace.close())
  return () => workspace
}

/** 4 MB of logs, which many groups of tests look at: reading them takes seconds. */
const LARGEST_EXAMPLE = join('examples', 'grpo-addition')

/**
 * Puts the runs of a log into the workspace of a folder as an import has left them elsewhere, once in all tests of this
 * run. An import that follows finds them read already; that this is so, and what it reads, has tests of its own.
 */
export async function putImported(log: string, folder: string): Promise<void> {
  const shared = process.env.KLENS_TESTS_SHARED
  if (shared === undefined) return importInto(folder, log)
  const imported = join(shared, createHash('sha256').update(log).digest('hex').slice(0, 16))
  if (claimed(`${imported}.claim`)) {
    const mine = mkdtempSync(join(shared, 'importing-'))
    await importInto(mine, log)
    renameSync(mine, imported)
  }
  // Where another worker has claimed it, that one is at work.
  while (!existsSync(imported)) await pause(20)
  cpSync(imported, folder, { recursive: true })
}

async function importInto(folder: string, log: string): Promise<void> {
  const workspace = await openWorkspace(folder, {})
  await importLogs(workspace, [log])
  await workspace.close()
}

/** Whether this call is the one that made the folder. */
function claimed(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}
