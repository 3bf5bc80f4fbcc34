import { z } from 'zod'
import { Problem } from '../model/problem.js'
import type { Message } from '../model/run.js'
import type { Workspace } from '../store/workspace.js'
import { type ANY_SEED, shownCommand } from '../study/engine/command.js'
import { type CommandArm, commandTrialId } from '../study/engine/plan-command.js'
import { type ArmCheck, examineArms, refusals } from '../study/engine/preflight.js'
import { type ProgramEvent, runPrograms } from '../study/engine/run-programs.js'
import { trialFolder } from '../study/engine/trial-folder.js'
import { hashOfCommands, isTrusted, trust } from '../study/engine/trust.js'
import { openExecutor, roomAt } from '../study/executor/open-executor.js'
import { jobRecords } from '../study/executor/records.js'
import { startedFor } from '../study/executor/section.js'
import type { PlannedStudy } from '../study/plan/plan-study.js'
import type { CommandTrial, StudyTrial } from '../study/plan/trials.js'
import { studyStopRules } from '../study/stop/study-rules.js'
import type { Language } from '../text/language.js'
import { render, sentences } from '../text/sentences.js'
import { inWords, list, numberWithin } from './fields.js'
import { thisMachine, whereLaunched } from './machine.js'

/** The part of a study's questions that is about programs of the user's: what would be started, whether it may be, and starting it. */

const say = sentences({
  'study.trust.needed': {
    en: 'this study starts programs, and nobody has said yes to them here: look at them with klens study run {file} --dry-run, then say yes with --trust {hash}',
    zh: '此研究会启动程序，而这里还没有人确认过：先用 klens study run {file} --dry-run 查看，再用 --trust {hash} 确认',
  },
  'study.trust.other': {
    en: '--trust {given} is not what would be started: that is {hash}. Look at it with klens study run {file} --dry-run',
    zh: '--trust {given} 不是将要启动的内容：应为 {hash}。请用 klens study run {file} --dry-run 查看',
  },
  'study.trust.short': {
    en: '--trust needs at least {digits} digits of the hash, which klens study run {file} --dry-run shows',
    zh: '--trust 至少需要哈希的前 {digits} 位，可用 klens study run {file} --dry-run 查看',
  },
  'study.refused': { en: 'this study would not be what it says: {reasons}', zh: '此研究不会按其所写进行：{reasons}' },
  'study.refused.arm': { en: 'of the arm "{arm}": {reason}', zh: 'arm“{arm}”：{reason}' },
})

/** Of a question that goes to where trials run, by commands that the file may bring along. */
export const placedRequest = {
  file: z.string(),
  /** Instead of the one in the file: `local`, `ray`, `ray:ADDRESS`, `slurm`. */
  executor: z.string().optional(),
  /** The hash of the commands that a person has read and says yes to. */
  trust: z.string().optional(),
}

/** Of one that starts trials there, so many at a time. */
export const startingRequest = { ...placedRequest, workers: numberWithin({ above: 0, whole: true }) }

export const programsAnswer = z.object({
  /** To be given to --trust by whoever has read the commands. */
  hash: z.string(),
  trusted: z.boolean(),
  /** What the file has klens start to hand trials over, and gives them there. */
  executor: list(z.string()),
  arms: list(
    z.object({
      arm: z.string(),
      /** That of its first seed, quoted as a person would type it. */
      command: z.string(),
      seed: z.number(),
      words: list(z.string()),
      environment: z.record(z.string(), z.string()),
      folder: z.string(),
      /** False: klens does not know this program, so that only what varies was looked at. */
      examined: z.boolean(),
      findings: list(
        z.object({ rule: z.string(), severity: z.enum(['error', 'warning', 'note']), message: z.string() }),
      ),
      /** Why the study is refused. */
      refused: list(z.string()),
    }),
  ),
})

export type ProgramsAnswer = z.infer<typeof programsAnswer>

function commandArmsOf({ arms }: PlannedStudy): readonly CommandArm[] {
  return arms.filter(arm => arm.program !== null)
}

function startsPrograms(study: PlannedStudy): boolean {
  return commandArmsOf(study).length > 0 || startedFor(study.file.executor).length > 0
}

function hashOf(workspace: Workspace, study: PlannedStudy): string {
  const folderOf = ({ name: arm }: CommandArm, seed: typeof ANY_SEED): string =>
    trialFolder(workspace, study.name, { arm, seed, id: null })
  return hashOfCommands(commandArmsOf(study), study.file.executor, folderOf)
}

