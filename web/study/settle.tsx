import { useMemo } from 'react'
import { intervalsChart } from '../../src/charts/intervals.js'
import { figure, percentage } from '../../src/text/numbers.js'
import type { Answers } from '../api.js'
import { ChartView } from '../charts/chart-view.js'
import { Prose, Scroll, Section } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { useSay } from '../words.js'

/** The looks of `klens study settle`: differences with their intervals as seeds were added, and the bounds they are held against. */

type Study = Answers['study']
type Settle = NonNullable<Study['settle']>

export function SettleProgress({
  settle,
  study: { margin, direction },
  metric,
}: {
  readonly settle: Settle
  readonly study: Study
  readonly metric: string
}) {
  const say = useSay()
  const { language } = useLanguage()
  const { baseline, others, planned } = settle
  const made = Math.max(...others.map(({ looks }) => looks.length))
  const isOpen = others.some(({ verdict }) => verdict === null)
  const chart = useMemo(() => {
    const rows = others.flatMap(({ arm, looks, verdict }) =>
      looks.map(({ seeds, estimate, interval }, i) => ({
        label: others.length === 1 ? say('web.study.settle.look', { seeds }) : `${arm}, ${seeds}`,
        estimate,
        interval,
        margin,
        answer: i === looks.length - 1 && verdict !== null ? verdict : ('undetermined' as const),
      })),
    )
    return rows.length === 0 ? null : intervalsChart({ language, metric: { name: metric, goal: direction }, rows })
  }, [others, margin, metric, direction, language, say])
  return (
    <Section title={say('web.study.settle', { baseline })}>
      {others.map(({ arm, verdict }) => (
        <p key={arm} className="headline">
          {say(`web.study.settle.${verdict ?? 'open'}`, { baseline, other: arm })}
        </p>
      ))}
      <p className="lead">{say('web.study.settle.about', {})}</p>
      {chart !== null && <ChartView chart={chart} />}
      {made > 0 && <LookTable others={others} />}
      {isOpen && made < planned.length && (
        <p className="hint">
          <Prose text={say('web.study.settle.planned', { seeds: planned.slice(made).join(', ') })} />
        </p>
      )}
    </Section>
  )
}

function LookTable({ others }: { readonly others: Settle['others'] }) {
  const say = useSay()
  return (
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
          {others.flatMap(({ arm, looks }) =>
            looks.map(({ seeds, p, claimBound, pSame, sameBound, chance }) => (
              <tr key={`${arm} ${seeds}`}>
                <td>
                  {others.length > 1 && `${arm}, `}
                  {say('web.study.settle.look', { seeds })}
                </td>
                <td>{figure(p, 2)}</td>
                <td>{figure(claimBound, 2)}</td>
                <td>{pSame === null ? '–' : figure(pSame, 2)}</td>
                <td>{pSame === null ? '–' : figure(sameBound, 2)}</td>
                <td>{percentage(chance)} %</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </Scroll>
  )
}
