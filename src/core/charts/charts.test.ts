import { describe, expect, it } from 'vitest'
import { overlapping, shapesOf, textBoxes, unescaped } from '../../../test/support/chart-texts.js'
import { exampleLine, sampleCharts } from '../../../test/support/sample-charts.js'
import type { Chart } from './chart.js'
import { curvesChart, panelsChart } from './curves.js'
import { differenceChart } from './difference.js'
import { heatmapChart } from './heatmap.js'
import { intervalsChart } from './intervals.js'
import { type LayoutOptions, layout } from './layout.js'
import { rankingChart } from './ranking.js'
import { readingsAt } from './readings.js'
import { pixelAt } from './scale.js'
import { scatterChart } from './scatter.js'
import { chartSvg, toSvg } from './svg.js'
import { chartStyleSheet } from './theme.js'

const LANGUAGES = ['en', 'zh'] as const
const KINDS = [...sampleCharts('en').keys()]
const cases = LANGUAGES.flatMap(language => KINDS.map(kind => ({ language, kind })))

function drawn(chart: Chart, prefix = 'c'): string {
  return chartSvg(chart, { prefix, scheme: 'light' })
}

function textsOf(chart: Chart, options?: LayoutOptions): readonly string[] {
  return textBoxes(layout(chart, options)).map(({ text }) => text)
}

function outside(chart: Chart, options?: LayoutOptions): readonly string[] {
  const drawing = layout(chart, options)
  return textBoxes(drawing)
    .filter(({ left, right, top, bottom }) => left < 0 || right > drawing.width || top < 0 || bottom > drawing.height)
    .map(({ text }) => text)
}

