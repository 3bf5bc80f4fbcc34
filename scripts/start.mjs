/**
 * `npm start`: the main job on the embedded example. A little KL sweep is trained on all cores (three coefficients, three
 * seeds each), judged, diagnosed and reported in both languages; then the imported examples are. Nothing is trained
 * twice: trainings that an earlier start finished are kept, and one that it left unfinished goes on. The workspace is
 * examples/.klens, so that nothing of the user's own is touched. It ends with the dashboard, which serves until Ctrl-C;
 * with --once it ends before that. package.json starts it by `exec`: a shell in between would die of the Ctrl-C and make npm
 * say 130.
 */
import { spawn, spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const home = join(root, 'examples', '.klens')
const environment = { ...process.env, KLENS_HOME: home }
const reports = 'examples/.klens/reports'

const settings = ['epochs.rce=2', 'epochs.grpo=8', 'policy.hidden=128']
const names = ['--name', 'digits-kl-{kl.loss.coef}/seed{seed}']
const grid = ['--over', 'kl.loss.coef=0,0.1,1', '--seed', '1,2,3', ...names]
const earlier = sweepRuns()
klens('train', ...grid, ...settings.flatMap(setting => ['--set', setting]))
removeOutdated()
klens('eval', ...lastCheckpoints(), '--shots', '1,2,3,4', '--samples', '200')
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
if (!process.argv.includes('--once')) serve()

function sweepRuns() {
  const { stdout } = run(['runs', '--json'], 'pipe')
  return JSON.parse(String(stdout) || '[]').filter(({ name }) => name.startsWith('digits-kl-'))
}

/** Of the first seed of each coefficient. */
function lastCheckpoints() {
  return sweepRuns()
    .filter(({ name }) => name.endsWith('/seed1'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ id }) => `examples/.klens/runs/${id}/checkpoints/epoch10.safetensors`)
}

/** What an older klens trained under other settings has been trained anew; the two must not be taken for replicates. */
function removeOutdated() {
  const known = new Set(earlier.map(({ id }) => id))
  const anew = new Set(sweepRuns().flatMap(({ id, name }) => (known.has(id) ? [] : [name])))
  const outdated = earlier.filter(({ name }) => anew.has(name))
  if (outdated.length > 0) klens('rm', ...outdated.map(({ id }) => id))
}

function klens(...words) {
  console.log(`\n$ npx klens ${words.map(word => (/[*%{]/.test(word) ? `'${word}'` : word)).join(' ')}`)
  const { status } = run(words, 'inherit')
  if (status !== 0) process.exit(status ?? 1)
}

/** The address stands on the first line that klens serve says. It is told once to stop: a second Ctrl-C would cut it off. */
function serve() {
  console.log('\n$ npx klens serve')
  const served = spawn(process.execPath, [join(root, 'bin', 'klens.js'), 'serve'], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A Ctrl-C reaches every process of the terminal; this one hears of it from here alone.
    detached: true,
  })
  served.stdout.once('data', said => console.log(`ready ${String(said).split('\n')[0]}`))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => served.kill(signal))
  served.once('exit', code => process.exit(code ?? 0))
}

function run(words, stdio) {
  return spawnSync(process.execPath, [join(root, 'bin', 'klens.js'), ...words], { cwd: root, env: environment, stdio })
}
