import { join } from 'node:path'
import { loadRun } from '../../../core/store/catalogue.js'
import { problemOf } from '../../../core/store/disk-problem.js'
import { RunWriter } from '../../../core/store/run-writer.js'
import type { Workspace } from '../../../core/store/workspace.js'
import type { RunEvent } from '../../../logs/model/events.js'
import { sha256 } from '../../../logs/model/id.js'
import { groupBy } from '../../../logs/model/util/group-by.js'
import { mean } from '../../../stats/descriptive.js'
import { render } from '../../../text/sentences.js'
import type { ProgramCondition } from '../evaluations/plan-evaluations.js'
import { type EvaluationRecord, recordKey } from '../evaluations/records.js'
import { driveJobs } from '../executor/drive.js'
import type { Job } from '../executor/executor.js'
import { openQueue, queueCapacity } from '../executor/open-queue.js'
import { jobRecords } from '../executor/records.js'
import { studyFolder } from '../ledger.js'
import { sharedServices, withServices } from '../program/beside.js'
import { blankTexts, filledVariables, serviceOf } from '../program/command.js'
import { readScores, type WrittenScores } from '../program/scores.js'
import { fillTemplate } from '../program/template.js'
import { makeTrialFolder } from '../program/trial-folder.js'
import type { CellToEvaluate, StudyEngine } from './engine.js'

/**
 * Checkpoints of programs, scored by programs: each evaluation is a job of the study's queue, in a folder of its own, with
 * the services that it needs beside it. What it wrote is kept with the run of its trial before it is recorded.
 */

type Asked = CellToEvaluate<ProgramCondition>

/** What the scores are called in the store, as those of `klens eval`. */
const METRIC = 'eval.score'

/** `keep` is told of each as it is there. */
export async function evaluatePrograms(
  engine: StudyEngine,
  asked: readonly Asked[],
  keep: (asked: Asked, record: EvaluationRecord) => Promise<void>,
): Promise<void> {
  const { workspace, plan, host, workers, signal, language } = engine
  const { executor: section, resources } = plan.file
  const records = jobRecords(workspace, plan.name)
  const queue = openQueue(section, records.folder, host)
  const jobs = new Map<string, Asked>()
  const handed: Job[] = []
  for (const each of asked) {
    const job = await jobOf(engine, each)
    jobs.set(job.id, each)
    handed.push(job)
    // Its scores are asked for again: what it left was not whole.
    const record = await records.read(job.id)
    if (record?.end?.state === 'done') await records.end(record, { state: 'discarded', reason: null })
  }
  const keeping: Promise<void>[] = []
  await driveJobs(handed, {
    ...{ queue, records, signal, language },
    atOnce: workers ?? queueCapacity(section, resources, host),
    onEvent: event => {
      if (event.event !== 'ended') return
      const each = jobs.get(event.job.id)
      const { state, reason } = event.end
      if (each === undefined || state === 'left' || state === 'stopped') return
      keeping.push(
        (async () => {
          const began = Date.now() / 1000
          const record = await records.read(event.job.id)
          const seconds = began - (record?.handedOverAt ?? began)
          await keep(each, await recordOf(engine, each, state === 'done' ? null : (reason ?? state), seconds))
        })(),
      )
    },
  })
  await Promise.all(keeping)
}

function folderOf({ workspace, plan }: StudyEngine, { cell, checkpoint }: Asked): string {
  const key = sha256(recordKey({ condition: cell.condition.hash, contentHash: checkpoint.contentHash }))
  return join(studyFolder(workspace, plan.name), 'evaluations', key.slice(0, 32))
}

