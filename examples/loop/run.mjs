// A loop over the built-in trainer, about a minute: node examples/loop/run.mjs [FOLDER] [--tries N]
// It proposes one change after the other, trains it, asks klens gate, and trains what the gate asks for. Two of the
// proposals are no changes at all, one is proposed twice.
import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tries: { type: 'string', default: '8' } },
})
const folder = positionals[0] === undefined ? mkdtempSync(join(tmpdir(), 'klens-loop-')) : resolve(positionals[0])
const program = fileURLToPath(new URL('../../bin/klens.js', import.meta.url))

/** Where the loop begins: too small a learning rate, four short epochs. */
const START = { 'epochs.rce': 1, 'epochs.grpo': 4, 'lr.grpo': 1e-6, 'data.queries': 60 }
const IDEAS = [
  { 'checkpoint.keep': 1 },
  { 'kl.loss.coef': 3 },
  { 'lr.grpo': 1e-3 },
  { 'entropy.coef': 0.01 },
  { 'kl.loss.coef': 3 },
  { 'kl.loss.coef': 0 },
  { 'clip.high': 0.28 },
  { 'lr.grpo': 1e-2 },
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

const seeds = new Map()
let trainings = 0

/** One more seed of a setting; its runs are called NAME/seed1, NAME/seed2, … */
function train({ name, settings }) {
  const seed = (seeds.get(name) ?? 0) + 1
  seeds.set(name, seed)
  trainings += 1
  const set = Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`])
  klens('train', '--name', `${name}/seed${seed}`, '--seed', String(100 * seeds.size + seed), ...set)
}

const KEEP = 0
const MORE = 3
let incumbent = { name: 'start', settings: START }
for (let i = 0; i < 3; i += 1) train(incumbent)

for (const [i, change] of IDEAS.entries()) {
  const candidate = { name: `try${i + 1}`, settings: { ...incumbent.settings, ...change } }
  train(candidate)
  for (;;) {
    const { status, stdout } = klens('gate', `${incumbent.name}/*`, `${candidate.name}/*`, '--loop', 'demo', '--json')
    const { decision, more, reasons } = JSON.parse(stdout)
    const asked = more === null ? '' : ` ${more.n} × ${more.what}`
    console.log(`${candidate.name}  ${JSON.stringify(change)}  ${decision}${asked}  ${reasons[0]}`)
    if (status !== MORE) {
      if (status === KEEP) incumbent = candidate
      break
    }
    for (let n = 0; n < more.n; n += 1) train(more.what === 'baseline' ? incumbent : candidate)
  }
}
console.log(`\n${trainings} trainings in ${folder}\n`)
process.stdout.write(klens('gate', 'status').stdout)
