import { message } from '../../text/say.js'
import type { Claim } from '../claims.js'
import type { AuditDocument, Section, Statement } from '../document.js'
import { levelReading } from '../level.js'
import { namesOtherMetric, type Spreads, spreads } from '../outcome.js'
import { hasTest, isSupposed, partOf, positive, vouchedFor } from '../parts.js'
import type { AuditRule, Fault } from '../rule.js'

/** "More stable", "smoother", without a measure of spread and its uncertainty. With the ratio where two curves are printed. */
export const stabilityUntested: AuditRule = {
  id: 'stability-untested',
  kind: 'untested',
  severity: 'warning',
  example: {
    faulty: 'Training with the KL term is more stable.',
    sound: 'Training with the KL term is more stable: spread ratio 0.4 (95% CI 0.2 to 0.8).',
  },
  *check(document: AuditDocument) {
    if (hasTest(document)) return
    const ratio = spreads(document)
    const chosen = new Map<Section | null, Said>()
    for (const [index, statement] of document.statements.entries()) {
      if (statement.claims.length === 0 || statement.kind === 'code') continue
      const claim = positive(statement, 'stabler').find(
        found => !found.hedged && !isOneOfSeveral(statement, found) && isComparison(wordsAt(statement, found)),
      )
      if (claim === undefined || !vouchedFor(statement) || isSupposed(statement)) continue
      if (levelReading(document, index) !== null) continue
      const part = partOf(document, statement.section)
      const said = { statement, claim, weight: weightOf(statement) }
      if (said.weight > (chosen.get(part)?.weight ?? -1)) chosen.set(part, said)
    }
    for (const { statement, claim } of chosen.values()) {
      const isOfCurves = ratio !== null && !namesOtherMetric(statement, document)
      if (isOfCurves && ratio.isShown) continue
      yield faultAt(statement, claim, isOfCurves ? ratio : null)
    }
  },
}

/** "A winner or a steadier run": named as a possibility, not claimed. */
function isOneOfSeveral({ text }: Statement, { from }: Claim): boolean {
  return /(?:或|或者|(?<![a-z])(?:a|an|any|or))\s?$/i.test(text.slice(Math.max(0, from - 6), from))
}

interface Said {
  readonly statement: Statement
  readonly claim: Claim
  readonly weight: number
}

const COMPARES = /更|提升|stabler|more stable|smoother|steadier|less noisy|stabili[sz]es?/i

/** "Stable" alone compares nothing; a milder decline is a matter of two values. */
function isComparison(words: string): boolean {
  return COMPARES.test(words) && !/温和/.test(words)
}

/** Of all that a part says, the boldest sentence is the one to answer. */
function weightOf({ claims, kind }: Statement): number {
  return (claims.some(claim => claim.kind === 'significant') ? 2 : 0) + (kind === 'cell' ? 0 : 1)
}

function wordsAt({ text }: Statement, { from, to }: Claim): string {
  return text.slice(from, to)
}

function faultAt(statement: Statement, claim: Claim, ratio: Spreads | null): Fault {
  const words = wordsAt(statement, claim)
  return {
    offset: statement.offsetOf(claim.from),
    message:
      ratio === null
        ? message('audit.stability-untested', { words })
        : message('audit.stability-untested.ratio', { words, ...ratio.params }),
    found: words,
    expected: ratio === null ? '-' : `${ratio.params.low} … ${ratio.params.high}`,
  }
}
