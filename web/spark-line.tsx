import type { SentSeries } from './charts/lines.js'

/** The course of a metric, as small as a word. */

const WIDTH = 96
const HEIGHT = 22
const EDGE = 2

export function SparkLine({ series, label }: { readonly series: SentSeries; readonly label: string }) {
  const points = pointsOf(series).filter(([, y]) => Number.isFinite(y))
  if (points.length < 2) return null
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const across = (x: number): number => EDGE + ((x - left) / (right - left || 1)) * (WIDTH - 2 * EDGE)
  const up = (y: number): number => HEIGHT - EDGE - ((y - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE)
  const path = points.map(([x, y]) => `${across(x).toFixed(1)},${up(y).toFixed(1)}`).join(' ')
  const [lastX, lastY] = points[points.length - 1]
  return (
    <svg className="spark" width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <polyline points={path} fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinejoin="round" />
      <circle cx={across(lastX)} cy={up(lastY)} r="2" fill="currentColor" />
    </svg>
  )
}

function pointsOf(series: SentSeries): readonly (readonly [number, number])[] {
  if (series.shown === 'exact') return series.x.map((x, i) => [x, Number(series.y[i])])
  return series.from.map((from, i) => [from, Number(series.mean[i])])
}
