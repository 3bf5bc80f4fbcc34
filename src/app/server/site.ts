import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import type { RunView } from '../../core/analysis/run-view.js'
import { keptHtml } from '../../core/present/report/kept.js'
import type { Workspace } from '../../core/store/workspace.js'
import { Problem } from '../../logs/model/problem.js'
import type { Language } from '../../text/language.js'
import { sentences } from '../../text/sentences.js'
import type { HealthAnswer } from '../ask/diagnose.js'
import { list, request } from '../ask/fields.js'
import { resolveAll, resolveSides } from '../ask/names.js'
import { type Asking, ask, question } from '../ask/question.js'
import { QUESTIONS } from '../ask/questions.js'
import type { RunTableAnswer } from '../ask/runs.js'
import type { SeriesOutlineAnswer } from '../ask/series.js'
import { version } from '../ask/version.js'
import { answerHere, isError } from './answer.js'
import { type Files, readFiles } from './files.js'

/**
 * A copy of the dashboard for people who have no klens: a folder that opens from disk or from any web server. What its pages
 * ask about the chosen runs is asked when it is made, in both languages, and replayed by the page (`web/site.ts`). The
 * answers are scripts and not JSON files, because a page that was opened from disk may load a script beside it but fetch
 * nothing. The index is loaded with the page, a part when it is looked at.
 */

export interface SiteIndex {
  readonly workspace: string
  readonly version: string
  readonly runs: RunTableAnswer['runs']
  readonly scores: RunTableAnswer['scores']
  /** By what they can be sorted by, places among `runs` in the order that the table of runs has then. */
  readonly orders: { readonly [sort: string]: readonly number[] }
  /** Of each run, its score in a few ranges, for lists. */
  readonly courses: Series
  readonly health: { readonly [language in Language]: HealthAnswer['runs'] }
  readonly comparison: {
    readonly sides: readonly string[]
    readonly metric: string | null
    readonly margin: string | null
  } | null
  /** Written by klens beforehand, as files of the copy. */
  readonly reports: readonly { readonly title: string; readonly href: string }[]
}

type Asked = readonly [question: string, request: { readonly [member: string]: unknown }]

/** A file of the copy: `data/run-ID.js` for each run, and `data/comparison.js`. */
export interface SitePart {
  /** What was asked; what could not be answered is kept as the sentence that says so. */
  readonly recorded: readonly { readonly asked: Asked; readonly en: SiteReply; readonly zh: SiteReply }[]
  readonly series: Series
}

export type SiteReply = { readonly answer: unknown } | { readonly status: number; readonly message: string }
export type Series = SeriesOutlineAnswer['series']

/** The name under which the scripts of a copy hand over what they hold. */
const SITE = 'klensSite'

const say = sentences({
  'site.nothing': {
    en: 'name runs, a comparison (--compare A B) or a report (--report FILE) to put into the site',
    zh: '请给出要放入站点的 run、对比（--compare A B）或报告（--report FILE）',
  },
  'site.not-empty': {
    en: '{path} is not empty; name a new folder, or --force to overwrite an earlier site',
    zh: '{path} 不为空；请换一个新文件夹，或用 --force 覆盖之前的站点',
  },
  'site.no-report': {
    en: '{path} is not an HTML report that klens wrote from this workspace (klens report … -o report.html); others could load content from elsewhere',
    zh: '{path} 不是 klens 由本工作区写出的 HTML 报告（klens report … -o report.html）；其他文件可能会从别处加载内容',
  },
  'site.changed-report': {
    en: '{path} was changed after klens wrote it; the site has the original report',
    zh: '{path} 与 klens 写出时不同；站点中放入的是写出时的报告',
  },
  'site.one-side': { en: '--compare needs two or more runs', zh: '--compare 需要至少两方' },
  'site.no-page': { en: 'this klens was built without its dashboard', zh: '此 klens 构建时不含看板' },
})

/** What the page's table of runs can be sorted by, beside its scores. */
const SORTS = ['name', 'status', 'source', 'steps', 'started', 'logged']
/** Points of a series that are kept one by one; of more, as many ranges. */
const MOST_POINTS = 2000
const COURSE_POINTS = 48
const COURSE_METRICS = ['val.score', 'score.mean', 'val.loss', 'loss.total']
const METRICS_AT_ONCE = 40

