import { gateStatusBlocks } from '../../src/core/present/gate.js'
import { Blocks, useSpeaker } from '../blocks.js'
import { usePlace } from '../location.js'
import { Loading, ProblemBox } from '../parts.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/** The experiment loops of this workspace: what was kept, and whether the gain held when it was measured again. */
export function GatePage() {
  const say = useSay()
  const speaker = useSpeaker()
  const loop = usePlace().query.get('loop')
  const { answer, problem, isAsking } = useAsk('gate-status', loop === null ? {} : { loop }, { touching: 'all' })
  return (
    <div className="page" aria-busy={isAsking}>
      <header className="page-head">
        <h1>{say('web.gate.title', {})}</h1>
      </header>
      <p className="lead">{say('web.gate.about', {})}</p>
      {problem !== null && <ProblemBox problem={problem} />}
      {answer === null && problem === null && <Loading rows={6} />}
      {answer !== null && problem === null && <Blocks blocks={gateStatusBlocks(answer, speaker)} />}
    </div>
  )
}
