import { frontierBlocks } from '../../src/core/present/frontier.js'
import { Blocks, useSpeaker } from '../blocks.js'
import { change, usePlace } from '../location.js'
import { Loading, ProblemBox } from '../parts.js'
import { SideChooser } from '../side-chooser.js'
import { SuggestedQuestions } from '../suggestions.js'
import { TypedField } from '../typed-field.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/** What the distance from the reference bought and what it cost: score and KL of settings together. */
export function FrontierPage() {
  const say = useSay()
  const speaker = useSpeaker()
  const { query } = usePlace()
  const runs = query.getAll('run')
  const [over, metric] = ['over', 'metric'].map(name => query.get(name))
  const request = { runs, ...(over && { over: [over] }), ...(metric && { metric }) }
  const { answer, problem, isAsking } = useAsk('frontier', runs.length === 0 ? null : request, { touching: 'all' })
  return (
    <div className="page" aria-busy={isAsking}>
      <header className="page-head">
        <h1>{say('web.frontier.title', {})}</h1>
      </header>
      <p className="lead">{say('web.frontier.about', {})}</p>
      <div className="controls">
        <SideChooser sides={runs} placeholder={say('web.compare.side', {})} onSides={next => change({ run: next })} />
        <TypedField name="over" label={say('web.frontier.over', {})} placeholder="kl.loss.coef" width={160} />
        <TypedField name="metric" label={say('web.compare.metric', {})} placeholder="val.score" width={160} />
      </div>
      {runs.length === 0 && <SuggestedQuestions page="frontier" />}
      {problem !== null && <ProblemBox problem={problem} />}
      {runs.length > 0 && answer === null && problem === null && <Loading rows={8} />}
      {answer !== null && problem === null && <Blocks blocks={frontierBlocks(answer, speaker, { drawn: true })} />}
    </div>
  )
}
