import type { ReactNode } from 'react'
import { inlineText } from '../src/core/present/blocks.js'
import { aroundText, differenceOf } from '../src/core/present/verdict.js'
import type { VerdictAnswer } from '../src/logs/model/verdict.js'
import { useSpeaker } from './blocks.js'
import { LookSign } from './charts/legend.js'
import { Fold } from './fold.js'
import { RunName } from './parts.js'
import { useSay } from './words.js'

/** Verdicts above the curves, a line each: what, better or worse, by how much, of how many seeds. The rest on demand. */

export interface StripLine {
  readonly label: string
  /** The look of its lines. */
  readonly look: number
  /** Null for the baseline, and while it is being judged. */
  readonly verdict: VerdictAnswer | null
  readonly runs: number | null
  readonly isBaseline?: boolean
  readonly onRemove?: () => void
  readonly details?: () => ReactNode
}

export function VerdictStrip({
  lines,
  isAsking,
}: {
  readonly lines: readonly StripLine[]
  readonly isAsking: boolean
}) {
  const say = useSay()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: or its end could not be reached without a mouse
    <ul className="strip" aria-label={say('web.strip', {})} aria-busy={isAsking} tabIndex={0}>
      {lines.map(line => (
        <li key={`${line.look} ${line.label}`}>
          {line.details === undefined ? (
            <span className="strip-line">
              <StripWords line={line} isAsking={isAsking} />
            </span>
          ) : (
            <Fold
              id={`verdict ${line.label}`}
              className="strip-fold"
              summary={<StripWords line={line} isAsking={isAsking} />}
            >
              {() => <div className="judged">{line.details?.()}</div>}
            </Fold>
          )}
          {line.onRemove !== undefined && (
            <button
              type="button"
              className="icon"
              aria-label={say('web.compare.remove', { side: line.label })}
              onClick={line.onRemove}
            >
              ×
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

function StripWords({
  line: { label, look, verdict, runs, isBaseline = false },
  isAsking,
}: {
  readonly line: StripLine
  readonly isAsking: boolean
}) {
  const say = useSay()
  const speaker = useSpeaker()
  const difference = verdict === null ? null : differenceOf(verdict, speaker)
  return (
    <>
      <LookSign look={look} />
      <span className="strip-name">
        <RunName name={label} />
      </span>
      {isBaseline && <small className="muted">{say('web.compare.baseline', {})}</small>}
      {verdict !== null && <span className={`answer ${verdict.answer}`}>{say(`answer.${verdict.answer}`, {})}</span>}
      {verdict === null && !isBaseline && isAsking && <small className="muted">{say('web.strip.judging', {})}</small>}
      {difference !== null && <b>{inlineText(difference.size)}</b>}
      {verdict !== null && (
        <span className="strip-interval" title={difference?.interval ?? undefined}>
          {aroundText(verdict)}
        </span>
      )}
      {runs !== null && runs > 1 && <small className="muted">{say('web.strip.seeds', { n: runs })}</small>}
    </>
  )
}
