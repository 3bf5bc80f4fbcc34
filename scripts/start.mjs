/**
 * `npm start`: the main job on the embedded example. For now that is: import `examples/`, list the runs, show one.
 * The workspace is examples/.klens, so that nothing of the user's own is touched.
 */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const environment = { ...process.env, KLENS_HOME: join(root, 'examples', '.klens') }

klens('import', 'examples')
klens('runs')
klens('show', 'kl-0.1/seed0')

function klens(...words) {
  console.log(`\n$ npx klens ${words.join(' ')}`)
  const { status } = spawnSync(process.execPath, [join(root, 'bin', 'klens.js'), ...words], {
    cwd: root,
    env: environment,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}
