import { useMemo } from 'react'
import { intervalsChart } from '../../src/charts/intervals.js'
import { figure, percentage } from '../../src/text/numbers.js'
import type { Answers } from '../api.js'
import { ChartView } from '../charts/chart-view.js'
import { Prose, Scroll, Section } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { useSay } from '../words.js'

/** The looks of `klens study settle`: the difference with its interval as seeds were added, and the bounds that it is held against. */

type Settle = NonNullable<Answers['study']['settle']>

export function SettleProgress({
  settle,
  metric,
  margin,
  direction,
}: {
  readonly settle: Settle
  readonly metric: string
  readonly margin: number | null
  readonly direction: 'max' | 'min'
}) {
  const say = useSay()
  const { language } = useLanguage()
  const { baseline, other, looks, planned, verdict } = settle
  const names = { baseline, other }
  const chart = useMemo(() => {
    if (looks.length === 0) return null
    const rows = looks.map(({ seeds, estimate, interval }, i) => ({
      label: say('web.study.settle.look', { seeds }),
      estimate,
      interval,
      margin,
      answer: i === looks.length - 1 && verdict !== null ? verdict : ('undetermined' as const),
    }))
    return intervalsChart({ language, metric: { name: metric, goal: direction }, rows })
  }, [looks, verdict, margin, metric, direction, language, say])
  return (
    <Section title={say('web.study.settle', {})}>
      <p className="headline">
        {verdict === null ? say('web.study.settle.open', {}) : say(`web.study.settle.${verdict}`, names)}
      </p>
      <p className="lead">{say('web.study.settle.about', names)}</p>
      {chart !== null && <ChartView chart={chart} />}
      {looks.length > 0 && (
        <Scroll label={say('web.study.settle.looks', {})}>
          <table className="numbers">
            <thead>
              <tr>
                <th>{say('web.study.settle.looks', {})}</th>
                <th>{say('web.study.settle.p', {})}</th>
                <th>{say('web.study.settle.bound', {})}</th>
                <th>{say('web.study.settle.p-same', {})}</th>
                <th>{say('web.study.settle.bound-same', {})}</th>
                <th>{say('web.study.settle.chance', {})}</th>
              </tr>
            </thead>
            <tbody>
              {looks.map(({ seeds, p, claimBound, pSame, sameBound, chance }) => (
                <tr key={seeds}>
                  <td>{say('web.study.settle.look', { seeds })}</td>
                  <td>{figure(p, 2)}</td>
                  <td>{figure(claimBound, 2)}</td>
                  <td>{pSame === null ? '–' : figure(pSame, 2)}</td>
                  <td>{pSame === null ? '–' : figure(sameBound, 2)}</td>
                  <td>{percentage(chance)} %</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {verdict === null && looks.length < planned.length && (
        <p className="hint">
          <Prose text={say('web.study.settle.planned', { seeds: planned.slice(looks.length).join(', ') })} />
        </p>
      )}
    </Section>
  )
}