export const site = question({
  request: request({
    folder: z.string(),
    runs: list(z.string()).default([]),
    /** Sides of one comparison, the baseline first. */
    compare: list(z.string()).default([]),
    metric: z.string().nullable().default(null),
    margin: z.string().nullable().default(null),
    /** Files that `klens report` wrote as HTML. */
    reports: list(z.string()).default([]),
    force: z.boolean().default(false),
  }),
  answer: z.object({
    path: z.string(),
    runs: list(z.string()),
    files: z.number(),
    bytes: z.number(),
  }),
  async ask(workspace, { folder, runs: named, compare, metric, margin, reports, force }, asking: Asking<never>) {
    if (named.length + compare.length + reports.length === 0) throw new Problem('bad-request', say('site.nothing', {}))
    if (compare.length === 1) throw new Problem('bad-request', say('site.one-side', {}))
    const page = await readFiles()
    if (!page.has('/index.html')) throw new Problem('unreadable', say('site.no-page', {}))
    const chosen = await runsNamed(workspace, { runs: named, compare }, asking)
    const runs = chosen.map(({ manifest }) => manifest.id)
    const asScript = scriptWithout(pathsOf(chosen))
    const path = resolve(folder)
    await makeEmpty(path, force)
    const written = new Map<string, string | Buffer>()

    const put = (part: string, data: SitePart): void => {
      written.set(`data/${part}.js`, `${SITE}.take(${asScript(part)},${asScript(data)})\n`)
    }
    for (const run of runs) {
      const series = await seriesOf(workspace, [run], await metricsOf(workspace, run), MOST_POINTS)
      put(`run-${run}`, { recorded: await record(workspace, questionsAbout(run)), series })
    }
    const comparison = compare.length === 0 ? null : { sides: compare, metric, margin }
    if (comparison !== null) {
      put('comparison', { recorded: await record(workspace, questionsOf(comparison)), series: [] })
    }
    const ownReports = await Promise.all(reports.map(each => reportOf(workspace, each, asking)))
    for (const { href, html } of ownReports) written.set(href, html)
    const table = await ask(workspace, await QUESTIONS['run-table'](), { ids: runs })
    const health = await QUESTIONS.health()
    const index: SiteIndex = {
      workspace: basename(dirname(workspace.root)),
      version: version(),
      runs: table.runs,
      scores: table.scores,
      orders: await ordersOf(workspace, table),
      courses: await seriesOf(workspace, runs, COURSE_METRICS, COURSE_POINTS),
      health: {
        en: (await ask(workspace, health, { runs, lang: 'en' })).runs,
        zh: (await ask(workspace, health, { runs, lang: 'zh' })).runs,
      },
      comparison,
      reports: ownReports.map(({ title, href }) => ({ title, href })),
    }
    // What is handed over before the page can take it waits in the list.
    written.set(
      'data/index.js',
      `globalThis.${SITE}={index:${asScript(index)},parts:{},take(name,part){this.parts[name]=part}}\n`,
    )
    for (const [name, bytes] of pageFiles(page)) written.set(name, bytes)
    for (const [name, content] of written) {
      await mkdir(dirname(join(path, name)), { recursive: true })
      await writeFile(join(path, name), content)
    }
    const bytes = [...written.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0)
    return { path, runs, files: written.size, bytes }
  },
})

async function makeEmpty(path: string, force: boolean): Promise<void> {
  const there = await readdir(path).catch(() => [])
  if (there.length > 0 && !force) throw new Problem('bad-request', say('site.not-empty', { path }))
  await mkdir(path, { recursive: true })
}

async function runsNamed(
  workspace: Workspace,
  { runs, compare }: { readonly runs: readonly string[]; readonly compare: readonly string[] },
  asking: Asking,
): Promise<readonly RunView[]> {
  const named = runs.length === 0 ? [] : await resolveAll(workspace, runs, asking)
  const sides = compare.length === 0 ? [] : await resolveSides(workspace, compare, asking)
  return [...new Map([...named, ...sides.flatMap(side => side.runs)].map(run => [run.manifest.id, run])).values()]
}

/** Paths of this machine: a copy names files, never where they lay. */
function pathsOf(runs: readonly RunView[]): ReadonlySet<string> {
  return new Set(
    runs.flatMap(({ manifest: { files, lineage } }) => [
      ...files.map(({ path }) => path),
      ...[lineage.parent?.path, lineage.reference?.path].flatMap(path => path ?? []),
    ]),
  )
}

function questionsAbout(run: string): readonly Asked[] {
  return [
    ['show', { run, points: 'none' }],
    ['diagnose', { runs: [run] }],
    ['checkpoints', { run }],
  ]
}

function questionsOf({ sides, metric, margin }: NonNullable<SiteIndex['comparison']>): readonly Asked[] {
  const how = { ...(metric !== null && { metric }), ...(margin !== null && { margin }) }
  return [
    ['compare', { sides, ...how }],
    ['sides', { sides }],
    ['samples', { sides }],
    ['report', { runs: sides, ...how, write: false }],
  ]
}

