import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { render } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import type { Config } from '../../model/run.js'
import { HEAD_BYTES, type SourceFile } from '../source.js'
import { report } from './report.js'

const folder = mkdtempSync(join(tmpdir(), 'klens-report-'))
afterAll(() => rmSync(folder, { recursive: true }))

function sourceFile(path: string): SourceFile {
  const { size, mtimeMs } = statSync(path)
  return { path, size, modifiedMs: mtimeMs, head: readFileSync(path).subarray(0, HEAD_BYTES) }
}

function written(text: string | Buffer, name = 'notes.md'): SourceFile {
  const path = join(folder, name)
  writeFileSync(path, text)
  return sourceFile(path)
}

const fixture = (name: string): SourceFile => sourceFile(join(import.meta.dirname, '../fixtures/report', name))

interface ReadRun {
  readonly config: Config
  /** `metric@step` to value, with `~` before an estimate and `?` for a gap. */
  readonly points: { readonly [place: string]: string }
  readonly events: readonly RunEvent[]
  readonly warnings: readonly string[]
}

async function runsOf(file: SourceFile): Promise<{ readonly [name: string]: ReadRun }> {
  const runs: { [name: string]: ReadRun } = {}
  for (const { run, name } of await report.describe(file, {})) {
    const events: RunEvent[] = []
    for await (const batch of report.read(file, { run, cursor: null, hints: {} })) events.push(...batch)
    runs[name] = {
      config: Object.assign({}, ...events.flatMap(event => (event.type === 'config' ? [event.config] : []))),
      points: Object.fromEntries(events.flatMap(pointsOf)),
      events,
      warnings: events.flatMap(event => (event.type === 'warning' ? [render(event.message, 'en')] : [])),
    }
  }
  return runs
}

function pointsOf(event: RunEvent): [string, string][] {
  if (event.type !== 'row') return []
  return event.metrics.map((metric, index) => {
    const quality = event.qualities?.[index] ?? 'measured'
    const printed = event.values[index].toFixed(event.decimals?.[index] ?? 0)
    return [`${metric}@${event.step}`, quality === 'missing' ? '?' : quality === 'estimated' ? `~${printed}` : printed]
  })
}

describe('a table of steps', () => {
  it('holds one run per column when the columns are not metrics, and the heading names the metric', async () => {
    const runs = await runsOf(fixture('constraint.zh.md'))
    expect(Object.keys(runs)).toEqual(['基线', '新方案（带约束）'])
    expect(runs.基线.points).toEqual({
      '验证集 Reward@10': '0.512',
      '验证集 Reward@20': '~0.55',
      '验证集 Reward@30': '?',
      '最佳性能@90': '0.640',
    })
    expect(runs['新方案（带约束）'].points).toEqual({
      '验证集 Reward@10': '0.498',
      '验证集 Reward@20': '0.561',
      '验证集 Reward@30': '0.5330',
      '最佳性能@70': '0.655',
    })
  })

  it('holds the metrics of the one run a report is about, in the order of its steps', async () => {
    const runs = await runsOf(fixture('one-run.en.md'))
    expect(Object.keys(runs)).toEqual(['one-run.en'])
    expect(runs['one-run.en'].points).toEqual({
      'KL/First@0': '0.030',
      'KL/Last@0': '0.041',
      'Grad norm/First@0': '1.2',
      'Grad norm/Last@0': '0.9',
      'Val Loss@1': '2.310',
      'PPO Loss@1': '0.0012',
      'Val Loss@2': '2.150',
      'PPO Loss@2': '0.0001',
      'Val Loss@3': '2.105',
      'PPO Loss@3': '-0.0004',
    })
    const steps = runs['one-run.en'].events.flatMap(event => (event.type === 'row' ? [event.step] : []))
    expect(steps).toEqual([...steps].sort((a, b) => a - b))
  })

  it('reads ragged rows, tables without outer pipes, long form, and steps as columns', async () => {
    const runs = await runsOf(fixture('ablation.en.md'))
    expect(runs.Baseline.points).toEqual({
      'Validation reward@100': '0.31',
      'Validation reward@1200': '0.44',
      'Validation reward@2000': '~0.5',
      'reward@100': '0.31',
      'KL@100': '0.001',
      'Entropy@100': '0.91',
      'Entropy@200': '0.62',
    })
    expect(runs['kl = 0.01'].points).toEqual({
      'Validation reward@100': '0.29',
      'Validation reward@1200': '0.45',
      'Validation reward@2000': '0.52',
      'reward@100': '0.29',
      'KL@100': '0.0004',
      'KL@1200': '0.0011',
    })
  })

  it('is a run of its own under each heading when two headings give one metric at one step', async () => {
    const table = '| Epoch | Loss |\n|---|---|\n| 1 | 0.5 |\n'
    const apart = await runsOf(written(`## 1. Small\n\n${table}\n## 2. Large\n\n${table}`))
    expect(Object.keys(apart)).toEqual(['Small', 'Large'])
    const spelled = await runsOf(written(`## KL_BETA=0.1 curve\n\n${table}\n## KL_BETA=0.2 curve\n\n${table}`))
    expect(Object.keys(spelled)).toEqual(['KL_BETA=0.1', 'KL_BETA=0.2'])
    expect(spelled['KL_BETA=0.2'].config).toEqual({ KL_BETA: 0.2 })
  })

  it('marks the axis of a run that counts in steps and in epochs', async () => {
    const text = '## Reward\n\n| Step | A |\n|-|-|\n| 10 | 1 |\n\n## Loss\n\n| Epoch | A |\n|-|-|\n| 1 | 2 |\n'
    const { A } = await runsOf(written(text))
    expect(A.events).toMatchObject([
      { type: 'row', step: 1, metrics: ['Loss'], axis: 'epoch' },
      { type: 'row', step: 10, metrics: ['Reward'] },
    ])
    expect(A.events[1]).not.toHaveProperty('axis')
  })
})

