import { basename, extname } from 'node:path'
import { parseDocument, stringify } from 'yaml'
import { z } from 'zod'
import type { StudyFacts, StudyVerdict, TrialFacts } from '../../core/present/study/facts.js'
import type { Workspace } from '../../core/store/workspace.js'
import { type Cell, costOf } from '../../lab/study/cell.js'
import { judgeStudy } from '../../lab/study/judgement.js'
import { baselineOf, type PlannedStudy } from '../../lab/study/plan/plan-study.js'
import { readWholeStatus } from '../../lab/study/status/status.js'
import { type Trial, trialsOf } from '../../lab/study/trial.js'
import { mean } from '../../stats/descriptive.js'
import { encode } from '../../text/encode.js'
import type { Language } from '../../text/language.js'
import { render } from '../../text/sentences.js'
import { designOf } from './study-status.js'

/** All that a report on a study says, from its trials and from what klens has kept of it. */
export async function studyFacts(
  workspace: Workspace,
  study: PlannedStudy,
  { output, language }: { readonly output: string; readonly language: Language },
): Promise<StudyFacts> {
  const { file, name, arms } = study
  const { cells } = await readWholeStatus(workspace, study)
  const { baseline, verdicts, judgedBy, within, drops, settling, settled } = await judgeStudy(workspace, study, cells)
  const seeds = seedsWithRuns(cells, file.seeds)
  const looks = Math.max(0, ...(settling?.others ?? []).map(each => each.looks.length))
  const told = arms.map(arm => ({
    name: arm.name,
    settings: arm.settings,
    trials: seeds.map(seed => trialInput(cells, arm.name, seed, language)),
  }))
  const { hash, frozen, changed } = await designOf(workspace, study)
  return {
    name,
    question: file.question,
    metric: file.metric,
    direction: file.direction,
    margin: file.margin,
    expectations: file.expectations,
    design: { hash, frozen, changed },
    baseline,
    seeds,
    arms: told,
    verdicts,
    judgedBy: encode(judgedBy, language),
    within,
    settled:
      settled === null && looks === 0
        ? null
        : {
            by: file.settle.by,
            looks: settled?.looks ?? looks,
            isOpen: settled === null,
            fixed: settled?.fixed ?? null,
          },
    drops,
    cost: costOf(cells),
    take: takeFrom(study, verdicts, told, output),
  }
}

function seedsWithRuns(cells: readonly Cell[], planned: readonly number[]): readonly number[] {
  const begun = cells.flatMap(({ trial, runs }) => (runs.length > 0 ? [trial.seed] : []))
  return [...new Set([...planned, ...begun])]
}

function trialInput(cells: readonly Cell[], arm: string, seed: number, language: Language): TrialFacts | null {
  const cell = cells.find(({ trial }) => trial.arm.name === arm && trial.seed === seed)
  if (cell === undefined || cell.runs.length === 0) return null
  const { trial, state, value, runs, checkpoint, suspicious } = cell
  return {
    seed,
    state,
    value,
    run: runs[0],
    checkpoint: checkpoint === null ? null : { step: checkpoint.step, contentHash: checkpoint.contentHash },
    suspicious: suspicious.map(({ message }) => render(message, language)),
    seconds: trial.seconds,
  }
}

/** Where the config of the setting to take is written: beside the report. */
export function takeFile(output: string): string {
  return `${basename(output, extname(output))}-take.yaml`
}

/** The config of a training; for a program, the study with this arm alone, which is what tells the program's words. */
function launchText({ file, text }: PlannedStudy, { config, arm, seed }: Trial): string {
  if (config !== null) {
    const { name: _, ...settings } = config
    return stringify(settings)
  }
  const written: unknown = parseDocument(text).toJS()
  const { vary: __, arms: ___, settle: ____, drop: _____, ...rest } = z.record(z.string(), z.unknown()).parse(written)
  return stringify({ ...rest, name: `${file.name ?? 'study'}-take`, arms: { [arm.name]: arm.settings }, seeds: [seed] })
}

function takeFrom(
  study: PlannedStudy,
  verdicts: readonly StudyVerdict[],
  arms: StudyFacts['arms'],
  output: string,
): StudyFacts['take'] {
  const sign = study.file.direction === 'max' ? 1 : -1
  const meanOf = (name: string): number => {
    const values = arms.find(arm => arm.name === name)?.trials.flatMap(trial => trial?.value ?? []) ?? []
    return sign * mean(values)
  }
  const better = verdicts.filter(({ verdict, isDropped }) => verdict === 'better' && !isDropped)
  const [best] = better.map(({ other }) => other).toSorted((a, b) => meanOf(b) - meanOf(a))
  const arm = best ?? baselineOf(study)
  const taken = study.arms.filter(({ name }) => name === arm)
  const [trial] = trialsOf(study.name, taken, study.file.seeds.slice(0, 1))
  return {
    arm,
    why: best === undefined ? 'baseline' : 'better',
    config: launchText(study, trial),
    hash: trial.id,
    file: takeFile(output),
    verb: trial.config === null ? 'study run' : 'train',
  }
}
