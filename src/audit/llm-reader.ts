import { z } from 'zod'
import type { Statement } from '../logs/document/document.js'
import type { Quantity, Stretch } from '../logs/document/quantity.js'
import { Problem } from '../logs/model/problem.js'
import { sentences } from '../text/sentences.js'
import type { Assertion, StatedFigure } from './assertion.js'
import type { ReportEvidence } from './evidence.js'
import { assertionOver, figureOf } from './extract.js'
import { has } from './lexicon.js'
import { relationNamed } from './registry.js'

/**
 * Assertions that somebody else read: a person, a program, a language model. They come as JSON, must quote the report
 * exactly, and every figure must stand in the quotation; klens binds and checks them like its own. Who reads wrongly, or
 * lies, must not make a finding of it: a proposal is checked only where the quotation itself shows the relation, figure
 * by figure, and otherwise counts as not checkable.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.bad-assertions': { en: 'the assertions in {path} are invalid: {reason}; docs/audit.md shows the format', zh: '{path} 中的断言格式不对：{reason}；格式见 docs/audit.md' },
  'audit.reader-failed': { en: 'the reader {address} did not answer:', zh: '读者模型 {address} 没有应答：' },
  'audit.reader-failed.remedy': { en: '(audit without --reader)', zh: '（可去掉 --reader 再检查）' },
})

const ROLES = ['from', 'to', 'result', 'part', 'whole', 'term', 'span'] as const
const Proposal = z.object({
  relation: z.string().refine(name => relationNamed(name) !== undefined),
  quote: z.string().min(1).max(2_000),
  figures: z.array(z.object({ role: z.enum(ROLES), text: z.string().min(1) })).default([]),
})

export type Proposal = z.infer<typeof Proposal>

export function parseProposals(text: string, path: string): readonly Proposal[] {
  try {
    return z.array(Proposal).parse(JSON.parse(text))
  } catch (cause) {
    const [issue] = cause instanceof z.ZodError ? cause.issues : []
    const reason = issue === undefined ? String(cause) : `${issue.path.join('.')} ${issue.message}`
    throw new Problem('unreadable', say('audit.bad-assertions', { path, reason }), { cause })
  }
}

/** Proposals that quote this document exactly; the rest is dropped, as nobody wrote it. */
export function assertionsFrom(proposals: readonly Proposal[], { document }: ReportEvidence): readonly Assertion[] {
  return proposals.flatMap(({ relation, quote, figures: named }) => {
    const statement = document.statements.find(({ text }) => text.includes(quote))
    if (statement === undefined) return []
    const from = statement.text.indexOf(quote)
    const stretch = { from, to: from + quote.length }
    const figures = boundFigures(statement, stretch, named)
    const manner = relation === 'change' ? relation : ''
    return figures === null ? [] : [assertionOver(statement, relation, figures, { manner, words: [from, stretch.to] })]
  })
}

/** Each figure as the quotation prints it, and no printed figure twice; null where one is not there. */
function boundFigures(
  statement: Statement,
  { from, to }: Stretch,
  figures: Proposal['figures'],
): StatedFigure[] | null {
  const free = statement.quantities.filter(one => one.from >= from && one.to <= to)
  const bound: StatedFigure[] = []
  for (const { role, text } of figures) {
    const at = free.findIndex(one => isPrinted(statement.text.slice(one.from, one.to), text.trim()))
    if (at < 0) return null
    bound.push(...free.splice(at, 1).map(quantity => figureOf(statement, quantity, role)))
  }
  return bound
}

/** "80" is printed in "80 ms", and "15 %" in "+15 %"; but not in "180" or "80.5". */
function isPrinted(printed: string, text: string): boolean {
  const bare = printed.replace(/^[+\-±]\s?/, '')
  return [printed, bare].some(one => one.startsWith(text) && /^(?:$|\s|[^\d.,%])/.test(one.slice(text.length)))
}

/** From one figure to the next of a change, and from the part to the whole. */
const MOVES = /→|->|(?<![a-z])(?:to|now|then|became)(?![a-z])|[到至]|变[为成]|现在|如今/i
const SHARES = /^\s?(?:\/|of|out of)\s?$/i

