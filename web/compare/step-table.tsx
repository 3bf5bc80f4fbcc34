import { fixed, signed } from '../../src/text/numbers.js'
import type { Answers } from '../api.js'
import { Fold, useFold } from '../fold.js'
import { columnTitle } from '../names.js'
import { OriginLink, type OriginPoint } from '../origin-link.js'
import { decimalsInAll, Scroll, shownFigure } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { useSay } from '../words.js'

/** The numbers themselves: each step that all sides share, and where every shared metric began and ended. */

type Comparison = Answers['compare']

export const FIRST_ROWS = 12

export function StepTable({ answer: { table, sides, summary } }: { readonly answer: Comparison }) {
  const say = useSay()
  const { language } = useLanguage()
  const [isAll, setIsAll] = useFold('steps')
  const shown = isAll ? table.rows : table.rows.slice(0, FIRST_ROWS)
  const decimals = decimalsInAll(shown.flatMap(({ values }) => values))
  return (
    <>
      <Scroll label={say('web.compare.table', {})}>
        <table className="numbers">
          <thead>
            <tr>
              <th>{say('web.compare.step', {})}</th>
              {sides.map(({ label }) => (
                <th key={label}>{label}</th>
              ))}
              <th>{sides.length === 2 ? say('web.compare.diff', {}) : `${sides.at(-1)?.label} − ${sides[0].label}`}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ step, values, diff }) => (
              <tr key={step}>
                <td>{step}</td>
                {values.map((value, i) => (
                  <td key={i}>
                    {value === null ? (
                      '–'
                    ) : (
                      <OriginLink points={pointsOf(sides[i], step)} what={`${sides[i].label} @${step}`}>
                        {fixed(Number(value), decimals)}
                      </OriginLink>
                    )}
                  </td>
                ))}
                <td>{diff === null ? '–' : signed(Number(diff), decimals)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {table.total > FIRST_ROWS && (
        <button type="button" onClick={() => setIsAll(!isAll)}>
          {isAll ? say('web.run.fewer-panels', {}) : say('web.run.more-panels', { n: table.total - FIRST_ROWS })}
        </button>
      )}
      <Fold id="metrics" summary={say('web.compare.summary', {})}>
        {() => (
          <Scroll label={say('web.compare.summary', {})}>
            <table className="numbers">
              <thead>
                <tr>
                  <th>{say('web.compare.metric', {})}</th>
                  {sides.map(({ label }) => (
                    <th key={label}>
                      {label}: {say('compare.column.first', {})} → {say('compare.column.last', {})}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {summary.map(({ metric, values }) => (
                  <tr key={metric}>
                    <td title={metric}>{columnTitle(metric, language)}</td>
                    {values.map(({ first, last }, i) => (
                      <td key={i}>
                        {shownFigure(first)} → {shownFigure(last)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </Fold>
    </>
  )
}

/** One of each run behind the side. */
function pointsOf({ runs, metric }: Comparison['sides'][number], step: number): readonly OriginPoint[] {
  return runs.map(run => ({ run, metric, step }))
}
