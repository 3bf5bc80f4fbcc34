/**
 * Makes a checkout ready: installs when the lock file has changed since the last install, builds when a source is newer
 * than the build. Both `npm start` and `npm test` come through here, so it must be fast when there is nothing to do, and
 * it may use nothing but Node and npm: this is the one script that runs before anything is installed.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.klens-installed')

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`klens needs Node 20.19 or newer; this is ${process.version}.`)
  process.exit(2)
}

const lock = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  npm('ci', '--no-audit', '--no-fund')
  writeFileSync(stamp, lock)
}

const built = join(root, 'dist', 'licences.txt')
const isBuilt = existsSync(built) && existsSync(join(root, 'dist', 'web', 'index.html'))
const changed = Math.max(newest(join(root, 'src')), newest(join(root, 'web')))
if (!isBuilt || changed > statSync(built).mtimeMs) npm('run', 'build', '--silent')

// npm looks for the commands of its scripts here first. A shell that has its own `exec` takes that.
if (process.platform === 'win32') writeFileSync(join(root, 'node_modules', '.bin', 'exec.cmd'), '@%*\r\n')

function npm(...words) {
  const { status } = spawnSync('npm', words, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

function newest(folder) {
  return Math.max(
    ...readdirSync(folder, { withFileTypes: true }).map(entry => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? newest(path) : statSync(path).mtimeMs
    }),
    0,
  )
}
