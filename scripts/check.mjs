/**
 * Runs every `check:` script of package.json, as many at a time as there are cores, the longest first as they stand
 * there. What each says is printed whole when it ends, so that two never speak at once; all of them are run, whatever
 * fails. The compilers run on one thread each: more would share out work among threads that other checks need as well,
 * and each thread looks at the common types anew.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const waiting = Object.keys(scripts).filter(name => name.startsWith('check:'))
const failed = []
await Promise.all(Array.from({ length: availableParallelism() }, worker))
if (failed.length > 0) console.error(`failed: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0

async function worker() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const { status, said } = await run(name)
    if (said.length > 0) process.stdout.write(`${name}\n${said}`)
    if (status !== 0) failed.push(name)
  }
}

function run(name) {
  const child = spawn('npm', ['run', '--silent', name], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  const pieces = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', piece => pieces.push(piece))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', status => resolve({ status, said: Buffer.concat(pieces) }))
  })
}
