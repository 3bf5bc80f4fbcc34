import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../../../core/store/atomic.js'
import type { Workspace } from '../../../core/store/workspace.js'
import { sha256 } from '../../../logs/model/id.js'
import { Problem } from '../../../logs/model/problem.js'
import type { Message } from '../../../logs/model/run.js'
import { sentences } from '../../../text/sentences.js'
import { canonicalJson } from '../../train/config/hash.js'
import { startedFor } from '../executor/section.js'
import type { PlannedStudy } from '../plan/plan-study.js'
import { type CommandArm, commandTrialId } from '../trial.js'
import { ANY_SEED, commandOf, filledVariables, shownCommand, type TrialCommand } from './command.js'
import { type ArmCheck, type Examiner, examineArms } from './preflight.js'
import type { PlannedService } from './resolve.js'
import { fillTemplate } from './template.js'
import { trialFolder } from './trial-folder.js'

/**
 * A study file may start any program, and it may come from anybody. So nothing of it is started until a person has seen
 * the commands and said yes to them, once: the yes is to a hash over all that would be started, and is kept in the
 * workspace. A yes that came along with somebody else's `.klens` does not count, because it names the very folder, by
 * device, number and birth, in which it was given.
 */

const say = sentences({
  'study.trust.needed': {
    en: 'this study starts programs that were not approved here yet: review them with klens study run {file} --dry-run, then approve with --trust {hash}',
    zh: '此研究会启动程序，而这里还没有人确认过：先用 klens study run {file} --dry-run 查看，再用 --trust {hash} 确认',
  },
  'study.trust.other': {
    en: '--trust {given} does not match what would be started ({hash}). Review it with klens study run {file} --dry-run',
    zh: '--trust {given} 不是将要启动的内容：应为 {hash}。请用 klens study run {file} --dry-run 查看',
  },
  'study.trust.short': {
    en: '--trust needs at least {digits} digits of the hash, which klens study run {file} --dry-run shows',
    zh: '--trust 至少需要哈希的前 {digits} 位，可用 klens study run {file} --dry-run 查看',
  },
  'study.refused': { en: 'this study is not what its file says: {reasons}', zh: '此研究不会按其所写进行：{reasons}' },
  'study.refused.arm': { en: 'arm "{arm}": {reason}', zh: '实验组“{arm}”：{reason}' },
})

/** What a study would start, and what preflight says of it. */
interface StudyPrograms {
  /** Over all that would be started. */
  readonly hash: string
  readonly trusted: boolean
  /** What the file has klens start to hand trials over, and gives them there. */
  readonly executor: readonly string[]
  /** What runs beside trials, and what scores their checkpoints. */
  readonly beside: readonly string[]
  /** Each with the command of its first seed. */
  readonly arms: readonly ArmCheck[]
}

/** Null for a study that klens trains itself, and that brings no commands along. */
export async function studyPrograms(
  workspace: Workspace,
  plan: PlannedStudy,
  examiner: Examiner,
): Promise<StudyPrograms | null> {
  const arms = plan.arms.filter(arm => arm.program !== null)
  const executor = startedFor(plan.file.executor)
  if (arms.length === 0 && executor.length === 0) return null
  const hash = hashOfCommands(workspace, plan, arms)
  const [seed = 1] = plan.file.seeds
  const folderOf = (arm: CommandArm): string =>
    trialFolder(workspace, plan.name, { arm: arm.name, seed, id: commandTrialId(arm.program, seed) })
  const checks = await examineArms(arms, seed, folderOf, examiner)
  const beside = besidePrograms(plan).map(shownCommand)
  return { hash, trusted: await isTrusted(workspace, hash), executor, beside, arms: checks }
}

const FEWEST_DIGITS = 12

