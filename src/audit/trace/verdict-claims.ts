import type { ReportDocument } from '../../logs/document/document.js'
import { everyMatch } from '../../logs/document/matches.js'
import type { Verdict } from '../../logs/model/verdict.js'
import { sentences } from '../../text/sentences.js'
import { type Fault, fault } from '../assertion.js'
import { type Log, type LoggedRuns, type LogRun, logOf, nameOf } from './log.js'
import { meantBy, metricNames } from './metric-mentions.js'
import { type RunMention, runNames } from './run-mentions.js'
import { isSame, NO_CONTEXT, readSentence } from './sentence.js'

/**
 * What a sentence says of two runs or groups against each other ("kl-0.3 is significantly better than kl-0.0"), and whether
 * `compare` says so too. Only a sentence with two sides and one verdict word is read, and only what the data turn round or
 * cannot tell is a fault.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.verdict-turned': { en: '“{quote}”: {answer}, {estimate} ({low} … {high}), {runs} {runs|run|runs} each ({metric})', zh: '“{quote}”：实为{answer}，{estimate}（{low} … {high}），各 {runs} 个 run（{metric}）' },
  'audit.verdict-open': { en: '“{quote}”: undetermined, {estimate} ({low} … {high}), {runs} {runs|run|runs} each ({metric})', zh: '“{quote}”：无法判定，{estimate}（{low} … {high}），各 {runs} 个 run（{metric}）' },
})

type Sense = 'better' | 'worse' | 'same'

/** `other` is said to be better, worse or the same than `baseline`. */
export interface VerdictClaim {
  readonly offset: number
  readonly quote: string
  readonly other: readonly LogRun[]
  readonly baseline: readonly LogRun[]
  readonly sense: Sense
  /** Said to be certain, and not merely measured. */
  readonly isSignificant: boolean
  /** As it was logged; null where the sentence names none. */
  readonly metric: string | null
}

/** A verdict of `compare`, with the names of the runs of either side. */
export interface ComparedPair {
  readonly baseline: readonly string[]
  readonly other: readonly string[]
  readonly metric: string | null
  readonly verdict: Verdict
}

