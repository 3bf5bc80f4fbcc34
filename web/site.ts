import type { Series, SiteIndex, SitePart, SiteReply } from '../src/app/server/site.js'
import { searchMatcher } from '../src/logs/model/run-search.js'
import type { Answers, Asked } from './api.js'
import { seriesNamed } from './charts/lines.js'

/**
 * A copy that needs no server: what was asked when it was made is replayed from the scripts beside it. Lists can be searched
 * and sorted; a verdict that was not worked out then cannot be had here, and says so.
 */

interface Site {
  readonly index: SiteIndex
  readonly parts: { readonly [name: string]: SitePart | undefined }
}

declare global {
  // Set by the script of the index, where there is one.
  var klensSite: Site | undefined
}

export const siteIndex: SiteIndex | null = globalThis.klensSite?.index ?? null

/** Null: it has no answer to this. */
export async function siteReply(index: SiteIndex, name: string, request: Asked): Promise<SiteReply | null> {
  const language = request.lang === 'zh' ? 'zh' : 'en'
  switch (name) {
    case 'run-table':
      return { answer: tableOf(index, request) }
    case 'health':
      return {
        answer: { unread: [], runs: index.health[language].filter(({ id }) => listed(request.runs).includes(id)) },
      }
    case 'attention':
      return { answer: attentionOf(index, language) }
    case 'series':
      return { answer: await seriesFor(index, request) }
    default: {
      const [run = request.run, ...others] = listed(request.runs)
      const part = await loadPart(index, others.length === 0 && run !== undefined ? `run-${run}` : 'comparison')
      const found = part?.recorded.find(({ asked: [each, before] }) => each === name && isSame(before, request))
      return found?.[language] ?? null
    }
  }
}

function attentionOf({ health, runs }: SiteIndex, language: 'en' | 'zh'): Answers['attention'] {
  const sick = health[language].flatMap(({ id, worst }) =>
    worst === null || worst.severity === 'note'
      ? []
      : [{ id, name: runs.find(run => run.id === id)?.name ?? id, worst }],
  )
  return { looked: runs.length, total: runs.length, sick: sick.length, runs: sick }
}

function listed(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** What the server decides itself, and what may be asked for beside it without another answer being meant. */
const DECIDED = new Set(['points', 'write'])
const JUDGED_BY = ['metric', 'margin', 'window', 'ended']

function isSame(recorded: Asked, asked: Asked): boolean {
  const members = [...Object.keys(recorded).filter(member => !DECIDED.has(member)), ...JUDGED_BY]
  return members.every(member => JSON.stringify(recorded[member]) === JSON.stringify(asked[member]))
}

function tableOf({ runs, scores, orders, workspace }: SiteIndex, request: Asked): Answers['run-table'] {
  const { ids, search, status, sort, from, most } = request
  const isFound = searchMatcher(String(search ?? ''))
  const found = (orders[String(sort)] ?? orders.name)
    .map(at => runs[at])
    .filter(run => (ids === undefined || listed(ids).includes(run.id)) && run.status === (status ?? run.status))
    .filter(isFound)
  const first = Number(from ?? 0)
  return {
    workspace,
    runs: found.slice(first, most === undefined ? undefined : first + Number(most)),
    scores,
    moreScores: [],
    found: found.length,
    total: runs.length,
    groups: null,
    none: [],
    unread: [],
  }
}

/** So few points are asked for by lists. */
const COURSE_POINTS = 48

/** Whole, whatever the window: a chart draws the part that it shows. */
async function seriesFor(index: SiteIndex, { runs, metric, most }: Asked): Promise<Answers['series']> {
  const isCourse = Number(most ?? COURSE_POINTS + 1) <= COURSE_POINTS
  const found: Series[number][] = []
  for (const id of listed(runs)) {
    const all = isCourse ? index.courses : ((await loadPart(index, `run-${id}`))?.series ?? [])
    const carriers = listed(metric).flatMap(name => seriesNamed(all, id, name) ?? [])
    found.push(...new Set(carriers))
  }
  return { along: 'steps', series: found, without: [], unread: [] }
}

const loading = new Map<string, Promise<SitePart | null>>()

function loadPart({ runs, comparison }: SiteIndex, name: string): Promise<SitePart | null> {
  const isThere = name === 'comparison' ? comparison !== null : runs.some(({ id }) => name === `run-${id}`)
  const before = loading.get(name)
  if (before !== undefined || !isThere) return before ?? Promise.resolve(null)
  const part = new Promise<SitePart | null>(resolve => {
    const script = document.createElement('script')
    script.src = `data/${name}.js`
    const done = (): void => resolve(globalThis.klensSite?.parts[name] ?? null)
    script.addEventListener('load', done)
    script.addEventListener('error', done)
    document.head.append(script)
  })
  loading.set(name, part)
  return part
}