async function checksOf(workspace: Workspace, study: PlannedStudy): Promise<readonly ArmCheck[]> {
  const [seed = 1] = study.file.seeds
  const folderOf = (arm: CommandArm): string =>
    trialFolder(workspace, study.name, { arm: arm.name, seed, id: commandTrialId(arm.program, seed) })
  return examineArms(commandArmsOf(study), seed, folderOf, whereLaunched())
}

/** What would be started and what preflight says of it; null for a study that klens trains itself. */
export async function programsAnswerOf(
  workspace: Workspace,
  study: PlannedStudy,
  language: Language,
): Promise<ProgramsAnswer | null> {
  if (!startsPrograms(study)) return null
  const hash = hashOf(workspace, study)
  const checks = await checksOf(workspace, study)
  return {
    hash,
    trusted: await isTrusted(workspace, hash),
    executor: startedFor(study.file.executor),
    arms: checks.map(({ command, check, ...each }) => ({
      arm: each.arm,
      command: shownCommand(command),
      seed: study.file.seeds[0],
      ...command,
      examined: check !== null,
      findings: (check?.findings ?? []).map(({ rule, severity, message }) => ({
        rule,
        severity,
        message: render(message, language),
      })),
      refused: inWords(refusals({ command, check, ...each }).map(reasonIn), language),
    })),
  }
}

function reasonIn(refusal: ReturnType<typeof refusals>[number]): Message {
  return 'rule' in refusal ? refusal.message : refusal
}

const FEWEST_DIGITS = 12

/** Before anything of a study is started: that its arms are what they say, and that a person has said yes to the commands. */
export async function allowPrograms(
  workspace: Workspace,
  study: PlannedStudy,
  given: string | undefined,
): Promise<void> {
  if (!startsPrograms(study)) return
  const reasons = (await checksOf(workspace, study)).flatMap(check =>
    refusals(check).map(refusal => say('study.refused.arm', { arm: check.arm, reason: reasonIn(refusal) })),
  )
  if (reasons.length > 0) throw new Problem('bad-request', say('study.refused', { reasons }))
  const hash = hashOf(workspace, study)
  const file = study.path
  if (given !== undefined) {
    if (given.length < FEWEST_DIGITS) {
      throw new Problem('bad-request', say('study.trust.short', { digits: FEWEST_DIGITS, file }))
    }
    if (!hash.startsWith(given)) throw new Problem('bad-request', say('study.trust.other', { given, hash, file }))
    await trust(workspace, hash)
  }
  if (!(await isTrusted(workspace, hash))) {
    throw new Problem('not-trusted', say('study.trust.needed', { file, hash: hash.slice(0, FEWEST_DIGITS) }))
  }
}

export interface ProgramsRan {
  readonly known: number
  /** By trial id, in words. */
  readonly failures: ReadonlyMap<string, readonly string[]>
}

export async function runProgramTrials(
  workspace: Workspace,
  study: PlannedStudy,
  trials: readonly CommandTrial[],
  {
    workers,
    language,
    signal,
    hear,
  }: {
    readonly workers: number | null
    readonly language: Language
    readonly signal: AbortSignal
    readonly hear: (event: ProgramEvent) => void
  },
): Promise<ProgramsRan> {
  if (trials.length === 0) return { known: 0, failures: new Map() }
  const { executor, resources } = study.file
  const records = jobRecords(workspace, study.name)
  const machine = thisMachine()
  const rules = studyStopRules(study.file.stop)
  const outcomes = await runPrograms(trials, {
    workspace,
    study: study.name,
    metric: study.file.metric,
    executor: openExecutor(executor, records.folder, machine),
    records,
    atOnce: workers ?? roomAt(executor, resources, machine),
    resources,
    stopWatch: rules.length === 0 ? null : { rules },
    signal,
    hear,
  })
  const all = [...outcomes]
  return {
    known: all.filter(([, { isKnown, state }]) => isKnown && state === 'done').length,
    failures: new Map(
      all.flatMap(([id, { problems }]) => (problems.length === 0 ? [] : [[id, inWords(problems, language)]])),
    ),
  }
}

export function isProgram(trial: StudyTrial): trial is CommandTrial {
  return trial.program !== null
}
