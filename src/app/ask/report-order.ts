import { countersOf, type RunSide, sideOf } from '../../core/analysis/compare/evidence.js'
import { decideAmongRuns } from '../../core/analysis/decide/candidates.js'
import type { Aim } from '../../core/analysis/decide/decide.js'
import { frontierAmong } from '../../core/analysis/frontier/answer.js'
import type { RunView } from '../../core/analysis/run-view.js'
import { type RunSweep, sweepRuns } from '../../core/analysis/sweep/answer.js'
import { type DiagnosisProgress, diagnoseRuns } from '../../core/diagnosis/diagnosed-runs.js'
import type { Report } from '../../core/present/report/frame.js'
import { makeReport, type ReportSubject } from '../../core/present/report/make.js'
import { type Recipe, recipeIn } from '../../core/present/report/memory.js'
import type { SweepInput } from '../../core/present/report/sweep.js'
import { reportText } from '../../core/present/report/write.js'
import { speakerIn } from '../../core/present/speaker.js'
import type { StudyFacts } from '../../core/present/study/facts.js'
import { comparisonNote } from '../../core/store/comparison-notes.js'
import { shownName } from '../../core/store/manifest.js'
import { loadVocabulary } from '../../core/store/vocabulary.js'
import type { Workspace } from '../../core/store/workspace.js'
import { planStudyText } from '../../lab/study/plan/plan-study.js'
import type { Axis } from '../../logs/model/axis.js'
import { sha256 } from '../../logs/model/id.js'
import { Problem } from '../../logs/model/problem.js'
import type { Goal } from '../../logs/model/vocabulary/metric.js'
import { encode } from '../../text/encode.js'
import type { Language } from '../../text/language.js'
import { comparisonOf } from './compare.js'
import { HEADLINE_METRIC } from './fields.js'
import { sideKey } from './note.js'
import type { Asking } from './question.js'
import { studyFacts } from './study-facts.js'
import { version } from './version.js'

/**
 * A report is ordered by names that a person types or by the recipe in an older one; from there on the two are made
 * alike. That is how an audit holds a report of klens's against its logs: it orders the same one again.
 */
export interface ReportOrder {
  /** None for a sweep or a decision, one for a run, else the baseline first. */
  readonly sides: readonly RunSide[]
  readonly runs: readonly RunView[]
  readonly over: readonly string[]
  readonly metric: string
  readonly goal: Goal | null
  readonly margin: { readonly absolute: number } | { readonly share: number } | null
  readonly by: Axis
  readonly ended: boolean
  /** What to ship, for this aim, in place of a comparison. */
  readonly decide: Aim | null
}

export async function reportFor(
  workspace: Workspace,
  order: ReportOrder,
  recipe: Recipe,
  asking: Asking<DiagnosisProgress>,
): Promise<Report> {
  const { subject, runs } = await subjectOf(workspace, order, recipe.language)
  const { version, command, title, date, before, language } = recipe
  return makeReport(
    subject,
    {
      speaker: speakerIn(language),
      diagnosed: await diagnoseRuns(runs, asking),
      provenance: { version, command },
      title,
      date,
      before,
      notes: await notesFor(workspace, order),
    },
    recipe,
  )
}

async function notesFor(workspace: Workspace, { sides, runs }: ReportOrder) {
  const together = sides.length < 2 ? '' : await comparisonNote(workspace, sides.map(sideKey))
  return [
    ...(together === '' ? [] : [{ about: sides.map(({ label }) => label).join(' · '), text: together }]),
    ...runs.flatMap(({ manifest }) =>
      manifest.note === '' ? [] : [{ about: shownName(manifest), text: manifest.note }],
    ),
  ]
}

async function subjectOf(
  workspace: Workspace,
  { sides, runs, over, metric, goal, ended, margin, by, decide }: ReportOrder,
  language: Language,
): Promise<{ readonly subject: ReportSubject; readonly runs: readonly RunView[] }> {
  if (decide !== null) {
    const wanted = metric === HEADLINE_METRIC ? null : metric
    const decision = await decideAmongRuns(workspace, await loadVocabulary(workspace), runs, {
      metric: wanted,
      goal,
      ended,
      for: decide,
    })
    const chosenFrom = new Set(decision.settings.flatMap(setting => setting.runs))
    return { subject: { kind: 'decision', decision }, runs: runs.filter(({ manifest }) => chosenFrom.has(manifest.id)) }
  }
  if (over.length > 0) {
    const swept = await sweepRuns(workspace, runs, { over, metric, goal, margin, baseline: null, ended })
    return { subject: { kind: 'sweep', ...swept, frontier: await frontierBeside(swept, language) }, runs: swept.runs }
  }
  if (sides.length === 1) return { subject: { kind: 'run', metric, goal, ended }, runs }
  const wanted = metric === HEADLINE_METRIC ? null : metric
  const answer = encode(await comparisonOf(workspace, sides, { metric: wanted, by, goal, margin, ended }), language)
  const counters = await Promise.all(sides.map((side, i) => countersOf(side, by, answer.sides[i].metric)))
  return { subject: { kind: 'pair', sides, answer, counters }, runs }
}

