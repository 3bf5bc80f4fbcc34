import { spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { ask } from '../src/app/ask/question.js'
import { gymServe } from '../src/app/server/gym-serve.js'
import { workspaceAt } from '../src/core/store/workspace.js'
import { temporaryFolder } from './workspace.js'

/** The Python package of the wheel, as far as it needs no trainer; with one: `npm run test:trl`. */

const PACKAGES = fileURLToPath(new URL('../packaging', import.meta.url))
const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function served(simulator = 'embedded'): Promise<{ readonly url: string; readonly token: string }> {
  const workspace = workspaceAt(join(temporaryFolder(), '.klens'))
  const stop = new AbortController()
  return new Promise(resolve => {
    const serving = ask(workspace, gymServe, { simulator }, { signal: stop.signal, onProgress: resolve })
    stops.push(async () => {
      stop.abort()
      await serving
      await workspace.close()
    })
  })
}

/** What a program prints, line by line; it runs beside the server, which is in this process. */
function python(program: string, { url, token }: { readonly url: string; readonly token: string }): Promise<string[]> {
  const env = { ...process.env, PYTHONPATH: PACKAGES, PYTHONDONTWRITEBYTECODE: '1' }
  const child = spawn('python3', ['-c', program], { env: { ...env, KLENS_GYM_URL: url, KLENS_GYM_TOKEN: token } })
  let [printed, complained] = ['', '']
  child.stdout.on('data', chunk => {
    printed += chunk
  })
  child.stderr.on('data', chunk => {
    complained += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('close', code => (code === 0 ? resolve(printed.trim().split('\n')) : reject(new Error(complained))))
  })
}

describe.skipIf(!hasPython)('klens_gym', () => {
  it('plays an episode and ends it, and says nothing more after its end', async () => {
    const program = `
from klens_gym.trl_env import IntentionEnv, rows
row = rows()[0]
env = IntentionEnv()
env.reset(**row)
print(row["task_id"], [message["role"] for message in row["prompt"]])
print(env.interact_with_env("action", "What is your budget?") != "")
print(env.interact_with_env("finish", ""))
print(env.interact_with_env("action", "What is your budget?"))
print(type(env.get_reward()).__name__)`
    const [task, answered, ended, over, reward] = await python(program, await served())
    expect(task).toBe("travel-1 ['system', 'user']")
    expect(answered).toBe('True')
    expect(ended).toMatch(/^Session ended/)
    expect([over, reward]).toEqual(['The conversation is over.', 'float'])
  })

  it('has no reward for what nobody judged, never 0', async () => {
    const broken = createServer((_, response) => response.writeHead(400).end('no'))
    await new Promise<void>(resolve => broken.listen(0, '127.0.0.1', resolve))
    stops.push(async () => broken.close())
    const simulator = `http://127.0.0.1:${(broken.address() as AddressInfo).port}/v1#user`
    const program = `
from klens_gym.trl_env import IntentionEnv
env = IntentionEnv()
env.reset()
env.interact_with_env("action", "What is your budget?")
print(env.get_reward(), env._episode.why, "400" in env._episode.failure)`
    expect(await python(program, await served(simulator))).toEqual(['None failed True'])
  })

  it('names a wrong token and a gym that is not there', async () => {
    const { url, token } = await served()
    const program = `
from klens_gym import GymClient, GymError
for client in (GymClient(token="wrong"), GymClient("http://127.0.0.1:1", attempts=1)):
    try:
        client.tasks()
    except GymError as error:
        print(error)`
    const [refused, absent] = await python(program, { url, token })
    expect(refused).toContain('status 401')
    expect(absent).toMatch(/^no gym answers at 127\.0\.0\.1:1/)
  })
})
