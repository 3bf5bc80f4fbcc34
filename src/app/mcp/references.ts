import { relative } from 'node:path'
import { shownName } from '../../core/store/manifest.js'
import { readManifest } from '../../core/store/manifest-file.js'
import type { Workspace } from '../../core/store/workspace.js'
import { sentences } from '../../text/sentences.js'
import type { AnyRequest } from '../library/ask-named.js'

/**
 * What the figures of an answer are of: the runs by id, with their log, and the metrics as the log calls them. By these an
 * assistant quotes a number, and asks `origin` for its line. Answers name runs by id in `run` and `runs` and metrics in
 * `metric`; that is part of their contract.
 */
export const referenceWords = sentences({
  'mcp.of-runs': { en: 'Figures are of these runs (id, name, log):', zh: '数字出自以下 run（id、名称、日志）：' },
  'mcp.of-metrics': { en: 'metric: {metrics}', zh: '指标：{metrics}' },
  'mcp.more-runs': { en: 'and {n} more', zh: '另有 {n} 个' },
})

const MOST_RUNS = 6
const MOST_METRICS = 3
const LONGEST = 110

export interface References {
  readonly runs: readonly string[]
  readonly more: number
  readonly metrics: readonly string[]
}

/** Of a path that lies elsewhere the last parts are enough to know it by. */
export async function referencesIn(workspace: Workspace, answer: unknown, folder: string | null): Promise<References> {
  const named = new Set<string>()
  const metrics = new Set<string>()
  collect(answer, (member, text) => {
    if (member === 'run' || member === 'runs') named.add(text)
    if (member === 'metric') metrics.add(text)
  })
  const runs: string[] = []
  let more = 0
  for (const id of named) {
    if (runs.length === MOST_RUNS) more += 1
    else {
      const manifest = /^[\w.-]+$/.test(id) ? await readManifest(workspace, id).catch(() => null) : null
      if (manifest === null) continue
      const [log] = manifest.files
      const path = log === undefined ? '' : shortPath(log.path, folder)
      runs.push(`${id}  ${shownName(manifest)}  ${path}`.trimEnd().slice(0, LONGEST))
    }
  }
  return { runs, more, metrics: [...metrics].slice(0, MOST_METRICS).map(name => name.slice(0, LONGEST)) }
}

function shortPath(path: string, folder: string | null): string {
  const parts = path.split(/[/\\]/)
  if (folder === null) return parts.at(-1) ?? ''
  const way = relative(folder, path)
  return way.startsWith('..') ? parts.slice(-3).join('/') : way
}

/** Every text of the answer with the member that it stands in. */
function collect(value: unknown, take: (member: string, text: string) => void, member = ''): void {
  if (typeof value === 'string') take(member, value)
  else if (Array.isArray(value)) for (const each of value) collect(each, take, member)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value as AnyRequest)) collect(each, take, name)
  }
}
