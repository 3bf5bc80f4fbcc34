// Makes all that lies here again: node examples/learned-reward/run.mjs [--folder DIR] [--workers N]. Trains the study in DIR, writes
// each run as few-0.3/seed1/{metrics.csv,config.json} beside this file, and from those files the report and the frontier in both
// languages. Run it again after an interruption: what is finished is left out.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const here = path => fileURLToPath(new URL(path, import.meta.url))
const { values: asked } = parseArgs({
  options: {
    folder: { type: 'string', default: 'learned-reward' },
    workers: { type: 'string', default: '2' },
  },
})
const folder = resolve(asked.folder)
mkdirSync(folder, { recursive: true })

function klens(cwd, ...words) {
  console.log(`$ klens ${words.join(' ')}`)
  const env = { ...process.env, KLENS_HOME: join(cwd, '.klens'), NO_COLOR: '1' }
  const done = spawnSync(process.execPath, [here('../../bin/klens.js'), ...words], { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (done.status === null || done.status > 1) throw new Error(done.stderr)
  return done.stdout
}

// What is kept of a run: the scores, the distance, and what says how the training went, from the end of the warm-up on, which is step 0.
const METRICS = ['val.score', 'val.reward', 'kl.ref', 'kl.coef', 'reward.mean', 'entropy.sequence', 'grad.norm']

function writeRun({ id, name, config }, points) {
  const warmUp = config['epochs.rce']
  const own = points.filter(point => point.run === id && point.step >= warmUp)
  const steps = [...new Set(own.map(({ step }) => step))].sort((a, b) => a - b)
  const cell = (metric, step) => shortened(own.find(point => point.metric === metric && point.step === step)?.value)
  const rows = steps.map(step => [step - warmUp, ...METRICS.map(metric => cell(metric, step))].join(','))
  const [, arm, seed] = name.split('/')
  mkdirSync(here(`${arm}/${seed}`), { recursive: true })
  writeFileSync(here(`${arm}/${seed}/metrics.csv`), `${['step', ...METRICS].join(',')}\n${rows.join('\n')}\n`)
  writeFileSync(here(`${arm}/${seed}/config.json`), `${JSON.stringify(settingsOf(config), null, 1)}\n`)
}

const shortened = value => (value === undefined ? '' : String(Number(value.toPrecision(7))))

// Those that the study files state, and the seed: the rest is klens' defaults.
const STATED = /^(?:task|seed|data\.(?:width|candidates)|policy\.hidden|epochs\.(?:rce|grpo)|batch\.prompts|lr\.(?:rce|grpo)|reward\.(?:source|labels|noise)|kl\.loss\.(?:coef|estimator))$/
const settingsOf = config => Object.fromEntries(Object.entries(config).filter(([key]) => STATED.test(key)))

klens(folder, 'study', 'run', here('few-labels.yaml'), '--workers', asked.workers)
const runs = JSON.parse(klens(folder, 'runs', '--json')).filter(({ name }) => name.startsWith('few-labels/'))
const exported = klens(folder, 'export', 'few-labels/*', ...METRICS.flatMap(metric => ['--metric', metric]), '--format', 'jsonl')
const points = exported.trimEnd().split('\n').map(line => JSON.parse(line))
for (const run of runs) writeRun(run, points)

// The answers come from the files that are kept, as anyone's would.
const answers = mkdtempSync(join(tmpdir(), 'learned-reward-'))
const arms = [...new Set(runs.map(({ name }) => name.split('/')[1]))]
klens(answers, 'import', ...arms.map(arm => here(arm)))
const sides = arms.map(arm => `${arm}/*`)
for (const language of ['en', 'zh']) {
  writeFileSync(here(`frontier.${language}.txt`), klens(answers, 'frontier', ...sides, '--lang', language))
  rmSync(here(`report.${language}.md`), { force: true })
  klens(answers, 'report', ...sides, '--over', 'kl.loss.coef', '--lang', language, '--output', here(`report.${language}.md`))
}
rmSync(answers, { recursive: true })
console.log(readFileSync(here('frontier.en.txt'), 'utf8'))
