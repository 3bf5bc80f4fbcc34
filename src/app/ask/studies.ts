import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { z } from 'zod'
import { numericFactor } from '../../core/analysis/confounds.js'
import { speakerIn } from '../../core/present/speaker.js'
import { dropText } from '../../core/present/study/words.js'
import { writeFileAtomically } from '../../core/store/atomic.js'
import { listRuns } from '../../core/store/catalogue.js'
import { workerOn } from '../../core/store/lease.js'
import { signalProcess } from '../../core/store/process.js'
import type { Workspace } from '../../core/store/workspace.js'
import { type Cell, costOf, reasonText, shownState, valuesByArm } from '../../lab/study/cell.js'
import { refuseUnrunnable, type Stopped } from '../../lab/study/engine/engine.js'
import { runStudy } from '../../lab/study/engine/run.js'
import { settleStudy } from '../../lab/study/engine/settle.js'
import { stopJobs } from '../../lab/study/engine/stop.js'
import type { StudyEvent } from '../../lab/study/events.js'
import { jobRecords } from '../../lab/study/executor/records.js'
import { frozenStudies } from '../../lab/study/file/frozen.js'
import { judgeStudy } from '../../lab/study/judgement.js'
import { readDropLedger, studyFolder } from '../../lab/study/ledger.js'
import { type OpenedStudy, openFrozen, type PlannedStudy, planStudyText } from '../../lab/study/plan/plan-study.js'
import { allowPrograms } from '../../lab/study/program/trust.js'
import { armsToSettle, hasRivals } from '../../lab/study/settle/settled-arms.js'
import { readWholeStatus } from '../../lab/study/status/status.js'
import { epochsOf } from '../../lab/train/config/any.js'
import { typedValue } from '../../lab/train/config/read.js'
import { SOURCE } from '../../lab/train/run/lineage.js'
import { jsonNumber } from '../../logs/model/json.js'
import { Problem } from '../../logs/model/problem.js'
import {
  type StudiesAnswer,
  type StudyCellView,
  type StudyStep,
  type StudyViewAnswer,
  studiesAnswer,
  studyViewAnswer,
} from '../../logs/model/study/answers.js'
import { encode } from '../../text/encode.js'
import type { Language } from '../../text/language.js'
import { sentences } from '../../text/sentences.js'
import { list, numberWithin, request } from './fields.js'
import { thisHost, whereLaunched } from './machine.js'
import { type Asking, question } from './question.js'
import { engineFor } from './study-run.js'

/**
 * The studies of which something was run in this workspace, by name: see them, begin one, go on, stop. They are read from
 * the design that was frozen before the first result, not from the file: a page, or another program, needs
 * no path and reads nothing outside. What is run is that design too, and programs only if a person has said yes to them
 * on the command line: from elsewhere one can neither change what is started nor say that yes.
 */

const say = sentences({
  'study.view.not-frozen': {
    en: 'no trial of the study "{name}" was run yet',
    zh: '研究“{name}”还没有运行过',
  },
  'study.begin.taken': {
    en: 'there is already a study "{name}"; choose another name',
    zh: '已有名为“{name}”的研究，请换一个名称',
  },
  'study.begin.nothing-varies': {
    en: 'nothing varies: give at least one setting several comma-separated values',
    zh: '没有变化的设置：请至少给一个设置填写多个以逗号分隔的值',
  },
  'study.control.not-begun': {
    en: 'the study "{name}" is not frozen yet; start it with klens study run FILE',
    zh: '研究“{name}”尚未冻结；请先用 klens study run FILE 开始',
  },
  'study.control.no-place': {
    en: 'the study "{name}" starts programs, and an older klens did not record where its file is; continue with klens study run FILE',
    zh: '研究“{name}”会启动程序，而旧版 klens 没有记下文件位置；请用 klens study run FILE 继续',
  },
  'study.control.idle': { en: 'no process is working on the study "{name}"', zh: '没有进程在处理研究“{name}”' },
  'study.control.elsewhere': {
    en: 'a process on another machine is working on the study "{name}"; stop it there',
    zh: '研究“{name}”由另一台机器上的进程处理，请在那里停止',
  },
  'study.control.nameless': {
    en: 'process {pid} is working on the study "{name}", but its lease does not say when it started, so the id may belong to another process by now; stop it by hand',
    zh: '研究“{name}”由进程 {pid} 处理，但其 lease 未记录该进程的启动时间，该进程号可能已属于其他进程；请手动停止',
  },
})

