import { appendFile, mkdir, open, readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { sha256 } from '../../logs/model/id.js'
import { Problem } from '../../logs/model/problem.js'
import { list } from '../../logs/model/schema.js'
import { sentences } from '../../text/sentences.js'
import { unreadable } from './disk-problem.js'
import { nullWhenMissing, takeLease } from './lease.js'
import type { Workspace } from './workspace.js'

/**
 * The ledger of an experiment loop, `.klens/loops/NAME/ledger.jsonl`: one line a look at a candidate, only ever appended
 * to. The order of the lines decides, and no clock. Each line has a checksum over itself and the line before, so that one
 * that was altered, taken out or put in is seen; a last line that a kill or a full disk cut short never counted, and is
 * passed over. One process at a time looks: the folder has a lease.
 */

const judgedRun = z.object({
  id: z.string(),
  name: z.string(),
  seed: z.string().nullable(),
  /** What it was judged by, in the metric's unit. */
  score: z.number(),
  /** Hash of the series that it was judged by, and of each log that it was read from. */
  data: z.string(),
  logs: z.record(z.string(), z.string()),
})

const judgedSide = z.object({
  /** Hash of its settings. */
  setting: z.string(),
  label: z.string(),
  runs: list(judgedRun),
})

const size = z.union([z.object({ absolute: z.number() }), z.object({ share: z.number() })])

export const loopLook = z.object({
  try: z.number(),
  metric: z.string(),
  goal: z.enum(['max', 'min']),
  margin: size.nullable(),
  baseline: judgedSide,
  candidate: judgedSide,
  decision: z.enum(['keep', 'discard', 'more']),
  reason: z.string(),
  more: z.object({ what: z.enum(['candidate', 'baseline', 'steps']), n: z.number() }).nullable(),
  difference: z.object({ mean: z.number(), standardError: z.number(), degreesOfFreedom: z.number() }).nullable(),
  p: z.number().nullable(),
  level: z.number(),
  /** What the try may spend of the loop's error. */
  error: z.number(),
  at: z.string(),
})

export type LoopLook = z.infer<typeof loopLook>
export type JudgedSide = z.infer<typeof judgedSide>
export type JudgedRun = z.infer<typeof judgedRun>

const say = sentences({
  'loop.bad-name': {
    en: '--loop: "{name}" cannot be the name of a loop: letters, digits, ".", "_" and "-", and not "." first',
    zh: '--loop：“{name}”不能作为循环名：只能用字母、数字、“.”、“_”和“-”，且不能以“.”开头',
  },
  'loop.missing': {
    en: '--loop NAME is missing: tries of one loop share one error',
    zh: '缺少 --loop NAME：同一循环的各次尝试共用一份误差',
  },
  'loop.damaged': {
    en: 'line {line} of {path} was changed, or lines before it are missing: its tries no longer add up; put a copy of the file back, or begin a new loop',
    zh: '{path} 第 {line} 行被改动，或其前面缺少若干行：各次尝试已对不上；请恢复该文件的副本，或新开一个循环',
  },
  'loop.busy': {
    en: 'another process is at the gate of this loop; try again',
    zh: '另一进程正在对此循环做判定，请稍后再试',
  },
})

const NAME = /^[\p{L}\p{N}_-][\p{L}\p{N}._-]{0,99}$/u

function loopFolder({ root }: Workspace, name: string): string {
  if (name === '') throw new Problem('bad-request', say('loop.missing', {}))
  if (!NAME.test(name)) throw new Problem('bad-request', say('loop.bad-name', { name }))
  return join(root, 'loops', name)
}

/** Names of the loops of a workspace. */
export async function listLoops({ root }: Workspace): Promise<readonly string[]> {
  const found = await readdir(join(root, 'loops'), { withFileTypes: true }).catch(nullWhenMissing)
  return (found ?? [])
    .filter(each => each.isDirectory() && NAME.test(each.name))
    .map(({ name }) => name)
    .sort()
}

/** Empty where there is no such loop yet. */
export async function readLoop(workspace: Workspace, name: string): Promise<readonly LoopLook[]> {
  return (await readLedger(loopFolder(workspace, name))).looks
}

/** Looks once, alone: what it returns beside its answer is appended. */
export async function lookAtLoop<Answer>(
  workspace: Workspace,
  name: string,
  look: (before: readonly LoopLook[]) => Promise<{ readonly answer: Answer; readonly added: LoopLook | null }>,
): Promise<Answer> {
  const folder = loopFolder(workspace, name)
  await mkdir(folder, { recursive: true })
  const lease = await takeLease(folder, 'evaluate', () => say('loop.busy', {}))
  try {
    const { looks, sum } = await readLedger(folder)
    const { answer, added } = await look(looks)
    if (added !== null) {
      await lease.check()
      await append(ledgerPath(folder), added, sum)
    }
    return answer
  } finally {
    await lease.release()
  }
}

function ledgerPath(folder: string): string {
  return join(folder, 'ledger.jsonl')
}

async function append(path: string, look: LoopLook, before: string): Promise<void> {
  const text = JSON.stringify(look)
  // A line that was cut short ends here, and spoils no other.
  await appendFile(path, `\n${JSON.stringify({ sum: sumOf(before, text), look: text })}\n`)
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

function sumOf(before: string, text: string): string {
  return sha256(`${before}\n${text}`).slice(0, 32)
}

const line = z.object({ sum: z.string(), look: z.string() })

async function readLedger(folder: string): Promise<{ readonly looks: readonly LoopLook[]; readonly sum: string }> {
  const path = ledgerPath(folder)
  const text = await readFile(path, 'utf8')
    .catch(nullWhenMissing)
    .catch(error => {
      throw unreadable(path, error)
    })
  const looks: LoopLook[] = []
  let sum = basename(folder)
  for (const [i, written] of (text ?? '').split('\n').entries()) {
    const found = parsed(written)
    if (found === null) continue
    const look = found.sum === sumOf(sum, found.look) ? lookIn(found.look) : null
    if (look === null) throw new Problem('damaged', say('loop.damaged', { line: i + 1, path }))
    looks.push(look)
    sum = found.sum
  }
  return { looks, sum }
}

/** Null for what is no whole line. */
function parsed(written: string): z.infer<typeof line> | null {
  if (written === '') return null
  try {
    return line.safeParse(JSON.parse(written)).data ?? null
  } catch {
    return null
  }
}

function lookIn(text: string): LoopLook | null {
  try {
    return loopLook.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
