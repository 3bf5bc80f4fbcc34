import { writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { loadRun } from '../../core/store/catalogue.js'
import { shownName } from '../../core/store/manifest.js'
import type { Workspace } from '../../core/store/workspace.js'
import { compareConfigs } from '../../lab/study/adopt.js'
import { openSuspicions } from '../../lab/study/cell.js'
import { proposeDrops } from '../../lab/study/drop.js'
import { studyFromRuns, studyTemplate } from '../../lab/study/file/draft.js'
import {
  type AdoptedRun,
  keepAcknowledged,
  keepAdopted,
  keepArm,
  keepDrop,
  readAdopted,
  readDropLedger,
} from '../../lab/study/ledger.js'
import { baselineOf, openFrozen, type PlannedStudy, planStudy } from '../../lab/study/plan/plan-study.js'
import { checkpointAt } from '../../lab/study/program/trial-folder.js'
import { readCells, readStatus } from '../../lab/study/status/status.js'
import { type Trial, trialsOf } from '../../lab/study/trial.js'
import { Problem } from '../../logs/model/problem.js'
import { adoptAnswer, dropAnswer, type StudyAdoptAnswer, type StudyDropAnswer } from '../../logs/model/study/answers.js'
import type { Drop } from '../../logs/model/study/terms.js'
import { render, sentences } from '../../text/sentences.js'
import { shortHash } from '../../text/short-hash.js'
import { list, request, someOf } from './fields.js'
import { resolveAll, resolveOne } from './names.js'
import { type Asking, question } from './question.js'

/** What a person says of a study: a file to begin with, which runs are its own, what is vouched for, what is dropped or kept. */

const say = sentences({
  'study.init.there': { en: '{file} exists; choose another name', zh: '{file} 已存在；请换一个名字' },
  'study.acknowledge.because': {
    en: 'say why its figures may still be compared: --because "…"',
    zh: '请说明为何仍可比较：--because "…"',
  },
  'study.acknowledge.no-trial': {
    en: 'this study has no trial "{trial}"; it has {trials}',
    zh: '此研究没有试验“{trial}”；现有 {trials}',
  },
  'study.acknowledge.nothing': {
    en: '{trial} has no open suspicion',
    zh: '{trial} 没有尚未确认的可疑之处',
  },
  'study.adopt.form': {
    en: '"{given}" is not RUN=ARM/SEED, or none=ARM/SEED to undo; the arms are {arms}',
    zh: '“{given}”不符合 RUN=ARM/SEED，也不是用于撤回的 none=ARM/SEED；现有实验组：{arms}',
  },
  'study.adopt.there': {
    en: '{trial} already has its own run {run}; an outside run cannot be added to it',
    zh: '{trial} 已有自己的 run {run}；外部 run 不能与之并存',
  },
  'study.adopt.twice': {
    en: 'the run {run} already fills {trial}; one run is one trial',
    zh: 'run {run} 已作为 {trial}；一个 run 只能对应一个试验',
  },
  'study.adopt.running': {
    en: '{run} is still running; adopt it when it has ended',
    zh: '{run} 仍在运行；请在其结束后再收编',
  },
  'study.adopt.one-checkpoint': {
    en: '--checkpoint is for one run; give one RUN=ARM/SEED with it',
    zh: '--checkpoint 属于一个 run；请只给出一个 RUN=ARM/SEED',
  },
  'study.drop.no-arm': { en: 'there is no arm "{arm}"; the arms are {arms}', zh: '没有实验组“{arm}”；现有 {arms}' },
  'study.drop.baseline': {
    en: '"{arm}" is the baseline of all comparisons; it cannot be dropped',
    zh: '“{arm}”是其余各实验组的比较基线，不能放弃',
  },
  'study.arm.none': { en: 'the study "{study}" has no arm "{arm}"', zh: '研究“{study}”没有实验组“{arm}”' },
  'study.arm.baseline': {
    en: '"{arm}" is the baseline of all comparisons; it cannot be dropped',
    zh: '“{arm}”是其余各实验组的比较基线，不能放弃',
  },
})

/** A study file to begin with. */
export const studyInit = question({
  request: request({
    file: z.string().default('study.yaml'),
    /** Runs that the study is made of; left out, an example. */
    fromRuns: list(z.string()).optional(),
  }),
  answer: z.object({ file: z.string() }),
  async ask(workspace, { file, fromRuns, lang }, asking: Asking) {
    const text =
      fromRuns === undefined
        ? studyTemplate(lang)
        : await studyFromRuns(await resolveAll(workspace, fromRuns, asking), file, lang)
    try {
      await writeFile(file, text, { flag: 'wx' })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      throw new Problem('bad-request', say('study.init.there', { file }))
    }
    return { file }
  },
})

const acknowledged = z.object({
  study: z.string(),
  trial: z.string(),
  because: z.string(),
  /** What was vouched for. */
  suspicions: list(z.string()),
})

/** Vouch for a trial that is suspicious: from then on it stands in no comparison's way, and the reason is shown. */
export const studyAcknowledge = question({
  request: request({
    file: z.string(),
    /** Its name, `ARM/seedN`, or the start of its id. */
    trial: z.string(),
    because: z.string().default(''),
  }),
  answer: acknowledged,
  async ask(workspace, { file, trial: named, because: given, lang }) {
    const because = given.trim()
    if (because === '') throw new Problem('bad-request', say('study.acknowledge.because', {}))
    const study = await planStudy(file)
    const isNamed = ({ id, name }: { readonly id: string; readonly name: string }): boolean =>
      name === named || name === `${study.name}/${named}` || (named.length >= 6 && id.startsWith(named))
    const [trial, second] = study.trials.filter(isNamed)
    if (trial === undefined || second !== undefined) {
      const trials = someOf(
        study.trials.map(({ name }) => name),
        8,
      )
      throw new Problem('not-found', say('study.acknowledge.no-trial', { trial: named, trials }))
    }
    const { cells, evaluations } = await readStatus(workspace, study, study.trials)
    const own = [...cells, ...evaluations].filter(cell => cell.trial.id === trial.id)
    const open = own.flatMap(openSuspicions)
    if (open.length === 0) throw new Problem('not-enough', say('study.acknowledge.nothing', { trial: trial.name }))
    const at = Date.now() / 1000
    await keepAcknowledged(
      workspace,
      study.name,
      open.map(({ rule, subject }) => ({ trial: trial.id, rule, subject, because, at })),
    )
    const suspicions = [...new Set(open.map(({ message }) => render(message, lang)))]
    return { study: study.name, trial: trial.name, because, suspicions }
  },
})

/** Put runs, and checkpoints, that were made outside of a study into its cells; what does not fit is named. */
export const studyAdopt = question({
  request: request({
    file: z.string(),
    /** `RUN=ARM/SEED`. */
    runs: list(z.string()),
    /** The weights that the figure of a single run belongs to. */
    checkpoint: z.string().optional(),
  }),
  answer: adoptAnswer,
  async ask(workspace, { file, runs, checkpoint }, asking: Asking) {
    const study = await planStudy(file)
    if (checkpoint !== undefined && runs.length !== 1) {
      throw new Problem('bad-request', say('study.adopt.one-checkpoint', {}))
    }
    const known: { [trial: string]: AdoptedRun } = { ...(await readAdopted(workspace, study.name)) }
    const answers: StudyAdoptAnswer['adopted'][number][] = []
    for (const given of runs) {
      const { name, trial } = assignmentIn(study, given)
      if (name === 'none') {
        delete known[trial.id]
        answers.push({ trial: trial.name, id: trial.id, run: null, differences: [], untold: [], checkpoint: null })
        continue
      }
      const view = await resolveOne(workspace, name, asking)
      const { id: run, status } = view.manifest
      if (status === 'running') throw new Problem('busy', say('study.adopt.running', { run: shownName(view.manifest) }))
      await refuseDouble(workspace, study, trial, run, known)
      const { differences, untold } = compareConfigs(trial, view)
      const kept = checkpoint === undefined ? null : await checkpointAt(checkpoint)
      known[trial.id] = { run, at: Date.now() / 1000, differences, checkpoint: kept }
      answers.push({ trial: trial.name, id: trial.id, run, differences, untold, checkpoint: kept })
    }
    await keepAdopted(workspace, study.name, known)
    return { study: study.name, adopted: answers }
  },
})

/** An arm's name may have `=` and `/` in it, and so may a path: the arms decide. Any seed will do, planned or not. */
function assignmentIn(
  { name: study, arms }: PlannedStudy,
  given: string,
): { readonly name: string; readonly trial: Trial } {
  const [, before = '', seed = ''] = /^(.*)\/(?:seed)?(\d+)$/s.exec(given) ?? []
  const [arm] = arms.filter(each => before.endsWith(`=${each.name}`)).toSorted((a, b) => b.name.length - a.name.length)
  const run = arm === undefined ? '' : before.slice(0, -arm.name.length - 1)
  const [trial] = arm === undefined ? [] : trialsOf(study, [arm], [Number(seed)])
  if (trial === undefined || run === '') {
    const names = someOf(
      arms.map(each => each.name),
      8,
    )
    throw new Problem('bad-request', say('study.adopt.form', { given, arms: names }))
  }
  return { name: run, trial }
}

async function refuseDouble(
  workspace: Workspace,
  study: PlannedStudy,
  trial: Trial,
  run: string,
  known: { readonly [trial: string]: AdoptedRun },
): Promise<void> {
  const other = Object.entries(known).find(([id, each]) => each.run === run && id !== trial.id)
  if (other !== undefined) {
    const named = study.trials.find(({ id }) => id === other[0])?.name ?? shortHash(other[0])
    throw new Problem('bad-request', say('study.adopt.twice', { run, trial: named }))
  }
  if (known[trial.id] !== undefined) return
  const [cell] = await readCells(workspace, study, [trial])
  const own = cell?.runs.find(each => each !== run)
  if (own === undefined) return
  const loaded = await loadRun(workspace, own)
  const name = loaded === null ? own : shownName(loaded.manifest)
  throw new Problem('bad-request', say('study.adopt.there', { trial: trial.name, run: name }))
}

/** Which arms are not worth finishing? By the rule, with its evidence, or by a person's word; and the veto. */
export const studyDrop = question({
  request: request({ file: z.string(), arm: z.string().nullable().default(null) }),
  answer: dropAnswer,
  async ask(workspace, { file, arm }) {
    const study = await planStudy(file)
    if (arm !== null) {
      if (arm === baselineOf(study)) throw new Problem('bad-request', say('study.drop.baseline', { arm }))
      checkArm(study, arm)
      await keepDrop(workspace, study.name, dropByPerson(arm))
    }
    return dropsOf(workspace, study)
  },
})

export const studyKeep = question({
  request: request({ file: z.string(), arm: z.string() }),
  answer: dropAnswer,
  async ask(workspace, { file, arm }) {
    const study = await planStudy(file)
    checkArm(study, arm)
    await keepArm(workspace, study.name, arm)
    return dropsOf(workspace, study)
  },
})

function dropByPerson(arm: string): Drop {
  return { arm, at: Date.now() / 1000, by: 'person', evidence: null }
}

function checkArm({ arms }: PlannedStudy, arm: string): void {
  if (arms.some(({ name }) => name === arm)) return
  const names = arms.map(({ name }) => name).join(', ')
  throw new Problem('bad-request', say('study.drop.no-arm', { arm, arms: names }))
}

async function dropsOf(workspace: Workspace, study: PlannedStudy): Promise<StudyDropAnswer> {
  const { drops, kept } = await readDropLedger(workspace, study.name)
  const { proposed, hasFinishedRuns } = await proposeDrops(workspace, study)
  return { study: study.name, drops, proposed, kept, hasHouse: hasFinishedRuns }
}

/** A person's word on an arm of a study, by the study's name: nothing more is trained of it, or no rule may drop it. */
export const studyArm = question({
  request: request({ name: z.string(), arm: z.string(), word: z.enum(['drop', 'keep']) }),
  answer: z.object({ study: z.string(), dropped: list(z.string()), kept: list(z.string()) }),
  async ask(workspace, { name, arm, word }) {
    const study = await openFrozen(workspace, name)
    if (!study?.arms.some(each => each.name === arm)) {
      throw new Problem('not-found', say('study.arm.none', { study: name, arm }))
    }
    if (word === 'keep') await keepArm(workspace, name, arm)
    else if (arm === baselineOf(study)) throw new Problem('bad-request', say('study.arm.baseline', { arm }))
    else await keepDrop(workspace, name, dropByPerson(arm))
    const { drops, kept } = await readDropLedger(workspace, name)
    return { study: name, dropped: drops.map(drop => drop.arm), kept }
  },
})