describe('a table under a heading that names the step', () => {
  it('holds one run per row, called after the setting in the first column', async () => {
    const runs = await runsOf(fixture('sweep.zh.md'))
    expect(Object.keys(runs)).toEqual(['KL_BETA=0.2', 'KL_BETA=0.4'])
    expect(runs['KL_BETA=0.4'].config).toEqual({ KL_BETA: 0.4 })
    expect(runs['KL_BETA=0.4'].points).toEqual({
      'KL值@1': '0.0377',
      'Train Loss@1': '?',
      'Adv Std@1': '0.152',
      'KL值@2': '0.0351',
      'Train Loss@2': '0.0119',
      'Adv Std@2': '0.152',
      'Shot 1@1': '42.5',
      'Shot 2@1': '42.5',
      '平均@1': '42.5',
      'Shot 1@2': '?',
      'Shot 2@2': '?',
      '平均@2': '?',
    })
  })

  it('gives accuracies by shot as evaluations with the number of samples in the heading', async () => {
    const runs = await runsOf(fixture('sweep.zh.md'))
    const evaluations = runs['KL_BETA=0.2'].events.flatMap(event =>
      event.type === 'evaluation' ? [event.evaluation] : [],
    )
    expect(evaluations).toEqual([
      { metric: 'Shot 1', step: 1, condition: { shots: 1 }, value: 41.7, n: 120, quality: 'measured' },
      { metric: 'Shot 2', step: 1, condition: { shots: 2 }, value: 42.5, n: 120, quality: 'measured' },
      { metric: 'Shot 1', step: 2, condition: { shots: 1 }, value: Number.NaN, n: null, quality: 'missing' },
      { metric: 'Shot 2', step: 2, condition: { shots: 2 }, value: Number.NaN, n: null, quality: 'missing' },
    ])
  })

  it('may stand under a heading further down', async () => {
    const text = '## Step 40\n\n### Numbers (n=64)\n\n| Run | 2-shot | reward |\n|-|-|-|\n| A | 0.25 | 1.5 |\n'
    const { A } = await runsOf(written(text))
    expect(A.points).toEqual({ '2-shot@40': '0.25', 'reward@40': '1.5' })
    expect(A.events).toContainEqual({
      type: 'evaluation',
      evaluation: { metric: '2-shot', step: 40, condition: { shots: 2 }, value: 0.25, n: 64, quality: 'measured' },
    })
  })
})

