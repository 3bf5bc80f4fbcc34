// Six arms, some seeds each, then every arm against `nothing`: node examples/intention-kl/run.mjs [--seeds 1,2,3] [--arms a,b]
// [--steps N] [--workers N] [--folder DIR]. Run it again after an interruption: what is finished is left out.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const here = path => fileURLToPath(new URL(path, import.meta.url))
const { values: asked } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1,2,3,4,5,6,7,8' },
    arms: { type: 'string', default: 'nothing,kl,entropy,schedule,all,kl-late' },
    steps: { type: 'string', default: '200' },
    workers: { type: 'string' },
    folder: { type: 'string', default: '.' },
  },
})
const folder = resolve(asked.folder)
const arms = asked.arms.split(',')
mkdirSync(folder, { recursive: true })

function klens(...words) {
  const env = { ...process.env, KLENS_HOME: process.env.KLENS_HOME ?? join(folder, '.klens') }
  const { status } = spawnSync(process.execPath, [here('../../bin/klens.js'), ...words], { cwd: folder, env, stdio: 'inherit' })
  // 1: findings or failed trials, which the next verbs show.
  if (status === null || status > 1) process.exit(status ?? 1)
}

for (const arm of arms) {
  const workers = asked.workers === undefined ? [] : ['--workers', asked.workers]
  klens('train', here(`${arm}.yaml`), '--seed', asked.seeds, '--over', `steps=${asked.steps}`, '--name', `${arm}-{steps}/seed{seed}`, ...workers)
}
const side = arm => `${arm}-${asked.steps}/*`
for (const arm of arms) klens('diagnose', side(arm))
for (const arm of arms.slice(1)) {
  klens('compare', side(arms[0]), side(arm))
  for (const language of ['en', 'zh']) {
    klens('report', side(arms[0]), side(arm), '--lang', language, '--output', join(folder, `${arm}.${language}.md`))
  }
}
