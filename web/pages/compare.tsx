import { useCallback, useEffect, useState } from 'react'
import { judgementBlocks, questionBlocks, summaryBlocks, warningBlocks } from '../../src/core/present/comparison.js'
import type { Answers } from '../api.js'
import { Blocks, useSpeaker } from '../blocks.js'
import { comparedMetric, comparedSides } from '../compare/asked.js'
import { Curves } from '../compare/curves.js'
import { FIRST_ROWS, StepTable } from '../compare/step-table.js'
import { useFold } from '../fold.js'
import { GoalChoice } from '../goal-choice.js'
import { change, hrefTo, usePlace } from '../location.js'
import { KNOWN_NAMES } from '../names.js'
import { Note } from '../note.js'
import { Link, Loading, ProblemBox, Section } from '../parts.js'
import { rememberComparison } from '../recent.js'
import { useSession } from '../session.js'
import { SideChooser } from '../side-chooser.js'
import { SuggestedQuestions } from '../suggestions.js'
import { TypedField } from '../typed-field.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/** Better, worse, about the same or undetermined: the verdict as a sentence first, then everything that it rests on. */

type Comparison = Answers['compare']

export function ComparePage() {
  const say = useSay()
  const { query } = usePlace()
  const { workspace } = useSession()
  const { sides } = comparedSides(query)
  const [metric, margin, window, cluster] = ['metric', 'margin', 'window', 'cluster'].map(name => query.get(name))
  const [areAllRowsShown] = useFold('steps')
  const request = {
    sides,
    // Of two sides, the difference is drawn from all of them.
    ...(sides.length > 2 && !areAllRowsShown && { rows: FIRST_ROWS }),
    ...(metric && { metric }),
    ...(margin && { margin }),
    ...(window && { window }),
    ...(cluster && { cluster }),
    ...(query.has('ended') && { ended: true }),
  }
  const [isTurn, takeTurn] = useTurn()
  const { answer, problem, isAsking } = useAsk('compare', sides.length > 1 && isTurn ? request : null, {
    touching: 'all',
    keeps: true,
  })
  const isJudged = answer !== null
  // Evaluation files have items and no steps: no curves, and no table of them.
  const isOfItems = answer?.evaluation != null
  const key = sides.join('\n')
  useEffect(() => {
    if (isJudged && key !== '') rememberComparison(workspace, { sides: key.split('\n'), metric, margin })
  }, [isJudged, key, metric, margin, workspace])
  return (
    <div className="page" aria-busy={isAsking}>
      <header className="page-head">
        <h1>{say('web.compare.title', {})}</h1>
        {sides.length > 1 && !isOfItems && (
          <Link href={hrefTo(['frontier'], { run: sides, metric })}>{say('web.frontier.link', {})}</Link>
        )}
      </header>
      {sides.length < 2 && <p className="lead">{say('web.compare.needs-two', {})}</p>}
      {sides.length === 0 && <SuggestedQuestions page="compare" />}
      <div className="controls">
        <SideChooser
          sides={sides}
          placeholder={say('web.compare.side', {})}
          isBaselineFirst
          onSides={next => change({ side: next })}
        />
        <TypedField
          name="metric"
          label={say('web.compare.metric', {})}
          placeholder="val.score"
          width={160}
          list="known-names"
        />
        <TypedField
          name="margin"
          label={say('web.compare.margin', {})}
          placeholder={say('web.compare.margin.hint', {})}
          width={110}
        />
        <TypedField
          name="window"
          label={say('web.compare.window', {})}
          placeholder={say('web.compare.window.hint', {})}
          width={110}
        />
        <label>
          <input
            type="checkbox"
            checked={query.has('ended')}
            onChange={({ target }) => change({ ended: target.checked ? 'yes' : null })}
          />{' '}
          {say('web.compare.ended', {})}
        </label>
        <GoalChoice runs={answer?.sides.flatMap(side => side.runs) ?? []} />
        <datalist id="known-names">
          {KNOWN_NAMES.map(name => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      {problem !== null && <ProblemBox problem={problem} />}
      {sides.length > 1 && answer === null && problem === null && (
        <div className="verdict-room">
          <Loading rows={8} />
        </div>
      )}
      {sides.length > 1 && answer !== null && problem === null && <Judgement answer={answer} />}
      {sides.length > 1 && <Note sides={sides} />}
      {sides.length > 1 && !isOfItems && (
        <Curves
          sides={sides}
          metric={comparedMetric(query)}
          answer={problem === null ? answer : null}
          onShown={takeTurn}
        />
      )}
      {sides.length > 1 && answer !== null && !isOfItems && problem === null && <Grounds answer={answer} />}
    </div>
  )
}

/** A verdict takes seconds of all cores, and curves a tenth of one: those are drawn first, unless they take long too. */
const LONGEST_WAIT_MS = 1000

function useTurn(): readonly [isTurn: boolean, takeTurn: () => void] {
  const [isTurn, setIsTurn] = useState(false)
  const takeTurn = useCallback(() => setIsTurn(true), [])
  useEffect(() => {
    const timer = globalThis.setTimeout(takeTurn, LONGEST_WAIT_MS)
    return () => globalThis.clearTimeout(timer)
  }, [takeTurn])
  return [isTurn, takeTurn]
}

/** The verdict on each side, above the curves. */
function Judgement({ answer }: { readonly answer: Comparison }) {
  const speaker = useSpeaker()
  return (
    <>
      <Blocks blocks={warningBlocks(answer, speaker)} />
      {answer.others.map((other, i) => (
        <div key={other.label} className="judged">
          <Blocks blocks={judgementBlocks(answer, i, speaker)} />
        </div>
      ))}
    </>
  )
}

/** What the verdict rests on, below the curves. */
function Grounds({ answer }: { readonly answer: Comparison }) {
  const say = useSay()
  const speaker = useSpeaker()
  const title = say('web.compare.other-questions', {})
  return (
    <>
      {answer.others.map((other, i) => (
        <Section key={other.label} title={answer.others.length === 1 ? title : `${other.label}: ${title}`}>
          <Blocks blocks={questionBlocks(answer, i, speaker, { all: true })} />
        </Section>
      ))}
      <Flips answer={answer} />
      <Section title={say('web.compare.table', {})}>
        <StepTable answer={answer} />
        <Blocks blocks={summaryBlocks(answer, speaker)} />
      </Section>
    </>
  )
}

/** Only where both sides are one checkpoint each and kept their answers prompt by prompt. */
function Flips({ answer }: { readonly answer: Comparison }) {
  const say = useSay()
  const { query } = usePlace()
  const sides = query.getAll('side')
  const isPair = sides.length === 2 && answer.verdicts[answer.others[0].headline].question === 'checkpoint'
  const { answer: samples } = useAsk('samples', isPair ? { sides } : null)
  if (samples === null || samples.flips.length === 0) return null
  const gained = samples.flips.filter(flip => flip.gained).length
  return (
    <Section
      title={say('web.compare.flips', {})}
      aside={<Link href={hrefTo(['samples'], { side: sides })}>{say('web.compare.flips.all', {})}</Link>}
    >
      <p>{say('web.compare.flips.counts', { gained, lost: samples.flips.length - gained, n: samples.n })}</p>
    </Section>
  )
}
