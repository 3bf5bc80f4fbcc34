import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { Problem } from '../model/problem.js'
import { sentences } from '../text/sentences.js'
import { type Context, verb } from './context.js'
import { printPrograms } from './print/study-programs.js'

/** What the verbs of `klens study` share: the file, where its trials run, and the yes of a person to programs that it starts. */

const say = sentences({
  'study.argument.file': { en: 'the study file', zh: '研究文件' },
  'study.option.workers': { en: 'trials at a time (all cores)', zh: '同时训练的试验数（默认所有核心）' },
  'study.option.executor': {
    en: 'where trials run, instead of what the file says: local, ray, ray:ADDRESS or slurm',
    zh: '试验在哪里运行（代替文件中的设置）：local、ray、ray:地址 或 slurm',
  },
  'study.option.trust': {
    en: 'say yes, once, to the commands that klens study run --dry-run shows under this hash',
    zh: '确认 klens study run --dry-run 以此哈希显示的命令（一次即可）',
  },
  'study.trust.ask': { en: 'start these programs? [y/N]', zh: '启动这些程序吗？[y/N]' },
})

export function studyFileVerb(name: string, description: string, context: Context): Command {
  return verb(name, description, context).argument('<file>', context.render(say('study.argument.file', {})))
}

export interface StartOptions {
  readonly json?: boolean
  readonly workers?: string
  readonly executor?: string
  readonly trust?: string
}

/** One that goes to where trials run, by commands that the file may bring along. */
export function placedVerb(name: string, description: string, context: Context): Command {
  return studyFileVerb(name, description, context)
    .option('--executor <where>', context.render(say('study.option.executor', {})))
    .option('--trust <hash>', context.render(say('study.option.trust', {})))
}

/** One that starts trials there. */
export function startingVerb(name: string, description: string, context: Context): Command {
  return placedVerb(name, description, context).option('--workers <n>', context.render(say('study.option.workers', {})))
}

/** Asks, and where nobody has said yes to the programs yet, shows them to whoever sits at a terminal and asks again. */
export async function askWithTrust<Answer>(
  context: Context,
  file: string,
  { json = false, executor, trust }: StartOptions,
  ask: (trust: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  return ask(trust).catch(async error => {
    if (json || !(error instanceof Problem && error.code === 'not-trusted')) throw error
    const hash = await trustedByHand(context, file, executor)
    if (hash === null) throw error
    return ask(hash)
  })
}

/** The hash of what was shown, or null. */
async function trustedByHand(context: Context, file: string, executor: string | undefined): Promise<string | null> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return null
  const { studyRun } = await import('../ask/study-run.js')
  const { programs } = await context.ask(studyRun, { file, dryRun: true, executor })
  if (programs === null) return null
  printPrograms(context, programs, null)
  const reader = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const said = await reader.question(`${context.render(say('study.trust.ask', {}))} `)
    return /^(?:y|yes|是)$/i.test(said.trim()) ? programs.hash : null
  } finally {
    reader.close()
  }
}
