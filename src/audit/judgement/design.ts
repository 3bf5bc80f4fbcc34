import type { Cell, Statement } from '../../logs/document/document.js'
import type { Matrix, MatrixAxis } from '../../logs/document/matrix.js'
import type { Quantity } from '../../logs/document/quantity.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import { entriesOf } from '../entries.js'
import type { ReportEvidence } from '../evidence.js'
import { has, places } from '../lexicon.js'
import { isDenied, isStated } from '../stance.js'
import { type Hit, hitOn, once } from './hits.js'

/** What the design of the experiment cannot show: one setting of several, one run, the best of several checkpoints. */

// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.confound': { en: '{count} settings differ from “{left}” to “{right}” ({found}); no difference in results can be credited to one of them alone (lines {lines})', zh: '“{left}”与“{right}”之间有 {count} 项设置不同（{found}）；结果的差异不能单独归因于其中一项（第 {lines} 行）' },
  'audit.checkpoint-vs-schedule': { en: '“{quote}”: the checkpoint taken is that of {expected}; what came after it cannot have made it better or worse (lines {lines}); speak of {expected} only', zh: '“{quote}”：采用的是 {expected} 的 checkpoint，其后的训练与它无关（第 {lines} 行）；只应就 {expected} 下结论' },
  'audit.one-run': { en: '“{quote}”: no repeat of any run is mentioned, and another seed may turn this verdict (lines {lines}); repeat both sides over several seeds, or say that it is one run', zh: '“{quote}”：全文未提到重复运行，换一个随机种子结论就可能不同（第 {lines} 行）；应以多个种子重复，或写明只跑了一次' },
  'audit.chosen-on-test': { en: '“{quote}”: chosen from several by the very scores it is reported with, so that these are too good by chance (lines {lines}); choose on other data, or evaluate the chosen one again', zh: '“{quote}”：按它自己的评估分数从多个中选出，分数因而偏高（第 {lines} 行）；应在另外的数据上挑选，或对选出的重新评估' },
})

/**
 * A result cannot be credited to one of several settings that changed at once, as a table of settings shows, nor to
 * epochs that came after the checkpoint in use.
 */

/** Not what is set, but what comes of it, or who it is. */
const NO_SETTING =
  /loss$|损失|reward$|奖励|acc|正确率|准确率|结果|状态|时间|耗时|路径|path|名称|name|date|日期|checkpoint|备注|说明|步数|进度|样本数|最优|最佳|seed|种子|output|log/i
const NO_SIDE = /说明|备注|变化|影响|note|状态|差异|一致|match|impact|reason|原因|建议|评价/i
/** Who says so himself need not be told. */
const ADMITTED =
  /无法归因|不能归因|同时改动|混杂|(?:none|neither) of them can be credited|cannot be (?:credited|attributed)|confound/i
const MOST_KEYS = 5

export function* confound(evidence: ReportEvidence): Generator<Fault> {
  yield* afterCheckpoint(evidence)
  if (ADMITTED.test(evidence.document.text)) return
  for (const matrix of evidence.matrices.filter(({ isSettings }) => isSettings)) yield* inTable(matrix, evidence)
}

/** Every arm against the first. */
function* inTable({ table, columns, rows }: Matrix, evidence: ReportEvidence): Generator<Fault> {
  const isSide = ({ index, role, name }: MatrixAxis): boolean =>
    index > 0 && role !== 'difference' && !NO_SIDE.test(name)
  const [left, ...others] = columns.filter(isSide)
  const changed = others.map(right =>
    rows.flatMap(({ index, name }) => {
      const row = table.rows[index] ?? []
      const [from, to] = [bare(row[left?.index ?? 0]), bare(row[right.index])]
      const isChange = !NO_SETTING.test(name) && from !== '' && to !== '' && from !== to
      return isChange ? [{ quote: name, offset: row[0]?.offset ?? table.offset, way: `${from} → ${to}` }] : []
    }),
  )
  // An arm that differs in one setting alone shows what that one does; and one under two names changes in one way.
  const isOne = (settings: (typeof changed)[number]): boolean => new Set(settings.map(({ way }) => way)).size < 2
  const [first] = changed
  const [right] = others
  if (left === undefined || right === undefined || first === undefined || changed.some(isOne)) return
  const found = first.slice(0, MOST_KEYS).map(({ quote }) => quote)
  const sides = { count: first.length, left: left.name, right: right.name, found: found.join(', ') }
  yield* once(evidence, 'confound', first, ({ lines }) => say('audit.confound', { ...sides, lines }))
}

