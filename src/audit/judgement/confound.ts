import type { Cell } from '../../document/document.js'
import type { Axis, Matrix } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { once } from './hits.js'

/**
 * What a result cannot be credited to: one of several settings that changed at once, as a table of settings shows.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.confound': { en: '{count} settings differ from “{left}” to “{right}” ({found}); no difference in results can be credited to one of them alone (lines {lines})', zh: '“{left}”与“{right}”之间有 {count} 项设置不同（{found}）；结果的差异不能单独归因于其中一项（第 {lines} 行）' },
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

/** Every arm against the first. */
function* inTable({ table, columns, rows }: Matrix, evidence: Evidence): Generator<Fault> {
  const isSide = ({ index, role, name }: Axis): boolean => index > 0 && role !== 'difference' && !NO_SIDE.test(name)
  const [left, ...others] = columns.filter(isSide)
  const changed = others.map(right =>
    rows.flatMap(({ index, name }) => {
      const [from, to] = [left, right].map(side => bare(table.rows[index][side.index]))
      const isChange = !NO_SETTING.test(name) && from !== '' && to !== '' && from !== to
      return isChange ? [{ quote: name, offset: table.rows[index][0].offset, way: `${from} → ${to}` }] : []
    }),
  )
  // An arm that differs in one setting alone shows what that one does; and one under two names changes in one way.
  const isOne = (settings: (typeof changed)[number]): boolean => new Set(settings.map(({ way }) => way)).size < 2
  const [first] = changed
  if (first === undefined || changed.some(isOne)) return
  const found = first.slice(0, MOST_KEYS).map(({ quote }) => quote)
  const sides = { count: first.length, left: left.name, right: others[0].name, found: found.join(', ') }
  yield* once(evidence, 'confound', first, ({ lines }) => say('audit.confound', { ...sides, lines }))
}

/** Empty where nothing is set yet. */
const bare = ({ pending, text }: Cell): string =>
  pending ? '' : text.toLowerCase().replace(/[(（].*$|[^\p{L}\p{N}.,+-]/gu, '')
