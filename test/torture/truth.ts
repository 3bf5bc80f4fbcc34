import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkStore, type RunCheck } from '../../src/core/store/doctor.js'
import { importLogs } from '../../src/core/store/ingest.js'
import { workspaceAt } from '../../src/core/store/workspace.js'
import { ended, startKlens } from '../cli.js'
import { demand } from '../fuzz/check.js'
import { contents, firstDifference, type RunContents } from '../support/contents.js'

/** What must hold of a store after any mishap, and klens as a process to which one happens. */

/** Nothing lost, nothing doubled: the store is what an import from nothing makes of the logs, and sound. */
export async function expectTruth(folder: string, logs: readonly string[]): Promise<readonly RunContents[]> {
  const found = await inWorkspace(join(folder, '.klens'), async workspace => {
    await expectSound(workspace)
    return contents(workspace)
  })
  const apart = mkdtempSync(join(tmpdir(), 'klens-truth-'))
  try {
    const expected = await inWorkspace(join(apart, '.klens'), async workspace => {
      await importLogs(workspace, logs)
      return contents(workspace)
    })
    const difference = firstDifference(found, expected)
    demand(difference === null, `the store is what its logs say, ${difference}`)
    demand(found.length > 0, 'something was read')
    return found
  } finally {
    rmSync(apart, { recursive: true, force: true })
  }
}

export async function expectSoundStore(folder: string): Promise<void> {
  await inWorkspace(join(folder, '.klens'), expectSound)
}

async function expectSound(workspace: ReturnType<typeof workspaceAt>): Promise<void> {
  const damaged: RunCheck[] = []
  await checkStore(workspace, { onRun: check => check.remedy !== null && damaged.push(check) })
  demand(damaged.length === 0, 'klens doctor finds nothing', damaged)
}

export async function inWorkspace<Result>(
  root: string,
  work: (workspace: ReturnType<typeof workspaceAt>) => Promise<Result>,
): Promise<Result> {
  const workspace = workspaceAt(root)
  try {
    return await work(workspace)
  } finally {
    await workspace.close()
  }
}

export interface Mishap {
  /** `kill`, or the code of an error. */
  readonly what: string
  /** The number of the file operation. */
  readonly at: number
}

export interface Ended {
  readonly code: number | null
  readonly error: string
  /** Its file operations in the store; null where it was killed. */
  readonly operations: number | null
}

/** Starts klens, with a mishap at one of its file operations, and waits for its end. */
export async function struck(folder: string, words: readonly string[], mishap?: Mishap): Promise<Ended> {
  const count = join(folder, 'operations')
  rmSync(count, { force: true })
  const child = startKlens(folder, words, {
    NODE_OPTIONS: `--import ${pathToFileURL(resolve('test/torture/faults.mjs')).href}`,
    TORTURE_COUNT: count,
    ...(mishap !== undefined && { TORTURE_AT: String(mishap.at), TORTURE_DO: mishap.what }),
  })
  let error = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    error += text
  })
  child.stdout?.resume()
  const code = await ended(child)
  return { code, error, operations: existsSync(count) ? Number(readFileSync(count, 'utf8')) : null }
}