/** Empty where nothing is set yet. */
const bare = (cell: Cell | undefined): string =>
  cell === undefined || cell.pending ? '' : cell.text.toLowerCase().replace(/[(（].*$|[^\p{L}\p{N}.,+-]/gu, '')

const TAKEN = /(?:最[优佳]|best|chosen|selected)\s?checkpoint|checkpoint.*(?:最[优佳]|best)/i
const EPOCH = /epoch[\s_-]?(\d{1,4})/i
/** So many times the epoch of the checkpoint is what a conclusion about the schedule speaks of. */
const FAR = 5

/** "40 epochs work / converged / overfit" where the checkpoint in use is that of an early epoch. */
function* afterCheckpoint(evidence: ReportEvidence): Generator<Fault> {
  const taken = entriesOf(evidence).flatMap(({ key, value }) => (TAKEN.test(key) ? (EPOCH.exec(value)?.[1] ?? []) : []))
  const epochs = new Set(taken.map(Number))
  const epoch = Math.max(...epochs)
  const isAfter = ({ unit, value }: Quantity): boolean => unit === 'epoch' && value >= FAR * epoch
  const hits = evidence.document.statements.filter(
    ({ text, quantities }) => quantities.some(isAfter) && has(text, 'works', 'converged', 'overfit'),
  )
  if (epochs.size > 0 && epochs.size < 3)
    yield* once(evidence, 'checkpoint-vs-schedule', hits.map(hitOn), said =>
      say('audit.checkpoint-vs-schedule', { ...said, expected: `epoch ${epoch}` }),
    )
}

/**
 * A verdict on one run a side. Where a report nowhere speaks of seeds, repeats or a spread between runs, another run may
 * turn every "best" and "better" in it. Only the plainest verdicts are listed: a reader needs to be told once.
 */

/** Repeats, a spread, or a word on what cannot be told apart: such an author need not be told. */
const WEIGHED =
  /(?<![a-z])intervals?(?![a-z])|区间|indistinguishable|not distinguishable|cannot be told|无法区分|不可区分|分不出|\d\s?±\s?\d|(?<![a-z])seeds(?![a-z])|(?:个|多|不同)(?:随机)?种子|重复(?:实验|运行|训练|试验|\s?\d)|independent (?:runs|trials)|runs? (?:each|per (?:arm|setting|side|configuration))|(?:deviation|std|variance|spread) (?:over|across|between) (?:\w+ )?(?:runs|seeds)|一次运行|单次运行|single run|only (?:one|1) run/i

const MOST = 6
const LONGEST = 300

export function* oneRun(evidence: ReportEvidence): Generator<Fault> {
  const { statements, text } = evidence.document
  const isMeasured = evidence.matrices.length > 0 || statements.some(({ quantities }) => quantities.length > 0)
  if (!isMeasured || WEIGHED.test(text)) return
  const plain = statements.flatMap(statement => verdictIn(statement, text) ?? [])
  const told = new Set([...plain].sort((a, b) => b.weight - a.weight).slice(0, MOST))
  const hits = plain.filter(one => told.has(one)).map(({ hit }) => hit)
  yield* once(evidence, 'one-run', hits, said => say('audit.one-run', said))
}

/** Where a statement gives a verdict, and how plainly it is one of the report. */
function verdictIn(statement: Statement, whole: string): { readonly hit: Hit; readonly weight: number } | null {
  const { kind, text, section, offsetOf } = statement
  if ((kind !== 'sentence' && kind !== 'item') || text.length > LONGEST || LABEL.test(text)) return null
  const said = places(text, 'verdict').find(({ from, to }) => {
    const isName = /^-|-$/.test(text.slice(Math.max(0, from - 1), to + 1))
    return !isName && !FIGURE.test(text.slice(from)) && !isDenied(text, from) && isStated(statement, from, to)
  })
  if (said === undefined) return null
  const isBold = whole.slice(Math.max(0, offsetOf(0) - 2), offsetOf(0) + 6).includes('**')
  const marks = [has(text, 'best'), kind === 'sentence', isBold, has(section?.title ?? '', 'conclusion')]
  const hit = { ...hitOn(statement), offset: offsetOf(said.from) }
  return { hit, weight: marks.filter(Boolean).length }
}

/** The best value of a curve is a figure, and no verdict on an arm. */
const FIGURE =
  /^(?:best(?: [a-z]+){0,2} (?:score|reward|accuracy|loss|value)|最[优佳好]的?.{0,4}(?:得分|分数|奖励|损失|准确率|值|结果为))/i

/** "Best score: 7.6" names a figure and judges nothing. */
const LABEL = /^\W*(?:(?:previous|current|new) )?(?:best|最[优佳好])[^:：是]{0,20}[:：]/i

/**
 * A checkpoint that was chosen by the scores it is then praised for. The best of several evaluations is above what it
 * will score again, so the figure is none of the model's but of the choice.
 */

const CHECKPOINT = '(?:checkpoint|ckpt|epoch|step|iteration|权重|轮次?|步)'
const BEST = '(?:(?<![a-z])best(?![a-z])|最[优佳好])'
const IS = '(?:是|为|仍|达到|(?<![a-z])(?:is|was|remains|gives?|reach(?:es|ed)|achieve[sd]?|came|comes|with)(?![a-z]))'
const COLUMN = new RegExp(`${BEST}.{0,12}${CHECKPOINT}`, 'i')
const CHOSEN = new RegExp(
  `${BEST}[^.。;；]{0,16}${CHECKPOINT}[^.。;；:：]{0,12}${IS}|${CHECKPOINT}[^.。;；:：]{0,16}${IS}[^.。;；]{0,16}${BEST}`,
  'i',
)
/** The loss on validation data is what one may choose by. */
const BY_VALIDATION = /val(?:idation)?[ _]?loss|验证(?:集)?损失/i
/** Who chose elsewhere may praise it. */
const ELSEWHERE =
  /held[- ]?out|留出|独立(?:的)?测试集|(?:select|chos|pick)\w* (?:on|by|using|with) (?:the )?(?:validation|dev)|(?:按|根据|基于)验证(?:集|损失)/i
const MOST_ROWS = 3

export function* selection(evidence: ReportEvidence): Generator<Fault> {
  const { text, statements } = evidence.document
  if (ELSEWHERE.test(text)) return
  const listed = evidence.matrices.flatMap(chosenIn)
  const hits = [...listed, ...statements.filter(isPraised).map(hitOn)].sort((a, b) => a.offset - b.offset)
  yield* once(evidence, 'chosen-on-test', hits, said => say('audit.chosen-on-test', said))
}

/** A column "best checkpoint" beside scores. */
function chosenIn({ table, columns }: Matrix): readonly Hit[] {
  const chosen = columns.find(({ name }) => COLUMN.test(name))
  if (chosen === undefined || !columns.some(({ role }) => role === 'value')) return []
  return table.rows
    .slice(0, MOST_ROWS)
    .map(([first]) => ({ offset: first?.offset ?? table.offset, quote: chosen.name }))
}

function isPraised(statement: Statement): boolean {
  const { kind, text } = statement
  const isProse = kind === 'sentence' || kind === 'item'
  return isProse && CHOSEN.test(text) && !BY_VALIDATION.test(text) && isStated(statement, 0, text.length)
}
