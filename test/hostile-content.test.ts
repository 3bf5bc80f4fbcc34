import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ImportAnswer } from '../src/app/ask/import.js'
import type { ShowAnswer } from '../src/app/ask/show.js'
import { jsonInside, klensInside } from './cli-inside.js'
import { expectHarmless, HEALTHY, importAll, jsonLines, put, wandbLog } from './hostile.js'
import { temporaryFolder } from './workspace.js'

/** Contents made to exhaust, confuse or crash a reader. */

const DEEP = 100_000
const MEGABYTE = 1 << 20

function runNamed({ runs }: ImportAnswer, name: string): ImportAnswer['runs'][number] {
  const run = runs.find(candidate => candidate.name === name)
  if (run === undefined) throw new Error(`no run "${name}" among ${runs.map(other => other.name).join(', ')}`)
  return run
}

function reasonFor({ skipped }: ImportAnswer, file: string): string | undefined {
  return skipped.find(({ path }) => path.endsWith(file))?.reason
}

describe('nesting 100,000 deep', () => {
  const deep = '['.repeat(DEEP) + ']'.repeat(DEEP)
  const deepObject = `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`

  it('costs the line, file or value that it stands in, and nothing else', async () => {
    const folder = temporaryFolder()
    put(
      folder,
      'logs/line/own.jsonl',
      `{"step":1,"loss":1}\n{"step":2,"loss":${deep}}\n{"step":3,"loss":${deepObject}}\n{"step":4,"loss":4}\n`,
    )
    put(
      folder,
      'logs/verl-line/file.jsonl',
      `${HEALTHY}{"step":3,"data":{"a":${deepObject}}}\n{"step":4,"data":${deepObject}}\n`,
    )
    put(folder, 'logs/file/table.json', deep)
    put(folder, 'logs/object/table.json', deepObject)
    put(
      folder,
      'logs/hf/trainer_state.json',
      `{"global_step":1,"log_history":[{"step":1,"loss":1,"x":${deep}}],"trial_params":${deepObject}}`,
    )
    put(folder, 'logs/config/json-beside.jsonl', HEALTHY)
    put(folder, 'logs/config/config.json', deepObject)
    put(folder, 'logs/yaml/yaml-beside.jsonl', HEALTHY)
    put(folder, 'logs/yaml/config.yaml', `a: ${deep}\n`)
    put(
      folder,
      'logs/wandb/run-w.wandb',
      wandbLog({ id: 'w', config: { a: deepObject, b: deep }, rows: [{ loss: '1', x: deepObject, y: deep }] }),
    )
    put(
      folder,
      'logs/console/printed.log',
      `step:1 - actor/pg_loss:0.5\n{'actor_rollout_ref': {'a': ${"{'a': ".repeat(DEEP)}\nstep:2 - actor/pg_loss:0.5\n`,
    )
    put(
      folder,
      'logs/report/report.md',
      `${'> '.repeat(DEEP)}\n\n${'- '.repeat(DEEP)}\n\n| step | loss |\n|---|---|\n| 1 | 0.5 |\n`,
    )
    const imported = await importAll(folder)
    expect(runNamed(imported, 'own').points).toBe(2)
    expect(runNamed(imported, 'file').points).toBe(2)
    expect(runNamed(imported, 'w').points).toBe(1)
    expect(runNamed(imported, 'hf').points).toBe(1)
    expect(runNamed(imported, 'printed').points).toBe(2)
    expect(runNamed(imported, 'json-beside').warnings.join()).toContain('config.json')
    expect(runNamed(imported, 'yaml-beside').warnings.join()).toContain('config.yaml')
    expect(reasonFor(imported, 'file/table.json')).toBe('not a training log that klens knows')
    expect(reasonFor(imported, 'object/table.json')).toBe('not a training log that klens knows')
    expectHarmless(await klensInside(folder, ['import', 'logs', '--lang', 'zh']))
  })
})

it('an alias bomb in config.yaml unfolds to a warning', async () => {
  const folder = temporaryFolder()
  const levels = 'bcdefghij'
    .split('')
    .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[i]}`).join(',')}]`)
  put(folder, 'logs/bomb/bomb.jsonl', HEALTHY)
  put(folder, 'logs/bomb/config.yaml', `a: &a [x,x,x,x,x,x,x,x,x]\n${levels.join('\n')}\n`)
  const { warnings, points } = runNamed(await importAll(folder), 'bomb')
  expect(points).toBe(2)
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('config.yaml')
})