export const studies = question({
  request: request({}),
  answer: studiesAnswer,
  async ask(workspace) {
    const found: StudiesAnswer['studies'][number][] = []
    const damaged: string[] = []
    for (const name of await frozenStudies(workspace)) {
      const study = await openFrozen(workspace, name).catch(error => {
        if (error instanceof Problem) return 'damaged' as const
        throw error
      })
      if (study === 'damaged') damaged.push(name)
      else if (study !== null) found.push(await summaryOf(workspace, study))
    }
    return { studies: found.toSorted((a, b) => b.frozenAt - a.frozenAt), damaged }
  },
})

async function summaryOf(workspace: Workspace, study: OpenedStudy): Promise<StudiesAnswer['studies'][number]> {
  const { name, frozen, arms, file } = study
  const { cells } = await readWholeStatus(workspace, study)
  const sign = file.direction === 'max' ? -1 : 1
  const [best] = valuesByArm(arms, cells)
    .flatMap(({ arm, values, mean }) => (mean === null ? [] : [{ arm: arm.name, mean, n: values.length }]))
    .toSorted((a, b) => sign * (a.mean - b.mean))
  const states = { done: 0, running: 0, pending: 0, failed: 0, missing: 0, suspicious: 0, dropped: 0 }
  for (const cell of cells) states[shownState(cell)] += 1
  return {
    study: name,
    question: file.question,
    metric: file.metric,
    frozenAt: frozen.at,
    states,
    best: best ?? null,
    cost: costOf(cells),
  }
}

/** A study as it stands: its cells, what the arms came to, and what the looks of `settle` say so far. */
export const studyView = question({
  request: request({ name: z.string() }),
  answer: studyViewAnswer,
  async ask(workspace, { name, lang }) {
    const study = await openFrozen(workspace, name)
    if (study === null) throw new Problem('not-found', say('study.view.not-frozen', { name }))
    const { file, arms } = study
    const { cells, evaluations } = await readWholeStatus(workspace, study)
    const { baseline, verdicts, judgedBy, within, settling } = await judgeStudy(workspace, study, cells)
    const { drops, kept } = await readDropLedger(workspace, name)
    const speaker = speakerIn(lang)
    const standingOf = (arm: string): Pick<StudyViewAnswer['arms'][number], 'standing' | 'drop'> => {
      const drop = drops.find(each => each.arm === arm)
      if (drop === undefined) return { standing: kept.includes(arm) ? 'kept' : 'open', drop: null }
      return { standing: 'dropped', drop: { by: drop.by, at: drop.at, why: speaker.sentence(dropText(drop, speaker)) } }
    }
    return {
      study: name,
      question: file.question,
      metric: file.metric,
      direction: file.direction,
      margin: file.margin,
      expectations: file.expectations,
      frozen: { hash: study.frozen.hash, at: study.frozen.at },
      cost: costOf(cells),
      budget: file.budget,
      cells: [...cells, ...evaluations].map(cell => cellView(cell, lang)),
      arms: valuesByArm(arms, cells).map(({ arm: { name: arm, settings }, ...values }) => ({
        arm,
        settings,
        ...values,
        ...standingOf(arm),
      })),
      dose: numericFactor(arms.map(({ settings }) => settings)),
      baseline,
      verdicts,
      judgedBy: encode(judgedBy, lang),
      within,
      settle: settling,
      work: await workOn(workspace, name),
      dropsByRule: file.drop !== 'none',
      canSettle: hasRivals(study),
      unplanned: await unplannedRuns(workspace, name, cells),
    }
  },
})

async function workOn(workspace: Workspace, name: string): Promise<StudyViewAnswer['work']> {
  const worker = await workerOn(studyFolder(workspace, name))
  const open = await jobRecords(workspace, name).open()
  return { process: worker === null ? null : worker.isHere ? 'here' : 'elsewhere', jobs: open.length }
}

