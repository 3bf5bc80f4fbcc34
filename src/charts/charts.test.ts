import { describe, expect, it } from 'vitest'
import { exampleLine, sampleCharts } from '../../test/support/sample-charts.js'
import { overlapping, textBoxes, unescaped } from '../../test/support/svg.js'
import type { Chart } from './chart.js'
import { curvesChart } from './curves.js'
import { differenceChart } from './difference.js'
import { heatmapChart } from './heatmap.js'
import { intervalsChart } from './intervals.js'
import { panelsChart } from './panels.js'
import { rankingChart } from './ranking.js'
import { renderSvg } from './render.js'
import { scatterChart } from './scatter.js'
import { chartStyleSheet } from './theme.js'

const LANGUAGES = ['en', 'zh'] as const
const KINDS = [...sampleCharts('en').keys()]
const cases = LANGUAGES.flatMap(language => KINDS.map(kind => ({ language, kind })))

function drawn(chart: Chart, prefix = 'c'): string {
  return renderSvg(chart, { prefix, colours: 'fixed' })
}

function outside(chart: Chart): readonly string[] {
  return textBoxes(drawn(chart))
    .filter(({ left, right, top, bottom }) => left < 0 || right > chart.width || top < 0 || bottom > chart.height)
    .map(({ text }) => text)
}

describe.each(cases)('the $kind chart in $language', ({ kind, language }) => {
  const chart = (name?: (usual: string) => string): Chart => {
    const make = sampleCharts(language, name).get(kind)
    if (make === undefined) throw new Error(`no chart of kind ${kind}`)
    return make()
  }

  it('is the same to the byte when drawn again', () => {
    expect(drawn(chart())).toBe(drawn(chart()))
  })

  it('has no text outside the picture and none on another', () => {
    expect(outside(chart())).toEqual([])
    expect(overlapping(textBoxes(drawn(chart())))).toEqual([])
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

  it('leaves nothing of the counters and marks that ECharts puts in', () => {
    expect(drawn(chart())).not.toMatch(/zr\d|ecmeta|<style|NaN"|undefined|Infinity/)
  })
})

describe('a chart among others', () => {
  it('speaks the language asked for', () => {
    const [english, chinese] = LANGUAGES.map(language =>
      [...sampleCharts(language).values()].map(make =>
        textBoxes(drawn(make()))
          .map(({ text }) => text)
          .join(' '),
      ),
    )
    for (const [i, kind] of KINDS.entries()) {
      expect(english[i], kind).not.toMatch(/\p{Script=Han}/u)
      expect(chinese[i], kind).toMatch(/\p{Script=Han}/u)
    }
  })

  const pair = (): Chart =>
    curvesChart({
      language: 'en',
      metric: { name: 'score' },
      sides: ['a', 'b'].map(label => ({ label, line: { steps: [1, 2], values: [1, 2] } })),
    })

  it('can share a page: ids begin with what the caller gave', () => {
    const ids = (prefix: string): string[] => [...drawn(pair(), prefix).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids('first').length).toBeGreaterThan(0)
    expect(ids('first').every(id => id.startsWith('first-'))).toBe(true)
    expect(new Set([...ids('first'), ...ids('second')]).size).toBe(2 * ids('first').length)
  })

  it('switches with the colour scheme of a page, by variables that the style sheet defines', () => {
    const defined = new Set([...chartStyleSheet().matchAll(/(--klens-chart-\w+):/g)].map(([, name]) => name))
    for (const make of sampleCharts('en').values()) {
      const svg = renderSvg(make(), { prefix: 'c', colours: 'variables' })
      const used = [...svg.matchAll(/var\((--klens-chart-\w+), #\w{6}\)/g)].map(([, name]) => name)
      expect(used.length).toBeGreaterThan(10)
      expect(used.filter(name => !defined.has(name))).toEqual([])
    }
  })

  it('does not change a name that looks like one of its colours', () => {
    const chart = curvesChart({
      language: 'en',
      metric: { name: 'fill="#0072B2"' },
      sides: [{ label: 'a', line: { steps: [1], values: [1] } }],
    })
    expect(unescaped(renderSvg(chart, { prefix: 'c', colours: 'variables' }))).toContain('>fill="#0072B2"<')
  })
})

describe('charts of little or nothing', () => {
  const nothing = { steps: [], values: [] }
  const empty: readonly Chart[] = LANGUAGES.flatMap(language => [
    curvesChart({ language, metric: { name: 'm' }, sides: [] }),
    curvesChart({ language, metric: { name: 'm' }, sides: [{ label: 'a', line: nothing }] }),
    curvesChart({ language, metric: { name: 'm' }, sides: [{ label: 'a', line: { steps: [7], values: [3] } }] }),
    curvesChart({
      language,
      metric: { name: 'm' },
      sides: [{ label: 'a', line: { steps: [1, 2, 3], values: [Number.NaN, Number.POSITIVE_INFINITY, 1e308] } }],
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
    rankingChart({
      language,
      metric: { name: 'm' },
      scores: [{ step: 5, value: 1 }],
      best: { step: 5, value: 1, shrunken: null, interval: null },
      indistinguishable: [5],
    }),
  ])

  it('are pictures all the same', () => {
    for (const chart of empty) {
      expect(drawn(chart)).not.toMatch(/NaN|undefined|Infinity/)
      expect(outside(chart)).toEqual([])
    }
  })
})

describe('a curve with missing values', () => {
  const curve = (values: readonly number[]): string =>
    drawn(
      curvesChart({
        language: 'en',
        metric: { name: 'score' },
        sides: [{ label: 'a', line: { steps: [10, 20, 30, 40, 50], values: [...values] } }],
      }),
    )
  const strokes = (svg: string): number =>
    (/<path d="([^"]*)" fill="none" stroke="#0072B2" stroke-width="2"/.exec(svg)?.[1].match(/M/g) ?? []).length

  it('breaks there and says so', () => {
    expect(strokes(curve([1, 2, 3, 4, 5]))).toBe(1)
    const broken = curve([1, 2, Number.NaN, 4, 5])
    expect(strokes(broken)).toBe(2)
    expect(broken).toContain('nothing is interpolated')
  })

  it('shows a value between two gaps as a marker', () => {
    const markers = (svg: string): number =>
      [...svg.matchAll(/<path [^>]*transform="matrix[^>]*fill="#0072B2"/g)].length
    expect(markers(curve([1, Number.NaN, 3, Number.NaN, 5]))).toBe(3)
  })
})

describe('a curve with more points than pixels', () => {
  it('shows the range of each stretch and says how long one is', () => {
    const once = exampleLine('kl-0.0', 'actor/grad_norm')
    const steps = Array.from({ length: 4000 }, (_, i) => i)
    const values = steps.map(step => (step === 1234 ? 99 : once.values[step % once.values.length]))
    const chart = curvesChart({
      language: 'en',
      metric: { name: 'actor/grad_norm' },
      sides: [{ label: 'a', line: { steps, values } }],
    })
    const svg = drawn(chart)
    expect(svg).toContain('showing the range of each 20 steps')
    expect(svg.length).toBeLessThan(100_000)
    // The one high value still sets the axis: no peak disappears.
    expect(textBoxes(svg).map(({ text }) => text)).toContain('100')
  })
})
