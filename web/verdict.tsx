import type { Language } from '../src/text/language.js'
import { decimalsFor, figure, signed } from '../src/text/numbers.js'
import type { Answers } from './api.js'
import { asSentence } from './parts.js'
import { useLanguage } from './preferences.js'
import { type Say, useSay } from './words.js'

/** A verdict in words: the answer, the sentence, the difference with its interval, and what limits it. */

export type Verdict = Answers['compare']['verdicts'][number]
type Margin = Answers['compare']['margin']

export function VerdictCard({ verdict, margin }: { readonly verdict: Verdict; readonly margin: Margin }) {
  const say = useSay()
  const { language } = useLanguage()
  const { other, baseline } = verdict
  const inMargin = marginText(say, verdict, margin)
  return (
    <div className={`verdict ${verdict.answer}`}>
      <p className="verdict-answer">
        <strong>{say(`answer.${verdict.answer}`, {})}</strong>
        <span className="verdict-scope">{say(`web.compare.scope.${verdict.scope}`, {})}</span>
      </p>
      <p className="verdict-sentence">{verdictSentence(say, verdict, language)}</p>
      {verdict.estimate !== null && (
        <p className="verdict-numbers">
          <span>
            {other} − {baseline}
          </span>
          <b>{differenceText(verdict)}</b>
          <span>{shareText(say, verdict)}</span>
          <span>{intervalText(say, verdict)}</span>
        </p>
      )}
      <ul className="sentences">
        {[...(inMargin === null ? [] : [inMargin]), ...verdict.reasons].map(reason => (
          <li key={reason}>{asSentence(reason, language)}</li>
        ))}
        {verdict.tags.includes('fragile') && <li>{asSentence(say('tag.fragile', {}), language)}</li>}
      </ul>
    </div>
  )
}

/** One that begins with the name of a run keeps the name as it is. */
export function verdictSentence(say: Say, { other, baseline, interval, answer }: Verdict, language: Language): string {
  const sentence = say(interval === null ? 'says.no-interval' : `says.${answer}`, { other, baseline })
  return sentence.startsWith(other) || sentence.startsWith(baseline) ? sentence : asSentence(sentence, language)
}

export function differenceText({ estimate, interval }: Verdict): string {
  if (estimate === null) return '–'
  const value = Number(estimate)
  return interval === null ? figure(value) : signed(value, decimalsFor([Number(interval[0]), Number(interval[1])]))
}

export function intervalText(say: Say, { interval, question }: Verdict): string {
  if (interval === null) return ''
  const ends: readonly [number, number] = [Number(interval[0]), Number(interval[1])]
  if (question === 'speed') return say('compare.steps-apart', { low: signed(ends[0], 0), high: signed(ends[1], 0) })
  const [low, high] = ends.map(end => signed(end, decimalsFor(ends)))
  return say('compare.interval', { low, high })
}

function shareText(say: Say, { estimate, level }: Verdict): string {
  if (level === null || level === 0 || !Number.isFinite(level)) return ''
  return say('compare.share', { percent: signed((100 * Number(estimate)) / Math.abs(level), 1) })
}

/** In the unit in which it was set: percent stays percent. */
function marginText(
  say: Say,
  { smallestMargin, margin: set, answer, interval, level }: Verdict,
  margin: Margin,
): string | null {
  if (smallestMargin === null || interval === null) return null
  const isShare = (margin === null || 'share' in margin) && level !== null && level !== 0
  const size = (value: number): string =>
    isShare ? say('compare.percent', { percent: figure((100 * value) / Math.abs(level), 2) }) : figure(value)
  const smallest = size(smallestMargin)
  if (set === null) return answer === 'undetermined' ? say('compare.smallest', { smallest }) : null
  if (answer === 'undetermined') return say('compare.not-same', { margin: size(set), smallest })
  return answer === 'same' ? say('compare.within', { margin: size(set) }) : null
}