function cellView(cell: Cell, language: Language): StudyCellView {
  const { trial, condition, step, runs, value, suspicious, reasons } = cell
  return {
    trial: trial.name,
    arm: trial.arm.name,
    table: condition === null ? '' : tableOf(condition),
    seed: trial.seed,
    step,
    state: shownState(cell),
    run: (condition === null ? runs : trial.runs)[0] ?? null,
    value: jsonNumber(value),
    progress: condition === null ? progressOf(cell) : null,
    why: [...suspicious.map(({ message }) => message), ...reasons].map(reason => reasonText(reason, language)),
  }
}

function tableOf({ evaluation, condition }: NonNullable<Cell['condition']>): string {
  const words = Object.entries(condition).flatMap(([key, given]) => (key === 'dataset' ? [] : [`${key} ${given}`]))
  return [evaluation, ...words].join(', ')
}

function progressOf({ state, n, trial: { config } }: Cell): StudyCellView['progress'] {
  if (state !== 'running') return null
  return { done: n, planned: config === null ? null : Math.ceil(epochsOf(config) / config.eval.every) }
}

/** The file may have been changed since it was frozen; what was trained then belongs to another design. */
async function unplannedRuns(workspace: Workspace, study: string, cells: readonly Cell[]): Promise<number> {
  const planned = new Set(cells.flatMap(({ runs }) => runs))
  const { entries } = await listRuns(workspace)
  return entries.filter(({ id, name, source }) => source === SOURCE && name.startsWith(`${study}/`) && !planned.has(id))
    .length
}

/** Why it ended before all was done. */
const progressAnswer = z.object({ study: z.string(), stopped: z.enum(['asked', 'out-of-budget']).nullable() })

async function bringForward(
  workspace: Workspace,
  plan: PlannedStudy,
  { what, lang }: { readonly what: 'run' | 'settle'; readonly lang: Language },
  { onProgress, ...asking }: Asking<StudyStep>,
): Promise<{ readonly study: string; readonly stopped: Stopped }> {
  const hear = (event: StudyEvent): void => {
    const step = stepOf(event)
    if (step !== null) onProgress?.(step)
  }
  if (what === 'run') refuseUnrunnable(plan)
  else armsToSettle(plan)
  await allowPrograms(workspace, plan, whereLaunched(), undefined)
  const engine = engineFor(workspace, plan, { workers: null, lang }, { ...asking, onProgress: hear })
  const { stopped } = what === 'run' ? await runStudy(engine) : await settleStudy(engine)
  return { study: plan.name, stopped }
}

/** Also becomes the name of a folder. */
const NAME = /^[A-Za-z0-9][\w.-]{0,79}$/

/**
 * A study out of a form: a question, what all trials share and what varies. It becomes a study file in the workspace, so
 * that it is frozen, run on and reported like any other, also by the command line.
 */
export const studyBegin = question({
  request: request({
    name: z.string().regex(NAME),
    question: z.string().min(1),
    /** Differences smaller than this do not matter. */
    margin: numberWithin({ above: 0 }),
    /** One after the other, as in `1,2,3`. */
    seeds: z.string().regex(/^\d{1,9}(?:,\d{1,9}){0,999}$/),
    task: z.string().default('digits'),
    /** `key=value` of all trials, and `key=a,b` of what varies. */
    set: list(z.string()).default([]),
    over: list(z.string()).default([]),
  }),
  answer: progressAnswer,
  async ask(workspace, { name, margin, seeds, task, set, over, lang, ...asked }, asking: Asking<StudyStep>) {
    if ((await frozenStudies(workspace)).includes(name)) {
      throw new Problem('bad-request', say('study.begin.taken', { name }))
    }
    if (over.length === 0) throw new Problem('bad-request', say('study.begin.nothing-varies', {}))
    const text = stringify({
      name,
      question: asked.question,
      ...(margin !== null && { margin }),
      base: { task, ...Object.fromEntries(set.map(word => pairOf(word, typedValue))) },
      vary: Object.fromEntries(over.map(word => pairOf(word, words => words.split(',').map(typedValue)))),
      seeds: seeds.split(',').map(Number),
    })
    const folder = studyFolder(workspace, name)
    const study = await planStudyText({ path: join(folder, 'study.yaml'), text, base: null })
    await mkdir(folder, { recursive: true })
    await writeFileAtomically(join(folder, 'study.yaml'), text)
    return bringForward(workspace, study, { what: 'run', lang }, asking)
  },
})