/** Before anything of a study is started: that its arms are what they say, and that a person has said yes to the commands. */
export async function allowPrograms(
  workspace: Workspace,
  plan: PlannedStudy,
  examiner: Examiner,
  given: string | undefined,
): Promise<void> {
  const programs = await studyPrograms(workspace, plan, examiner)
  if (programs === null) return
  const { hash } = programs
  const reasons = programs.arms.flatMap(({ arm, refused }): readonly Message[] =>
    refused.map(reason => say('study.refused.arm', { arm, reason })),
  )
  if (reasons.length > 0) throw new Problem('bad-request', say('study.refused', { reasons }))
  const file = plan.path
  if (given !== undefined) {
    if (given.length < FEWEST_DIGITS) {
      throw new Problem('bad-request', say('study.trust.short', { digits: FEWEST_DIGITS, file }))
    }
    if (!hash.startsWith(given)) throw new Problem('bad-request', say('study.trust.other', { given, hash, file }))
    await trust(workspace, hash)
  } else if (!programs.trusted) {
    throw new Problem('not-trusted', say('study.trust.needed', { file, hash: hash.slice(0, FEWEST_DIGITS) }))
  }
}

/** Over every command, however many seeds there are of it, and over what the file brings along to hand them over. */
function hashOfCommands(workspace: Workspace, plan: PlannedStudy, arms: readonly CommandArm[]): string {
  const { name, file } = plan
  const all = arms.flatMap(arm => {
    const { engine, study, settings } = arm.program
    const trial = { study, arm: arm.name, settings, seed: ANY_SEED } as const
    const folder = trialFolder(workspace, name, { arm: arm.name, seed: ANY_SEED, id: null })
    const fresh = commandOf(engine, trial, { folder, checkpoint: null })
    const isResumed = engine.resume.length > 0 || engine.resumeSettings.length > 0
    const resumed = isResumed ? commandOf(engine, trial, { folder, checkpoint: '{checkpoint}' }) : fresh
    return [plain(fresh), plain(resumed)]
  })
  const beside = besidePrograms(plan).map(plain)
  return sha256(canonicalJson({ all, where: [...startedFor(file.executor)], ...(beside.length > 0 && { beside }) }))
}

/** Services and evaluations, with their blanks as they stand in the file. */
function besidePrograms({ arms, conditions }: PlannedStudy): readonly TrialCommand[] {
  const open = (key: string): string => `{${key}}`
  const filled = ({ words, folder, environment }: Unfilled): TrialCommand => {
    const [program = '', ...rest] = words.map(word => fillTemplate(word, open))
    return { words: [program, ...rest], folder, environment: filledVariables(environment, open) }
  }
  const shared = arms[0]?.program?.engine.services ?? []
  const scoring = ([...conditions.values()][0] ?? []).flatMap(({ asks }): readonly Unfilled[] =>
    asks.kind !== 'program'
      ? []
      : [
          ...asks.before.map(words => ({ words, folder: asks.folder, environment: asks.environment })),
          ...asks.services,
          asks,
        ],
  )
  return [...shared, ...scoring].map(filled)
}

type Unfilled = Pick<PlannedService, 'words' | 'folder' | 'environment'>

function plain({ words, folder, environment }: TrialCommand) {
  return { words: [...words], folder, environment }
}

const schema = z.object({
  format: z.literal(1),
  trusted: z.record(z.string(), z.object({ at: z.number(), place: z.string() })),
})

type Trusted = z.infer<typeof schema>['trusted']

async function isTrusted(workspace: Workspace, hash: string): Promise<boolean> {
  const known = (await readTrusted(workspace))[hash]
  return known !== undefined && known.place === (await placeOf(workspace))
}

/** Only ever for somebody who was shown the commands. */
async function trust(workspace: Workspace, hash: string): Promise<void> {
  await mkdir(workspace.root, { recursive: true })
  const trusted = {
    ...(await readTrusted(workspace)),
    [hash]: { at: Date.now() / 1000, place: (await placeOf(workspace)) ?? '' },
  }
  await writeFileAtomically(pathIn(workspace), `${JSON.stringify({ format: 1, trusted })}\n`)
}

function pathIn({ root }: Workspace): string {
  return join(root, 'trusted.json')
}

/** What cannot be read says no. */
async function readTrusted(workspace: Workspace): Promise<Trusted> {
  try {
    return schema.parse(JSON.parse(await readFile(pathIn(workspace), 'utf8'))).trusted
  } catch {
    return {}
  }
}

async function placeOf({ root }: Workspace): Promise<string | null> {
  const folder = await stat(root, { bigint: true }).catch(() => null)
  return folder === null ? null : [folder.dev, folder.ino, folder.birthtimeNs].join(':')
}
