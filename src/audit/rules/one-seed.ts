import { message } from '../../text/say.js'
import type { AuditDocument } from '../document.js'
import { hasTest } from '../parts.js'
import type { AuditRule } from '../rule.js'

/** A setting recommended for general use by a report that knows one run of each. A note, once. */
export const oneSeed: AuditRule = {
  id: 'one-seed',
  kind: 'untested',
  severity: 'note',
  example: {
    faulty: '| step | A | B |\n|---|---|---|\n| 5 | 1.8 | 1.7 |\n\nB is recommended for production.',
    sound:
      '| step | A | B |\n|---|---|---|\n| 5 | 1.8 | 1.7 |\n\nB is recommended for production: it won with 5 seeds.',
  },
  *check(document: AuditDocument) {
    if (hasTest(document) || document.tables.length === 0) return
    for (const { kind, text, offsetOf } of document.statements) {
      const said = kind === 'code' ? null : RECOMMENDED.exec(text)
      if (said === null || /如果|若|是否|\?|(?<![a-z])(?:if|not|whether)(?![a-z])|不(?:建议|推荐)/i.test(text)) continue
      yield {
        offset: offsetOf(said.index),
        message: message('audit.one-seed', { words: said[0] }),
        found: said[0],
        expected: '-',
      }
      return
    }
  },
}

const RECOMMENDED =
  /推荐(?:使用|采用|部署)|生产环境|(?:作为|用作)(?:标准|默认)(?:配置|设置)|(?<![a-z])(?:recommended? (?:for|in|as|using|to use)|ready for production|(?:use|adopt)(?: it| this)? (?:as (?:the|our) (?:default|standard)|in production))(?![a-z])/i
