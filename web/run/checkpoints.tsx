import { useMemo } from 'react'
import { rankingChart } from '../../src/core/charts/ranking.js'
import type { Answers } from '../api.js'
import { ChartView } from '../charts/chart-view.js'
import { Fold } from '../fold.js'
import { OriginLink } from '../origin-link.js'
import { asSentence, Loading, ProblemBox, Scroll, Section, shownFigure } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/** Which checkpoint to take, with its interval, and the figures of the others. */

export function CheckpointSection({ id }: { readonly id: string }) {
  const say = useSay()
  const { language } = useLanguage()
  const touching = useMemo(() => [id], [id])
  const { answer, problem } = useAsk('checkpoints', { run: id }, { touching })
  const chart = useMemo(() => {
    if (answer === null) return null
    const shrunken = answer.best.shrunken === null ? null : Number(answer.best.shrunken)
    return rankingChart({
      language,
      metric: { name: answer.metric, goal: answer.goal },
      scores: answer.ranking,
      best: { ...answer.best, shrunken },
      indistinguishable: answer.indistinguishable,
    })
  }, [answer, language])
  if (problem !== null && (problem.code === 'not-found' || problem.code === 'not-enough')) return null
  return (
    <Section title={say('web.run.checkpoints', {})}>
      {problem !== null && <ProblemBox problem={problem} />}
      {answer === null && problem === null && <Loading rows={8} />}
      {answer !== null && chart !== null && (
        <div className="beside">
          <ChartView chart={chart} />
          <div className="advice">
            <p className="headline">{say('web.run.take', { step: answer.take.step })}</p>
            <p>{asSentence(answer.take.why, language)}</p>
            {answer.indistinguishable.length > 1 && (
              <p>{asSentence(say('web.run.alike', { n: answer.indistinguishable.length }), language)}</p>
            )}
            <CheckpointFigures run={id} answer={answer} />
            {answer.reasons.map(reason => (
              <p key={reason} className="muted">
                {asSentence(reason, language)}
              </p>
            ))}
          </div>
        </div>
      )}
    </Section>
  )
}

function CheckpointFigures({ run, answer }: { readonly run: string; readonly answer: Answers['checkpoints'] }) {
  const say = useSay()
  const { metric, ranking, beside } = answer
  return (
    <Fold id="checkpoints" summary={say('web.run.checkpoint-figures', { n: ranking.length })}>
      {() => (
        <Scroll label={say('web.run.checkpoint-figures', { n: ranking.length })}>
          <table className="numbers">
            <thead>
              <tr>
                <th>{say('web.compare.step', {})}</th>
                {[metric, ...beside].map(name => (
                  <th key={name}>{name}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {ranking.map(({ step, value, others }) => (
                <tr key={step}>
                  <td>{step}</td>
                  {[[metric, value] as const, ...beside.map(name => [name, others[name]] as const)].map(
                    ([name, shown]) => (
                      <td key={name}>
                        {shown === undefined ? (
                          '–'
                        ) : (
                          <OriginLink points={[{ run, metric: name, step }]} what={`${name} @${step}`}>
                            {shownFigure(shown)}
                          </OriginLink>
                        )}
                      </td>
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Fold>
  )
}