describe('numbers that no run has', () => {
  it('are kept as what they are, or left out with a warning when they are steps', async () => {
    const folder = temporaryFolder()
    const more = Array.from({ length: 100 }, (_, i) => i + 10)
    const steps = ['1e308', '-5', '0.5', '9007199254740993e3', 'NaN', '"x"', 'null', '1e999']
    put(
      folder,
      'logs/own/own.jsonl',
      `{"step":1,"loss":1e999}\n{"step":2,"loss":NaN}\n${more.map(step => `{"step":${step},"loss":0}\n`).join('')}${steps.map(step => `{"step":${step},"loss":1}\n`).join('')}`,
    )
    put(
      folder,
      'logs/filed/metrics.jsonl',
      `${HEALTHY}${steps.map(step => `{"step":${step},"data":{"actor/pg_loss":1e999}}\n`).join('')}`,
    )
    put(
      folder,
      'logs/hf/trainer_state.json',
      `{"global_step":1,"log_history":[{"step":1,"loss":1},${steps.map(step => `{"step":${step},"loss":1}`).join()}]}`,
    )
    put(
      folder,
      'logs/csv/table.csv',
      `step,loss\n1,1e999\n${more.map(step => `${step},0\n`).join('')}${steps.map(step => `${step},1\n`).join('')}`,
    )
    put(
      folder,
      'logs/console/train.log',
      'step:99999999999999999999 - actor/pg_loss:0.5\nstep:1 - actor/pg_loss:1e999 - actor/x:nan\n',
    )
    put(folder, 'logs/own/config.json', '{"lr":1e999,"list":[1,-1e999]}')
    const imported = await importAll(folder)
    expect(runNamed(imported, 'own').warnings.join()).toContain('a step that is not a usable number (first: 1e+308)')
    expect(runNamed(imported, 'filed').warnings.join()).toContain('a step that is not a usable number (first: 1e+308)')
    expect(runNamed(imported, 'hf').warnings.join()).toContain('a step that is not a usable number (first: 1e+308)')
    expect(runNamed(imported, 'table').warnings.join()).toContain('a step that is not a usable number (first: 1e308)')
    const own = await jsonInside<ShowAnswer>(folder, ['show', 'own'])
    expect(own.series[0].points.slice(0, 4)).toEqual([
      [-5, 1],
      [0.5, 1],
      [1, 'Infinity'],
      [2, 'NaN'],
    ])
    expect(own.run.config).toEqual({ lr: 'Infinity', list: [1, '-Infinity'] })
    expect((await jsonInside<ShowAnswer>(folder, ['show', 'filed'])).series[0].points.map(([step]) => step)).toEqual([
      -5, 0.5, 1, 2,
    ])
    expectHarmless(await klensInside(folder, ['show', 'own']))
    expectHarmless(await klensInside(folder, ['show', 'filed', '--lang', 'zh']))
  })
})

describe('files that are not what their name says', () => {
  it('are read as far as they hold something, or left out with a reason, in little memory', async () => {
    const folder = temporaryFolder()
    const noise = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 2_654_435_761) >>> 24))
    put(folder, 'logs/binary/metrics.jsonl', noise)
    put(folder, 'logs/gzip/run.log', gzipSync(HEALTHY))
    put(folder, 'logs/empty/metrics.jsonl', '')
    put(folder, 'logs/blank/metrics.jsonl', '\n\n\n')
    put(folder, 'logs/zeros/metrics.jsonl', Buffer.alloc(4096))
    put(folder, 'logs/utf16/table.csv', Buffer.from('\ufeffstep,loss\n1,0.5\n2,0.25\n', 'utf16le'))
    put(folder, 'logs/line/metrics.jsonl', Buffer.alloc(64 * MEGABYTE, 'x'))
    put(folder, 'logs/start/metrics.jsonl', Buffer.concat([Buffer.from(HEALTHY), Buffer.alloc(64 * MEGABYTE, 'x')]))
    const row = JSON.stringify({ step: 1, loss: 0.5, note: 'x'.repeat(70) })
    put(folder, 'logs/array/table.json', `[${Array(300_000).fill(row).join()}]`)
    put(folder, 'logs/page/run.json', '<!DOCTYPE html><html><body>404 Not Found</body></html>')
    const imported = await importAll(folder)
    expect(reasonFor(imported, 'empty/metrics.jsonl')).toBe('empty file')
    for (const file of [
      'binary/metrics.jsonl',
      'gzip/run.log',
      'blank/metrics.jsonl',
      'zeros/metrics.jsonl',
      'line/metrics.jsonl',
      'page/run.json',
    ]) {
      expect([file, reasonFor(imported, file)]).toEqual([file, 'not a training log that klens knows'])
    }
    expect((await jsonInside<ShowAnswer>(folder, ['show', 'table', '--metric', 'loss'])).series[0].points).toEqual([
      [1, 0.5],
      [2, 0.25],
    ])
    expect(runNamed(imported, 'start')).toMatchObject({
      points: 2,
      warnings: expect.arrayContaining(['1 line longer than 16 MiB was left out']),
    })
    expectHarmless(await klensInside(folder, ['import', 'logs', '--lang', 'zh']))
  })
})

it('a table beside a run that still runs is read once, however often it is imported', async () => {
  const folder = temporaryFolder()
  const log = wandbLog({ id: 'w' })
  put(folder, 'logs/run/run-w.wandb', log.subarray(0, log.length - 11))
  put(folder, 'logs/run/extra.json', '[{"step":1,"score":0.5},{"step":2,"score":0.25}]')
  const first = runNamed(await importAll(folder), 'w')
  expect(first.points).toBe(3)
  expect(runNamed(await importAll(folder), 'w')).toEqual(first)
})

it('rows of text where numbers should be are told, not invented', async () => {
  const folder = temporaryFolder()
  put(
    folder,
    'logs/own/own.jsonl',
    jsonLines([
      { step: 1, loss: 'high', ok: 1 },
      { step: 2, loss: { deep: 'x' }, ok: 2 },
    ]),
  )
  const { points, metrics } = runNamed(await importAll(folder), 'own')
  expect({ points, metrics }).toEqual({ points: 2, metrics: 1 })
})
