import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { listRuns, loadRun } from '../../src/core/store/catalogue.js'
import { readSeries } from '../../src/core/store/series.js'
import { ended, startKlens } from '../cli.js'
import { demand } from '../fuzz/check.js'
import type { Random } from '../fuzz/random.js'
import { put } from './logs.js'
import { expectSoundStore, inWorkspace } from './truth.js'

/**
 * `klens log` at the end of a pipe from a training that explodes and prints whatever comes to its mind: each value is kept,
 * NaN and infinities as what they are, whatever stands before, between and behind, and wherever the pipe cuts it.
 */
export async function pipedLog(folder: string, random: Random): Promise<void> {
  put(join(folder, 'empty'), '')
  const expected = new Map<number, number>()
  const pieces: string[] = []
  const end = random.pick(['\n', '\r\n'])
  const rows = 20 + random.below(200)
  for (let step = 1; step <= rows; step += 1) {
    if (random.chance(0.1)) pieces.push(noise(random) + end)
    const [text, value] = random.chance(0.3) ? random.pick(SPECIAL) : [`${step / 7}`, step / 7]
    expected.set(step, value)
    const time = random.chance(0.5) ? `"time": ${1.7e9 + step}, ` : ''
    pieces.push(`{"step": ${step}, ${time}"loss": ${text}, "lr": 1e-6}${end}`)
  }
  const child = startKlens(folder, ['log', '--name', 'mine'])
  let said = ''
  child.stdout?.resume()
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const bytes = pieces.join('')
  for (let at = 0; at < bytes.length; ) {
    const to = at + 1 + random.below(bytes.length)
    child.stdin?.write(bytes.slice(at, to))
    await pause(random.below(30))
    at = to
  }
  child.stdin?.end()
  const code = await ended(child)
  demand(code === 0 && !/\n\s+at /.test(said), 'klens log ends well, and says what it has to in sentences', said)
  await inWorkspace(join(folder, '.klens'), async workspace => {
    const [{ id }] = (await listRuns(workspace)).entries
    const run = await loadRun(workspace, id)
    const loss = run === null ? undefined : (await readSeries(run, ['loss'])).get('loss')
    const found = new Map(Array.from(loss?.steps ?? [], (step, i) => [step, loss?.values[i] ?? 0]))
    for (const [step, value] of expected) {
      demand(Object.is(found.get(step), value), `step ${step} has the loss ${value}`, found.get(step))
    }
    demand(found.size === expected.size, 'no step is there that was not printed', found.size)
    demand(run?.manifest.metrics.get('lr')?.n === rows, 'the other values of a line with NaN are kept')
  })
  await expectSoundStore(folder)
}

const SPECIAL: readonly (readonly [text: string, value: number])[] = [
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['1e999', Number.POSITIVE_INFINITY],
  ['"NaN"', Number.NaN],
]

const LONGER_THAN_ANY_ROW = 17 << 20

function noise(random: Random): string {
  return random.pick([
    () => 'Epoch 3/10',
    () => '{"step": "x", "loss": 3}',
    () => '{"step": NaN, "loss": 3}',
    () => '{"loss": 3',
    () => '',
    () => '\u001b[31m{}\u001b[0m',
    () => ' 12%|█▏ | 3/25\r 16%|█▌ | 4/25',
    () => (random.chance(0.2) ? '{"loss": 1'.padEnd(LONGER_THAN_ANY_ROW, '0') : 'NaN'),
  ])()
}
