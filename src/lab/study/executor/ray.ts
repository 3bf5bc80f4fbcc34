import http from 'node:http'
import https from 'node:https'
import { z } from 'zod'
import { isJsonObject, type Json } from '../../../logs/model/json.js'
import { Problem } from '../../../logs/model/problem.js'
import { sentences } from '../../../text/sentences.js'
import { shellLine } from './commands.js'
import { type Attempt, ENDING, type JobQueue, type JobStatus, type LogPiece } from './executor.js'
import { begunOrLost, endOf, jobFiles, noteStop, starterWords } from './job-files.js'

/**
 * Jobs of a Ray cluster that is there already, through the REST API of its dashboard. A submission id is taken for as long
 * as the head lives, so that handing over twice runs once; a head that was restarted knows nothing, which is what
 * klens's own records and the files of a job are for. Ray takes a line for a shell: every word of it is quoted.
 */
interface RayCluster {
  /** Of the dashboard, without a slash at the end. */
  readonly address: string
  readonly headers: { readonly [name: string]: string }
  /** As Ray takes it; the variables of a job are added. */
  readonly runtimeEnvironment: { readonly [key: string]: Json }
}

const say = sentences({
  'executor.ray.unreachable': {
    en: 'no Ray cluster answers at {address} ({reason}); is its dashboard running there? (ray[default], port 8265)',
    zh: '{address} 没有 Ray 集群应答（{reason}）；其 dashboard 是否在运行？（ray[default]，端口 8265）',
  },
  'executor.ray.refused': { en: 'Ray at {address} refuses: {reason}', zh: '{address} 的 Ray 拒绝了请求：{reason}' },
  'executor.ray.client': {
    en: '{address} is for ray.init; jobs are submitted to the dashboard, such as http://HOST:8265',
    zh: '{address} 用于 ray.init；作业要交给 dashboard，例如 http://HOST:8265',
  },
})

export const DEFAULT_ADDRESS = 'http://127.0.0.1:8265'

/** `host:8265` and `auto` as Ray's own tools take them. */
export function dashboardAddress(given: string): string {
  if (given === 'auto' || given === 'local') return DEFAULT_ADDRESS
  if (given.startsWith('ray://')) throw new Problem('bad-request', say('executor.ray.client', { address: given }))
  return (/^https?:\/\//.test(given) ? given : `http://${given}`).replace(/\/+$/, '')
}

const LOOK_EVERY_MS = [500, 5000] as const
const ANSWER_WITHIN_MS = 30_000

const details = z.object({
  status: z.string(),
  message: z.string().nullish(),
  error_type: z.string().nullish(),
})

/** Of what ends a job that is not the job's own doing. */
const EVICTIONS: ReadonlySet<string> = new Set([
  'JOB_SUPERVISOR_ACTOR_DIED',
  'JOB_SUPERVISOR_ACTOR_START_FAILURE',
  'JOB_SUPERVISOR_ACTOR_UNSCHEDULABLE',
  'JOB_SUPERVISOR_ACTOR_UNKNOWN_FAILURE',
])

export function rayQueue(folder: string, host: string, cluster: RayCluster): JobQueue {
  const { address, headers, runtimeEnvironment } = cluster

  async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<HttpAnswer> {
    try {
      return await asked(new URL(`${address}/api/jobs/${path}`), method, headers, body)
    } catch (error) {
      throw unreachable(address, faultOf(error), error)
    }
  }

  async function status(handle: string): Promise<JobStatus> {
    const files = jobFiles(folder, handle)
    const ended = await endOf(files)
    if (ended !== null) return ended
    const { status, text } = await ask('GET', handle)
    if (status === 404) return begunOrLost(files, host)
    if (status !== 200) throw problemOf(address, { status, text })
    const job = answerOf(address, details, text)
    // Its own word is more than Ray's, and comes first.
    return (await endOf(files)) ?? rayStatus(job)
  }

  return {
    place: `ray ${address}`,
    goesOnAlone: true,
    lookEveryMs: LOOK_EVERY_MS,
    async submit(job) {
      const answer = await ask('POST', '', requestOf(job, folder, runtimeEnvironment))
      if (answer.status !== 200 && !answer.text.includes('already exists')) throw problemOf(address, answer)
    },
    status,
    async log(handle, from): Promise<LogPiece> {
      const { status, text } = await ask('GET', `${handle}/logs`)
      // Ray may know the job and no longer have its log; nothing depends on it.
      const logs = status === 200 ? answerOf(address, z.object({ logs: z.string() }), text).logs : ''
      return from === 'end'
        ? { text: '', next: logs.length }
        : { text: logs.slice(from), next: Math.max(from, logs.length) }
    },
    async stop(handle, { seconds } = ENDING) {
      await noteStop(jobFiles(folder, handle), seconds)
      const answer = await ask('POST', `${handle}/stop`)
      if (answer.status !== 200 && answer.status !== 404) throw problemOf(address, answer)
    },
  }
}

interface HttpAnswer {
  readonly status: number
  readonly text: string
}

/** Not by `fetch`, whose headers say that a browser asks, and a browser Ray allows only to read. */
function asked(url: URL, method: string, headers: RayCluster['headers'], body?: object): Promise<HttpAnswer> {
  const { request } = url.protocol === 'https:' ? https : http
  const content = body === undefined ? '' : JSON.stringify(body)
  const more = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }
  return new Promise((resolve, reject) => {
    const options = { method, headers: { ...headers, ...more }, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }
    const sent = request(url, options, response => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString('utf8') })
      })
    })
    sent.on('error', reject)
    sent.end(content)
  })
}

