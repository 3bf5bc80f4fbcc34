import { describe, expect, it } from 'vitest'
import { sampleCharts } from '../../../test/support/sample-charts.js'
import { curvesChart, panelsChart } from './curves.js'
import { layout } from './layout.js'
import { readingsAt, toCsv } from './readings.js'

const SIDES = [
  { label: 'a', line: { steps: [0, 10, 20, 30], values: [1, 2, 3, 4] } },
  { label: '=cmd,"b"', line: { steps: [0, 20], values: [5, 6] } },
]

describe('what is seen in a chart', () => {
  it('is read at a place on the axis: of each side the nearest point, if one is near', () => {
    const [panel] = layout(curvesChart({ language: 'en', metric: { name: 'm' }, sides: SIDES })).panels
    expect(readingsAt(panel, 20.3).map(({ x, y }) => [x, y])).toEqual([
      [20, 3],
      [20, 6],
    ])
    expect(readingsAt(panel, 10).map(({ y }) => y)).toEqual([2])
    expect(readingsAt(panel, 15)).toEqual([])
  })

  it('is the range around a place where ranges are drawn', () => {
    const steps = Array.from({ length: 5000 }, (_, i) => i)
    const line = { steps, values: steps.map(step => step % 7) }
    const [panel] = layout(curvesChart({ language: 'en', metric: { name: 'm' }, sides: [{ label: 'a', line }] })).panels
    expect(readingsAt(panel, 1010)).toMatchObject([{ x: 1000, until: 1050, low: 0, high: 6 }])
  })

  it('can be taken along as a table, of the part that is shown and no more', () => {
    const chart = curvesChart({ language: 'en', metric: { name: 'm' }, sides: SIDES })
    expect(toCsv(layout(chart, { view: [5, 25] })).split('\r\n')).toEqual([
      'panel,series,x,until,value,low,high',
      'm,a,10,,2,,',
      'm,a,20,,3,,',
      `m,"'=cmd,""b""",20,,6,,`,
      '',
    ])
  })

  it('names the panel, the row and the column', () => {
    const panels = ['loss', 'reward'].map(name => ({ metric: { name }, lines: [SIDES[1].line] }))
    const csv = toCsv(layout(panelsChart({ language: 'en', title: 't', sides: ['a'], panels })))
    expect(csv).toContain('loss,a,0,,5')
    expect(csv).toContain('reward,a,20,,6')
    const table = (kind: 'heatmap' | 'intervals'): string => {
      const make = sampleCharts('en').get(kind)
      return make === undefined ? '' : toCsv(layout(make()))
    }
    expect(table('heatmap')).toContain('300,kl-0.3,,0.7')
    expect(table('intervals')).toMatch(/"kl-0.1 − kl-0.0, 0",,-0.03,-0.05,-0.01/)
  })
})