const SIGNIFICANT = /(?<![A-Za-z])(?:(?:statistically )?significant(?:ly)?|clearly|reliably)(?![A-Za-z])|显著|明显/i
const NOT =
  /(?<![A-Za-z])(?:not?|n't|never|neither|without|cannot|whether|if|hardly|may|might|could|should|expect\w*|would)(?![A-Za-z])|不(?!如)|未|没有|无法|并非|是否|可能|预计|若|如果/i
// biome-ignore format: a table is read by its lines
const WORDS: readonly (readonly [Sense, RegExp])[] = [
  ['better', /(?<![A-Za-z])(?:better|higher|stronger|outperform(?:s|ed)?|beat(?:s|en)?|surpass(?:es|ed)?|exceed(?:s|ed)?|ahead of|superior)(?![A-Za-z])|优于|好于|高于|胜过|超过|强于|更好|更高/gi],
  ['worse', /(?<![A-Za-z])(?:worse|lower|weaker|underperform(?:s|ed)?|behind|inferior)(?![A-Za-z])|不如|差于|低于|劣于|弱于|更差|更低/gi],
  ['same', /(?<![A-Za-z])(?:(?:about |roughly )?the same|same as|equivalent|on par|indistinguishable|no difference)(?![A-Za-z])|相当|持平|无差异|没有差异|一样好/gi],
]

export function claimsIn(
  documents: readonly ReportDocument[],
  logged: LoggedRuns,
): readonly (readonly VerdictClaim[])[] {
  const log = logOf(logged)
  const known = { log, marked: new Set<string>(), runs: runNames(log), metrics: metricNames(log) }
  return documents.map(({ statements, text: raw }) => {
    const names = { ...known, raw }
    for (const { text } of statements) names.runs.learn(text)
    return statements.flatMap(statement => {
      if (statement.kind === 'heading' || statement.kind === 'code' || statement.kind === 'cell') return []
      return clausesOf(statement.text).flatMap(({ text, from }) => {
        const spoken = WORDS.flatMap(([sense, pattern]) =>
          everyMatch(text, pattern).map(({ index, 0: word }) => ({ sense, index, to: index + word.length })),
        )
        const [word, more] = spoken
        if (word === undefined || more !== undefined) return []
        const { runs, metrics } = readSentence(
          names,
          { text, quantities: [], steps: [], offsetOf: index => statement.offsetOf(from + index) },
          NO_CONTEXT,
        )
        const pair = sidesOf(runs, text, word) ?? bothOf(log, runs, text)
        if (pair === null || NOT.test(text.slice(0, word.to)) || /[?？]\s*$/.test(text)) return []
        const validated = metrics
          .flatMap(one => meantBy(one, log, pair.other).metrics)
          .find(({ isValidation }) => isValidation)
        if (metrics.length > 0 && validated === undefined) return []
        return [
          {
            ...pair,
            offset: statement.offsetOf(from),
            quote: text.trim(),
            sense: word.sense,
            isSignificant: SIGNIFICANT.test(text),
            metric: validated?.name ?? null,
          },
        ]
      })
    })
  })
}

function clausesOf(text: string): readonly { readonly text: string; readonly from: number }[] {
  const ends = Array.from(text.matchAll(/[,;，；。：:]\s*(?!\d)|\.\s/g), ({ index, 0: { length } }) => index + length)
  return [0, ...ends]
    .map((from, i) => ({ from, text: text.slice(from, ends[i] ?? text.length).replace(/[,;，；。：:.\s]+$/, '') }))
    .filter(({ text: clause }) => clause.length < 200)
}

/** The first side is the subject, the second what it is compared with; in "比 B 更好" and "A 比 B …" the one behind 比. */
function sidesOf(
  runs: readonly RunMention[],
  text: string,
  word: { readonly index: number },
): Pick<VerdictClaim, 'other' | 'baseline'> | null {
  const [first, second, third] = runs.filter(({ refers }) => refers === null)
  if (first === undefined || second === undefined || third !== undefined || isSame(first.runs, second.runs)) return null
  if (first.runs.some(run => second.runs.includes(run))) return null
  const isThan =
    /(?:than|to|over|as|with|by|of|vs\.?|优于|好于|高于|胜过|超过|强于|不如|差于|低于|劣于|弱于|与|和|outperform\w*|beats?|surpass\w*|exceed\w*)\s?(?:the )?$/i.test(
      text.slice(0, second.from),
    ) || /比\s?$/.test(text.slice(0, second.from))
  const isBefore = first.from < word.index
  return isThan && isBefore ? { other: first.runs, baseline: second.runs } : null
}

const BOTH = /(?<![A-Za-z])(?:both|the two|two runs)(?![A-Za-z])|两者|二者|两个\s?run|两组/i

/** Of two runs or groups in all, "both" are these. */
function bothOf(
  { groups }: Log,
  runs: readonly RunMention[],
  text: string,
): Pick<VerdictClaim, 'other' | 'baseline'> | null {
  const [baseline, other, third] = [...groups.values()]
  const isNamed = runs.some(({ refers }) => refers === null)
  return baseline === undefined || other === undefined || third !== undefined || isNamed || !BOTH.test(text)
    ? null
    : { baseline, other }
}

/** One fault a claim that the data turn round, or that claims a certainty which they do not give. */
export function* againstVerdicts(
  claims: readonly VerdictClaim[],
  pairs: readonly ComparedPair[],
  isToldElsewhere: (offset: number) => boolean,
): Generator<Fault> {
  for (const claim of claims) {
    if (isToldElsewhere(claim.offset)) continue
    const pair = pairs.find(
      one => one.metric === claim.metric && areNamed(one.baseline, claim.baseline) && areNamed(one.other, claim.other),
    )
    const { verdict } = pair ?? {}
    if (verdict === undefined || verdict.estimate === null) continue
    const { answer, estimate, interval, metric } = verdict
    const [low = '–', high = '–'] = interval?.map(end => Number(end.toPrecision(3))) ?? []
    const words = {
      quote: claim.quote,
      answer,
      metric,
      low,
      high,
      estimate: Number(estimate.toPrecision(3)),
      runs: Math.min(claim.other.length, claim.baseline.length),
    }
    const also = { found: claim.quote, expected: answer }
    if (isTurned(claim.sense, answer))
      yield fault('data-verdict', claim.offset, say('audit.verdict-turned', words), { ...also, severity: 'error' })
    else if ((claim.isSignificant || claim.sense === 'same') && answer === 'undetermined')
      yield fault('data-verdict', claim.offset, say('audit.verdict-open', words), also)
  }
}

function isTurned(sense: Sense, answer: Verdict['answer']): boolean {
  if (sense === 'same') return answer === 'better' || answer === 'worse'
  return (sense === 'better' && answer === 'worse') || (sense === 'worse' && answer === 'better')
}

const areNamed = (names: readonly string[], runs: readonly LogRun[]): boolean =>
  names.length === runs.length && runs.every(({ name }) => names.includes(name))

/** The pairs that have to be compared, each once. */
export function pairsAsked(
  claims: readonly (readonly VerdictClaim[])[],
): readonly Pick<VerdictClaim, 'other' | 'baseline' | 'metric'>[] {
  const all = claims.flat()
  const keyOf = ({ other, baseline, metric }: VerdictClaim): string =>
    `${nameOf(other)} ${other.length} ${nameOf(baseline)} ${baseline.length} ${metric}`
  return all.filter((claim, i) => all.findIndex(one => keyOf(one) === keyOf(claim)) === i).slice(0, MOST_PAIRS)
}

const MOST_PAIRS = 24
