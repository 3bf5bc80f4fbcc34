import { message } from '../../text/say.js'
import type { AuditDocument } from '../document.js'
import { isAdvice, oncePerPart } from '../parts.js'
import type { AuditRule } from '../rule.js'

/** Switching a setting on is a cause, not a result. */
export const settingAsSuccess: AuditRule = {
  id: 'setting-as-success',
  kind: 'trivial',
  severity: 'warning',
  example: {
    faulty: '## Conclusion\n\n- KL loss and entropy bonus were successfully enabled.',
    sound: '## Configuration\n\n- KL loss and entropy bonus are enabled.',
  },
  *check(document: AuditDocument) {
    const first = oncePerPart(document)
    for (const statement of document.statements) {
      const said = ENABLED.exec(statement.text)
      if (said === null || !SETTING.test(statement.text) || isAdvice(statement) || !first(statement.section)) continue
      yield {
        offset: statement.offsetOf(said.index),
        message: message('audit.setting-as-success', { words: said[0] }),
        found: said[0],
        expected: '-',
      }
    }
  },
}

const ENABLED =
  /成功(?:地)?(?:启用|开启|打开|应用|加入|引入)|(?<![a-z])successfully (?:enabled|turned on|applied|added|activated)(?![a-z])/i
const SETTING =
  /正则|损失|系数|调度|熵|regulari[sz]|loss|coef|penalty|schedule|entropy|bonus|(?<![A-Za-z])KL(?![A-Za-z])|warm-?up/i
