import { stateText } from '../../src/core/present/study/words.js'
import { STATES } from '../../src/logs/model/study/state.js'
import { count } from '../../src/text/numbers.js'
import type { Answers } from '../api.js'
import { useSpeaker } from '../blocks.js'
import { hrefTo } from '../location.js'
import { Link, Loading, ProblemBox, Prose, Scroll, shownScore, shownTime } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { siteIndex } from '../site.js'
import { CostText } from '../study/cost.js'
import { StateSign } from '../study/matrix.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/** The studies of this workspace, the newest first. */

type Summary = Answers['studies']['studies'][number]

export function StudiesPage() {
  const say = useSay()
  const { answer, problem } = useAsk('studies', {}, { touching: 'all', keeps: true })
  return (
    <div className="page">
      <header className="page-head">
        <h1>{say('web.studies.title', {})}</h1>
        {siteIndex === null && <Link href={hrefTo(['train'])}>{say('web.nav.train', {})}</Link>}
        <Link href={hrefTo(['gate'])}>{say('web.gate.title', {})}</Link>
      </header>
      {problem !== null && <ProblemBox problem={problem} />}
      {answer === null && problem === null && <Loading rows={6} />}
      {answer !== null && answer.studies.length + answer.damaged.length === 0 && (
        <>
          <p className="empty">
            <Prose text={say('web.studies.none', {})} />
          </p>
          <p>
            <Link href={hrefTo(['train'])}>{say('web.suggested.study', {})}</Link>
          </p>
        </>
      )}
      {answer !== null && answer.damaged.length > 0 && (
        <p className="warning-line">{say('web.studies.damaged', { studies: answer.damaged.join(', ') })}</p>
      )}
      {answer !== null && answer.studies.length > 0 && <StudyTable studies={answer.studies} />}
    </div>
  )
}

function StudyTable({ studies }: { readonly studies: readonly Summary[] }) {
  const say = useSay()
  const { language } = useLanguage()
  return (
    <Scroll label={say('web.studies.title', {})}>
      <table className="studies stack">
        <thead>
          <tr>
            <th>{say('web.studies.col.study', {})}</th>
            <th>{say('web.studies.col.question', {})}</th>
            <th>{say('web.studies.col.progress', {})}</th>
            <th>{say('web.studies.col.best', {})}</th>
            <th>{say('web.studies.col.cost', {})}</th>
            <th>{say('web.studies.col.begun', {})}</th>
          </tr>
        </thead>
        <tbody>
          {studies.map(({ study, question, states, best, cost, frozenAt }) => (
            <tr key={study}>
              <td>
                <Link href={hrefTo(['study', study])}>{study}</Link>
              </td>
              <td>{question}</td>
              <td>
                <StateCounts states={states} />
              </td>
              <td data-title={say('web.studies.col.best', {})}>
                {best === null ? '–' : `${best.arm} ${shownScore(best.mean)}`}
              </td>
              <td className="muted" data-title={say('web.studies.col.cost', {})}>
                <CostText cost={cost} />
              </td>
              <td className="muted">{shownTime(frozenAt, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

/** How many trials stand how; what there is none of is left out. */
export function StateCounts({ states }: { readonly states: Partial<Summary['states']> }) {
  const say = useSay()
  const speaker = useSpeaker()
  return (
    <ul className="state-counts">
      {STATES.filter(state => (states[state] ?? 0) > 0).map(state => (
        <li key={state}>
          <StateSign state={state} />
          {say('web.study.counted', { n: count(states[state] ?? 0), state: stateText(state, speaker) })}
        </li>
      ))}
    </ul>
  )
}
