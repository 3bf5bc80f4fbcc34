/**
 * `npm start`: the main job on the embedded example. A study file is run on all cores (three KL coefficients, three seeds
 * each), judged, diagnosed and reported in both languages; then the imported examples are. Nothing is trained twice:
 * trainings that an earlier start finished are kept, and one that it left unfinished goes on. The workspace is
 * examples/.klens, so that nothing of the user's own is touched. It ends with the dashboard, which serves until Ctrl-C;
 * with --once it ends before that. package.json starts it by `exec`: a shell in between would die of the Ctrl-C, and npm with
 * it. The shell of Windows has no `exec`; scripts/ready.mjs gives it one.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const home = join(root, 'examples', '.klens')
const environment = { ...process.env, KLENS_HOME: home }
const reports = 'examples/.klens/reports'

const study = 'examples/studies/kl-sweep.yaml'
klens('study', 'run', study)
for (const language of ['en', 'zh']) {
  klens('study', 'report', study, '-o', `${reports}/kl-sweep.${language}.html`, '--lang', language)
}
klens('study', 'report', study, '-o', `${reports}/kl-sweep.md`)
showAnswer(`${reports}/kl-sweep.md`)
klens('audit', `${reports}/kl-sweep.md`, '--data', 'kl-sweep/*', '--fail-on', 'never')
klens('eval', ...lastCheckpoints(), '--shots', '1,2,3,4', '--samples', '200')
klens('diagnose', 'kl-sweep/kl.loss.coef=0.1/seed1')

klens('import', 'examples')
klens('compare', 'no-kl', 'kl', '--margin', '5%')
klens('diagnose', 'sick-length-bonus/*')
klens('audit', 'examples/userrl-intentiongym/estimates.md', '--fail-on', 'never')
if (!process.argv.includes('--once')) serve()

/** Of the first seed of each coefficient. */
function lastCheckpoints() {
  const { stdout } = run(['study', 'status', study, '--json'], 'pipe')
  const { cells } = JSON.parse(String(stdout))
  return cells
    .filter(({ values, checkpoint }) => values.seed === 1 && checkpoint !== null)
    .map(({ checkpoint }) => relative(root, checkpoint.path))
}

/** What the report says first. */
function showAnswer(path) {
  const [title, answer] = readFileSync(join(root, path), 'utf8').split('\n\n')
  console.log(`\n${title}\n\n${answer}`)
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
  // npm passes on the Ctrl-C that the terminal has sent already; the second one must not end this process.
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      if (!isStopping) served.kill(signal)
      isStopping = true
    })
  }
  served.once('exit', code => process.exit(code ?? 0))
}

function run(words, stdio) {
  return spawnSync(process.execPath, [join(root, 'bin', 'klens.js'), ...words], { cwd: root, env: environment, stdio })
}
