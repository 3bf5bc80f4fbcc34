import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { viewRun } from '../../core/analysis/run-view.js'
import { keepReport } from '../../core/present/report/kept.js'
import type { Recipe } from '../../core/present/report/memory.js'
import { memoryIn } from '../../core/present/report/memory.js'
import { writeReport } from '../../core/present/report/write.js'
import { loadRun } from '../../core/store/catalogue.js'
import { shownName } from '../../core/store/manifest.js'
import { loadVocabulary } from '../../core/store/vocabulary.js'
import type { Workspace } from '../../core/store/workspace.js'
import { type PlannedStudy, planStudy } from '../../lab/study/plan/plan-study.js'
import { list, reportFields, request } from './fields.js'
import { question } from './question.js'
import { hashOf, studyReportOf } from './report-order.js'
import { studyFacts, takeFile } from './study-facts.js'
import { version } from './version.js'

/** A study as a document, with the config of the setting to take beside it. */

const reportRequest = request({
  file: z.string(),
  ...reportFields('study-report.md'),
})

const reportAnswer = z.object({
  files: list(z.string()),
  title: z.string(),
  /** The setting to take. */
  take: z.object({ arm: z.string(), hash: z.string(), file: z.string(), verb: z.enum(['train', 'study run']) }),
})

export const studyReport = question({
  request: reportRequest,
  answer: reportAnswer,
  async ask(workspace, { file, output, title, date, lang }) {
    const study = await planStudy(file)
    const facts = await studyFacts(workspace, study, { output, language: lang })
    const { take, arms } = facts
    const runs = arms.flatMap(({ trials }) => trials.flatMap(trial => trial?.run ?? []))
    const source = { path: basename(file), text: study.text, base: study.base }
    const recipe = {
      ...(await emptyRecipe(workspace, study, runs)),
      version: version(),
      command: `klens study report ${basename(file)} -o ${basename(output)}`,
      output: basename(output),
      title,
      date,
      language: lang,
      before: memoryIn(await readFile(output, 'utf8').catch(() => '')),
      study: source,
    }
    const made = await studyReportOf(facts, recipe)
    const files = await writeReport(output, made)
    await keepReport(workspace, output, made, {
      language: lang,
      study: study.name,
      runs: [],
      metric: null,
      margin: null,
    })
    const launch = join(dirname(output), takeFile(output))
    await writeFile(launch, take.config)
    return {
      files: [...files, launch],
      title: made.title,
      take: { arm: take.arm, hash: take.hash, file: launch, verb: take.verb },
    }
  },
})

type Asked = Pick<Recipe, 'runs' | 'sides' | 'over' | 'metric' | 'goal' | 'margin' | 'by' | 'decide' | 'ended'>

/** What the report rests on: every run with a hash of its data. */
async function emptyRecipe(
  workspace: Workspace,
  { file: { metric, direction, margin } }: PlannedStudy,
  ids: readonly string[],
): Promise<Asked> {
  const words = await loadVocabulary(workspace)
  const runs: { id: string; name: string; data: string }[] = []
  for (const id of ids) {
    const run = await loadRun(workspace, id)
    if (run !== null) runs.push({ id, name: shownName(run.manifest), data: hashOf(viewRun(run, words)) })
  }
  return {
    runs,
    sides: [],
    over: [],
    metric,
    goal: direction,
    margin: margin === null ? null : { absolute: margin },
    by: 'steps',
    decide: null,
    ended: false,
  }
}