describe('a table of metrics against runs', () => {
  it('takes the step from a header or a cell, and prefixes a bare statistic with its heading', async () => {
    const runs = await runsOf(fixture('summary.zh.md'))
    expect(runs['KL_BETA=0.4'].points).toEqual({
      'KL散度/平均@0': '0.037700',
      'KL散度/最终@0': '0.035100',
      'KL散度/变化@0': '-6.90',
      'Validation Loss/平均@0': '3.1987',
      'Validation Loss/最小@12': '3.1655',
    })
    expect(runs.旧方案.points).toEqual({ 'Val Loss@4': '3.31' })
    expect(runs.新方案.points).toEqual({ 'Val Loss@6': '3.28' })
  })

  it('makes settings of rows that scripts spell as settings, and of tables of settings', async () => {
    const summary = await runsOf(fixture('summary.zh.md'))
    expect(summary.新方案.config).toEqual({ GRPO_LR: 2e-5 })
    const constraint = await runsOf(fixture('constraint.zh.md'))
    expect(constraint['新方案（带约束）'].config).toEqual({
      模型: 'Tiny-1B',
      'KL Loss': 'True (coef=0.02)',
      'Entropy Coeff': 0.05,
      'Rollout N': 4,
    })
    const ablation = await runsOf(fixture('ablation.en.md'))
    expect(ablation.Baseline.config).toEqual({ 'learning rate': 1e-6, dropout: false })
    expect(ablation['kl = 0.01'].config).toEqual({ 'learning rate': 1e-6, dropout: false, kl: 0.01 })
  })
})

describe('what is left out', () => {
  it('is said once, with the lines of the tables, at the first run', async () => {
    const { Baseline, 'kl = 0.01': other } = await runsOf(fixture('ablation.en.md'))
    expect(other.warnings).toEqual([])
    expect(Baseline.warnings).toEqual([
      'rows without a step, such as averages, were left out of 1 table (line 14)',
      '1 table was left out: neither a column nor the heading says at which step or epoch the values were measured (line 32)',
      expect.stringContaining('which cells are runs, steps or metrics (line 39)'),
      '1 cell is not a plain number and was left out (first: “0.45 (best)”)',
    ])
    const constraint = await runsOf(fixture('constraint.zh.md'))
    expect(constraint.基线.warnings).toEqual([
      'rows without a step, such as averages, were left out of 1 table (line 16)',
      '1 table was left out: the cells are ranges or carry units, so none is a plain number (line 32)',
    ])
  })

  it('is what stands behind 64 MiB', async () => {
    const file = written('# Reward\n\n| Step | A |\n|-|-|\n| 1 | 2 |\n\n', 'large.md')
    truncateSync(file.path, 65 << 20)
    const { A } = await runsOf(sourceFile(file.path))
    expect(A.points).toEqual({ 'Reward@1': '2' })
    expect(A.warnings).toEqual(['only the first 64 MiB of this report were read'])
  })

  it('is more than 1,000 runs', async () => {
    const header = Array.from({ length: 1_200 }, (_, run) => `run ${run}`)
    const text = `# Reward\n\n| Step | ${header.join(' | ')} |\n|${'-|'.repeat(1_201)}\n| 1 ${'| 0.5 '.repeat(1_200)}|\n`
    const runs = await runsOf(written(text))
    expect(Object.keys(runs)).toHaveLength(1_000)
    expect(runs['run 0'].warnings).toEqual(['the tables name more than 1000 runs; the rest was left out'])
  })
})

describe('describe', () => {
  it('names a run by file and name, and knows the report by its first heading', async () => {
    const file = written('# 标题 **one**\n\n| Step | A |\n|-|-|\n| 1 | 2 |\n')
    expect(await report.describe(file, {})).toEqual([
      { run: `report:${file.path}#A`, name: 'A', folder, order: 0, firstRecord: '标题 one' },
    ])
  })

  it('tells the runs of one report apart wherever it lies', async () => {
    const described = await report.describe(written('# T\n\n| Step | A | B |\n|-|-|-|\n| 1 | 2 | 3 |\n'), {})
    expect(described.map(({ member }) => member)).toEqual(['A', 'B'])
  })

  it('finds nothing in a report without data', async () => {
    expect(await report.describe(written('| pro | con |\n|-|-|\n| fast | dear |\n'), {})).toEqual([])
    expect(await report.describe(written(''), {})).toEqual([])
  })
})

