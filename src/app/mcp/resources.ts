import { z } from 'zod'
import { block } from '../../core/present/block-schema.js'
import { Problem } from '../../logs/model/problem.js'
import { sentences } from '../../text/sentences.js'
import { answerText, paged } from './answer-text.js'
import { plainName } from './data-fence.js'
import { type AssistantDoor, carriedAnswer } from './door.js'
import { referencesIn } from './references.js'

/** Runs and saved reports by address: `klens://runs/ID`, `klens://reports/ID`, each with `?page=N` behind it. */

const say = sentences({
  'mcp.no-resource': {
    en: 'there is no resource "{uri}"; klens://runs/ID and klens://reports/ID are',
    zh: '没有资源“{uri}”；可用 klens://runs/ID 与 klens://reports/ID',
  },
})

export const RESOURCE_TEMPLATES = [
  { uriTemplate: 'klens://runs/{id}', name: 'run', description: 'How one run went', mimeType: 'text/plain' },
  {
    uriTemplate: 'klens://reports/{id}',
    name: 'report',
    description: 'A report that klens wrote',
    mimeType: 'text/plain',
  },
]

const RUNS_LISTED = 50

const tableSchema = z.object({
  total: z.number(),
  runs: z.array(z.object({ id: z.string(), name: z.string(), status: z.string() })),
})
const reportsSchema = z.object({ reports: z.array(z.object({ id: z.string(), title: z.string() })) })
const savedSchema = z.object({ title: z.string(), blocks: z.array(block) })

/** Reports first, then the runs, a page of them at a time. */
export async function listResources(door: AssistantDoor, cursor: string | undefined, signal: AbortSignal) {
  const from = /^\d{1,9}$/.test(cursor ?? '') ? Number(cursor) : 0
  const { total, runs } = tableSchema.parse(
    await carriedAnswer(door, 'run-table', { from, most: RUNS_LISTED, mostScores: 1 }, signal),
  )
  const { reports } = from > 0 ? { reports: [] } : reportsSchema.parse(await carriedAnswer(door, 'reports', {}, signal))
  const next = from + runs.length
  return {
    resources: [
      ...reports
        .slice(0, RUNS_LISTED)
        .map(({ id, title }) => ({ uri: addressOf('reports', id), name: plainName(title), mimeType: 'text/plain' })),
      ...runs.map(({ id, name, status }) => ({
        uri: addressOf('runs', id),
        name: plainName(name),
        description: status,
        mimeType: 'text/plain',
      })),
    ],
    ...(runs.length > 0 && next < total && { nextCursor: String(next) }),
  }
}

function addressOf(kind: 'runs' | 'reports', id: string): string {
  return `klens://${kind}/${encodeURIComponent(id)}`
}

export async function readResource(door: AssistantDoor, uri: string, signal: AbortSignal): Promise<string> {
  const [, kind, named = '', at = '1'] = /^klens:\/\/(runs|reports)\/([^/?#]+)(?:\?page=(\d{1,4}))?$/.exec(uri) ?? []
  const { language, workspace, folder } = door
  if (kind === undefined) throw new Problem('not-found', say('mcp.no-resource', { uri: uri.slice(0, 200) }))
  const [id, page] = [decoded(named), Math.max(1, Number(at))]
  if (kind === 'reports') {
    const { title, blocks } = savedSchema.parse(await carriedAnswer(door, 'saved-report', { id }, signal))
    return paged('report', [{ kind: 'heading', level: 2, text: title }, ...blocks], { page, language })
  }
  const answer = await carriedAnswer(door, 'show', { run: id, points: 'telling', lang: language }, signal)
  const references = await referencesIn(workspace, answer, folder)
  return answerText({ tool: 'show', question: 'show', answer }, references, { page, section: null, language })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
