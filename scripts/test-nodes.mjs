/**
 * `npm run test:nodes`: `npm test` under each version of Node that klens is promised for, one after the other. npm's package
 * `node` brings them. Words after `--` go to vitest; docs/decisions/node-versions.md says why these versions.
 */
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const VERSIONS = ['20.19', '22', '24']

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const failed = VERSIONS.filter(version => {
  console.log(`Node ${version}`)
  const words = ['-y', '-p', `node@${version}`, '--', 'npm', 'test', '--', ...process.argv.slice(2)]
  const { status } = spawnSync('npx', words, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  return status !== 0
})
if (failed.length > 0) {
  console.error(`failed under Node ${failed.join(', ')}`)
  process.exit(1)
}
