import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { listRuns } from '../../src/core/store/catalogue.js'
import { checkStore, type RunCheck } from '../../src/core/store/doctor.js'
import { importLogs } from '../../src/core/store/ingest.js'
import { changeRun } from '../../src/core/store/manage.js'
import { repairRun } from '../../src/core/store/repair.js'
import type { Workspace } from '../../src/core/store/workspace.js'
import { Problem } from '../../src/logs/model/problem.js'
import { ended, klens, startKlens } from '../cli.js'
import { demand } from '../fuzz/check.js'
import type { Random } from '../fuzz/random.js'
import { contents, firstDifference } from '../support/contents.js'
import { jsonRows, makeLogs, put } from './logs.js'
import { inWorkspace } from './truth.js'

/** A store that is harmed where nobody writes it, and one that is copied while somebody does. */

const BLOWS = 8

/**
 * A bit of a data file flipped, a file exchanged for another run's, cut, or a figure of a manifest changed. A read refuses
 * what it reads of it, the doctor finds it and nothing else, and a repair gives all of it back under the name that the user
 * gave, also where the project has been moved meanwhile.
 */
export async function harmed(folder: string, random: Random): Promise<void> {
  let project = join(folder, 'project-0')
  await makeLogs(join(project, 'logs'), random)
  const expected = await inWorkspace(join(project, '.klens'), async workspace => {
    for (const { id } of (await importLogs(workspace, [join(project, 'logs')])).runs) {
      await changeRun(workspace, id, ({ tags }) => ({ givenName: `mine ${id}`, tags: [...tags, 'good'] }))
    }
    return contents(workspace)
  })
  for (let blow = 1; blow <= BLOWS; blow += 1) {
    const harm = harmOne(join(project, '.klens', 'runs'), random)
    if (random.chance(0.3)) {
      renameSync(project, join(folder, `project-${blow}`))
      project = join(folder, `project-${blow}`)
    }
    await inWorkspace(join(project, '.klens'), async workspace => {
      if (harm.isRead) await expectRefusal(workspace, harm.what)
      const found = await damagedRuns(workspace)
      demand(found.length === 1 && found[0].id === harm.run, `the doctor finds that ${harm.what}`, found)
      demand((await repairRun(workspace, found[0]))?.did === 'read-again', `${harm.what}: read again`)
    })
    await inWorkspace(join(project, '.klens'), async workspace => {
      demand((await damagedRuns(workspace)).length === 0, `a repair leaves a sound store (${harm.what})`)
      const difference = firstDifference(await contents(workspace), expected)
      demand(difference === null, `${harm.what}: a repair gives back what was there, ${difference}`)
      const { entries } = await listRuns(workspace)
      const kept = entries.every(({ id, name, tags }) => name === `mine ${id}` && tags.includes('good'))
      demand(kept, `${harm.what}: names and tags stay`, entries)
    })
  }
}

async function damagedRuns(workspace: Workspace): Promise<readonly RunCheck[]> {
  return (await checkStore(workspace)).filter(({ remedy }) => remedy !== null)
}

async function expectRefusal(workspace: Workspace, what: string): Promise<void> {
  const refused = await contents(workspace).then(
    () => null,
    error => error,
  )
  demand(refused instanceof Problem && refused.code === 'damaged', `a read notices that ${what}`, String(refused))
}

interface Harm {
  readonly run: string
  readonly what: string
  /** Whether reading points, evaluations and scores passes there. */
  readonly isRead: boolean
}

function harmOne(runs: string, random: Random): Harm {
  const names = readdirSync(runs, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter(name => /^\w+\/(?:evals|samples|(?:points|texts)\/\d+)\.parquet$/.test(name))
  const name = random.pick(files)
  const [run] = name.split('/')
  const path = join(runs, name)
  const other = files.find(each => each !== name && each.split('/')[1] === name.split('/')[1])
  const isRead = !name.includes('/texts/')
  const bytes = readFileSync(path)
  switch (random.below(6)) {
    case 0:
      writeFileSync(path, bytes.subarray(0, random.below(bytes.length)))
      return { run, what: `${name} is cut`, isRead }
    case 1: {
      const altered = alterSummary(join(runs, run, 'run.json'), run, random)
      if (altered !== null) return altered
      break
    }
    case 2:
      if (other !== undefined && !readFileSync(join(runs, other)).equals(bytes)) {
        copyFileSync(join(runs, other), path)
        return { run, what: `${name} is ${other}`, isRead }
      }
  }
  const at = random.below(bytes.length)
  bytes[at] ^= 1 << random.below(8)
  writeFileSync(path, bytes)
  return { run, what: `a bit of byte ${at} of ${name} is flipped`, isRead }
}

const FIGURES = ['n', 'first', 'last', 'firstStep', 'lastStep', 'sum', 'stored'] as const

/** Null where the run has no metrics. */
function alterSummary(path: string, run: string, random: Random): Harm | null {
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  const metrics = Object.keys(manifest.metrics)
  if (metrics.length === 0) return null
  const metric = random.pick(metrics)
  const record = manifest.metrics[metric]
  const figure = random.pick(FIGURES.filter(each => each === 'stored' || Number.isFinite(record[each])))
  record[figure] += 1 + Math.abs(record[figure])
  writeFileSync(path, JSON.stringify(manifest))
  return { run, what: `${figure} of ${metric} is altered`, isRead: false }
}

const BATCHES = 5
const ROWS_PER_BATCH = 60

/**
 * Copies of a project, logs and store, made while a follower writes it. Whatever such a copy has caught, a repair and an
 * import of its own logs make it what those logs say.
 */
export async function copiedInFlight(folder: string, random: Random): Promise<void> {
  const project = join(folder, 'project')
  const salt = random.below(1000)
  const path = join(project, 'logs', 'train.jsonl')
  put(path, jsonRows(0, ROWS_PER_BATCH, salt))
  const follower = startKlens(project, ['import', 'logs', '--follow'])
  follower.stdout?.resume()
  follower.stderr?.resume()
  const copies: string[] = []
  for (let batch = 1; batch <= BATCHES; batch += 1) {
    await pause(random.below(900))
    put(path, jsonRows(0, (batch + 1) * ROWS_PER_BATCH, salt))
    await pause(random.below(400))
    const copy = join(folder, `copy-${batch}`)
    // What vanishes under it is what it does not get.
    spawnSync('cp', ['-r', project, copy])
    copies.push(copy)
  }
  follower.kill(random.pick(['SIGINT', 'SIGKILL'] as const))
  await ended(follower)
  for (const copy of [...copies, project]) {
    const which = relative(folder, copy)
    const repaired = klens(copy, ['doctor', '--repair'])
    demand(repaired.code === 0, `${which} is sound or can be repaired`, repaired)
    demand(klens(copy, ['import', 'logs']).code === 0, `the logs of ${which} are imported`)
    const told = async (workspace: Workspace) => (await contents(workspace)).map(({ id: _, ...run }) => run)
    const found = await inWorkspace(join(copy, '.klens'), async workspace => {
      demand((await damagedRuns(workspace)).length === 0, `${which} is sound in the end`)
      return told(workspace)
    })
    const expected = await inWorkspace(join(copy, 'apart', '.klens'), async workspace => {
      await importLogs(workspace, [join(copy, 'logs')])
      return told(workspace)
    })
    const difference = firstDifference(found, expected)
    demand(difference === null, `${which} is what its logs say, ${difference}`)
  }
}
