import type { Matrix } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { once } from './hits.js'

/** Several settings changed at once: a table of settings whose two columns differ in more than one row. */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.confound': { en: '{count} settings differ between “{left}” and “{right}” ({keys}); no difference in results can be credited to one of them alone (lines {lines})', zh: '“{left}”与“{right}”之间有 {count} 项设置不同（{keys}）；结果的差异不能单独归因于其中一项（第 {lines} 行）' },
})

const SETTINGS = /配置|参数|设置|超参|改动|变更|修改项|config|setting|parameter|hyper|^changes?$/i
/** Not what is set, but what comes of it, or who it is. */
const NO_SETTING =
  /loss$|损失|reward$|奖励|acc|正确率|准确率|结果|状态|时间|耗时|路径|path|名称|name|date|日期|checkpoint|备注|说明|步数|进度|样本数|最优|最佳|seed|种子|output|log/i
const NO_SIDE =
  /说明|备注|变化|影响|note|状态|差异|一致|match|impact|reason|原因|建议|评价|^值$|^value$|meaning|description|含义|作用|问题/i
/** "The same": as the column before it. */
const SAME = /^(?:同|同左|相同|same)$/
/** Who says so himself need not be told. */
const ADMITTED =
  /无法归因|不能归因|同时改动|混杂|(?:none|neither) of them can be credited|cannot be (?:credited|attributed)|confound/i

export function* confound(evidence: Evidence): Generator<Fault> {
  if (!ADMITTED.test(evidence.document.text)) for (const matrix of evidence.matrices) yield* inTable(matrix, evidence)
}

const MOST_ROWS = 40
const MOST_KEYS = 5

function* inTable({ table, columns, rows, isSettings }: Matrix, evidence: Evidence): Generator<Fault> {
  const isCalled = [table.header[0]?.text, table.section?.title].some(name => SETTINGS.test(name ?? ''))
  const isSide = ({ index, role, name }: Matrix['columns'][number]): boolean =>
    index > 0 && role !== 'difference' && !NO_SIDE.test(name)
  const [left, right, more] = columns.filter(isSide)
  if ((!isSettings && !isCalled) || left === undefined || right === undefined || more !== undefined) return
  const differing = (rows.length > MOST_ROWS ? [] : rows).flatMap(({ index, name }) => {
    const cells = [left, right].flatMap(column => table.rows[index]?.[column.index] ?? [])
    const [a, b] = cells.map(({ text }) => plain(text))
    const isOpen = cells.some(({ text, pending }) => text === '' || pending)
    return isOpen || a === b || SAME.test(b ?? '') || NO_SETTING.test(name)
      ? []
      : [{ name, way: `${a} ${b}`, cell: table.rows[index]?.[0] }]
  })
  // One setting under two names changes in the same way.
  if (new Set(differing.map(({ way }) => way)).size < 2) return
  const names = differing.map(({ name }) => name)
  const keys = names.slice(0, MOST_KEYS).join(', ')
  const sides = { count: differing.length, left: left.name, right: right.name, keys }
  const hits = differing.map(({ name, cell }) => ({ offset: cell?.offset ?? table.offset, quote: name }))
  const found = names.join(', ')
  yield* once(evidence, 'confound', hits, ({ lines }) => say('audit.confound', { ...sides, lines }), { found })
}

function plain(text: string): string {
  const bare = text.toLowerCase().replace(/[(（].*$/, '')
  return bare.replace(/[^\p{L}\p{N}.,+-]/gu, '')
}
