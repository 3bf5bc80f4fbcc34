import { z } from 'zod'
import { Problem } from '../model/problem.js'
import { workerOn } from '../store/lease.js'
import type { Workspace } from '../store/workspace.js'
import { jobRecords } from '../study/executor/records.js'
import { readFrozen } from '../study/file/frozen.js'
import { studyFolder } from '../study/file/kept-file.js'
import { type PlannedStudy, planFrozen } from '../study/plan/plan-study.js'
import { sentences } from '../text/sentences.js'
import { list, request } from './fields.js'
import { type Asking, question } from './question.js'
import type { SettleEvent } from './settling.js'
import { openFrozen } from './studies.js'
import type { StudyStep } from './study-answers.js'
import { runStudy, type StudyRunEvent } from './study-run.js'
import { settleStudy } from './study-settle.js'
import { stopHandedOver } from './study-stop.js'

/**
 * A study by its name: go on with it, or stop what works on it. What is run is the design as it was frozen, never a file
 * as it is now, and programs only if a person has said yes to them on the command line: whoever asks from elsewhere, such
 * as a page, can neither change what is started nor say that yes.
 */

const say = sentences({
  'study.control.not-begun': {
    en: 'of the study "{name}" nothing was frozen yet; begin it with klens study run FILE',
    zh: '研究“{name}”尚未冻结；请先用 klens study run FILE 开始',
  },
  'study.control.no-place': {
    en: 'the study "{name}" starts programs, and an older klens did not note where its file lies; go on with klens study run FILE',
    zh: '研究“{name}”会启动程序，而旧版 klens 没有记下文件位置；请用 klens study run FILE 继续',
  },
  'study.control.idle': { en: 'nothing works on the study "{name}"', zh: '没有进程在处理研究“{name}”' },
  'study.control.elsewhere': {
    en: 'the study "{name}" is worked on by a process on another machine; stop it there',
    zh: '研究“{name}”由另一台机器上的进程处理，请在那里停止',
  },
})

export const studyStart = question({
  request: request({
    name: z.string(),
    /** `run`: train and evaluate what is planned and not there; `settle`: buy seeds or prompts until it is settled. */
    what: z.enum(['run', 'settle']).default('run'),
  }),
  answer: z.object({
    study: z.string(),
    /** Why it ended before all was done. */
    stopped: z.enum(['asked', 'out-of-budget']).nullable(),
  }),
  async ask(workspace, { name, what, lang }, { onProgress, ...asking }: Asking<StudyStep>) {
    const study = await planToRun(workspace, name)
    const hear = (told: StudyRunEvent | SettleEvent): void => {
      const step = stepOf(told)
      if (step !== null) onProgress?.(step)
    }
    const { stopped } =
      what === 'run'
        ? await runStudy(workspace, study, { dryRun: false, workers: null, lang }, { ...asking, onProgress: hear })
        : await settleStudy(workspace, study, { workers: null, lang }, { ...asking, onProgress: hear })
    return { study: name, stopped }
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
    if (worker?.pid === null) throw new Problem('busy', say('study.control.elsewhere', { name }))
    const open = (await jobRecords(workspace, name).all()).filter(({ end }) => end === null)
    // On this machine the process that waits for them ends them itself.
    const isLeftAlone = worker === null || study.file.executor.kind !== 'local'
    if (worker === null && open.length === 0) throw new Problem('not-found', say('study.control.idle', { name }))
    if (worker !== null) process.kill(worker.pid, 'SIGINT')
    const { jobs } = open.length > 0 && isLeftAlone ? await stopHandedOver(workspace, study) : { jobs: [] }
    return { study: name, asked: worker !== null, jobs: jobs.map(({ trial, state }) => ({ trial, state })) }
  },
})

async function planToRun(workspace: Workspace, name: string): Promise<PlannedStudy> {
  // Looked up among the studies of the workspace: a name never becomes a path.
  const known = await openFrozen(workspace, name)
  const frozen = known === null ? null : await readFrozen(workspace, name)
  if (frozen === null) throw new Problem('not-found', say('study.control.not-begun', { name }))
  if (frozen.path === null && known?.file.engine !== 'builtin') {
    throw new Problem('bad-request', say('study.control.no-place', { name }))
  }
  return planFrozen(name, frozen, { isToRun: true })
}

/** What a page shows of it; null for what it would not. */
export function stepOf(told: StudyRunEvent | SettleEvent): StudyStep | null {
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
    case 'look':
      return {
        event: 'look',
        arm: told.look.other,
        ...('seeds' in told.look ? { seeds: told.look.seeds } : { prompts: told.look.prompts }),
      }
    default:
      return null
  }
}
