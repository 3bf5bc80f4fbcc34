import { z } from 'zod'
import { outsideAmong } from '../../lab/train/config/selector-settings.js'
import type { QUESTIONS } from '../ask/questions.js'
import { questionNamed } from '../library/ask-named.js'
import type { Right } from './guard.js'

/**
 * Which questions can be asked over HTTP, and by whom. A member that names a file, a folder or another server is withheld:
 * nothing outside the workspace is read or written for a page. What is left out here can be asked on the command line.
 */
export interface Exposed {
  readonly right: Right
  /** Members that a request may not have. */
  readonly withheld?: readonly string[]
  /** Members whose value is given. */
  readonly fixed?: { readonly [member: string]: unknown }
  /** Members whose value is given where the server can be reached from other machines. */
  readonly fixedBeyond?: { readonly [member: string]: unknown }
  /** Members whose value is given where the request has none. */
  readonly usual?: { readonly [member: string]: unknown }
  /** A value that is withheld, by its name; null where there is none. */
  readonly refuses?: (request: { readonly [member: string]: unknown }) => string | null
  /** Computes for long without a pause: for another process. */
  readonly isHeavy?: boolean
  /** Takes so long that it becomes a job, in a process of its own. */
  readonly isLong?: boolean
  readonly largestBody?: number
}

const MEGABYTE = 1 << 20

function refusesOutside({ set, over }: { readonly [member: string]: unknown }): string | null {
  return outsideAmong(set) ?? outsideAmong(over)
}

export const EXPOSED = {
  'run-table': { right: 'read' },
  runs: { right: 'read' },
  overlay: { right: 'read' },
  'keep-panels': { right: 'write' },
  series: { right: 'read' },
  sides: { right: 'read' },
  // The raw lines of a log that lies elsewhere are for the people of this machine.
  origin: { right: 'read', isHeavy: true, withheld: ['reach'], fixedBeyond: { reach: 'workspace' } },
  media: { right: 'read', isHeavy: true, withheld: ['reach'], fixedBeyond: { reach: 'workspace' } },
  'media-image': { right: 'read', withheld: ['reach'], fixedBeyond: { reach: 'workspace' } },
  // Without the points, which `series` has.
  show: { right: 'read', withheld: ['points'], fixed: { points: 'none' } },
  compare: { right: 'read', isHeavy: true },
  checkpoints: { right: 'read', isHeavy: true },
  diagnose: { right: 'read', isHeavy: true },
  health: { right: 'read', isHeavy: true },
  attention: { right: 'read', isHeavy: true },
  goal: { right: 'read' },
  'set-goal': { right: 'write' },
  stops: { right: 'read' },
  sweep: { right: 'read', isHeavy: true },
  effects: { right: 'read', isHeavy: true },
  frontier: { right: 'read', isHeavy: true },
  forecast: { right: 'read', isHeavy: true },
  samples: { right: 'read', isHeavy: true },
  rollouts: { right: 'read' },
  reports: { right: 'read' },
  'saved-report': { right: 'read' },
  report: { right: 'read', isHeavy: true, withheld: ['output', 'write'], fixed: { write: false } },
  audit: {
    right: 'read',
    isHeavy: true,
    withheld: ['reports', 'ledger', 'html', 'assertions', 'reader', 'config', 'folder', 'baseline', 'updateBaseline'],
    largestBody: 8 * MEGABYTE,
  },
  'gate-status': { right: 'read' },
  studies: { right: 'read' },
  study: { right: 'read', isHeavy: true },
  'audit-rules': { right: 'read' },
  'train-settings': { right: 'read' },
  'study-arm': { right: 'write' },
  'study-begin': { right: 'write', isLong: true, refuses: refusesOutside },
  // What was frozen here, with programs that a person said yes to on the command line.
  'study-start': { right: 'write', isLong: true },
  'study-halt': { right: 'write' },
  'keep-running': { right: 'write' },
  rename: { right: 'write' },
  tag: { right: 'write' },
  notes: { right: 'read' },
  'set-note': { right: 'write' },
  remove: { right: 'write' },
  train: {
    right: 'write',
    withheld: ['config', 'from', 'out', 'resume'],
    refuses: refusesOutside,
    // A training computes without a pause: each in a process of its own, also where there is one.
    usual: { over: [] },
    isLong: true,
  },
} as const satisfies { readonly [name in keyof typeof QUESTIONS]?: Exposed }

type Asked<Name extends keyof typeof QUESTIONS> = Awaited<ReturnType<(typeof QUESTIONS)[Name]>>

/** What each of them is answered with; what becomes a job, with its id. */
export type Answers = {
  readonly [Name in keyof typeof EXPOSED]: (typeof EXPOSED)[Name] extends { readonly isLong: true }
    ? { readonly job: string }
    : Awaited<ReturnType<Asked<Name>['ask']>>
}

export function exposedAs(name: string): Exposed | undefined {
  return Object.entries(EXPOSED).find(([each]) => each === name)?.[1]
}

/** The questions that can be asked, with their schemas, for those who write a client. */
export async function openApi(): Promise<unknown> {
  const paths: { [path: string]: unknown } = {}
  for (const [name, exposed] of Object.entries<Exposed>(EXPOSED)) {
    const { request, answer } = await questionNamed(name)
    const schema = z.toJSONSchema(request, { io: 'input' })
    const properties = Object.fromEntries(
      Object.entries(schema.properties ?? {}).filter(([member]) => !(exposed.withheld ?? []).includes(member)),
    )
    const answers = { '200': { description: 'the answer', content: json(z.toJSONSchema(answer)) } }
    const begun = { '202': { description: 'begun; watch it at /api/jobs', content: json(JOB) } }
    paths[`/api/${name}`] = {
      post: {
        operationId: name,
        'x-right': exposed.right,
        requestBody: { content: json({ ...schema, properties }) },
        responses: { ...(exposed.isLong === true ? begun : answers), default: PROBLEM },
      },
    }
  }
  return { openapi: '3.1.0', info: { title: 'klens', version: '1' }, paths }
}

function json(schema: unknown) {
  return { 'application/json': { schema } }
}

const TEXT = { type: 'string' }
const JOB = { type: 'object', properties: { job: TEXT }, required: ['job'] }
const PROBLEM = {
  description: 'what stands in the way, as a sentence',
  content: json({
    type: 'object',
    properties: { error: { type: 'object', properties: { code: TEXT, message: TEXT }, required: ['code', 'message'] } },
    required: ['error'],
  }),
}
