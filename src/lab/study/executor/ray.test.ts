import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { temporaryFolder } from '../../../../test/workspace.js'
import { shellLine } from './commands.js'
import type { Attempt } from './executor.js'
import { dashboardAddress, rayQueue } from './ray.js'

/** A head that answers as a real one was seen to; `npm run test:ray` asks a real one. */

const submitted = z.looseObject({ submission_id: z.string(), entrypoint: z.string() })

interface Head {
  readonly address: string
  readonly jobs: Map<string, object>
  readonly requests: z.infer<typeof submitted>[]
}

async function head(): Promise<Head> {
  const jobs = new Map<string, object>()
  const requests: z.infer<typeof submitted>[] = []
  const server = createServer(async (request, response) => {
    const [, , , id = '', what] = (request.url ?? '').split('/')
    if (request.method === 'POST' && 'sec-fetch-mode' in request.headers) {
      response.writeHead(405).end("'POST' method not allowed for browser traffic.")
    } else if (request.method === 'POST' && id === '') {
      const body = submitted.parse(JSON.parse((await request.toArray()).join('')))
      if (jobs.has(body.submission_id)) {
        response
          .writeHead(500)
          .end(`Traceback\nValueError: Job with submission_id ${body.submission_id} already exists.`)
        return
      }
      requests.push(body)
      jobs.set(body.submission_id, { status: 'PENDING' })
      response.end('{}')
    } else if (!jobs.has(id)) response.writeHead(404).end(`Job ${id} does not exist`)
    else if (what === 'logs') response.end(JSON.stringify({ logs: 'Running entrypoint\nepoch 1\n' }))
    else response.end(JSON.stringify(jobs.get(id)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, jobs, requests }
}

function job(folder: string, words: Attempt['words']): Attempt {
  const resources = { cpus: 2, gpus: 0.5 }
  return { id: 'a', name: 'kl/a', handle: 'klens-a-1', words, folder, environment: { KEY: '$x' }, resources }
}

const HOSTILE = [
  '$(touch x)',
  '`touch x`',
  '; touch x',
  "'",
  `'"'`,
  '\\',
  '*',
  '-n',
  '',
  'a\nb',
  '~',
  '!!',
  '中 文',
  '#',
]

describe('a line for a shell', () => {
  it('is read back as the words it was made of', () => {
    const line = shellLine([process.execPath, '-p', 'JSON.stringify(process.argv.slice(1))', '--', ...HOSTILE])
    for (const shell of ['sh', 'bash']) {
      expect(JSON.parse(execFileSync(shell, ['-c', line], { encoding: 'utf8' }))).toEqual(HOSTILE)
    }
  })
})

describe('Ray', () => {
  it('is given a job once, with its resources, variables and words that no shell takes apart', async () => {
    const folder = temporaryFolder()
    const { address, requests } = await head()
    const ray = rayQueue(folder, hostname(), { address, headers: {}, runtimeEnvironment: { pip: ['x'] } })
    const place = join(folder, "it's")
    execFileSync('mkdir', [place])
    const one = job(place, [process.execPath, '-p', 'JSON.stringify(process.argv.slice(1))', '--', ...HOSTILE])
    expect((await ray.status(one.handle)).state).toBe('lost')
    await ray.submit(one)
    await ray.submit(one)
    expect((await ray.status(one.handle)).state).toBe('waiting')
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({
      submission_id: 'klens-a-1',
      entrypoint_num_cpus: 2,
      entrypoint_num_gpus: 0.5,
      runtime_env: { pip: ['x'], env_vars: { KEY: '$x', RAY_JOB_STOP_WAIT_TIME_S: '30' } },
    })
    const printed = execFileSync('bash', ['-c', requests[0].entrypoint], { encoding: 'utf8', cwd: '/' })
    expect(JSON.parse(printed)).toEqual(HOSTILE)
    expect(existsSync(join(place, 'x'))).toBe(false)
    // It has left its own word, which counts whatever the head says.
    expect((await ray.status(one.handle)).state).toBe('done')
  })

  it.each([
    [{ cpus: null, gpus: null }, { entrypoint_num_cpus: 1 }],
    [
      { cpus: null, gpus: 2 },
      { entrypoint_num_cpus: 1, entrypoint_num_gpus: 2 },
    ],
    [{ cpus: 0, gpus: null }, { entrypoint_num_cpus: 0 }],
  ])('is asked for a CPU unless the study says otherwise: %j', async (resources, asked) => {
    const folder = temporaryFolder()
    const { address, requests } = await head()
    const ray = rayQueue(folder, hostname(), { address, headers: {}, runtimeEnvironment: {} })
    await ray.submit({ ...job(folder, ['true']), resources })
    const given = Object.entries(requests[0]).filter(([name]) => name.startsWith('entrypoint_num'))
    expect(Object.fromEntries(given)).toEqual(asked)
  })

  it('that had no place for a job in time does not hold it against the job', async () => {
    const { address, jobs } = await head()
    jobs.set('j', { status: 'FAILED', error_type: 'JOB_SUPERVISOR_ACTOR_START_TIMEOUT', message: 'late' })
    const ray = rayQueue(temporaryFolder(), hostname(), { address, headers: {}, runtimeEnvironment: {} })
    expect(await ray.status('j')).toEqual({ state: 'evicted', reason: 'late', hasOnlyWaited: true })
  })

  it.each([
    [{ status: 'RUNNING' }, 'running'],
    [{ status: 'SUCCEEDED' }, 'done'],
    [{ status: 'STOPPED' }, 'stopped'],
    [{ status: 'FAILED', error_type: 'JOB_ENTRYPOINT_COMMAND_ERROR', message: 'exit code 1' }, 'failed'],
    [{ status: 'FAILED', error_type: 'RUNTIME_ENV_SETUP_FAILURE', message: 'pip' }, 'failed'],
    [{ status: 'FAILED', error_type: 'JOB_SUPERVISOR_ACTOR_DIED', message: 'died' }, 'evicted'],
    [{ status: 'FAILED', error_type: 'JOB_SUPERVISOR_ACTOR_START_TIMEOUT', message: 'late' }, 'evicted'],
  ])('%j is %s', async (details, state) => {
    const { address, jobs } = await head()
    jobs.set('j', details)
    const ray = rayQueue(temporaryFolder(), hostname(), { address, headers: {}, runtimeEnvironment: {} })
    expect((await ray.status('j')).state).toBe(state)
  })

  it('that has forgotten a job which had begun is asked for another attempt', async () => {
    const folder = temporaryFolder()
    const { address } = await head()
    const ray = rayQueue(folder, hostname(), { address, headers: {}, runtimeEnvironment: {} })
    writeFileSync(join(folder, 'j.claim'), '1\n1\nanother-machine\n\n')
    expect((await ray.status('j')).state).toBe('evicted')
    expect(await ray.log('j', 7)).toEqual({ text: '', next: 7 })
  })

  it('that is not there is a sentence', async () => {
    const ray = rayQueue('/tmp', 'here', { address: 'http://127.0.0.1:9', headers: {}, runtimeEnvironment: {} })
    await expect(ray.status('j')).rejects.toMatchObject({ code: 'unreachable' })
    expect(() => dashboardAddress('ray://head:10001')).toThrow(/executor.ray.client/)
    expect(dashboardAddress('head:8265/')).toBe('http://head:8265')
    expect(dashboardAddress('auto')).toBe('http://127.0.0.1:8265')
  })
})