describe('recognise', () => {
  const table = '| a | b |\n|---|---|\n| 1 | 2 |\n'

  it.each([
    ['a report', `# Title\n\n${table}`, 'a.md'],
    ['a report without an extension', `# Title\n\n${table}`, 'report'],
    ['a table without outer pipes', 'a | b\n:-- | --:\n1 | 2\n', 'a.txt'],
    ['a table in a quotation', '> | a |\n> |---|\n> | 1 |\n', 'b.md'],
    ['a table far behind the head', `${'line\n'.repeat(400_000)}\n${table}`, 'long.md'],
    ['a table across the end of the head', `${'x'.repeat(HEAD_BYTES - 12)}\n\n${table}`, 'edge.md'],
  ])('takes %s', (_, text, name) => {
    expect(report.recognise(written(text, name))).toBe(true)
  })

  it.each([
    ['prose', '# Title\n\nno table here | or there\n', 'c.md'],
    ['a table that stands in code only', `\`\`\`\n${table}\`\`\`\n`, 'd.md'],
    ['CSV', 'step,loss\n1,0.5\n', 'e.csv'],
    ['CSV with pipes', 'step|loss\n1|0.5\n2|0.4\n', 'f.txt'],
    ['a program with a table in a comment', `"""\n${table}"""\n`, 'g.py'],
    ['JSON lines', `{"text": 1}\n${table}`, 'h.txt'],
    ['a log that prints a table', `2026-01-01 10:00:00 start\n${table}`, 'i.txt'],
    ['a verl log that prints a table', `(TaskRunner pid=1) step:1 - a:1\n${table}`, 'j.txt'],
    ['a table behind the head of a file that is no document by name', `${'line\n'.repeat(20_000)}${table}`, 'k.out'],
    ["a report of klens's own", `${table}\n<!-- klens-report {} -->\n`, 'own.md'],
    ['nothing', '', 'l.md'],
  ])('leaves %s alone', (_, text, name) => {
    expect(report.recognise(written(text, name))).toBe(false)
  })

  it('leaves bytes alone that are no text', () => {
    expect(report.recognise(written(Buffer.from([0xff, 0xfe, 0x7c, 0x0a]), 'm.md'))).toBe(false)
    expect(report.recognise(written(`\0\n${table}`, 'n.md'))).toBe(false)
  })

  it('answers for a file that is gone', () => {
    expect(report.recognise({ path: join(folder, 'gone.md'), size: 1e6, modifiedMs: 0, head: Buffer.from('a') })).toBe(
      false,
    )
  })
})

it('reads the tables that its documentation shows', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/sources/report.md'), 'utf8')
  const shown = Array.from(page.matchAll(/```markdown\n([^`]*)```/g), ([, markdown]) => markdown)
  const [curves, sweep] = await Promise.all(shown.map((text, index) => runsOf(written(text, `shown-${index}.md`))))
  expect(curves['kl=0.01'].points).toEqual({ 'Validation reward@5': '1.187', 'Validation reward@10': '1.310' })
  expect(sweep['KL_BETA=0.15'].points).toEqual({ 'Shot 1@1': '?', 'Shot 2@1': '?' })
})

it('reads any mixture of headings and tables without throwing, with parallel columns', async () => {
  const cell = fc.constantFrom(
    'Step',
    'Epoch 2',
    'KL',
    '指标',
    '平均',
    '0.5',
    '~1',
    '?',
    '-',
    '',
    '1e400',
    'A=1',
    'x',
    '配置',
  )
  const row = fc.array(cell, { minLength: 1, maxLength: 5 }).map(cells => `| ${cells.join(' | ')} |\n`)
  const table = fc.tuple(row, fc.array(row, { maxLength: 4 })).map(([header, rows]) => {
    const columns = header.split('|').length - 2
    return `${header}|${'-|'.repeat(columns)}\n${rows.join('')}\n`
  })
  const heading = fc.constantFrom('# Step 5\n\n', '## KL\n\n', '## 配置\n\n', '### A=1 (n=5)\n\n')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(table, heading), { maxLength: 8 }), async parts => {
      const runs = await runsOf(written(parts.join('')))
      for (const { events } of Object.values(runs)) {
        for (const event of events) {
          if (event.type !== 'row') continue
          expect(Number.isSafeInteger(event.step)).toBe(true)
          expect(event.values).toHaveLength(event.metrics.length)
          expect(event.decimals).toHaveLength(event.metrics.length)
          for (const [index, value] of event.values.entries()) {
            if (event.qualities?.[index] === 'missing') expect(value).toBeNaN()
          }
        }
      }
    }),
  )
})
