// Six arms, some seeds each, then everything that klens has to say about them: node examples/intention-kl/run.mjs
// [--seeds 1,2,3] [--arms a,b] [--doses 0.03,0.1] [--steps N] [--workers N] [--folder DIR]. Run it again after an
// interruption: what is finished is left out. The reports rest on what keep.mjs keeps of the runs: DIR/runs.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const here = path => fileURLToPath(new URL(path, import.meta.url))
const { values: asked } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1,2,3,4,5,6,7,8' },
    arms: { type: 'string', default: 'nothing,kl,entropy,schedule,all,kl-late' },
    doses: { type: 'string', default: '' },
    steps: { type: 'string', default: '200' },
    workers: { type: 'string' },
    folder: { type: 'string', default: '.' },
  },
})
const { steps } = asked
const folder = resolve(asked.folder)
const listed = text => text.split(',').filter(each => each !== '')
const [seeds, arms, doses] = [asked.seeds, asked.arms, asked.doses].map(listed)
const [baseline, ...others] = arms
mkdirSync(folder, { recursive: true })

const klens = (...words) => klensIn(process.env.KLENS_HOME ?? join(folder, '.klens'), ...words)

function klensIn(home, ...words) {
  console.log(`\n$ klens ${words.join(' ')}`)
  const env = { ...process.env, KLENS_HOME: home }
  const { status } = spawnSync(process.execPath, [here('../../bin/klens.js'), ...words], { cwd: folder, env, stdio: 'inherit' })
  // 1: findings or failed trials, which the next verbs show.
  if (status === null || status > 1) process.exit(status ?? 1)
}

// From the files that are kept, as anybody's would: so each figure can be traced to them.
function reported(name, arms, ...words) {
  const home = join(folder, '.kept', '.klens')
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  klensIn(home, 'import', ...arms.map(arm => join(folder, 'runs', arm)))
  for (const language of ['en', 'zh']) {
    const page = join(folder, `${name}.${language}.md`)
    rmSync(page, { force: true })
    klensIn(home, 'report', ...arms.map(arm => `${arm}/*`), ...words, '--lang', language, '--output', page)
  }
}

function trained(arm, name, ...words) {
  const workers = asked.workers === undefined ? [] : ['--workers', asked.workers]
  klens('train', here(`${arm}.yaml`), '--seed', asked.seeds, '--over', `steps=${steps}`, '--name', `${name}-{steps}/seed{seed}`, ...workers, ...words)
}

for (const arm of arms) trained(arm, arm)
for (const dose of doses) trained('kl', 'kl-{kl.loss.coef}', '--set', `kl.loss.coef=${dose}`)

const kept = spawnSync(process.execPath, [here('keep.mjs'), '--folder', folder, '--into', join(folder, 'runs'), '--runs', `*-${steps}/seed*`], { stdio: 'inherit' })
if (kept.status !== 0) process.exit(kept.status ?? 1)

const side = arm => `${arm}-${steps}/*`
const sides = arms.map(side)
for (const each of sides) klens('diagnose', each)

// Each arm against the baseline, with costs; allowed for in the verdicts that there are several.
if (others.length > 0) {
  klens('compare', ...sides)
  // Once more without the climb, whose bend counts as unsteadiness.
  klens('compare', ...sides, '--window', `${steps / 2}:${steps}`)
  reported('arms', arms)
}

// Which of the three changes does anything: arms that differ in one of them only are held against each other.
const KNOBS = { kl: 'kl.loss.coef', entropy: 'entropy.coef', schedule: 'lr.schedule' }
const knobs = others.flatMap(arm => KNOBS[arm] ?? [])
if (knobs.length > 1) {
  const constant = arms.filter(arm => arm !== 'kl-late').map(side)
  klens('sweep', ...constant, ...knobs.flatMap(knob => ['--over', knob]))
}

// Dose and response: the same knob at several values.
if (doses.length > 0) {
  const dosed = [baseline, ...(others.includes('kl') ? ['kl'] : []), ...doses.map(dose => `kl-${dose}`)]
  klens('sweep', ...dosed.map(side), '--over', KNOBS.kl)
  reported('doses', dosed, '--over', KNOBS.kl)
}

// Dialogues of both sides, where the first seed of each ended.
const last = arm => `${arm}-${steps}/seed${seeds[0]}@${steps}`
for (const arm of others) klens('samples', last(baseline), last(arm), '--flips', '--limit', '2')

// Requests of categories that nothing was trained or chosen on: the score there, and how many turns it takes.
klens('gym', 'eval', ...arms.flatMap(arm => seeds.map(seed => `${arm}-${steps}/seed${seed}@${steps}`)), '--split', 'fresh')
const played = arms.map(arm => `gym/${side(arm)}@0`)
if (others.length > 0) for (const metric of ['eval.score', 'eval.turns']) klens('compare', ...played, '--metric', metric)
