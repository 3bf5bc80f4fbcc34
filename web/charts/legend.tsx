import { outline } from '../../src/core/charts/shapes.js'
import { lookOf, paint } from '../../src/core/charts/theme.js'
import { RunName } from '../parts.js'
import { useTheme } from '../preferences.js'
import type { ChartedRun } from './metric-chart.js'

/** What the lines of all panels of a page are, said once. */

const WIDTH = 26
const HEIGHT = 12
const MIDDLE = [WIDTH / 2, HEIGHT / 2] as const

export function LookSign({ look }: { readonly look: number }) {
  const { theme } = useTheme()
  const { colour, dash, symbol, body } = lookOf(look)
  const stroke = paint(colour, theme)
  return (
    <svg className="look-sign" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path d={`M0 ${MIDDLE[1]}H${WIDTH}`} stroke={stroke} strokeWidth="2" strokeDasharray={dash.join(' ')} />
      <path
        d={outline({ kind: 'symbols', symbol, size: 7, at: [MIDDLE] })}
        fill={body === 'full' ? stroke : paint('paper', theme)}
        stroke={stroke}
        strokeWidth="1.5"
      />
    </svg>
  )
}

/** One entry for each look, in a row that scrolls where there are many. */
export function Legend({ runs, label }: { readonly runs: readonly ChartedRun[]; readonly label: string }) {
  const inOrder = runs.toSorted((a, b) => a.look - b.look)
  const names = new Map(inOrder.map(({ look, side, name }) => [look, side ?? name]))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: or its end could not be reached without a mouse
    <ul className="legend" aria-label={label} tabIndex={0}>
      {[...names].map(([look, name]) => (
        <li key={look} title={name}>
          <LookSign look={look} />
          <RunName name={name} />
        </li>
      ))}
    </ul>
  )
}
