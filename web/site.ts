import type { SeriesOutlineAnswer } from '../src/ask/series.js'
import type { Series, SiteAnswer, SiteIndex, SitePart } from '../src/server/site-data.js'
import type { Asked } from './api.js'

/**
 * A copy that needs no server: what its pages ask is answered from the scripts beside it. Lists can be searched and sorted;
 * a verdict that was not worked out when the copy was made cannot be had here, and says so.
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
export type SiteReply = { readonly answer: unknown } | { readonly status: number; readonly message: string } | null

export async function siteReply(index: SiteIndex, name: string, request: Asked): Promise<SiteReply> {
  const language = request.lang === 'zh' ? 'zh' : 'en'
  switch (name) {
    case 'run-table':
      return { answer: tableOf(index, request) }
    case 'health':
      return {
        answer: { unread: [], runs: index.health[language].filter(({ id }) => named(request.runs).includes(id)) },
      }
    case 'series':
      return { answer: await seriesFor(index, request) }
    case 'show':
    case 'checkpoints':
      return kept(await partNamed(index, `run ${request.run}`), name, language)
    case 'diagnose':
      return kept(await partNamed(index, `run ${named(request.runs)[0]}`), name, language)
    case 'compare':
    case 'sides':
    case 'samples':
    case 'report':
      return isComparison(index, request) ? kept(await partNamed(index, 'comparison'), name, language) : null
    default:
      return null
  }
}

function kept(part: SitePart | null, name: string, language: string): SiteAnswer | null {
  return part?.answers[`${name} ${language}`] ?? null
}

function named(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function isComparison({ comparison }: SiteIndex, { sides, runs, metric, margin, window }: Asked): boolean {
  if (comparison === null) return false
  const asked = named(sides ?? runs)
  const isSame = asked.length === comparison.sides.length && asked.every((side, i) => side === comparison.sides[i])
  return (
    isSame &&
    (metric ?? comparison.metric) === comparison.metric &&
    (margin ?? comparison.margin) === comparison.margin &&
    window === undefined
  )
}

function tableOf({ runs, workspace }: SiteIndex, { ids, search, status, sort, from, most }: Asked) {
  const words = String(search ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
  const wanted = ids === undefined ? null : new Set(named(ids))
  const found = runs.filter(run => {
    const text = [run.name, run.id, run.source, run.status, ...run.tags].join('\n').toLowerCase()
    return (
      (wanted?.has(run.id) ?? true) &&
      (status === undefined || run.status === status) &&
      words.every(word => text.includes(word))
    )
  })
  const first = Number(from ?? 0)
  const ordered = found.toSorted(orderOf(String(sort ?? 'name')))
  return {
    workspace,
    runs: ordered.slice(first, most === undefined ? undefined : first + Number(most)),
    found: found.length,
    total: runs.length,
    groups: null,
    unread: [],
  }
}

type Run = SiteIndex['runs'][number]

const KEYS: { readonly [key: string]: (run: Run) => string | number | null } = {
  name: ({ name }) => name,
  status: ({ status }) => status,
  source: ({ source }) => source,
  steps: ({ steps }) => steps?.[1] ?? null,
  score: ({ score }) => (typeof score?.last === 'number' ? score.last : null),
  started: ({ startedAt }) => startedAt,
}

/** What is absent comes last in either direction. */
function orderOf(sort: string): (a: Run, b: Run) => number {
  const keyOf = KEYS[sort.replace(/^-/, '')] ?? KEYS.name
  const direction = sort.startsWith('-') ? -1 : 1
  return (a, b) => {
    const [one, other] = [keyOf(a), keyOf(b)]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    if (typeof one === 'number' && typeof other === 'number') return direction * (one - other)
    return direction * String(one).localeCompare(String(other), 'en', { numeric: true })
  }
}

/** So few points are asked for by lists. */
const COURSE_POINTS = 48

async function seriesFor(index: SiteIndex, { runs, metric, most, from, to }: Asked): Promise<SeriesOutlineAnswer> {
  const [ids, metrics] = [named(runs), named(metric)]
  const isCourse = Number(most ?? COURSE_POINTS + 1) <= COURSE_POINTS
  const parts = isCourse ? [] : await Promise.all(ids.map(id => partNamed(index, `run ${id}`)))
  const all = isCourse ? index.courses : parts.flatMap(part => part?.series ?? [])
  const window = [Number(from ?? Number.NEGATIVE_INFINITY), Number(to ?? Number.POSITIVE_INFINITY)] as const
  const found = ids.flatMap(id => {
    const own = all.filter(each => each.run === id)
    const carriers = metrics.flatMap(
      name => own.find(each => each.metric === name) ?? own.find(each => each.canonical === name) ?? [],
    )
    return [...new Set(carriers)].map(each => within(each, window))
  })
  return { along: 'steps', series: found, without: [], unread: [] }
}

type OneSeries = Series[number]

function within(series: OneSeries, [low, high]: readonly [number, number]): OneSeries {
  if (series.shown === 'exact') {
    const inside = series.x.map(x => x >= low && x <= high)
    const x = series.x.filter((_, i) => inside[i])
    return { ...series, total: x.length, x, y: series.y.filter((_, i) => inside[i]) }
  }
  const inside = series.from.map((start, i) => series.to[i] >= low && start <= high)
  const cut = <Item>(column: readonly Item[]): readonly Item[] => column.filter((_, i) => inside[i])
  return {
    ...series,
    // How many points a stretch held is not kept; each held about as many.
    total: Math.round((series.total * inside.filter(Boolean).length) / (inside.length || 1)),
    from: cut(series.from),
    to: cut(series.to),
    low: cut(series.low),
    high: cut(series.high),
    mean: cut(series.mean),
  }
}

const loading = new Map<string, Promise<SitePart | null>>()

function partNamed({ parts }: SiteIndex, name: string): Promise<SitePart | null> {
  const file = parts[name]
  if (file === undefined) return Promise.resolve(null)
  const before = loading.get(name)
  if (before !== undefined) return before
  const part = new Promise<SitePart | null>(resolve => {
    const script = document.createElement('script')
    script.src = file
    const done = (): void => resolve(globalThis.klensSite?.parts[name] ?? null)
    script.addEventListener('load', done)
    script.addEventListener('error', done)
    document.head.append(script)
  })
  loading.set(name, part)
  return part
}
