import { useEffect, useState } from 'react'
import { groupBy } from '../../src/logs/model/util/group-by.js'
import { count } from '../../src/text/numbers.js'
import { AnnouncedStop, useAnnouncedStops } from '../announced-stops.js'
import type { Answers } from '../api.js'
import { hrefTo } from '../location.js'
import { asSentence, Link, Loading, ProblemBox, RunName, Section, SeveritySign } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/**
 * What is wrong with any run of the workspace, a line for each rule: what is wrong with ten runs of one sweep is one thing to
 * look at. Many runs are looked at a part at a time; until all are, it is said how far it came.
 */
export function Attention() {
  const say = useSay()
  const [after, setAfter] = useState(0)
  const { answer, problem } = useAsk('attention', { after }, { touching: 'all', keeps: true })
  const looked = answer?.looked ?? 0
  const isDone = answer !== null && looked === answer.total
  useEffect(() => {
    if (!isDone) setAfter(looked)
  }, [isDone, looked])
  const stops = useAnnouncedStops()
  const rules = [...groupBy(answer?.runs ?? [], ({ worst }) => worst.rule)]
  return (
    <Section
      title={say('web.home.attention', {})}
      aside={
        answer !== null && (
          <span className="muted">
            {isDone
              ? say('web.home.attention.of-all', { sick: count(answer.sick), n: count(answer.total) })
              : say('web.home.attention.so-far', { looked: count(looked), n: count(answer.total) })}
          </span>
        )
      }
    >
      {problem !== null && <ProblemBox problem={problem} />}
      {answer === null && problem === null && <Loading />}
      {isDone && rules.length + stops.length === 0 && <p className="muted">{say('web.home.attention.nothing', {})}</p>}
      <ul className="attention">
        {stops.map(stop => (
          <AnnouncedStop key={stop.run} stop={stop} />
        ))}
        {rules.map(([rule, members]) => (
          <SickRuns key={rule} members={members} />
        ))}
      </ul>
    </Section>
  )
}

type Sick = Answers['attention']['runs'][number]

/** More are named on the page of runs. */
const MOST_NAMED = 5

function SickRuns({ members }: { readonly members: readonly Sick[] }) {
  const say = useSay()
  const { language } = useLanguage()
  const [first] = members
  const isOneSentence = members.every(({ worst }) => worst.message === first.worst.message)
  const more = members.length - MOST_NAMED
  return (
    <li>
      <SeveritySign severity={first.worst.severity} />
      {members.length === 1 ? (
        <SickLink run={first} />
      ) : (
        <span>
          <strong>{say('web.home.attention.runs', { n: members.length })}</strong>
        </span>
      )}
      <div>
        <p>
          {!isOneSentence && <span className="muted">{first.name}: </span>}
          {asSentence(first.worst.message, language)}
        </p>
        {members.length > 1 && (
          <p className="named-runs">
            {members.slice(0, MOST_NAMED).map(run => (
              <SickLink key={run.id} run={run} />
            ))}
            {more > 0 && <span className="muted">{say('web.home.attention.more', { n: more })}</span>}
          </p>
        )}
      </div>
    </li>
  )
}

/** To the finding, unfolded. */
function SickLink({ run: { id, name, worst } }: { readonly run: Sick }) {
  return (
    <Link href={hrefTo(['run', id], { open: `evidence ${worst.rule} ${worst.since}` })} title={name} label={name}>
      <RunName name={name} />
    </Link>
  )
}
