/**
 * `npm start`: the main job on the embedded examples. For now that is: import `examples/`, judge, sweep, diagnose,
 * report and audit.
 * The workspace is examples/.klens, so that nothing of the user's own is touched.
 */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const environment = { ...process.env, KLENS_HOME: join(root, 'examples', '.klens') }

klens('import', 'examples')
klens('runs')
klens('compare', 'no-kl', 'kl', '--margin', '5%')
klens('compare', 'kl-0.0/*', 'kl-0.3/*')
klens('sweep', 'kl-0.0/*', 'kl-0.1/*', 'kl-0.3/*', '--over', 'kl.loss.coef')
klens('diagnose', 'kl-0.1/seed0', 'sick-length-bonus/*')
klens('report', 'no-kl', 'kl', '--margin', '5%', '-o', 'examples/.klens/reports/kl.en.html')
klens('report', 'no-kl', 'kl', '--margin', '5%', '-o', 'examples/.klens/reports/kl.zh.html', '--lang', 'zh')
klens('audit', 'examples/userrl-intentiongym/estimates.md', '--fail-on', 'never')

function klens(...words) {
  console.log(`\n$ npx klens ${words.map(word => (/[*%]/.test(word) ? `'${word}'` : word)).join(' ')}`)
  const { status } = spawnSync(process.execPath, [join(root, 'bin', 'klens.js'), ...words], {
    cwd: root,
    env: environment,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}