describe.each(cases)('the $kind chart in $language', ({ kind, language }) => {
  const chart = (name?: (usual: string) => string): Chart => {
    const make = sampleCharts(language, name).get(kind)
    if (make === undefined) throw new Error(`no chart of kind ${kind}`)
    return make()
  }

  it('is the same to the byte when drawn again, and after a journey as JSON', () => {
    expect(drawn(chart())).toBe(drawn(chart()))
    expect(drawn(JSON.parse(JSON.stringify(chart())))).toBe(drawn(chart()))
  })

  it.each([760, 1200, 390])('has no text outside the picture and none on another, %i pixels wide', width => {
    expect(outside(chart(), { width })).toEqual([])
    expect(overlapping(textBoxes(layout(chart(), { width })))).toEqual([])
  })

  it('shows hostile names as text', () => {
    const svg = drawn(chart(usual => `<script>alert("${usual}")</script>&'\u0000\u202e fill="#0072B2" zr0-c0`))
    expect(svg).not.toContain('<script')
    expect(svg).toContain('&lt;script&gt;')
    expect([...svg].filter(character => character < ' ' && character !== '\n')).toEqual([])
  })

  it('cuts names that are too long, in any script', () => {
    expect(outside(chart(usual => `${usual}-${'wide-name-'.repeat(30)}`))).toEqual([])
    expect(outside(chart(usual => `${usual}${'很长的名字'.repeat(40)}`))).toEqual([])
  })

  it('does not choke on a name as long as a book', () => {
    const name = 'a b，'.repeat(25_000)
    expect(drawn(chart(() => name)).length).toBeLessThan(300_000)
  })

  it('has numbers for all that it shows', () => {
    expect(drawn(chart())).not.toMatch(/NaN"|NaN,|undefined|Infinity/)
    expect(layout(chart()).panels.every(({ readings }) => readings.length > 0)).toBe(true)
  })
})

describe('a chart among others', () => {
  it('speaks the language asked for', () => {
    const [english, chinese] = LANGUAGES.map(language =>
      [...sampleCharts(language).values()].map(make => textsOf(make()).join(' ')),
    )
    for (const [i, kind] of KINDS.entries()) {
      expect(english[i], kind).not.toMatch(/\p{Script=Han}/u)
      expect(chinese[i], kind).toMatch(/\p{Script=Han}/u)
    }
  })

  it('can share a page: ids begin with what the caller gave', () => {
    const line = { steps: [0, 1, 2, 3], values: [1, 2, 3, 4] }
    const zoomed = layout(curvesChart({ language: 'en', metric: { name: 'score' }, sides: [{ label: 'a', line }] }), {
      view: [1, 2],
    })
    const ids = (prefix: string): string[] =>
      [...toSvg(zoomed, { prefix, scheme: 'page' }).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids('first').length).toBeGreaterThan(0)
    expect(ids('first').every(id => id.startsWith('first-'))).toBe(true)
    expect(new Set([...ids('first'), ...ids('second')]).size).toBe(2 * ids('first').length)
  })

  it('switches with the colour scheme of a page, by variables that the style sheet defines', () => {
    const defined = new Set([...chartStyleSheet().matchAll(/(--klens-chart-\w+):/g)].map(([, name]) => name))
    for (const make of sampleCharts('en').values()) {
      const svg = chartSvg(make(), { prefix: 'c', scheme: 'page' })
      const used = [...svg.matchAll(/var\((--klens-chart-\w+), #\w{6}\)/g)].map(([, name]) => name)
      expect(used.length).toBeGreaterThan(10)
      expect(used.filter(name => !defined.has(name))).toEqual([])
    }
  })

  it('has the same shapes in the dark', () => {
    for (const make of sampleCharts('en').values()) {
      const [light, dark] = (['light', 'dark'] as const).map(scheme => chartSvg(make(), { prefix: 'c', scheme }))
      expect(dark).not.toBe(light)
      expect(dark.replace(/#\w{6}/g, '')).toBe(light.replace(/#\w{6}/g, ''))
    }
  })

  it('does not change a name that looks like one of its colours', () => {
    const chart = curvesChart({
      language: 'en',
      metric: { name: 'fill="#0072B2"' },
      sides: [{ label: 'a', line: { steps: [1], values: [1] } }],
    })
    expect(unescaped(chartSvg(chart, { prefix: 'c', scheme: 'page' }))).toContain('>fill="#0072B2"<')
  })

  it('tells two sides of one name apart', () => {
    const sides = ['run', 'run'].map(label => ({ label, line: { steps: [1, 2], values: [1, 2] } }))
    const texts = textsOf(curvesChart({ language: 'en', metric: { name: 'score' }, sides }))
    expect(texts).toContain('run')
    expect(texts).toContain('run (2)')
  })
})

describe('charts of little or nothing', () => {
  const nothing = { steps: [], values: [] }
  const empty: readonly Chart[] = LANGUAGES.flatMap(language => [
    curvesChart({ language, metric: { name: 'm' }, sides: [] }),
    curvesChart({ language, metric: { name: 'm' }, sides: [{ label: 'a', line: nothing }] }),
    curvesChart({
      language,
      metric: { name: 'm' },
      log: true,
      sides: [{ label: 'a', line: { steps: [1], values: [0] } }],
    }),
    differenceChart({
      language,
      metric: { name: 'm' },
      baseline: 'a',
      other: 'b',
      steps: [],
      differences: [],
      estimate: null,
      interval: null,
      margin: null,
    }),
    scatterChart({ language, across: { name: 'x' }, up: { name: 'y' }, sides: [] }),
    panelsChart({ language, title: 't', sides: [], panels: [] }),
    panelsChart({ language, title: 't', sides: ['a'], panels: [{ metric: { name: 'm' }, lines: [null] }] }),
    heatmapChart({ language, metric: { name: 'm' }, down: 'x', across: 'y', rows: [], columns: [], cells: [] }),
    intervalsChart({ language, metric: { name: 'm' }, rows: [] }),
  ])
  const little: readonly Chart[] = LANGUAGES.flatMap(language => [
    curvesChart({ language, metric: { name: 'm' }, sides: [{ label: 'a', line: { steps: [7], values: [3] } }] }),
    curvesChart({
      language,
      metric: { name: 'm' },
      sides: [{ label: 'a', line: { steps: [1, 2, 3], values: [Number.NaN, Number.POSITIVE_INFINITY, 1e308] } }],
    }),
    rankingChart({
      language,
      metric: { name: 'm' },
      scores: [{ step: 5, value: 1 }],
      best: { step: 5, value: 1, shrunken: null, interval: null },
      indistinguishable: [5],
    }),
  ])

  it('are pictures all the same', () => {
    for (const chart of [...empty, ...little]) {
      expect(drawn(chart)).not.toMatch(/NaN|undefined|Infinity/)
      expect(outside(chart)).toEqual([])
    }
  })

  it('say so when there is nothing', () => {
    for (const chart of empty) expect(textsOf(chart).join(' ')).toMatch(/no finite value to show|没有可显示的有限值/)
    for (const chart of little) expect(textsOf(chart).join(' ')).not.toMatch(/no finite value|没有可显示/)
  })
})

describe('a ranking of more checkpoints than anyone can see', () => {
  it('is drawn as ranges, names a few of those alike, and stays small', () => {
    const steps = Array.from({ length: 5_000 }, (_, i) => i)
    const chart = rankingChart({
      language: 'en',
      metric: { name: 'm' },
      scores: steps.map(step => ({ step, value: Math.sin(step), interval: [-1, 1] })),
      best: { step: 11, value: Math.sin(11), shrunken: null, interval: null },
      indistinguishable: steps,
    })
    expect(drawn(chart).length).toBeLessThan(100_000)
    expect(chart.description).toContain('49, … (5000)')
    expect(textsOf(chart).join(' ')).toMatch(/best as measured: step 11/)
  })
})

describe('a curve with missing values', () => {
  const curve = (values: readonly number[]): Chart =>
    curvesChart({
      language: 'en',
      metric: { name: 'score' },
      sides: [{ label: 'a', line: { steps: [10, 20, 30, 40, 50], values } }],
    })
  const strokes = (chart: Chart): number =>
    shapesOf(layout(chart).shapes)
      .map(([shape]) => shape)
      .filter(shape => shape.kind === 'path')
      .filter(({ stroke }) => stroke?.colour === 'blue' && stroke.width === 2)
      .reduce((sum, { lines }) => sum + lines.length, 0)

  it('breaks there and says so', () => {
    // One of them is the sign in the legend.
    expect(strokes(curve([1, 2, 3, 4, 5]))).toBe(2)
    const broken = curve([1, 2, Number.NaN, 4, 5])
    expect(strokes(broken)).toBe(3)
    expect(textsOf(broken).join(' ')).toContain('nothing is interpolated')
  })

  it('shows a value between two gaps as a marker', () => {
    const symbols = shapesOf(layout(curve([1, Number.NaN, 3, Number.NaN, 5])).shapes)
      .map(([shape]) => shape)
      .filter(shape => shape.kind === 'symbols')
    expect(symbols.flatMap(({ at }) => at)).toHaveLength(3 + 1)
  })
})

const DENSE = Array.from({ length: 4000 }, (_, i) => i)
const REAL = exampleLine('kl-0.0', 'actor/grad_norm')

function spiked(spike: number, { isFound = true } = {}): Chart {
  const values = DENSE.map(step => (step === 1234 ? spike : REAL.values[step % REAL.values.length]))
  return curvesChart({
    language: 'en',
    metric: { name: 'actor/grad_norm' },
    sides: [{ label: 'a', line: { steps: DENSE, values } }],
    findings: [
      { from: 300, to: 400, label: 'early', severity: 'warning' },
      ...(isFound ? [{ from: 1230, to: 1240, label: 'a spike', severity: 'error' } as const] : []),
    ],
  })
}

describe('a curve with more points than pixels', () => {
  it('shows the range of each stretch, how long one is and of how many points', () => {
    const texts = textsOf(spiked(20)).join(' ')
    expect(texts).toContain('4,000 points, more than pixels: showing the range of each 20 steps')
    expect(drawn(spiked(20)).length).toBeLessThan(100_000)
    // One high value still sets the axis: no peak disappears.
    expect(textsOf(spiked(20))).toContain('20')
  })

  it('shows the exact points of a part of it', () => {
    const drawing = layout(spiked(20), { view: [1200, 1260] })
    expect(
      textBoxes(drawing)
        .map(({ text }) => text)
        .join(' '),
    ).not.toContain('more than pixels')
    expect(drawing.panels[0].x.domain).toEqual([1200, 1260])
    expect(drawing.panels[0].readings).toHaveLength(61)
    expect(drawing.panels[0].readings[34]).toEqual({ series: 'a', x: 1234, y: 20 })
  })

  it('keeps the number of a finding when others are out of sight', () => {
    const { findings } = layout(spiked(20), { view: [1200, 1260] }).panels[0]
    expect(findings.map(({ number, finding }) => [number, finding.label])).toEqual([[2, 'a spike']])
    expect(layout(spiked(20), { view: [500, 600] }).panels[0].findings).toEqual([])
  })

  it('draws ranges that the store made as it draws its own', () => {
    const stretches = Array.from({ length: 200 }, (_, i) => {
      const mean = Math.sin(i / 20)
      return { from: i * 50_000, to: (i + 1) * 50_000, low: mean - 1, high: mean + 1, mean }
    })
    const line = { size: 50_000, count: 10_000_000, stretches }
    const chart = curvesChart({ language: 'en', metric: { name: 'm' }, sides: [{ label: 'a', line }] })
    expect(textsOf(chart).join(' ')).toContain(
      '10,000,000 points, more than pixels: showing the range of each 50,000 steps',
    )
    expect(layout(chart).panels[0].readings).toHaveLength(200)
  })
})

describe('a chart along time', () => {
  it('says so on its axis, in its notes and beside its findings', () => {
    const steps = DENSE.map(step => step * 10)
    const chart = curvesChart({
      language: 'en',
      metric: { name: 'm' },
      along: 'seconds',
      sides: [{ label: 'a', line: { steps, values: DENSE.map(Math.sin) } }],
      findings: [{ from: 5400, to: 7200, label: 'slow', severity: 'note' }],
    })
    const texts = textsOf(chart).join(' | ')
    expect(texts).toContain('time')
    expect(texts).toContain('range of each 5 min')
    expect(texts).toContain('time 1 h 30–2 h: slow')
    expect(texts).toContain('| 10 h |')
  })
})

describe('values far away from all others', () => {
  it('do not flatten the rest: they lie beyond the axis, marked and told', () => {
    const drawing = layout(spiked(99, { isFound: false }))
    const [{ y, area }] = drawing.panels
    expect(y.domain[1]).toBeLessThan(30)
    expect(
      textBoxes(drawing)
        .map(({ text }) => text)
        .join(' '),
    ).toMatch(/▲ \d+ outside the axis, as far as 99/)
    const arrows = shapesOf(drawing.shapes).flatMap(([shape, down]) =>
      shape.kind === 'symbols' && shape.symbol === 'triangle' ? shape.at.map(([, top]) => top + down) : [],
    )
    expect(arrows.length).toBeGreaterThan(0)
    expect(arrows.every(top => top > area.y && top < area.y + 6)).toBe(true)
  })

  it('are kept inside where a finding is about them', () => {
    expect(layout(spiked(99)).panels[0].y.domain[1]).toBeGreaterThanOrEqual(99)
  })

  it('are never a whole side, however short it is beside another', () => {
    const steps = Array.from({ length: 1000 }, (_, i) => i)
    const chart = curvesChart({
      language: 'en',
      metric: { name: 'm' },
      sides: [
        { label: 'long', line: { steps, values: steps.map(step => Math.sin(step)) } },
        { label: 'short', line: { steps: [500, 501], values: [80, 81] } },
      ],
    })
    expect(layout(chart).panels[0].y.domain[1]).toBeGreaterThanOrEqual(81)
  })

  it('do not count where they are many, or where there is little else', () => {
    const top = (values: readonly number[]): number => {
      const line = { steps: values.map((_, i) => i), values }
      return layout(curvesChart({ language: 'en', metric: { name: 'm' }, sides: [{ label: 'a', line }] })).panels[0].y
        .domain[1]
    }
    const calm = Array.from({ length: 100 }, (_, i) => Math.sin(i))
    expect(top([...calm, 50, ...calm])).toBeLessThan(5)
    // The first and the last value, and a level of a few points among many, have no calm neighbours on both sides.
    expect(top([...calm, 50])).toBeGreaterThanOrEqual(50)
    expect(top([50, ...calm, ...calm])).toBeGreaterThanOrEqual(50)
    expect(top([...calm, ...calm, ...calm, 50, 50, 50, ...calm])).toBeGreaterThanOrEqual(50)
    expect(top([...calm, 50, 50, 50, 50, 50])).toBeGreaterThanOrEqual(50)
    expect(top([0, 1, 0, 1, 50])).toBeGreaterThanOrEqual(50)
    expect(top([...new Array<number>(100).fill(0), 50])).toBeGreaterThanOrEqual(50)
  })
})

describe('a logarithmic axis along training', () => {
  const steps = [0, 1, 10, 100, 1000]
  const curve = { kind: 'curve', name: 'a', style: 0, line: { x: steps, y: steps.map((_, i) => i) } } as const
  const chartAlong = (unit: 'steps' | 'seconds'): Chart => ({
    language: 'en',
    title: 'score',
    description: '',
    notes: [],
    findings: [],
    panels: [{ x: { kind: 'progress', unit, log: true }, y: { kind: 'value' }, marks: [curve] }],
  })

  it('gives every power of ten the same room, and step 0 the foot', () => {
    const [{ x, readings }] = layout(chartAlong('steps')).panels
    const pixels = steps.map(step => pixelAt(x, step))
    expect(pixels[0]).toBe(x.range[0])
    expect(pixels[2] - pixels[1]).toBeCloseTo(pixels[4] - pixels[3], 6)
    expect(x.ticks.map(({ text }) => text).join(' ')).toBe('0 1 2 5 10 20 50 100 200 500 1000')
    expect(readings.map(reading => reading.x)).toEqual(steps)
    for (const step of steps) expect(readingsAt(layout(chartAlong('steps')).panels[0], step)[0].x).toBe(step)
  })

  it('writes time in its own units, and shows a narrow window with ticks enough', () => {
    const [{ x }] = layout(chartAlong('seconds')).panels
    expect(x.ticks.map(({ text }) => text)).toEqual(['0', '1 s', '10 s', '1 min', '10 min'])
    const [narrow] = layout(chartAlong('steps'), { view: [40, 60] }).panels
    expect(narrow.x.domain).toEqual([40, 60])
    expect(narrow.x.ticks.length).toBeGreaterThan(1)
  })
})

describe('a logarithmic axis', () => {
  it('leaves out what is not positive, and says so', () => {
    const line = { steps: [1, 2, 3, 4], values: [0.01, 0, 1, 100] }
    const chart = curvesChart({ language: 'en', metric: { name: 'm' }, log: true, sides: [{ label: 'a', line }] })
    expect(layout(chart).panels[0].y).toMatchObject({ kind: 'log', domain: [0.01, 100] })
    expect(textsOf(chart).join(' ')).toContain('1 value is not above zero and cannot be shown on a logarithmic axis')
  })

  it('marks ranges that reach to zero and below at its foot', () => {
    const stretches = [
      { from: 0, to: 9, low: -1, high: 2, mean: 0.5 },
      { from: 10, to: 19, low: 0.1, high: 3, mean: 1 },
    ]
    const chart: Chart = {
      language: 'en',
      title: 'm',
      description: 'm',
      notes: [],
      findings: [],
      panels: [
        {
          x: { kind: 'progress', unit: 'steps' },
          y: { kind: 'value', log: true },
          marks: [{ kind: 'curve', name: 'a', style: 0, line: { size: 10, count: 20, stretches } }],
        },
      ],
    }
    expect(toSvg(layout(chart), { prefix: 'k', scheme: 'light' })).not.toContain('NaN')
  })
})
