import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { sep } from 'node:path'

/**
 * Loaded into a klens process before anything else: counts its file operations in a store, and at one of them strikes.
 * TORTURE_AT is the number of the operation, TORTURE_DO what happens there: `kill`, or the code of an error.
 * TORTURE_COUNT names a file that learns how many there were. What DuckDB does by itself is not seen.
 */
const { TORTURE_AT, TORTURE_DO = '', TORTURE_COUNT } = process.env
const at = Number(TORTURE_AT ?? Number.POSITIVE_INFINITY)
const isKill = TORTURE_DO === 'kill'
let operations = 0

function meet(operation, path) {
  operations += 1
  if (operations !== at) return
  if (isKill) process.kill(process.pid, 'SIGKILL')
  throw Object.assign(new Error(`${TORTURE_DO}: made up, ${operation} '${path}'`), {
    code: TORTURE_DO,
    errno: -1,
    syscall: operation,
    path,
  })
}

const isInStore = path => String(path).includes(`${sep}.klens${sep}`)

/** A kill may come before an operation or right after it; an error comes instead of it. */
function strikeAround(object, name, isAsync) {
  const original = object[name]
  object[name] = isAsync
    ? async function (...words) {
        const isMet = this instanceof Handle || isInStore(words[0])
        if (isMet) meet(name, words[0])
        const result = await original.apply(this, words)
        if (isMet && isKill) meet(name, words[0])
        return result
      }
    : function (...words) {
        const isMet = typeof words[0] === 'number' || isInStore(words[0])
        if (isMet) meet(name, words[0])
        const result = original.apply(this, words)
        if (isMet && isKill) meet(name, words[0])
        return result
      }
}

const handle = await fs.promises.open(process.execPath)
const Handle = handle.constructor
await handle.close()

for (const name of ['sync', 'write', 'writeFile', 'appendFile', 'truncate']) strikeAround(Handle.prototype, name, true)
for (const name of [
  'open',
  'writeFile',
  'appendFile',
  'readFile',
  'rename',
  'rm',
  'mkdir',
  'readdir',
  'link',
  'unlink',
]) {
  strikeAround(fs.promises, name, true)
}
for (const name of [
  'openSync',
  'writeFileSync',
  'readFileSync',
  'writeSync',
  'fsyncSync',
  'renameSync',
  'rmSync',
  'mkdirSync',
  'readdirSync',
]) {
  strikeAround(fs, name, false)
}
const flush = fs.fsync
fs.fsync = (file, done) => {
  try {
    meet('fsync', file)
  } catch (error) {
    return process.nextTick(done, error)
  }
  flush(file, error => {
    if (isKill) meet('fsync', file)
    done(error)
  })
}
syncBuiltinESMExports()

if (TORTURE_COUNT !== undefined) {
  const write = fs.writeFileSync
  process.on('exit', () => write(TORTURE_COUNT, String(operations)))
}
