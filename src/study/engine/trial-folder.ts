import { mkdir, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../model/problem.js'
import type { Workspace } from '../../store/workspace.js'
import { sentences } from '../../text/sentences.js'
import { studyFolder } from '../file/kept-file.js'
import { type ANY_SEED, plainName } from './command.js'
import { isWithin } from './resolve.js'

/** Where a trial puts what it makes: `.klens/studies/NAME/trials/ARM-seedN-HASH`, and nothing klens reads of it lies elsewhere. */

const say = sentences({
  'study.trial.leads-out': {
    en: '{path} is a link that leads out of {folder}; klens neither writes nor reads there',
    zh: '{path} 是指向 {folder} 之外的链接；klens 不在那里读写',
  },
})

export interface TrialPlace {
  readonly arm: string
  readonly seed: number | typeof ANY_SEED
  /** Null where all seeds are meant. */
  readonly id: string | null
}

export function trialFolder(workspace: Workspace, study: string, { arm, seed, id }: TrialPlace): string {
  const name = `${plainName(arm)}-seed${seed}${id === null ? '' : `-${id.slice(0, 8)}`}`
  return join(studyFolder(workspace, study), 'trials', name)
}

/** Made, where it is not there; a problem where a link in its path leads out of the workspace. */
export async function makeTrialFolder(workspace: Workspace, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const [root, real] = await Promise.all([realpath(workspace.root), realpath(folder)])
  if (!isWithin(root, real))
    throw new Problem('bad-request', say('study.trial.leads-out', { path: folder, folder: root }))
}

/** What a pattern of the study file matches in a trial's folder, by name; `*` stands for anything but a slash. */
export async function matchesIn(folder: string, pattern: string): Promise<readonly string[]> {
  const home = await realpath(folder).catch(() => null)
  if (home === null) return []
  let found = [folder]
  for (const part of pattern.split('/').filter(each => each !== '' && each !== '.')) {
    const next: string[] = []
    for (const place of found) next.push(...(await namesLike(place, part)).map(name => join(place, name)))
    found = next
  }
  const real = await Promise.all(found.map(path => realpath(path).catch(() => null)))
  for (const [i, path] of real.entries()) {
    if (path !== null && !isWithin(home, path)) {
      throw new Problem('bad-request', say('study.trial.leads-out', { path: found[i], folder }))
    }
  }
  return found.filter((_, i) => real[i] !== null)
}

async function namesLike(folder: string, part: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  const like = new RegExp(`^${part.split('*').map(escaped).join('.*')}$`, 's')
  return names.filter(name => like.test(name)).sort()
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

export interface TrialCheckpoint {
  readonly path: string
  readonly step: number
}

/** In the order of the last number in their names. */
export async function checkpointsOf(folder: string, pattern: string | null): Promise<readonly TrialCheckpoint[]> {
  if (pattern === null) return []
  const found = (await matchesIn(folder, pattern)).flatMap((path): TrialCheckpoint[] => {
    const [, step] = /(\d+)\D*$/.exec(path.slice(folder.length)) ?? []
    return step === undefined ? [] : [{ path, step: Number(step) }]
  })
  return found.toSorted((a, b) => a.step - b.step)
}
