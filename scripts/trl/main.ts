import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createWriteStream, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { pythonEnvironment } from './environment.js'

/**
 * `npm run test:trl`: TRL's own GRPOTrainer trains a small Qwen3, made on the spot, over several turns against `klens gym
 * serve`, without and with a KL term, on the CPU, while `klens import --follow` reads along; then the two are compared. verl
 * cannot train here, but calls klens_gym's tool, reward and estimators as it would (check_verl.py). Where the packages cannot
 * be had this says why and succeeds.
 */

const root = process.cwd()
const TRAIN = join(root, 'examples', 'trl-gpu', 'train.py')
/** As short as tells that all parts work; both arms start from the same weights. */
const STEPS = 12
const ARMS = { plain: 0, kl: 0.1 } as const

const shownSchema = z.object({
  series: z.array(z.object({ metric: z.string(), points: z.array(z.tuple([z.number(), z.number()])) })),
})
const servedSchema = z.object({ url: z.string(), token: z.string() })
const evaluatedSchema = z.object({ policies: z.array(z.object({ run: z.string() })).length(1) })
const lookSchema = z.looseObject({ name: z.string().optional() })

const environment = pythonEnvironment('trl', join(root, 'scripts', 'trl', 'requirements.txt'), 12)
if ('lacks' in environment) {
  console.log(`Skipped: ${environment.lacks}.`)
  process.exit(0)
}
const { python } = environment
const work = mkdtempSync(join(tmpdir(), 'klens-trl-'))
const runs = join(work, 'runs')
const variables: NodeJS.ProcessEnv = {
  ...process.env,
  KLENS_HOME: join(work, '.klens'),
  PYTHONPATH: join(root, 'packaging'),
  PYTHONUNBUFFERED: '1',
  CUDA_VISIBLE_DEVICES: '',
  NO_COLOR: '1',
}
const servers: ChildProcess[] = []
try {
  await main()
} finally {
  for (const server of servers) server.kill('SIGINT')
  rmSync(work, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const { url, token } = await served()
  Object.assign(variables, { KLENS_GYM_URL: url, KLENS_GYM_TOKEN: token })

  step('verl: config, tool, reward and estimators, called by verl itself')
  await called(join(root, 'scripts', 'trl', 'check_verl.py'), [], join(work, 'verl.log'))

  step('a supervised start on scripted dialogues')
  await called(TRAIN, ['start', '--dialogues', dialogues(), '--out', join(work, 'start')], join(work, 'start.log'))

  const following = followed()
  for (const [arm, beta] of Object.entries(ARMS)) {
    step(`GRPO over several turns, beta ${beta}`)
    const output = join(runs, arm)
    mkdirSync(output)
    const words = ['grpo', '--start', join(work, 'start'), '--out', output, '--beta', String(beta), '--completions']
    await called(TRAIN, [...words, '--steps', String(STEPS)], join(output, 'train.log'))
  }
  const seen = await following.stop()
  for (const arm of Object.keys(ARMS)) {
    assert.ok((seen.get(arm) ?? 0) > 1, `${arm} was not read while it was written: ${seen.get(arm)} looks`)
  }

  step('imported, shown and compared')
  klens('import', runs)
  for (const [arm, beta] of Object.entries(ARMS)) {
    const { series } = shownSchema.parse(JSON.parse(klens('show', stateOf(arm), '--all', '--json')))
    const pointsOf = (name: string) => series.find(({ metric }) => metric === name)?.points ?? []
    const calls = pointsOf('tools/call_frequency').map(([, value]) => value)
    assert.equal(pointsOf('reward').length, STEPS, `steps of ${arm}`)
    assert.equal(pointsOf('kl').length, beta > 0 ? STEPS : 0, `KL of ${arm}`)
    assert.ok(Math.max(...calls) > 1, `${arm} never called the tool twice: ${calls}`)
    console.log(`  ${arm}: ${calls.length} steps, ${calls.at(-1)} calls a rollout at the end`)
  }
  console.log(klens('compare', stateOf('plain'), stateOf('kl'), '--metric', 'reward'))
}

/** By which a run is named once it is over: its console may stand beside it. */
function stateOf(arm: string): string {
  return join(runs, arm, 'trainer_state.json')
}

function step(sentence: string): void {
  console.log(`— ${sentence}`)
}

/** Address and token of a gym that serves until the end. */
function served(): Promise<z.infer<typeof servedSchema>> {
  const server = spawn(process.execPath, [join(root, 'bin', 'klens.js'), 'gym', 'serve', '--json'], { env: variables })
  servers.push(server)
  return new Promise((resolve, reject) => {
    createInterface({ input: server.stdout }).once('line', line => resolve(servedSchema.parse(JSON.parse(line))))
    server.once('exit', code => reject(new Error(`klens gym serve ended with ${code}`)))
  })
}

/** What a weak model might say, as klens's own store keeps it. */
function dialogues(): string {
  const words = ['gym', 'eval', 'scripted:asker', '--split', 'train', '--repeats', '4', '--json']
  const { policies } = evaluatedSchema.parse(JSON.parse(klens(...words)))
  const texts = join(work, '.klens', 'runs', policies[0].run, 'texts')
  return join(texts, readdirSync(texts)[0])
}

function called(script: string, words: readonly string[], log: string): Promise<void> {
  const output = createWriteStream(log)
  const child = spawn(python, [script, ...words], { env: variables })
  let last = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.pipe(output, { end: false })
    stream.on('data', chunk => {
      last = `${last}${chunk}`.slice(-3000)
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => {
      output.end()
      if (code === 0) resolve()
      else reject(new Error(`${script} ended with ${code}:\n${last}`))
    })
  })
}

/** `klens import --follow`, and how often it told of each run until it was stopped. */
function followed() {
  mkdirSync(runs)
  const looks = new Map<string, number>()
  const words = ['import', runs, '--follow', '--json']
  const child = spawn(process.execPath, [join(root, 'bin', 'klens.js'), ...words], { env: variables })
  servers.push(child)
  createInterface({ input: child.stdout }).on('line', line => {
    const { name } = lookSchema.parse(JSON.parse(line))
    if (name !== undefined) looks.set(name, (looks.get(name) ?? 0) + 1)
  })
  return {
    stop: () =>
      new Promise<ReadonlyMap<string, number>>(resolve => {
        child.once('close', () => resolve(looks))
        child.kill('SIGINT')
      }),
  }
}

function klens(...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin', 'klens.js'), ...words], {
    env: variables,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(`klens ${words.join(' ')} ended with ${status}: ${stderr || stdout}`)
  return stdout
}