async function jobOf(engine: StudyEngine, asked: Asked): Promise<Job> {
  const { workspace, plan, host } = engine
  const { cell, checkpoint } = asked
  const { trial, condition } = cell
  if (trial.program === null) throw new Error(`${trial.name} is trained by klens itself`)
  const { asks, evaluation } = condition
  const folder = folderOf(engine, asked)
  await makeTrialFolder(workspace, folder)
  const { engine: program, settings } = trial.program
  const input = { study: plan.name, arm: trial.arm.name, seed: trial.seed, settings }
  const services = { ...program, services: [...program.services, ...asks.services] }
  const filled = blankTexts(services, input, { folder, checkpoint: checkpoint.path })
  const textFor = (key: string): string =>
    key === 'step' ? String(checkpoint.step) : key === 'here' ? asks.folder : filled(key)
  const [first = '', ...rest] = asks.words.map(word => fillTemplate(word, textFor))
  const { executor: section, resources } = plan.file
  const klens = (section.kind === 'local' ? null : section.klens) ?? host.klens
  const command = await withServices(
    ...([workspace, plan.name, klens, folder] as const),
    { words: [first, ...rest], folder: asks.folder, environment: filledVariables(asks.environment, textFor) },
    {
      shared: sharedServices(program.services, textFor),
      before: asks.before.map(words => {
        const [own = '', ...more] = words.map(word => fillTemplate(word, textFor))
        return [own, ...more]
      }),
      own: asks.services.map(service => serviceOf(service, textFor, 0)),
    },
  )
  return { id: folder.slice(-32), name: `${trial.name}@${checkpoint.step} ${evaluation}`, ...command, resources }
}

/** `failed`: why its program did, where it did. */
async function recordOf(
  engine: StudyEngine,
  asked: Asked,
  failed: string | null,
  seconds: number,
): Promise<EvaluationRecord> {
  const { cell, checkpoint } = asked
  const { condition, trial } = cell
  const nothing: EvaluationRecord = {
    ...{ condition: condition.hash, contentHash: checkpoint.contentHash, trial: trial.id, step: checkpoint.step },
    ...{ run: trial.runs[0] ?? '', dataset: condition.evaluation, split: '', value: null, n: 0, missing: 0 },
    ...{ reasons: [], scores: '', choices: '', distinctScores: 0, distinctChoices: 0, origin: 'evaluated' as const },
    ...{ seconds, at: Date.now() / 1000 },
  }
  if (failed !== null) return { ...nothing, reasons: [failed] }
  try {
    const written = await readScores(join(folderOf(engine, asked), condition.asks.scores))
    await keepScores(engine.workspace, asked, written)
    return { ...nothing, ...summaryOf(written) }
  } catch (error) {
    const problem = problemOf(error)
    if (problem === null) throw error
    return { ...nothing, reasons: [render(problem.sentence, engine.language)] }
  }
}

function summaryOf({ ids, repeats, scores, outputs }: WrittenScores) {
  const there = ids.flatMap((id, i) => (Number.isFinite(scores[i]) ? [{ id, i }] : []))
  const bySample = [...groupBy(there, ({ id }) => id).values()].map(group => mean(group.map(({ i }) => scores[i])))
  const known = outputs.filter(output => output !== null)
  const answered = outputs.map(output => output ?? '')
  return {
    value: bySample.length === 0 ? null : mean(bySample),
    n: bySample.length,
    missing: ids.length - there.length,
    scores: hashOf(ids.map((id, i) => `${id} ${repeats[i]} ${scores[i]}`)),
    choices: known.length === 0 ? '' : hashOf(ids.map((id, i) => `${id} ${repeats[i]} ${answered[i]}`)),
    distinctScores: new Set(scores).size,
    // Without answers nothing speaks against there being as many as samples.
    distinctChoices: known.length === 0 ? ids.length : new Set(known).size,
  }
}

/** Whatever the order in which they were written. */
function hashOf(rows: readonly string[]): string {
  const lines = rows.toSorted().map(row => `${JSON.stringify(row)}\n`)
  return sha256(lines.join(''))
}

async function keepScores(workspace: Workspace, { cell, checkpoint }: Asked, written: WrittenScores): Promise<void> {
  const loaded = await loadRun(workspace, cell.trial.runs[0] ?? '')
  if (loaded === null) return
  const { id, name, source } = loaded.manifest
  const there = written.scores.flatMap((score, i) => (Number.isFinite(score) ? [i] : []))
  const { value, n } = summaryOf(written)
  const place = { metric: METRIC, step: checkpoint.step, condition: cell.condition.condition }
  const samples = {
    ...place,
    ids: there.map(i => written.ids[i]),
    scores: there.map(i => written.scores[i]),
    repeats: there.map(i => written.repeats[i]),
  }
  const events: RunEvent[] = [
    ...(value === null
      ? []
      : [{ type: 'evaluation' as const, evaluation: { ...place, value, n, quality: 'measured' as const } }]),
    { type: 'samples', samples },
  ]
  const writer = await RunWriter.open(workspace, { id, name, source }, 'evaluate')
  try {
    await writer.write(events, null)
  } finally {
    await writer.close()
  }
}
