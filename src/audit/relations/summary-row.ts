import type { Matrix, MatrixAxis } from '../../logs/document/matrix.js'
import type { Quantity } from '../../logs/document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, combine, isWithin, meets, middle, statedRange } from '../arithmetic.js'
import { type Assertion, type CheckOutcome, confirmed, type Relation, refute, UNCHECKED } from '../assertion.js'
import { isSizeName } from '../evidence.js'
import { assertionInCell, cellFigure } from '../extract.js'
import { type Term, termAt, type View, viewsOf } from './table-view.js'

/**
 * A row or column that is labelled as the mean or the total of those before it. A cell of it is wrong only where another
 * cell of the same line is right: then the label is meant, and no weights or hidden rows are behind it.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.wrong-mean': { en: '“{found}” ({name}): the mean of {values} is {expected}', zh: '“{found}”（{name}）：{values} 的平均是 {expected}' },
  'audit.wrong-sum': { en: '“{found}” ({name}): the sum of {values} is {expected}', zh: '“{found}”（{name}）：{values} 之和是 {expected}' },
})

type SummaryKind = 'mean' | 'sum'

const NAMED: readonly (readonly [SummaryKind, RegExp])[] = [
  [
    'mean',
    /^(?:总体|整体|宏|简单|算术)?(?:平均|均值|平均值|mean|average|avg\.?|macro[- ]?(?:avg|average|mean))(?:\s?[(（][^()（）]*[)）])?$/i,
  ],
  ['sum', /^(?:合计|总计|总[和数]|共计|total|sum)$/i],
]

const kindOf = (name: string): SummaryKind | null => NAMED.find(([, pattern]) => pattern.test(name.trim()))?.[0] ?? null

function* inTable(matrix: Matrix): Generator<Assertion> {
  for (const view of viewsOf(matrix).filter(({ isTurned }) => (isTurned ? matrix.alongRows : matrix.alongColumns))) {
    for (const item of view.items.filter(({ role }) => role === 'summary')) {
      const kind = kindOf(item.name)
      const cells = kind === null ? [] : view.lines.flatMap(line => summaryAt(view, item, line, kind) ?? [])
      // Where most cells are something else, the label means something else: a weighted mean, a mean of other rows.
      const right = cells.filter(({ isRight }) => isRight).length
      if (right === 0 || 2 * right < cells.length) continue
      for (const { cell, quantity, terms } of cells) {
        const figures = [
          ...terms.map(term => cellFigure(term.cell, term.quantity, 'term')),
          cellFigure(cell, quantity, 'result'),
        ]
        yield assertionInCell(matrix, cell, 'summary-row', { figures, manner: `${kind} ${item.name}` })
      }
    }
  }
}

function summaryAt(view: View, item: MatrixAxis, line: MatrixAxis, kind: SummaryKind) {
  const stated = termAt(view, item, line)
  if (stated === null || (line.role !== 'value' && line.role !== 'difference') || isSizeName(line.name)) return null
  const terms = termsOf(view, item, line)
  const { quantity } = stated
  const isRight = fits(kind, terms, quantity)
  // The relative change of two means is not the mean of the relative changes, nor is the total of a rate its sum.
  const isOther = line.role === 'difference' || (kind === 'sum' && (quantity.unit === '%' || quantity.decimals > 0))
  const areAlike = terms.length > 1 && terms.every(term => term.quantity.unit === quantity.unit)
  return !areAlike || (!isRight && isOther) ? null : { ...stated, terms, isRight }
}

/** The cells before a summary, up to the summary before it; none where one of them is not a plain figure. */
function termsOf(view: View, item: MatrixAxis, line: MatrixAxis): readonly Term[] {
  const before = view.items.slice(0, view.items.indexOf(item))
  const start = before.findLastIndex((one, i) => one.role === 'summary' && before[i + 1]?.role === 'value')
  const own = before.slice(start + 1).filter(({ role, name }) => role === 'value' && !isSizeName(name))
  const terms = own.flatMap(one => termAt(view, one, line) ?? [])
  return terms.length === own.length ? terms : []
}

const fits = (kind: SummaryKind, terms: readonly { readonly quantity: Quantity }[], stated: Quantity): boolean => {
  const made = combine(
    kind,
    terms.map(({ quantity }) => quantity),
  )
  return made !== null && meets(statedRange(stated), made)
}

const MOST_SHOWN = 6

function check({ manner, figures }: Assertion): CheckOutcome {
  const [called = '', ...words] = manner.split(' ')
  const kind = called === 'mean' ? 'mean' : 'sum'
  const [terms, result] = [figures.slice(0, -1), figures.at(-1)]
  const made = combine(
    kind,
    terms.map(({ quantity }) => quantity),
  )
  if (result === undefined || made === null) return UNCHECKED
  if (fits(kind, terms, result.quantity)) return confirmed(`${terms.length} figures`)
  const expected = asPrinted(middle(made), result.quantity)
  if (expected === result.text || !isWithin(3, result.quantity.value / middle(made))) return UNCHECKED
  const shown = terms.slice(0, MOST_SHOWN).map(({ text }) => text)
  const values = [...shown, ...(terms.length > MOST_SHOWN ? ['…'] : [])].join(', ')
  const message = say(`audit.wrong-${kind}`, { found: result.text, name: words.join(' '), values, expected })
  return refute(`wrong-${kind}`, result.offset, message, { also: terms.map(({ offset }) => offset) })
}

export const summaryRow: Relation = { name: 'summary-row', inTable, check }
