import { type Matrix, matrixOf } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import type { Fault, Rule } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { fault } from '../fault.js'
import { linesOf } from './claims.js'

/** Several settings changed at once, and how far a training went against what is said to be complete. */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.confound': { en: '{count} settings differ between “{left}” and “{right}” ({keys}); no difference in results can be credited to one of them alone (lines {lines})', zh: '“{left}”与“{right}”之间有 {count} 项设置不同（{keys}）；结果的差异不能单独归因于其中一项（第 {lines} 行）' },
  'audit.complete-but-partial': { en: '“{quote}”: the evaluations shown end at step {last} of {total} (lines {lines}); show the rest, or say how far they go', zh: '“{quote}”：列出的评估只到第 {last} 步，而训练共 {total} 步（第 {lines} 行）；应补全，或说明范围' },
  'audit.progress-contradicted': { en: '“{quote}” asks for training to step {wanted}, but {total} steps are done (line {line}); update one of the two', zh: '“{quote}”要求训练到 {wanted} 步，而已完成 {total} 步（第 {line} 行）；应更新其中之一' },
})

function* check(evidence: Evidence): Generator<Fault> {
  if (!ADMITTED.test(evidence.document.text)) for (const matrix of evidence.matrices) yield* confound(matrix, evidence)
  yield* progress(evidence)
}

const SETTINGS = /配置|参数|设置|超参|config|setting|parameter|hyper/i
/** Not what is set, but what comes of it, or who it is. */
const NO_SETTING =
  /loss$|损失|reward$|奖励|acc|正确率|准确率|结果|状态|时间|耗时|路径|path|名称|name|date|日期|checkpoint|备注|说明|步数|进度|样本数|最优|最佳|seed|种子|output|log/i

/** Who says so himself need not be told. */
const ADMITTED =
  /无法归因|不能归因|同时改动|混杂|(?:none|neither) of them can be credited|cannot be (?:credited|attributed)|confound/i

function* confound({ table, columns, rows, isSettings }: Matrix, evidence: Evidence): Generator<Fault> {
  const first = table.header[0]?.text ?? ''
  if (!isSettings && !SETTINGS.test(first) && !SETTINGS.test(table.section?.title ?? '')) return
  const values = columns.filter(
    ({ index, role, name }) =>
      index > 0 &&
      role !== 'difference' &&
      !/说明|备注|变化|影响|note|状态|差异|一致|match|impact|reason|原因|建议|评价/i.test(name),
  )
  const [left, right] = values
  if (left === undefined || right === undefined || values.length !== 2 || rows.length > 40) return
  const differing = rows.filter(({ index, name }) => {
    const [a, b] = [table.rows[index]?.[left.index], table.rows[index]?.[right.index]]
    return (
      a !== undefined &&
      b !== undefined &&
      a.text !== '' &&
      b.text !== '' &&
      !a.pending &&
      !b.pending &&
      !NO_SETTING.test(name) &&
      plain(a.text) !== plain(b.text)
    )
  })
  // One setting under two names changes in the same way.
  const ways = new Set(
    differing.map(({ index }) =>
      [left, right].map(({ index: column }) => plain(table.rows[index]?.[column]?.text ?? '')).join(' '),
    ),
  )
  if (ways.size < 2) return
  const hits = differing.map(({ index }) => ({ offset: table.rows[index]?.[0]?.offset ?? table.offset }))
  const [at] = hits
  if (at === undefined) return
  yield fault(
    'confound',
    at.offset,
    say('audit.confound', {
      count: differing.length,
      left: left.name,
      right: right.name,
      keys: differing
        .slice(0, 5)
        .map(({ name }) => name)
        .join(', '),
      lines: linesOf(evidence, hits),
    }),
    {
      kind: 'confound',
      severity: 'note',
      found: differing.map(({ name }) => name).join(', '),
      also: hits.map(({ offset }) => offset),
    },
  )
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[(（].*$/, '')
    .replace(/[^\p{L}\p{N}.,+-]/gu, '')
}

const WHOLE =
  /完整(?:的)?(?:训练)?(?:曲线|评估|过程)|(?:full|complete|entire) (?:training )?(?:curve|evaluation|course|run)s?/i
const ASKED =
  /(?:训练|train)[^\d,，。;；]{0,8}(?:到|至|for|to|until)\s?(?:step\s?)?(\d{1,6})(?:\s?[-–~]\s?(\d{1,6}))?\s?(?:步|steps?)/i

/** "465 steps are done", a curve that ends at 45, and an advice to train on to 100. */
function* progress(evidence: Evidence): Generator<Fault> {
  const { document } = evidence
  const done = document.statements
    .filter(({ kind }) => kind !== 'heading')
    .flatMap(({ text, offsetOf }) => {
      const match = /(?:已训练|已完成|训练已完成|trained for|completed)\s?(\d{1,6})\s?(?:步|steps?)/i.exec(text)
      return match === null ? [] : [{ total: Number(match[1]), offset: offsetOf(match.index) }]
    })[0]
  if (done === undefined) return
  const steps = document.tables.flatMap(table => matrixOf(table).rows.flatMap(({ step }) => step ?? []))
  const last = Math.max(0, ...steps)
  if (steps.length >= 4 && last > 0 && last < 0.2 * done.total) {
    const hits = document.statements.filter(({ text, kind }) => kind !== 'code' && WHOLE.test(text))
    const [first] = hits
    if (first !== undefined) {
      const offsets = hits.map(({ offsetOf }) => ({ offset: offsetOf(0) }))
      yield fault(
        'complete-but-partial',
        first.offsetOf(0),
        say('audit.complete-but-partial', {
          quote: first.text.slice(0, 40),
          last,
          total: done.total,
          lines: linesOf(evidence, offsets),
        }),
        {
          found: first.text.slice(0, 40),
          expected: `${last} / ${done.total}`,
          also: offsets.map(({ offset }) => offset),
        },
      )
    }
  }
  for (const { text, offsetOf } of document.statements) {
    const match = ASKED.exec(text)
    const wanted = Number(match?.[2] ?? match?.[1])
    if (match === null || wanted >= done.total) continue
    yield fault(
      'progress-contradicted',
      offsetOf(match.index),
      say('audit.progress-contradicted', {
        quote: match[0],
        wanted,
        total: done.total,
        line: document.placeOf(done.offset).line,
      }),
      { found: match[0], expected: String(done.total), also: [done.offset] },
    )
  }
}

export const settings: Rule = { check }