async function ordersOf(
  workspace: Workspace,
  { runs: listed, scores }: Pick<SiteIndex, 'runs' | 'scores'>,
): Promise<SiteIndex['orders']> {
  const orders: { [sort: string]: readonly number[] } = {}
  const ids = listed.map(({ id }) => id)
  for (const sort of [...SORTS, ...scores.map(({ metric }) => metric)].flatMap(key => [key, `-${key}`])) {
    const { runs } = await ask(workspace, await QUESTIONS['run-table'](), { ids, sort })
    orders[sort] = runs.map(({ id }) => ids.indexOf(id))
  }
  return orders
}

async function metricsOf(workspace: Workspace, run: string): Promise<readonly string[]> {
  const { metrics } = await ask(workspace, await QUESTIONS.show(), { run, points: 'none', integrity: false })
  return metrics.map(({ metric }) => metric)
}

async function seriesOf(
  workspace: Workspace,
  runs: readonly string[],
  metrics: readonly string[],
  most: number,
): Promise<Series> {
  const found: Series[number][] = []
  for (const run of runs) {
    for (let at = 0; at < metrics.length; at += METRICS_AT_ONCE) {
      const metric = metrics.slice(at, at + METRICS_AT_ONCE)
      const asked = { runs: [run], metric: [...metric, 'val.score'], most }
      const { series } = await ask(workspace, await QUESTIONS.series(), asked)
      found.push(...series.filter(each => each.asked.some(name => metric.includes(name))))
    }
  }
  return found
}

async function record(workspace: Workspace, questions: readonly Asked[]): Promise<SitePart['recorded']> {
  const recorded: SitePart['recorded'][number][] = []
  for (const asked of questions) {
    recorded.push({ asked, en: await replyTo(workspace, asked, 'en'), zh: await replyTo(workspace, asked, 'zh') })
  }
  return recorded
}

async function replyTo(workspace: Workspace, [question, request]: Asked, language: Language): Promise<SiteReply> {
  const answered = await answerHere(workspace, question, request, language, { signal: new AbortController().signal })
  if (!isError(answered)) return { answer: answered.body }
  return { status: answered.status, message: answered.body.error.message }
}

/** Written again: a file may have been given scripts since klens wrote it. */
async function reportOf(
  workspace: Workspace,
  path: string,
  { remark }: Asking<never>,
): Promise<{ readonly title: string; readonly href: string; readonly html: string }> {
  const text = /\.html$/i.test(path) ? await readFile(path, 'utf8').catch(() => '') : ''
  const html = await keptHtml(workspace, text)
  if (html === null) throw new Problem('bad-request', say('site.no-report', { path }))
  if (html !== text) remark?.(say('site.changed-report', { path }))
  const name = basename(path).replace(/[^\w.-]+/g, '-')
  return { title: basename(path, '.html'), href: `reports/${name}`, html }
}

/** The page allows itself its own files and nothing else, wherever it is opened. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' file:",
  "style-src 'self' file:",
  "img-src 'self' file: data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Classic scripts: a browser loads no modules from disk. */
function pageFiles(page: Files): ReadonlyMap<string, string | Buffer> {
  const assets = [...page].filter(([name]) => name.startsWith('/assets/'))
  const named = (ending: string): readonly string[] =>
    assets.flatMap(([name]) => (name.endsWith(ending) ? [name.slice(1)] : []))
  const html = [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8" />',
    '<meta name="viewport" content="width=device-width, initial-scale=1" />',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}" />`,
    '<title>klens</title>',
    ...named('.svg').map(name => `<link rel="icon" type="image/svg+xml" href="${name}" />`),
    ...named('.css').map(name => `<link rel="stylesheet" href="${name}" />`),
    '<script defer src="data/index.js"></script>',
    ...named('.js').map(name => `<script defer src="${name}"></script>`),
    '<div id="klens"></div>',
    '',
  ].join('\n')
  return new Map<string, string | Buffer>([
    ['index.html', html],
    ...assets.map(([name, { bytes }]) => [name.slice(1), bytes] as const),
  ])
}

/** JSON that also stands in a script, of these paths only the last part. */
function scriptWithout(paths: ReadonlySet<string>): (value: unknown) => string {
  const named = (_: string, value: unknown): unknown =>
    typeof value === 'string' && paths.has(value) ? basename(value) : value
  return value =>
    JSON.stringify(value, named).replace(
      /[<\u2028\u2029]/g,
      mark => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
}
