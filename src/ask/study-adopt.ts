import { z } from 'zod'
import { Problem } from '../model/problem.js'
import { loadRun } from '../store/catalogue.js'
import { shownName } from '../store/manifest.js'
import type { Workspace } from '../store/workspace.js'
import { type AdoptedRun, keepAdopted, readAdopted } from '../study/adopt/adopted.js'
import { compareConfigs } from '../study/adopt/config-differences.js'
import { checkpointAt } from '../study/engine/last-checkpoint.js'
import { type PlannedStudy, planStudy } from '../study/plan/plan-study.js'
import { type StudyTrial, trialsOf } from '../study/plan/trials.js'
import { cellsOf } from '../study/status/cells.js'
import { sentences } from '../text/sentences.js'
import { shortHash } from '../text/short-hash.js'
import { json, list, request, someOf } from './fields.js'
import { resolveOne } from './names.js'
import { type Asking, question } from './question.js'

/** Put runs, and checkpoints, that were made outside of a study into its cells; what does not fit is named. */

const say = sentences({
  'study.adopt.form': {
    en: '"{given}" is not RUN=ARM/SEED, or none=ARM/SEED to take one back; the arms are {arms}',
    zh: '“{given}”不符合 RUN=ARM/SEED，也不是用于撤回的 none=ARM/SEED；现有 arm：{arms}',
  },
  'study.adopt.there': {
    en: '{trial} has the run {run} of its own; a run from outside cannot stand beside it',
    zh: '{trial} 已有自己的 run {run}；外部 run 不能与之并存',
  },
  'study.adopt.twice': {
    en: 'the run {run} stands for {trial} already; one run is one trial',
    zh: 'run {run} 已作为 {trial}；一个 run 只能对应一个试验',
  },
  'study.adopt.running': {
    en: '{run} is still running; adopt it when it has ended',
    zh: '{run} 仍在运行；请在其结束后再收编',
  },
  'study.adopt.one-checkpoint': {
    en: '--checkpoint is of one run; give one RUN=ARM/SEED with it',
    zh: '--checkpoint 属于一个 run；请只给出一个 RUN=ARM/SEED',
  },
})

const adopted = z.object({
  trial: z.string(),
  id: z.string(),
  /** Null: it was taken back. */
  run: z.string().nullable(),
  /** In what its config and the study's do not agree: suspicious until somebody vouches for it. */
  differences: list(z.object({ key: z.string(), study: json, run: json })),
  /** What its config does not tell. */
  untold: list(z.string()),
  checkpoint: z.object({ path: z.string(), step: z.number(), contentHash: z.string() }).nullable(),
})

const adoptAnswer = z.object({ study: z.string(), adopted: list(adopted) })

export type StudyAdoptAnswer = z.infer<typeof adoptAnswer>

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
    const answers: z.infer<typeof adopted>[] = []
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
): { readonly name: string; readonly trial: StudyTrial } {
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
  trial: StudyTrial,
  run: string,
  known: { readonly [trial: string]: AdoptedRun },
): Promise<void> {
  const other = Object.entries(known).find(([id, each]) => each.run === run && id !== trial.id)
  if (other !== undefined) {
    const named = study.trials.find(({ id }) => id === other[0])?.name ?? shortHash(other[0])
    throw new Problem('bad-request', say('study.adopt.twice', { run, trial: named }))
  }
  if (known[trial.id] !== undefined) return
  const [cell] = await cellsOf(workspace, study, [trial])
  const own = cell?.runs.find(each => each !== run)
  if (own === undefined) return
  const loaded = await loadRun(workspace, own)
  const name = loaded === null ? own : shownName(loaded.manifest)
  throw new Problem('bad-request', say('study.adopt.there', { trial: trial.name, run: name }))
}
