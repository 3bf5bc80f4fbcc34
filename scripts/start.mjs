/**
 * `npm start`: the main job on the embedded example. A little KL sweep is trained (three coefficients, three seeds each),
 * judged, diagnosed and reported in both languages; then the imported examples are. Nothing is trained twice: runs that are
 * there from an earlier start are kept. The workspace is examples/.klens, so that nothing of the user's own is touched.
 */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const home = join(root, 'examples', '.klens')
const environment = { ...process.env, KLENS_HOME: home }
const reports = 'examples/.klens/reports'

const known = new Set(trainedRuns())
for (const coefficient of ['0', '0.1', '1']) {
  for (const seed of ['1', '2', '3']) {
    const name = `digits-kl-${coefficient}/seed${seed}`
    if (known.has(name)) continue
    const settings = [
      `kl.loss.coef=${coefficient}`,
      'epochs.rce=2',
      'epochs.grpo=8',
      'lr.grpo=1e-4',
      'policy.hidden=128',
    ]
    klens('train', '--name', name, '--seed', seed, ...settings.flatMap(setting => ['--set', setting]))
  }
}
klens('compare', 'digits-kl-0/*', 'digits-kl-1/*')
klens('sweep', 'digits-kl-*', '--over', 'kl.loss.coef', '--metric', 'kl.ref.exact')
klens('diagnose', 'digits-kl-0.1/seed1')
for (const language of ['en', 'zh']) {
  const file = `${reports}/digits-kl.${language}.html`
  klens('report', 'digits-kl-0/*', 'digits-kl-0.1/*', 'digits-kl-1/*', '-o', file, '--lang', language)
}

klens('import', 'examples')
klens('compare', 'no-kl', 'kl', '--margin', '5%')
klens('diagnose', 'sick-length-bonus/*')
klens('audit', 'examples/userrl-intentiongym/estimates.md', '--fail-on', 'never')

function trainedRuns() {
  const { stdout } = run(['runs', '--status', 'finished', '--json'], 'pipe')
  return JSON.parse(String(stdout) || '[]').map(({ name }) => name)
}

function klens(...words) {
  console.log(`\n$ npx klens ${words.map(word => (/[*%]/.test(word) ? `'${word}'` : word)).join(' ')}`)
  const { status } = run(words, 'inherit')
  if (status !== 0) process.exit(status ?? 1)
}

function run(words, stdio) {
  return spawnSync(process.execPath, [join(root, 'bin', 'klens.js'), ...words], { cwd: root, env: environment, stdio })
}