/** Null where these runs log no KL, or not in one way. */
async function frontierBeside(swept: RunSweep, language: Language): Promise<SweepInput['frontier']> {
  try {
    return encode(await frontierAmong(swept), language)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

export function studyReportOf(facts: StudyFacts, recipe: Recipe): Promise<Report> {
  const { version, command, title, date, before, language } = recipe
  const frame = { speaker: speakerIn(language), diagnosed: [], provenance: { version, command }, title, date, before }
  return makeReport({ kind: 'study', facts }, frame, recipe)
}

/** From the file as it was; what klens has kept of the study is read again, never taken from the report. */
async function studyReportAgain(
  workspace: Workspace,
  file: NonNullable<Recipe['study']>,
  recipe: Recipe,
): Promise<Report> {
  return studyReportOf(await studyFacts(workspace, await planStudyText(file), recipe), recipe)
}

type Frame = Pick<Recipe, 'version' | 'command' | 'output' | 'title' | 'date' | 'language' | 'before'>

export function recipeOf(
  { sides, runs, over, metric, goal, ended, margin, by, decide }: ReportOrder,
  frame: Frame,
): Recipe {
  const all = [...new Set([...runs, ...sides.flatMap(({ runs, copies }) => [...runs, ...copies])])]
  return {
    ...frame,
    runs: all.map(run => ({ id: run.manifest.id, name: shownName(run.manifest), data: hashOf(run) })),
    sides: sides.map(({ label, checkpoint, runs, copies }) => ({
      label,
      checkpoint,
      runs: [...runs, ...copies].map(run => all.indexOf(run)),
    })),
    over: [...over],
    metric,
    goal,
    ended,
    margin,
    by,
    decide,
    study: null,
  }
}

/** What a report says of a run depends on its points, its settings and the note on it, wherever they lie. */
export function hashOf({ manifest, config }: RunView): string {
  const metrics = [...manifest.metrics].map(([name, { n, sum, first, last, lastStep }]) => [
    name,
    n,
    sum,
    first,
    last,
    lastStep,
  ])
  const said = [metrics.sort(), config, ...(manifest.note === '' ? [] : [manifest.note])]
  return sha256(JSON.stringify(said)).slice(0, 16)
}

export interface Remade {
  readonly text: string
  readonly command: string
  /** By the same klens from the same data: then a figure that differs is wrong, and not merely older. */
  readonly isSame: boolean
}

/** The report as these runs give it today; null where it is none of klens's, or not all of its runs are among them. */
export async function remake(
  workspace: Workspace,
  text: string,
  given: readonly RunView[],
  { signal }: Pick<Asking, 'signal'>,
): Promise<Remade | null> {
  const recipe = recipeIn(text)
  if (recipe === null) return null
  const hashes = new Map(given.map(run => [run, hashOf(run)]))
  const found = recipe.runs.map(
    ({ id, name, data }) =>
      given.find(run => run.manifest.id === id && hashes.get(run) === data) ??
      given.find(run => hashes.get(run) === data) ??
      given.find(run => run.manifest.id === id || shownName(run.manifest) === name),
  )
  const runs = found.filter(run => run !== undefined)
  if (runs.length === 0 || runs.length < found.length) return null
  const sides = recipe.sides.map(({ label, checkpoint, runs: places }) =>
    sideOf(
      label,
      places.flatMap(place => runs[place] ?? []),
      checkpoint,
    ),
  )
  const taken = sides.length === 0 ? runs : sides.flatMap(side => side.runs)
  const made =
    recipe.study === null
      ? await reportFor(workspace, { ...recipe, sides, runs: taken }, recipe, {
          ...(signal !== undefined && { signal }),
        })
      : await studyReportAgain(workspace, recipe.study, recipe)
  const ids = recipe.runs.map(({ id }, i) => [runs[i].manifest.id, id] as const)
  return {
    // Elsewhere the same log has another id.
    text: ids.reduce((words, [here, there]) => words.replaceAll(here, there), reportText(recipe.output, made)),
    command: recipe.command,
    isSame: recipe.version === version() && recipe.runs.every(({ data }, i) => hashes.get(runs[i]) === data),
  }
}
