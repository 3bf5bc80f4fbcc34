import { createHash } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../../store/atomic.js'
import type { Workspace } from '../../store/workspace.js'
import { canonicalJson } from '../../train/config/hash.js'
import type { StudyFile } from '../file/schema.js'
import { ANY_SEED, commandOf, type TrialCommand } from './command.js'
import type { CommandArm } from './plan-command.js'

/**
 * A study file may start any program, and it may come from a stranger. So nothing of it is started until a person has
 * seen the commands and said yes to them, once: the yes is to a hash over all that would be started, and is kept in the
 * workspace. A yes that came along with somebody else's `.klens` does not count, because it names the very folder, by
 * device, number and birth, in which it was given.
 */

/** Over every command, however many seeds there are of it, and over where they run. */
export function hashOfCommands(
  arms: readonly CommandArm[],
  executor: StudyFile['executor'],
  folderOf: (arm: CommandArm, seed: typeof ANY_SEED) => string,
): string {
  const all = arms.flatMap(arm => {
    const { engine, study, settings } = arm.program
    const trial = { study, arm: arm.name, settings, seed: ANY_SEED } as const
    const folder = folderOf(arm, ANY_SEED)
    const fresh = commandOf(engine, trial, { folder, checkpoint: null })
    const isResumed = engine.resume.length > 0 || engine.resumeSettings.length > 0
    const resumed = isResumed ? commandOf(engine, trial, { folder, checkpoint: '{checkpoint}' }) : fresh
    return [plain(fresh), plain(resumed)]
  })
  const where = JSON.parse(JSON.stringify(executor))
  return createHash('sha256').update(canonicalJson({ all, where })).digest('hex')
}

function plain({ words, folder, environment }: TrialCommand) {
  return { words: [...words], folder, environment }
}

const schema = z.object({
  format: z.literal(1),
  trusted: z.record(z.string(), z.object({ at: z.number(), place: z.string() })),
})

type Trusted = z.infer<typeof schema>['trusted']

export async function isTrusted(workspace: Workspace, hash: string): Promise<boolean> {
  const known = (await readTrusted(workspace))[hash]
  return known !== undefined && known.place === (await placeOf(workspace))
}

/** Only ever for somebody who was shown the commands. */
export async function trust(workspace: Workspace, hash: string): Promise<void> {
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