function pairOf<Value>(word: string, read: (words: string) => Value): readonly [key: string, value: Value] {
  const at = word.indexOf('=')
  return [word.slice(0, at).trim(), read(word.slice(at + 1))]
}

export const studyStart = question({
  request: request({
    name: z.string(),
    /** `run`: train and evaluate what is planned and not there; `settle`: buy seeds or prompts until it is settled. */
    what: z.enum(['run', 'settle']).default('run'),
  }),
  answer: progressAnswer,
  async ask(workspace, { name, what, lang }, asking: Asking<StudyStep>) {
    return bringForward(workspace, await planToRun(workspace, name), { what, lang }, asking)
  },
})

export const studyHalt = question({
  request: request({ name: z.string() }),
  answer: z.object({
    study: z.string(),
    /** Whether a process was asked to stop, which it does at its next clean point. */
    asked: z.boolean(),
    /** What had been handed over to an executor, and how it stands now. */
    jobs: list(z.object({ trial: z.string(), state: z.string() })),
  }),
  async ask(workspace, { name }) {
    const study = await planToRun(workspace, name)
    const worker = await workerOn(studyFolder(workspace, name))
    if (worker?.isHere === false) throw new Problem('busy', say('study.control.elsewhere', { name }))
    const open = await jobRecords(workspace, name).open()
    // On this machine the process that waits for them ends them itself.
    const isLeftAlone = worker === null || study.file.executor.kind !== 'local'
    if (worker?.process === null) {
      throw new Problem('busy', say('study.control.nameless', { name, pid: String(worker.pid) }))
    }
    const asked = worker !== null && signalProcess(worker.process, 'SIGINT')
    if (!asked && open.length === 0) throw new Problem('not-found', say('study.control.idle', { name }))
    if (open.length === 0 || !isLeftAlone) return { study: name, asked, jobs: [] }
    await allowPrograms(workspace, study, whereLaunched(), undefined)
    const jobs = await stopJobs(workspace, study, thisHost())
    return { study: name, asked, jobs: jobs.map(({ trial, state }) => ({ trial, state })) }
  },
})

async function planToRun(workspace: Workspace, name: string): Promise<PlannedStudy> {
  const known = await openFrozen(workspace, name)
  if (known === null) throw new Problem('not-found', say('study.control.not-begun', { name }))
  if (known.file.engine === 'builtin') return known
  if (known.frozen.path === null) throw new Problem('bad-request', say('study.control.no-place', { name }))
  return (await openFrozen(workspace, name, { isToRun: true })) ?? known
}

/** What a page shows of an event; null for what it would not. */
function stepOf(told: StudyEvent): StudyStep | null {
  switch (told.event) {
    case 'epoch':
      return { event: 'epoch', trial: told.trial ?? '', epoch: told.report.epoch }
    case 'end':
      return { event: 'ended', trial: told.trial, run: told.end.run, isFailed: told.end.status === 'failed' }
    case 'program':
      if (told.what === 'step') return { event: 'epoch', trial: told.trial, epoch: told.step }
      if (told.what === 'ended')
        return { event: 'ended', trial: told.trial, run: told.run, isFailed: told.state === 'failed' }
      return { event: 'begun', trial: told.trial }
    case 'started':
      return { event: 'begun', trial: told.trial ?? '' }
    case 'evaluation':
      return { event: 'evaluated', trial: told.trial, done: told.done, total: told.total }
    case 'drop':
      return { event: 'dropped', arm: told.drop.arm }
    case 'look': {
      const { look } = told
      const size = 'seeds' in look ? { seeds: look.seeds } : { prompts: look.prompts }
      return { event: 'look', arm: look.other, ...size }
    }
    default:
      return null
  }
}
