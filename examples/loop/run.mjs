// A loop over the built-in trainer, about a minute: node examples/loop/run.mjs [FOLDER] [--tries N]
// It proposes one change after the other, trains it, asks klens gate, and trains what the gate asks for. The first proposal
// changes nothing, the third is the first again, the fourth is a real gain.
import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tries: { type: 'string', default: '6' } },
})
const folder = positionals[0] === undefined ? mkdtempSync(join(tmpdir(), 'klens-loop-')) : resolve(positionals[0])
const program = fileURLToPath(new URL('../../bin/klens.js', import.meta.url))

/** Where the loop begins: a small policy whose learning rate is far too low. */
const START = { 'policy.hidden': 64, 'group.size': 4, 'epochs.rce': 1, 'epochs.grpo': 2, 'lr.grpo': 1e-6 }
const IDEAS = [
  { 'optimiser.epsilon': 1e-9 },
  { 'kl.loss.coef': 3 },
  { 'optimiser.epsilon': 1e-9 },
  { 'lr.grpo': 1e-3 },
  { 'entropy.coef': 0.01 },
  { 'clip.high': 0.28 },
].slice(0, Number(values.tries))

function klens(...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    env: { ...process.env, KLENS_HOME: join(folder, '.klens') },
    encoding: 'utf8',
  })
  // 2: the question could not be answered. 1 and 3 are answers of the gate.
  if (status === null || status === 2) throw new Error(stderr)
  return { status, stdout }
}

/** Trainings of a setting so far, by its name. */
const seeds = new Map()
let trainings = 0

/** One more seed of a setting; its runs are called NAME/seed1, NAME/seed2, … */
function train({ name, settings }) {
  const seed = (seeds.get(name) ?? 0) + 1
  seeds.set(name, seed)
  trainings += 1
  const set = Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`])
  klens('train', '--name', `${name}/seed${seed}`, '--seed', String(1000 * seeds.size + seed), ...set)
}

const KEEP = 0
const MORE = 3
let incumbent = { name: 'start', settings: START }
for (let i = 0; i < 3; i += 1) train(incumbent)

for (const change of IDEAS) {
  const settings = { ...incumbent.settings, ...change }
  const name = Object.entries(change).flat().join('=')
  const candidate = { name: `${incumbent.name}+${name}`, settings }
  if (!seeds.has(candidate.name)) train(candidate)
  for (;;) {
    const { status, stdout } = klens('gate', `${incumbent.name}/*`, `${candidate.name}/*`, '--loop', 'demo', '--json')
    const { decision, more, reasons } = JSON.parse(stdout)
    const asked = more === null ? '' : ` ${more.n} × ${more.what}`
    console.log(`${candidate.name}: ${decision}${asked}; ${reasons.join('; ')}`)
    if (status === KEEP) incumbent = candidate
    if (status !== MORE) break
    for (let n = 0; n < more.n; n += 1) train(more.what === 'baseline' ? incumbent : candidate)
  }
}
console.log(`\n${trainings} trainings in ${folder}\n`)
process.stdout.write(klens('gate', 'status').stdout)