/**
 * Whether the quotation shows what is proposed: a change or a share whose figures stand in it in their order, no other
 * figure between them, the first two of one unit and tied by a word, the result alone in brackets, with a sign or behind
 * a word for it. What other relations claim, the words must tell, and of words klens believes its own reading alone.
 */
export function isShownBy({ relation, figures, scope: { statement } }: Assertion): boolean {
  const placed = figures.toSorted((one, other) => one.quantity.from - other.quantity.from)
  const roles = placed.map(({ role }) => role).join(' ')
  if (statement === null || roles !== ROLES_IN_ORDER.get(relation)) return false
  const { text, quantities } = statement
  const [a, b, c] = placed.map(({ quantity }) => quantity)
  if (a === undefined || b === undefined || c === undefined) return false
  const inside = quantities.filter(one => one.from >= a.from && one.to <= c.to)
  const isExact = ({ hedge, bound, ends }: Quantity): boolean => hedge === null && bound === null && ends === null
  const isPlain = [a, b, c].every(one => isExact(one) && !one.plusMinus) && !a.signed && !b.signed
  // "From up 3 % to down 1 %" has the signs of its figures in words.
  const areChanges = [a, b].every(one => has(text.slice(Math.max(0, one.from - 8), one.from), 'up', 'down'))
  if (inside.length !== 3 || a.unit !== b.unit || !isPlain || areChanges) return false
  if (!(relation === 'share' ? SHARES : MOVES).test(text.slice(a.to, b.from))) return false
  const before = text.slice(Math.max(b.to, c.from - LONGEST_WORD), c.from)
  const isInBrackets = /^[^)）]*[(（]\s?$/.test(before) && /^\s?[)）]/.test(text.slice(c.to))
  return isInBrackets || (relation === 'change' && (c.signed || has(before, 'change', 'up', 'down', 'better', 'worse')))
}

const ROLES_IN_ORDER: ReadonlyMap<string, string> = new Map([
  ['change', 'from to result'],
  ['share', 'part whole result'],
])
const LONGEST_WORD = 24

/** Whoever completes a prompt; the client for OpenAI-compatible endpoints is one. */
export type Complete = (prompt: string) => Promise<string>

const LONGEST_PIECE = 6_000
/** So many assertions no piece of that length makes. */
const MOST_PROPOSALS = 200

/** Asks a model for assertions, piece by piece; what cannot be parsed counts as nothing read. */
export async function readWith(complete: Complete, { document: { text } }: ReportEvidence, address: string) {
  const proposals: Proposal[] = []
  for (let at = 0; at < text.length; at += LONGEST_PIECE) {
    const answer = await complete(promptFor(text.slice(at, at + LONGEST_PIECE))).catch((cause: unknown) => {
      if (!(cause instanceof Problem)) throw cause
      const remedy = say('audit.reader-failed.remedy', {})
      throw new Problem('unreachable', say('audit.reader-failed', { address }), { cause, remedy })
    })
    proposals.push(...lenient(answer).slice(0, MOST_PROPOSALS))
  }
  return proposals
}

/** A model wraps its JSON in prose or fences; the outermost list is taken, and of it what has the form. */
function lenient(answer: string): readonly Proposal[] {
  try {
    const list = JSON.parse(answer.slice(answer.indexOf('['), answer.lastIndexOf(']') + 1))
    return z
      .array(z.unknown())
      .parse(list)
      .flatMap(one => Proposal.safeParse(one).data ?? [])
  } catch {
    return []
  }
}

function promptFor(piece: string): string {
  return [
    'List every change and every share that this experiment report states, as a JSON array. Do not judge whether it is true.',
    'Each: {"relation": "change", "quote": the exact words, "figures": [{"role": "from" | "to" | "result", "text": as printed}]}',
    'or {"relation": "share", "quote": the exact words, "figures": [{"role": "part" | "whole" | "result", "text": as printed}]}.',
    'Example of a change: "from 40.0% to 50.0% (+25%)"; of a share: "34 of 53 (64 %)". Quote exactly; invent nothing.',
    '',
    piece,
  ].join('\n')
}
