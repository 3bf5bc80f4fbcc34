import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Workspace, workspaceAt } from '../../core/store/workspace.js'
import { ownTasks } from '../../lab/gym/intention/own/tasks.js'
import { ask } from '../ask/question.js'
import { gymServe } from './gym-serve.js'

const root = mkdtempSync(join(tmpdir(), 'klens-serve-'))
const stop = new AbortController()
let workspace: Workspace
let serving: Promise<unknown>
let base = { url: '', token: '' }

beforeAll(async () => {
  workspace = workspaceAt(join(root, '.klens'))
  base = await new Promise(resolve => {
    serving = ask(workspace, gymServe, {}, { signal: stop.signal, onProgress: resolve })
  })
})

afterAll(async () => {
  stop.abort()
  await serving
  await workspace.close()
  rmSync(root, { recursive: true, force: true })
})

const answerSchema = z.looseObject({
  env: z.string().default(''),
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).default([]),
})

async function post(path: string, body: unknown, headers: { readonly [name: string]: string } = {}) {
  const authorization = `Bearer ${base.token}`
  const response = await fetch(base.url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization, ...headers },
  })
  return { status: response.status, body: answerSchema.parse(await response.json()) }
}

/** fetch sets Host itself. */
function statusFor(host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { host, authorization: `Bearer ${base.token}` }
    request(`${base.url}/tasks`, { headers }, response => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
}

test('an episode is opened, stepped and over; many run beside each other', async () => {
  const [task] = ownTasks('train', 'en')
  const envs = await Promise.all([1, 2, 3].map(() => post('/envs', { task: task.id })))
  for (const { body } of envs) {
    for (const [i, { inquiry }] of task.missing_details.entries()) {
      const step = await post(`/envs/${body.env}/step`, { choice: 'action', content: inquiry })
      expect(step.body).toMatchObject({ gained: 1, done: i === task.missing_details.length - 1 })
    }
    expect((await post(`/envs/${body.env}/step`, { action: 'more' })).status).toBe(409)
  }
})

test('only those who know the token, on this machine and from no foreign page, are let in', async () => {
  expect((await post('/envs', {}, { authorization: 'Bearer no' })).status).toBe(401)
  expect((await post('/envs', {}, { origin: 'http://evil.example' })).status).toBe(403)
  expect(await statusFor('evil.example')).toBe(403)
  expect(await statusFor('localhost:1')).toBe(200)
  expect((await post('/envs', { task: 'x'.repeat(2 << 20) })).status).toBe(413)
})

test('answers the two prompts of UserRL from the data', async () => {
  const [task] = ownTasks('train', 'en')
  const [first, second] = task.missing_details
  const judge = `\nTASK: {'id': '${task.id}'}\n\n0. [LOW] ${second.description}\n   Example question type expected: ${second.inquiry}\n\n1. [HIGH] ${first.description}\n\nLATEST USER'S QUESTION: ${first.inquiry}\n\nYour job is to judge`
  const answer = await post('/v1/chat/completions', { messages: [{ role: 'user', content: judge }] })
  expect(JSON.parse(answer.body.choices[0].message.content)).toMatchObject({ covered_detail_indices: [1] })
  const reply = `\nREQUEST: {'id': '${task.id}'}\nCURRENT QUESTION FROM HELPER: ${first.inquiry}\n\nCONVERSATION HISTORY:\n`
  const said = await post('/v1/chat/completions', { messages: [{ role: 'user', content: reply }] })
  const { response } = JSON.parse(said.body.choices[0].message.content)
  expect(first.options.some(option => response.includes(option))).toBe(true)
})

test('a gym whose offline judge is not fit is served with an endpoint alone', async () => {
  const refused = ask(workspace, gymServe, { gym: 'turtle' }, {})
  await expect(refused).rejects.toThrow('gym.judge.unfit')
  const scores = JSON.stringify({ scores: [{ score: 1 }, { score: 0.5 }] })
  const judge = createServer((_, response) =>
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: scores } }] })),
  )
  await new Promise<void>(resolve => judge.listen(0, '127.0.0.1', resolve))
  const address = judge.address()
  const simulator = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1#judge`
  const over = new AbortController()
  const first = base
  let turtle: Promise<unknown> = Promise.resolve()
  base = await new Promise(resolve => {
    turtle = ask(workspace, gymServe, { gym: 'turtle', simulator }, { signal: over.signal, onProgress: resolve })
  })
  const { body } = await post('/envs', { task: 'hiccups' })
  const step = await post(`/envs/${body.env}/step`, { choice: 'answer', content: 'He was frightened on purpose.' })
  expect(step.body).toMatchObject({ reward: 0.8, gained: 1, done: false })
  base = first
  over.abort()
  judge.close()
  await turtle
})
