import { message } from '../../text/say.js'
import type { AuditDocument } from '../document.js'
import { isAdvice, oncePerPart } from '../parts.js'
import type { AuditRule } from '../rule.js'

/** Advantage statistics that do not depend on the setting: they are computed from rewards before the KL term acts. */
export const advantageByConstruction: AuditRule = {
  id: 'advantage-by-construction',
  kind: 'trivial',
  severity: 'warning',
  example: {
    faulty: 'GRPO, two runs.\n\n- The mean advantage is exactly the same in both.',
    sound: 'GRPO, two runs.\n\n- The mean reward is the same in both.',
  },
  *check(document: AuditDocument) {
    const first = oncePerPart(document)
    let spreadSaid = false
    let isGrouped: boolean | null = null
    for (const statement of document.statements) {
      const { kind, text, offsetOf } = statement
      if (kind === 'cell' || kind === 'code' || !/adv|优势/i.test(text)) continue
      const mean = MEAN_ADVANTAGE.exec(text)
      const spread = SPREAD_ADVANTAGE.exec(text)
      const said = mean ?? spread
      if (said === null || isAdvice(statement) || !UNCHANGED.test(text)) continue
      isGrouped ??= isCentred(document)
      if (mean !== null && !isGrouped) continue
      if (mean === null ? spreadSaid : !first(statement.section)) continue
      spreadSaid ||= mean === null
      yield {
        offset: offsetOf(said.index),
        severity: mean === null ? 'note' : 'warning',
        message: message(
          mean === null ? 'audit.advantage-by-construction.spread' : 'audit.advantage-by-construction.mean',
          {},
        ),
        found: said[0],
        expected: '-',
      }
    }
  },
}

/** GRPO subtracts the mean of each group; other methods need not. */
function isCentred({ text }: AuditDocument): boolean {
  return /GRPO|group[- ](?:relative|normali[sz]ed)|组内/i.test(text)
}

const MEAN_ADVANTAGE = /mean[ _]advantage|advantage[ _]mean|平均优势|优势(?:估计|均值)/i
const SPREAD_ADVANTAGE = /adv(?:antage)?[ _](?:std|max|min|信号|signal)|优势(?:标准差|信号)/i
const UNCHANGED =
  /相同|一致|没有改变|没有改善|恒定|不变|(?<![a-z])(?:same|identical|equal|unchanged|constant|(?:did|does) not (?:change|improve))(?![a-z])/i
