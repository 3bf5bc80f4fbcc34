#!/usr/bin/env node
/** Runs one verb of klens on each file: `klens-hook preflight a.sh b.sh`. Files in which no training is started are passed over. */
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')

const klens = join(__dirname, 'klens.js')
const [verb, ...words] = process.argv.slice(2)
const files = words.filter(word => !word.startsWith('--'))
const options = words.filter(word => word.startsWith('--'))
let worst = 0
for (const file of files) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [klens, verb, file, ...options], { encoding: 'utf8' })
  if (status === 2 && isOther(file)) continue
  if (status !== 0) process.stdout.write(`${file}\n${stdout}${stderr}`)
  worst = Math.max(worst, status ?? 2)
}
process.exitCode = worst

/** Whether klens says that the file is none of its kind. */
function isOther(file) {
  const { stderr } = spawnSync(process.execPath, [klens, verb, file, '--json'], { encoding: 'utf8' })
  try {
    return ['not-enough', 'not-found'].includes(JSON.parse(stderr).error.code)
  } catch {
    return false
  }
}
