import { lastAtMost } from '../../document/places.js'
import { message } from '../../text/say.js'
import { curvePair } from '../curves.js'
import type { AuditDocument, Statement } from '../document.js'
import type { AuditRule } from '../rule.js'
import { sideNamed } from '../sides.js'

/**
 * "Did not limit learning" and, elsewhere, "limits learning". Only when the words behind the negation come back without
 * one; who is spoken of is often left out, so this is a note, and silent when the two name different runs.
 */
export const oppositeStatements: AuditRule = {
  id: 'opposite-statements',
  kind: 'contradiction',
  severity: 'note',
  example: {
    faulty: '- Regularisation may limit the learning capacity.\n- Regularisation did not limit learning capacity.',
    sound: '- Regularisation did not limit learning capacity.\n- Learning was slower.',
  },
  *check(document) {
    const pair = curvePair(document)
    const denials = document.statements.flatMap(denialsIn).slice(0, MOST_DENIALS)
    if (denials.length === 0) return
    const prose = proseOf(document)
    for (const { statement, from, verb, rest } of denials) {
      const opposite = oppositeOf(statement, prose, verb, rest)
      if (opposite === null) continue
      if (pair !== null) {
        const sides = [statement, opposite].map(({ text }) =>
          sideNamed(text, [pair.first.subject, pair.second.subject]),
        )
        if (sides[0] !== null && sides[1] !== null && sides[0] !== sides[1]) continue
      }
      const { line } = document.placeOf(opposite.offsetOf(0))
      const found = statement.text.slice(from, from + 60)
      yield {
        offset: statement.offsetOf(from),
        message: message('audit.opposite-statements', { found, line, other: shown(opposite) }),
        found,
        expected: shown(opposite),
      }
    }
  },
}

const MOST_DENIALS = 50
/** Of a sentence; what is longer is none. */
const LONGEST = 400
const CHINESE =
  /(?:没有|并未|未能?|不会)(?:显著|明显|有效|实际)?(?<verb>限制|影响|提升|改善|提高|降低|损害|防止|避免|导致|增加|减少|改变|帮助)(?<rest>[\u4e00-\u9fff]{3,8})/g
const ENGLISH =
  /(?<![a-z])(?:did not|does not|do not|didn't|doesn't|never) (?:significantly |substantially |really )?(?<verb>limit|improv|hurt|reduc|affect|help|prevent|increas|degrad|harm|stabili[sz])(?:e[sd]?|s|ed)? (?:the )?(?<rest>[a-z]{3,14} [a-z]{3,14})(?![a-z])/gi

/** Without one of these neither of them can match. */
const DENIES = /没有|未|不会|not |n't |never /i

interface Denial {
  readonly statement: Statement
  readonly from: number
  readonly verb: string
  readonly rest: string
}

function denialsIn(statement: Statement): readonly Denial[] {
  if (statement.kind === 'cell' || statement.kind === 'code' || !DENIES.test(statement.text)) return []
  return [CHINESE, ENGLISH].flatMap(pattern =>
    [...statement.text.slice(0, LONGEST).matchAll(pattern)].map(({ index, groups }) => ({
      statement,
      from: index,
      verb: (groups?.verb ?? '').toLowerCase(),
      rest: (groups?.rest ?? '').toLowerCase(),
    })),
  )
}

const DENIED = /(?:没有?|未|不|无)\S{0,6}$|(?<![a-z])(?:not|never|no|without|n't)(?: \w+)?\s?$/i

/** All sentences as one text, a line each: one search finds a phrase wherever it stands. */
interface Prose {
  readonly text: string
  readonly starts: readonly number[]
  readonly statements: readonly Statement[]
}

function proseOf(document: AuditDocument): Prose {
  const statements = document.statements.filter(({ kind }) => kind !== 'cell' && kind !== 'code')
  const starts: number[] = []
  const lines: string[] = []
  let length = 0
  for (const { text } of statements) {
    const words = text.slice(0, LONGEST).toLowerCase()
    starts.push(length)
    lines.push(words)
    length += words.length + 1
  }
  return { text: lines.join('\n'), starts, statements }
}

/** The first other sentence that asserts what this one denies. */
function oppositeOf(
  statement: Statement,
  { text, starts, statements }: Prose,
  verb: string,
  rest: string,
): Statement | null {
  for (let at = text.indexOf(rest); at >= 0; ) {
    const index = lastAtMost(starts, at)
    const end = starts[index + 1] ?? text.length + 1
    const other = statements[index]
    if (other !== statement && asserts(text.slice(starts[index], end - 1), verb, rest)) return other
    at = text.indexOf(rest, end)
  }
  return null
}

/** The verb, a few letters or words, then the rest. */
function asserts(words: string, verb: string, rest: string): boolean {
  for (let at = words.indexOf(rest); at >= 0; at = words.indexOf(rest, at + 1)) {
    const start = words.lastIndexOf(verb, at)
    if (start < 0 || at - start - verb.length > 16 || /[,;。.]/.test(words.slice(start, at))) continue
    if (!DENIED.test(words.slice(Math.max(0, start - 12), start))) return true
  }
  return false
}

function shown({ text }: Statement): string {
  return text.slice(0, 80).trim()
}
