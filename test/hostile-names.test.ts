import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ShowAnswer } from '../src/app/ask/show.js'
import { jsonInside, klensInside } from './cli-inside.js'
import { expectHarmless, expectRefusal, importAll, jsonLines, put, wandbLog } from './hostile.js'
import { temporaryFolder } from './workspace.js'

/** Names and ids come from logs, and logs come from anywhere. */

const NAMES = [
  '../../../etc/passwd',
  '\u001b[31mred\u001b[0m\u0007\u001b]0;title\u0007',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  'model\u202Egpj.exe\u2066',
  'n'.repeat(10_000),
  'two\nlines\rover\ttab',
  'it\'s "quoted"; DROP TABLE runs; --',
  '中文 名字 😀',
  '__proto__',
  '-rf',
]

describe('a hostile name', () => {
  it('of a W&B run, a verl experiment or a folder is shown as text and harms neither terminal nor disk', async () => {
    const outer = temporaryFolder()
    const folder = join(outer, 'inner')
    mkdirSync(folder)
    NAMES.forEach((name, i) => {
      put(folder, `logs/wandb-${i}/run-w${i}.wandb`, wandbLog({ id: `w${i}`, name }))
      const config = `{'actor_rollout_ref': {'a': 1},\n 'trainer': {'experiment_name': ${JSON.stringify(name)}}}\n`
      put(folder, `logs/verl-${i}/train.log`, `${config}step:1 - actor/pg_loss:0.5\nstep:2 - actor/pg_loss:${i}.25\n`)
      const plain = name.replaceAll('/', '_').slice(0, 200)
      put(folder, `logs/${plain}/metrics.jsonl`, jsonLines([{ step: i, data: { loss: i } }]))
    })
    const { runs } = await importAll(folder)
    for (const name of NAMES) expect(runs.filter(run => run.name === name).length).toBeGreaterThanOrEqual(2)
    expect(readdirSync(outer)).toEqual(['inner'])
    expect(readdirSync(folder).sort()).toEqual(['.klens', 'logs'])
    expect(readdirSync(join(folder, '.klens', 'runs')).sort()).toEqual(runs.map(({ id }) => id).sort())

    expectHarmless(await klensInside(folder, ['import', 'logs']))
    const listed = await klensInside(folder, ['runs', '--columns', 'trainer.experiment_name'])
    expectHarmless(listed)
    expect(listed.out).toContain('\\u001b[31mred')
    expect(listed.out).toContain('model\\u202egpj.exe')
    expectHarmless(await klensInside(folder, ['show', 'w1', '--all']))
    expectHarmless(await klensInside(folder, ['show', 'w4', '--all']))
    expect(
      (await jsonInside<{ name: string }[]>(folder, ['runs'])).filter(({ name }) => name === NAMES[4]),
    ).toHaveLength(2)
    expectHarmless(await klensInside(folder, ['show', NAMES[1]]))
    expectHarmless(await klensInside(folder, ['rename', 'w2', NAMES[1]]))
    expectHarmless(await klensInside(folder, ['tag', 'w2', NAMES[1], NAMES[3]]))
    expectHarmless(await klensInside(folder, ['rm', 'w2']))
  })

  it('of a run id cannot leave the folder of runs', async () => {
    const outer = temporaryFolder()
    const folder = join(outer, 'inner')
    mkdirSync(folder)
    const ids = [
      '../../../outside',
      '/absolute',
      'a/b',
      'a\\b',
      '..',
      '.',
      'x\0y',
      'i'.repeat(10_000),
      ' ',
      '-rf',
      '\u202e',
      'runs:x',
    ]
    ids.forEach((id, i) => {
      put(folder, `logs/${i}/run-${i}.wandb`, wandbLog({ id, name: `named ${i}`, rows: [{ loss: String(i) }] }))
    })
    const { runs } = await importAll(folder)
    expect(runs).toHaveLength(ids.length + 1)
    expect(runs.every(({ id }) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/.test(id))).toBe(true)
    expect(readdirSync(join(folder, '.klens', 'runs')).sort()).toEqual(runs.map(({ id }) => id).sort())
    expect(readdirSync(outer)).toEqual(['inner'])
    expect(readdirSync(folder).sort()).toEqual(['.klens', 'logs'])
    expect((await importAll(folder)).runs).toEqual(runs)
    for (const id of ids.slice(0, 4)) expectRefusal(await klensInside(folder, ['rm', id]), 'no run is called')
    expect(readdirSync(outer)).toEqual(['inner'])
  })

  const METRICS = [
    ...NAMES,
    "'; DROP TABLE staged_1; --",
    '"',
    "'",
    'a,b;c|d',
    '\0nul',
    'constructor',
    'toString',
    '*',
    '{x}',
  ]

  it('of a metric or a setting is kept to the letter, and shown as text', async () => {
    const folder = temporaryFolder()
    const values = Object.fromEntries(METRICS.map((name, i) => [name, i + 0.5]))
    put(
      folder,
      'logs/jsonl/own.jsonl',
      jsonLines([
        { step: 1, ...values },
        { step: 2, ...values },
      ]),
    )
    put(folder, 'logs/jsonl/config.json', JSON.stringify(values))
    put(folder, 'logs/filed/metrics.jsonl', jsonLines([{ step: 1, data: values }]))
    const texts = Object.fromEntries(METRICS.map((name, i) => [name, String(i + 0.5)]))
    put(folder, 'logs/wandb/run-w.wandb', wandbLog({ id: 'w', config: texts, rows: [texts] }))
    // A header is one line of text.
    const inTable = METRICS.filter(name => !/[\0\n]/.test(name))
    const cells = ['step', ...inTable].map(name => `"${name.replaceAll('"', '""')}"`)
    put(folder, 'logs/csv/table.csv', `${cells.join(',')}\n1,${inTable.map(name => values[name]).join(',')}\n`)
    const { runs } = await importAll(folder)
    expect(runs).toHaveLength(5)
    for (const { id, name } of runs.filter(run => run.name !== 'healthy')) {
      const { series, run } = await jsonInside<ShowAnswer>(folder, ['show', id])
      const last = new Map(series.map(({ metric, points }) => [metric, points.at(-1)?.[1]]))
      const lost = (name === 'table' ? inTable : METRICS).filter(metric => last.get(metric) !== values[metric])
      // W&B keeps names that begin with an underscore for itself.
      expect({ name, lost }).toEqual({ name, lost: name === 'w' ? ['__proto__'] : [] })
      if (name === 'w') expect(Object.keys(run.config).sort()).toEqual([...METRICS].sort())
      expectHarmless(await klensInside(folder, ['show', id, '--all']))
    }
    for (const metric of ['__proto__', METRICS[10], NAMES[1]]) {
      expect(
        (await jsonInside<ShowAnswer>(folder, ['show', 'own', '--metric', metric])).series.map(one => one.metric),
      ).toEqual([metric])
    }
    const exported = (await klensInside(folder, ['export', 'filed', '--format', 'jsonl'])).out.trimEnd().split('\n')
    expect(exported.map(line => JSON.parse(line).metric).sort()).toEqual([...METRICS].sort())
    expectHarmless(
      await klensInside(folder, ['runs', '--sort', '__proto__', '--columns', '__proto__,constructor,toString']),
    )
    expectHarmless(await klensInside(folder, ['runs', '--where', '__proto__=1']))
  })
})
