import { z } from 'zod'
import type { Statement } from '../document/document.js'
import type { Quantity } from '../document/quantity.js'
import { Problem } from '../model/problem.js'
import { sentences } from '../text/sentences.js'
import { type Assertion, type Figure, type FigureRole, RELATIONS } from './assertion.js'
import type { Evidence } from './evidence.js'
import { figureOf, scopeOf } from './read.js'
import { stanceOf } from './stance.js'

/**
 * Assertions that somebody else read: a person, a program, a language model. They come as JSON, must quote the report
 * exactly, and every figure must stand in the quotation; klens binds and checks them like its own, so that a model can
 * add what was overlooked and never a false finding.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.bad-assertions': { en: 'the assertions in {path} are not what klens reads: {reason}; docs/audit.md shows the form', zh: '{path} 中的断言格式不对：{reason}；格式见 docs/audit.md' },
  'audit.reader-failed': { en: 'the reader {address} did not answer: {reason}; audit without --reader', zh: '读者模型 {address} 没有应答：{reason}；可去掉 --reader 再检查' },
})

const ROLES = [
  'from',
  'to',
  'result',
  'part',
  'whole',
  'value',
  'bound',
  'term',
  'count',
  'span',
] as const satisfies readonly FigureRole[]

const Proposal = z.object({
  relation: z.enum(RELATIONS),
  quote: z.string().min(1).max(2_000),
  subjects: z.array(z.string()).default([]),
  quantity: z.string().nullable().default(null),
  figures: z.array(z.object({ role: z.enum(ROLES), text: z.string().min(1) })).default([]),
  sense: z.enum(['up', 'down']).nullable().default(null),
  manner: z.string().default(''),
})

export type Proposal = z.infer<typeof Proposal>

/** What a model or a file may say; a single assertion or a list of them. */
export function parseProposals(text: string, path: string): readonly Proposal[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new Problem(
      'unreadable',
      say('audit.bad-assertions', { path, reason: cause instanceof Error ? cause.message : '' }),
      { cause },
    )
  }
  const list = z.union([z.array(Proposal), z.object({ assertions: z.array(Proposal) })]).safeParse(parsed)
  if (!list.success) {
    const [issue] = list.error.issues
    throw new Problem(
      'unreadable',
      say('audit.bad-assertions', { path, reason: `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}` }),
    )
  }
  return Array.isArray(list.data) ? list.data : list.data.assertions
}

/** Proposals that quote this document exactly; the rest is dropped, as nobody wrote it. */
export function assertionsFrom(proposals: readonly Proposal[], { document }: Evidence): readonly Assertion[] {
  return proposals.flatMap(proposal => {
    const statement = document.statements.find(({ text }) => text.includes(proposal.quote))
    if (statement === undefined) return []
    const from = statement.text.indexOf(proposal.quote)
    const figures = proposal.figures.map(({ role, text }) => figureIn(statement, from, proposal.quote, role, text))
    if (figures.some(figure => figure === null)) return []
    return [
      {
        relation: proposal.relation,
        stance: stanceOf(statement, from, from + proposal.quote.length),
        quote: proposal.quote,
        offset: statement.offsetOf(from),
        subjects: proposal.subjects,
        quantity: proposal.quantity ?? statement.text,
        figures: figures.filter(figure => figure !== null),
        sense: proposal.sense,
        scope: scopeOf(statement, { from, to: from + proposal.quote.length }),
        manner: proposal.manner === '' ? (DEFAULT_MANNER[proposal.relation] ?? '') : proposal.manner,
      },
    ]
  })
}

const DEFAULT_MANNER: { readonly [relation: string]: string } = {
  change: 'change',
  direction: '',
  extremum: 'best',
  trend: 'loose',
}

function figureIn(statement: Statement, from: number, quote: string, role: FigureRole, text: string): Figure | null {
  const to = from + quote.length
  const quantity: Quantity | undefined = statement.quantities.find(
    one => one.from >= from && one.to <= to && statement.text.slice(one.from, one.to).includes(text.trim()),
  )
  return quantity === undefined ? null : figureOf(statement, quantity, role)
}

/** Whoever completes a prompt; the client for OpenAI-compatible endpoints is one. */
export type Complete = (prompt: string) => Promise<string>

const LONGEST_PIECE = 6_000

/** Asks a model for assertions, piece by piece; what cannot be parsed counts as nothing read. */
export async function readWith(
  complete: Complete,
  { document }: Evidence,
  address: string,
): Promise<readonly Proposal[]> {
  const proposals: Proposal[] = []
  for (let at = 0; at < document.text.length; at += LONGEST_PIECE) {
    const piece = document.text.slice(at, at + LONGEST_PIECE)
    let answer: string
    try {
      answer = await complete(promptFor(piece))
    } catch (cause) {
      throw new Problem(
        'unreachable',
        say('audit.reader-failed', { address, reason: cause instanceof Error ? cause.message : String(cause) }),
        { cause },
      )
    }
    proposals.push(...lenient(answer))
  }
  return proposals
}

/** A model wraps its JSON in prose or fences; the outermost list is taken. */
function lenient(answer: string): readonly Proposal[] {
  const [from, to] = [answer.indexOf('['), answer.lastIndexOf(']')]
  if (from < 0 || to < from) return []
  try {
    return z
      .array(z.unknown())
      .parse(JSON.parse(answer.slice(from, to + 1)))
      .flatMap(one => {
        const proposal = Proposal.safeParse(one)
        return proposal.success ? [proposal.data] : []
      })
  } catch {
    return []
  }
}

function promptFor(piece: string): string {
  return [
    'List every checkable assertion of this experiment report as a JSON array. Do not judge whether it is true.',
    `Each: {"relation": one of ${RELATIONS.join(', ')}, "quote": the exact words, "figures": [{"role": one of ${ROLES.join(', ')}, "text": as printed}], "subjects": [names], "quantity": metric or null, "sense": "up" | "down" | null}.`,
    'change: figures from, to and result. share: part, whole and result. extremum: value. bound: bound. Quote exactly; invent nothing.',
    '',
    piece,
  ].join('\n')
}
