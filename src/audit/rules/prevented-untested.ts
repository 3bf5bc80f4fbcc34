import { message } from '../../text/say.js'
import { statementsClaiming } from '../claimed.js'
import type { Claim } from '../claims.js'
import { curvesOf } from '../curves.js'
import type { AuditDocument, Statement, Table } from '../document.js'
import { shown } from '../figures.js'
import { hasTest, oncePerPart, vouchedFor } from '../parts.js'
import type { AuditRule, Fault } from '../rule.js'
import { mainQuantity } from '../table-view.js'

/**
 * Overfitting found or prevented without the same metric on training and validation data; a collapse prevented where no
 * printed curve collapsed, so that there was nothing to prevent.
 */
export const preventedUntested: AuditRule = {
  id: 'prevented-untested',
  kind: 'untested',
  severity: 'warning',
  example: {
    faulty: '- The KL term effectively prevents overfitting.',
    sound:
      '| epoch | train loss | val loss |\n|---|---|---|\n| 1 | 0.51 | 0.55 |\n| 2 | 0.40 | 0.56 |\n\n- From epoch 2 on the model overfits.',
  },
  *check(document: AuditDocument) {
    if (hasTest(document)) return
    const first = oncePerPart(document)
    const hasGap = hasTrainAndValidation(document)
    const fall = deepestFall(document)
    for (const statement of statementsClaiming(document, 'overfitting', 'collapse')) {
      if (statement.kind === 'heading' || statement.kind === 'code' || !statement.claims.some(isTold)) continue
      if (!vouchedFor(statement)) continue
      const overfitting = statement.claims.find(
        ({ kind, negated, hedged }) => kind === 'overfitting' && !negated && !hedged,
      )
      const isSaid = overfitting !== undefined && (PREVENTS.test(statement.text) || OVERFITS.test(statement.text))
      if (isSaid && !hasGap && first(statement.section, 'overfitting')) {
        yield faultAt(statement, overfitting, message('audit.prevented-untested.overfitting', {}))
      }
      const collapse = statement.claims.find(({ kind, hedged }) => kind === 'collapse' && !hedged)
      if (collapse === undefined || fall === null || fall.share >= COLLAPSE || !isCredited(statement, collapse))
        continue
      if (first(statement.section, 'collapse')) {
        yield faultAt(statement, collapse, message('audit.prevented-untested.collapse', fall.words))
      }
    }
  },
}

function isTold({ kind }: Claim): boolean {
  return kind === 'overfitting' || kind === 'collapse'
}

/** A fall from the peak by a third would be one in anybody's eyes. */
const COLLAPSE = 1 / 3
/** Said to have happened; a sentence may speak of overfitting without seeing it. */
const OVERFITS =
  /(?:出现|发生|存在|开始|产生|已经?|明显|严重)了?[^,。;]{0,6}过拟合|过拟合(?:了|现象|严重|明显)|(?<![a-z])(?:overfits|overfitted|(?:is|are|was|were) overfit(?:ting)?|starts? (?:to|overfitting)|shows? (?:signs of )?overfitting|overfitting (?:occurs|appears|sets in|begins|is (?:observed|visible|clear)))(?![a-z])/i
const PREVENTS = /防止|避免|阻止|抑制|缓解|(?<![a-z])(?:prevent|avoid|mitigat|stop)/i
const CREDITS = /更|(?<![a-z])(?:more|less|milder|gentler)(?![a-z])/i

/** "Prevents collapse", or "no collapse" as a merit against the other run. */
function isCredited({ text }: Statement, { negated }: Claim): boolean {
  return PREVENTS.test(text) || (negated && CREDITS.test(text))
}

function faultAt(statement: Statement, claim: Claim, words: Fault['message']): Fault {
  return {
    offset: statement.offsetOf(claim.from),
    message: words,
    found: statement.text.slice(claim.from, claim.to),
    expected: '-',
  }
}

const TRAINING = /(?:train(?:ing)?|训练)集?[ _/-]?/i
const VALIDATION = /(?:val(?:id(?:ation)?)?|test|eval|验证|测试)集?[ _/-]?/i

/** The same metric, at least twice on each. */
function hasTrainAndValidation({ tables }: AuditDocument): boolean {
  const series = tables.flatMap(seriesLabels)
  const stems = (side: RegExp) =>
    new Set(series.filter(label => side.test(label)).map(label => label.replace(side, '').trim().toLowerCase()))
  const training = stems(TRAINING)
  return [...stems(VALIDATION)].some(stem => training.has(stem))
}

function seriesLabels({ header, rows }: Table): readonly string[] {
  const numeric = (cells: readonly Table['header'][number][]) =>
    cells.filter(cell => mainQuantity(cell) !== null).length
  const columns = header.filter((_, column) => numeric(rows.map(row => row[column])) >= 2)
  const labels = rows.filter(row => numeric(row.slice(1)) >= 2).map(([label]) => label)
  return [...columns, ...labels].map(({ text }) => text)
}

/** From a peak to a later point of any long curve, as a share of the peak. */
function deepestFall(document: AuditDocument) {
  let deepest: { share: number; words: { share: string; from: string; to: string } } | null = null
  for (const { measured } of curvesOf(document)) {
    if (measured.length < FEWEST_POINTS) continue
    let [peak] = measured
    for (const point of measured) {
      if (point.quantity.value > peak.quantity.value) peak = point
      const share = 1 - point.quantity.value / peak.quantity.value
      if (peak.quantity.value <= 0 || (deepest !== null && share <= deepest.share)) continue
      const words = { share: (100 * share).toFixed(1), from: shown(peak.quantity), to: shown(point.quantity) }
      deepest = { share, words }
    }
  }
  return deepest
}

const FEWEST_POINTS = 4
