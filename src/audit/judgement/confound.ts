import type { Cell } from '../../document/document.js'
import type { Axis, Matrix } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { once } from './hits.js'

/** Several settings changed at once: a table of settings whose two columns differ in more than one row. */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.confound': { en: '{count} settings differ between “{left}” and “{right}” ({found}); no difference in results can be credited to one of them alone (lines {lines})', zh: '“{left}”与“{right}”之间有 {count} 项设置不同（{found}）；结果的差异不能单独归因于其中一项（第 {lines} 行）' },
})

/** Not what is set, but what comes of it, or who it is. */
const NO_SETTING =
  /loss$|损失|reward$|奖励|acc|正确率|准确率|结果|状态|时间|耗时|路径|path|名称|name|date|日期|checkpoint|备注|说明|步数|进度|样本数|最优|最佳|seed|种子|output|log/i
const NO_SIDE = /说明|备注|变化|影响|note|状态|差异|一致|match|impact|reason|原因|建议|评价/i
/** Who says so himself need not be told. */
const ADMITTED =
  /无法归因|不能归因|同时改动|混杂|(?:none|neither) of them can be credited|cannot be (?:credited|attributed)|confound/i

const MOST_KEYS = 5

export function* confound(evidence: Evidence): Generator<Fault> {
  if (ADMITTED.test(evidence.document.text)) return
  for (const matrix of evidence.matrices.filter(({ isSettings }) => isSettings)) yield* inTable(matrix, evidence)
}

function* inTable({ table, columns, rows }: Matrix, evidence: Evidence): Generator<Fault> {
  const isSide = ({ index, role, name }: Axis): boolean => index > 0 && role !== 'difference' && !NO_SIDE.test(name)
  const [left, right, more] = columns.filter(isSide)
  if (left === undefined || right === undefined || more !== undefined) return
  const differing = rows.filter(({ index, name }) => {
    const [a, b] = [left, right].map(side => table.rows[index][side.index])
    return !NO_SETTING.test(name) && [a, b].every(({ text, pending }) => text !== '' && !pending) && bare(a) !== bare(b)
  })
  if (differing.length < 2) return
  const found = differing
    .map(({ name }) => name)
    .slice(0, MOST_KEYS)
    .join(', ')
  const sides = { count: differing.length, left: left.name, right: right.name, found }
  const hits = differing.map(({ index, name }) => ({ offset: table.rows[index][0].offset, quote: name }))
  yield* once(evidence, 'confound', hits, ({ lines }) => say('audit.confound', { ...sides, lines }))
}

const bare = ({ text }: Cell): string => text.toLowerCase().replace(/[(（].*$|[^\p{L}\p{N}.,+-]/gu, '')
