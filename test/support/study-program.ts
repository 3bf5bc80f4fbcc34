import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Studies whose trials are programs: a small one in JavaScript, run for real. */

/** Notes each start, then does what its words say. */
const PROGRAM = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
const [folder, seed, ...rest] = process.argv.slice(2)
const told = Object.fromEntries(rest.flatMap((word, i) => (word.startsWith('--') ? [[word.slice(2), rest[i + 1]]] : [])))
appendFileSync('starts', seed + ' ' + (told.resume ?? 'fresh') + '\\n')
const from = told.resume === undefined ? 0 : Number(readFileSync(told.resume, 'utf8').split(' ')[0])
if (told.fail !== undefined) { console.log('first line'); console.error('out of luck'); process.exit(Number(told.fail)) }
mkdirSync(folder + '/kept', { recursive: true })
for (let step = from + 1; step <= Number(told.steps ?? 6); step += 1) {
  const fallen = told.falls !== undefined && step > 12
  const score = fallen ? 0 : 0.5 + 0.01 * ((step * 7) % 5) + Number(seed) / 1000 + Number(told.add ?? 0)
  appendFileSync(folder + '/metrics.jsonl', JSON.stringify({ step, [told.metric ?? 'val.score']: score }) + '\\n')
  writeFileSync(folder + '/kept/' + step + '.txt', [step, seed, score].join(' '))
  while (step === Number(told.waits) && !existsSync('go')) await new Promise(done => setTimeout(done, 10))
}
`

export const ENGINE = `engine:
  command: [node, train.mjs, "{folder}", "{seed}", "{overrides}"]
  metrics: metrics.jsonl
  checkpoints: kept/*.txt
  resume: [--resume, "{checkpoint}"]
  stop: {seconds: 2}
`

/** Relative to the folder. */
export function studyIn(folder: string, text: string, engine = ENGINE): string {
  writeFileSync(join(folder, 'train.mjs'), PROGRAM)
  writeFileSync(join(folder, 'tiny.yaml'), `question: does it matter?\n${text}${engine}`)
  return 'tiny.yaml'
}

/** What was started, sorted: the seed, and the checkpoint it went on from. */
export function starts(folder: string): readonly string[] {
  const path = join(folder, 'starts')
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').sort() : []
}