function requestOf(job: Attempt, folder: string, runtimeEnvironment: RayCluster['runtimeEnvironment']): object {
  const { handle, name, words, resources, ending = ENDING } = job
  const { env_vars: variables, ...environment } = runtimeEnvironment
  // Three seconds are Ray's own, which are too few to save a checkpoint. Of signals it sends only these two.
  const stopping = {
    RAY_JOB_STOP_WAIT_TIME_S: String(ending.seconds),
    RAY_JOB_STOP_SIGNAL: ending.signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM',
  }
  const given = isJsonObject(variables) ? variables : {}
  const enter = `cd ${shellLine([job.folder])}`
  return {
    submission_id: handle,
    entrypoint: `${enter} && exec ${shellLine([...starterWords(folder, handle), ...words])}`,
    metadata: { klens: name },
    runtime_env: { ...environment, env_vars: { ...stopping, ...given, ...job.environment } },
    // One that asks for nothing is begun at once, however many there are, on the head node.
    entrypoint_num_cpus: resources.cpus ?? 1,
    ...(resources.gpus !== null && { entrypoint_num_gpus: resources.gpus }),
  }
}

function rayStatus({ status, message, error_type: fault }: z.infer<typeof details>): JobStatus {
  const reason = message?.trim().slice(-600) ?? null
  switch (status) {
    case 'PENDING':
      return { state: 'waiting', reason: null }
    case 'SUCCEEDED':
      return { state: 'done', reason: null }
    case 'STOPPED':
      return { state: 'stopped', reason: null }
    case 'FAILED':
      if (fault === 'JOB_SUPERVISOR_ACTOR_START_TIMEOUT') return { state: 'evicted', reason, hasOnlyWaited: true }
      return { state: EVICTIONS.has(fault ?? '') ? 'evicted' : 'failed', reason }
    default:
      return { state: 'running', reason: null }
  }
}

function answerOf<Schema extends z.ZodType>(address: string, schema: Schema, text: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw unreachable(address, text.slice(0, 80), cause)
  }
}

function problemOf(address: string, { status, text }: HttpAnswer): Problem {
  const reason = `HTTP ${status}: ${lastLine(text)}`
  // What Ray cannot do now it may do later; what it says of the request itself it will say again.
  return status >= 500
    ? unreachable(address, reason, undefined)
    : new Problem('bad-request', say('executor.ray.refused', { address, reason }))
}

/** Ray answers with whole tracebacks. */
function lastLine(text: string): string {
  return (
    text
      .trim()
      .split('\n')
      .findLast(line => /\w/.test(line)) ?? ''
  )
    .trim()
    .slice(0, 300)
}

function unreachable(address: string, reason: string, cause: unknown): Problem {
  return new Problem('unreachable', say('executor.ray.unreachable', { address, reason }), { cause })
}

function faultOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.message : String(error)
}
