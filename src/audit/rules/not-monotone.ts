import { groupBy } from '../../model/group-by.js'
import { message } from '../../text/say.js'
import { stretchOf } from '../comparison-sets.js'
import type { AuditDocument, Section, Statement } from '../document.js'
import { within } from '../extremes.js'
import { gridFor } from '../grid.js'
import { oneMetric } from '../naming.js'
import { tablesIn } from '../nearby.js'
import { listedCurves, printed } from '../printed-curves.js'
import type { AuditRule, Fault } from '../rule.js'
import type { PrintedPoint, PrintedSeries } from '../table-view.js'

/**
 * "Falls monotonically", "never drops", 一直上升, over a printed curve that turns. Loose words ("gradually", "overall") claim
 * no such thing and are left alone.
 */
export const notMonotone: AuditRule = {
  id: 'not-monotone',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '| step | entropy |\n|---|---|\n| 10 | 0.54 |\n| 20 | 0.45 |\n| 30 | 0.47 |\n\nEntropy decreases monotonically.',
    sound:
      '| step | entropy |\n|---|---|\n| 10 | 0.54 |\n| 20 | 0.47 |\n| 30 | 0.45 |\n\nEntropy decreases monotonically.',
  },
  *check(document: AuditDocument) {
    let lists: Lists | null = null
    for (const statement of document.statements) {
      const { kind, text } = statement
      if (kind === 'cell' || kind === 'code' || kind === 'heading' || DOUBT.test(text)) continue
      const [rises, falls] = [RISES.exec(text), FALLS.exec(text)]
      const words = rises ?? falls
      if (words === null || (rises !== null && falls !== null)) continue
      lists ??= groupBy(
        listedCurves(document).filter(({ points }) => points.length >= 3),
        ({ section }) => section,
      )
      const curve = inTable(document, statement) ?? inList(document, statement, lists)
      const fault = curve === null ? null : against(statement, curve, words, rises !== null ? 1 : -1)
      if (fault !== null) yield fault
    }
  },
}

const RISES =
  /单调(?:上升|递增|增加|增长|升高)|(?:一直|不断|始终在|每次都在?|每一?步都在?)(?:上升|提升|增加|增长|升高)|没有(?:出现)?过?(?:回落|下降|回退|下跌)|从未(?:回落|下降)|(?<![a-z])(?:(?:increas|ris|grow|climb)(?:es|ing|s)? monotonically|monotonically (?:increas|ris|grow)(?:es|ing|s)|never (?:drops?|falls?|decreases?|declines?|regresses)|(?:rises?|increases?|improves?|grows?) (?:at|with|in|after) every (?:evaluation|step|epoch|checkpoint))(?![a-z])/i
const FALLS =
  /单调(?:下降|递减|减少|降低)|(?:一直|不断|始终在|每次都在?|每一?步都在?)(?:下降|降低|减少)|没有(?:出现)?过?(?:回升|上升|反弹)|从未(?:回升|上升)|(?<![a-z])(?:(?:decreas|fall|declin|shrink)(?:es|ing|s)? monotonically|monotonically (?:decreas|fall|declin)(?:es|ing|s)|never (?:rises?|increases?|grows?)|(?:falls?|decreases?|drops?|declines?) (?:at|with|in|after) every (?:evaluation|step|epoch|checkpoint))(?![a-z])/i
const DOUBT =
  /整体|总体|大致|基本|几乎|如果|应该|预期|并非|不是|不会|(?<![a-z])(?:overall|roughly|almost|nearly|not|if|should|expect(?:ed)?|may|might|except|but for)(?![a-z])|除/i

type Lists = ReadonlyMap<Section | null, readonly PrintedSeries[]>

interface Meant {
  readonly name: string
  readonly points: readonly Pick<PrintedPoint, 'step' | 'quantity'>[]
}

/** The named column of a table over steps. */
function inTable(document: AuditDocument, statement: Statement): Meant | null {
  return gridFor(document, statement, grid => {
    const metric = grid.things.some(({ step }) => step !== null) ? oneMetric(statement, grid, statement.text) : null
    if (metric === null) return null
    const points = grid.things.flatMap(line => {
      const quantity = grid.at(line, metric)
      return line.step === null || quantity === null ? [] : [{ step: line.step, quantity }]
    })
    return points.length < 3 ? null : { name: metric.name, points }
  })
}

/** The one list of values that the statement's section prints. */
function inList(document: AuditDocument, { section }: Statement, lists: Lists): Meant | null {
  const own = lists.get(section) ?? []
  return own.length === 1 && tablesIn(document, section).length === 0
    ? { name: own[0].subject, points: own[0].points }
    : null
}

const FROM_ON =
  /(?<![a-z])(?:after|from|since|beyond) step (\d{1,9})|(?:step\s?|第\s?)(\d{1,9})\s?(?:步)?\s?(?:之后|以后|起|开始)/i
const UP_TO = /(?<![a-z])(?:before|until|up to) step (\d{1,9})|(?:step\s?|第\s?)(\d{1,9})\s?(?:步)?\s?(?:之前|以前)/i

function against(statement: Statement, { name, points }: Meant, words: RegExpExecArray, sign: 1 | -1): Fault | null {
  const { text } = statement
  const [from, to] = [FROM_ON, UP_TO].map(pattern => pattern.exec(text)).map(found => Number(found?.[1] ?? found?.[2]))
  const stretch = stretchOf(statement)
  if (stretch === null && statement.steps.length > 0 && Number.isNaN(from) && Number.isNaN(to)) return null
  const meant = points
    .filter(({ step }) => stretch === null || within(step, stretch))
    .filter(({ step }) => !(step < from) && !(step > to))
    .toSorted((a, b) => a.step - b.step)
  if (meant.length < 3) return null
  const turn = meant.slice(1).findIndex(({ quantity }, i) => {
    const before = meant[i].quantity.range
    return sign > 0 ? quantity.range.high <= before.low : quantity.range.low >= before.high
  })
  if (turn < 0) return null
  const [start, end] = [meant[turn], meant[turn + 1]]
  return {
    offset: statement.offsetOf(words.index),
    message: message('audit.not-monotone', {
      words: words[0],
      column: name,
      first: printed(start.quantity),
      second: printed(end.quantity),
      start: `step ${start.step}`,
      end: String(end.step),
    }),
    found: words[0],
    expected: `${printed(start.quantity)} → ${printed(end.quantity)}`,
  }
}
