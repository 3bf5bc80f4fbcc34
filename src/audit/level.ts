import type { AuditDocument, Statement } from './document.js'
import { isSupposed, positive } from './parts.js'

/**
 * Sentences that conclude steadiness, or its lack, from how high, how low or of which sign a loss is. A level says
 * nothing about how much a curve moves.
 */
const LEVEL =
  /(?:loss|损失|(?<![A-Za-z])KL(?![A-Za-z]))[^。;；]{0,24}?(?:最低|最小|更低|较低|更小|降至|降到|(?<![a-z])(?:low(?:er|est)|small(?:er|est)|drops?|dropped|fell|decreased)(?![a-z]))|(?<![a-z])(?:low(?:er|est)|small(?:er|est)) [^.;]{0,20}?loss|变化(?:趋势|幅度)?更小|smaller (?:total |overall )?change/i
const SIGN = /(?:loss|损失)[^。;；]{0,24}?(?:变为负|为负|负值|(?<![a-z])negative(?![a-z]))/i
const CAUTIOUS = /更新更保守|更保守|(?<![a-z])more conservative(?![a-z])/i
const LOSS = /loss|损失/i

export interface LevelReading {
  /** What is concluded. */
  readonly conclusion: 'stable' | 'unstable' | 'conservative'
  readonly from: number
  readonly to: number
}

/** How many statements back the level may stand, under the same label. */
const FARTHEST = 3

export function levelReading(document: AuditDocument, index: number): LevelReading | null {
  const statement = document.statements[index]
  const reading = readingOf(document, statement, index)
  return reading === null || isSupposed(statement) ? null : reading
}

function readingOf(document: AuditDocument, statement: Statement, index: number): LevelReading | null {
  const [stable] = positive(statement, 'stabler').filter(({ hedged }) => !hedged)
  if (stable !== undefined && (LEVEL.test(statement.text) || levelBefore(document, index))) {
    return { conclusion: 'stable', from: stable.from, to: stable.to }
  }
  const [unstable] = positive(statement, 'fluctuates')
  if (unstable !== undefined && SIGN.test(statement.text)) {
    return { conclusion: 'unstable', from: unstable.from, to: unstable.to }
  }
  const cautious = CAUTIOUS.exec(statement.text)
  if (cautious !== null && LEVEL.test(statement.text) && LOSS.test(statement.text)) {
    return { conclusion: 'conservative', from: cautious.index, to: cautious.index + cautious[0].length }
  }
  return null
}

/** "Loss is lower." "So the updates are more stable.": two items of one list. */
function levelBefore({ statements }: AuditDocument, index: number): boolean {
  const here = statements[index]
  for (let back = 1; back <= FARTHEST && index - back >= 0; back += 1) {
    const before = statements[index - back]
    if (!isSibling(before, here)) return false
    if (LEVEL.test(before.text)) return true
  }
  return false
}

function isSibling(a: Statement, b: Statement): boolean {
  return a.section === b.section && a.kind === b.kind && a.kind === 'item' && a.leads[0] === b.leads[0]
}
