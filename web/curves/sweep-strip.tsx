import { sweepBlocks } from '../../src/core/present/sweep.js'
import { Blocks, useSpeaker } from '../blocks.js'
import type { ChartedRun } from '../charts/metric-chart.js'
import { Fold } from '../fold.js'
import { useAsk } from '../use-ask.js'
import { type StripLine, VerdictStrip } from '../verdict-strip.js'

/** What a setting does to the score: each of its values against the baseline, as `klens sweep` judges them. */
export function SweepStrip({ runs, group }: { readonly runs: readonly ChartedRun[]; readonly group: string }) {
  const speaker = useSpeaker()
  const ids = runs.map(({ id }) => id)
  const asked = useAsk('effects', { runs: ids, over: [group] }, { touching: ids, keeps: true })
  const [effect] = asked.answer?.effects ?? []
  const answer = effect?.sweep ?? null
  // Runs without a score, or that do not differ in it, have curves all the same.
  if (effect?.reason != null) return <p className="hint">{speaker.sentence(effect.reason)}</p>
  const lines = (answer?.cells ?? []).map(({ label, runs: members }, i): StripLine => {
    const look = runs.find(({ id }) => members.includes(id))?.look ?? i
    const verdict = answer?.verdicts.find(({ question, other }) => question !== 'trend' && other === label)
    return { label, look, isBaseline: verdict === undefined, verdict: verdict ?? null, runs: members.length }
  })
  return (
    <div className="strip-box">
      {answer !== null && (
        <Fold id="sweep" className="strip-fold" summary={<strong>{speaker.sentence(answer.sentence)}</strong>}>
          {() => <Blocks blocks={sweepBlocks(answer, speaker)} />}
        </Fold>
      )}
      {answer?.take != null && <p className="hint">{speaker.sentence(speaker.clauses(answer.take.why))}</p>}
      <VerdictStrip lines={lines} isAsking={asked.isAsking} />
    </div>
  )
}
