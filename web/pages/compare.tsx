import { useEffect } from 'react'
import { summaryBlocks } from '../../src/core/present/comparison.js'
import { typedForShell } from '../../src/text/shell.js'
import type { Answers } from '../api.js'
import { Blocks, useSpeaker } from '../blocks.js'
import { comparedMetric, comparedSides } from '../compare/asked.js'
import { Curves } from '../compare/curves.js'
import { FIRST_ROWS, StepTable } from '../compare/step-table.js'
import { ComparisonStrip } from '../compare/strip.js'
import { Fold, useFold } from '../fold.js'
import { GoalChoice } from '../goal-choice.js'
import { change, hrefTo, usePlace } from '../location.js'
import { Note } from '../note.js'
import { Link, ProblemBox, Section, Typed } from '../parts.js'
import { PhoneFold } from '../phone-fold.js'
import { useNames } from '../picked-runs.js'
import { rememberComparison } from '../recent.js'
import { KnownNames } from '../run-filters.js'
import { useSession } from '../session.js'
import { SideChooser } from '../side-chooser.js'
import { siteIndex } from '../site.js'
import { SuggestedQuestions } from '../suggestions.js'
import { TypedField } from '../typed-field.js'
import { useAsk } from '../use-ask.js'
import { useTurn } from '../use-turn.js'
import { useSay } from '../words.js'

/** Better, worse, about the same or undetermined: a line for each side, then the curves, then everything that it rests on. */

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
  const setSides = (next: readonly string[]): void => change({ side: next })
  const names = useNames(sides)
  return (
    <div className="page wide" aria-busy={isAsking}>
      <header className="page-head">
        <h1>{say('web.compare.title', {})}</h1>
        {sides.length > 1 && !isOfItems && answer !== null && siteIndex === null && (
          <>
            <Link href={hrefTo(['curves'], { pick: answer.sides.flatMap(({ runs }) => runs).join(',') })}>
              {say('web.curves.open', {})}
            </Link>
            <Link href={hrefTo(['frontier'], { run: sides, metric })}>{say('web.frontier.link', {})}</Link>
            <Fold id="share" className="share" summary={say('web.share', {})}>
              {() => (
                <p>
                  {say('web.share.about', {})}{' '}
                  <Typed>
                    {['klens export --site comparison --compare', ...sides.map(typedForShell)]
                      .concat(margin ? ['--margin', typedForShell(margin)] : [])
                      .join(' ')}
                  </Typed>
                </p>
              )}
            </Fold>
          </>
        )}
      </header>
      {sides.length < 2 && <p className="lead">{say('web.compare.needs-two', {})}</p>}
      {sides.length === 0 && <SuggestedQuestions page="compare" />}
      {sides.length > 1 && problem === null && (
        <ComparisonStrip
          labels={sides.map(side => names.get(side) ?? side)}
          answer={answer}
          isAsking={isAsking || answer === null}
          onRemove={at => setSides(sides.toSpliced(at, 1))}
        />
      )}
      {problem !== null && <ProblemBox problem={problem} />}
      <CompareControls
        sides={sides}
        hasChips={sides.length < 2 || problem !== null}
        runs={answer?.sides.flatMap(side => side.runs) ?? []}
        onSides={setSides}
      />
      {sides.length > 1 && !isOfItems && (
        <Curves
          sides={sides}
          metric={comparedMetric(query)}
          answer={problem === null ? answer : null}
          onShown={takeTurn}
        />
      )}
      {sides.length > 1 && <Note sides={sides} />}
      {sides.length > 1 && answer !== null && !isOfItems && problem === null && <Grounds answer={answer} />}
    </div>
  )
}

/** What is compared, by what, over which steps. */
function CompareControls({
  sides,
  hasChips,
  runs,
  onSides,
}: {
  readonly sides: readonly string[]
  readonly hasChips: boolean
  readonly runs: readonly string[]
  readonly onSides: (sides: readonly string[]) => void
}) {
  const say = useSay()
  const { query } = usePlace()
  const fields = (
    <div className="controls">
      <SideChooser
        sides={sides}
        placeholder={say('web.compare.side', {})}
        isBaselineFirst
        hasChips={hasChips}
        onSides={onSides}
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
      <GoalChoice runs={runs} />
      <KnownNames />
    </div>
  )
  return sides.length < 2 ? fields : <PhoneFold label={say('web.compare.options', {})}>{fields}</PhoneFold>
}

/** What the verdict rests on, below the curves. */
function Grounds({ answer }: { readonly answer: Comparison }) {
  const say = useSay()
  const speaker = useSpeaker()
  return (
    <>
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
