import { readFileSync } from 'node:fs'
import type { Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { WITHOUT_BROWSER } from '../browser.js'
import { klensJson } from '../cli.js'
import { sharedDashboard } from '../dashboard.js'

/** A chart that is saved is the chart that is seen: every line, sign and word of the SVG, every pixel of the PNG, every value of the CSV. */

/** Writes down beside each canvas what is drawn on it: all outlines in order, and all words. */
const LISTEN = `{
  const places = value => String(Number(value.toFixed(2)))
  const drawing = CanvasRenderingContext2D.prototype
  const listen = (name, hear) => {
    const own = drawing[name]
    drawing[name] = function (...given) {
      hear((this.canvas.heard ??= { outline: '', texts: [] }), given, this.canvas)
      return own.apply(this, given)
    }
  }
  // The paper is painted first.
  listen('fillRect', (heard, given, canvas) => { canvas.heard = { outline: '', texts: [] } })
  listen('moveTo', (heard, [x, y]) => { heard.outline += 'M' + places(x) + ',' + places(y) })
  listen('lineTo', (heard, [x, y]) => { heard.outline += 'L' + places(x) + ',' + places(y) })
  // As a file writes a circle: from its left, by two halves.
  listen('arc', (heard, [x, y, radius]) => {
    const half = way => 'a' + places(radius) + ',' + places(radius) + ' 0 1,1 ' + places(2 * way * radius) + ',0'
    const before = heard.outline.slice(0, heard.outline.lastIndexOf('M'))
    heard.outline = before + 'M' + places(x - radius) + ',' + places(y) + half(1) + half(-1) + 'Z'
  })
  listen('closePath', heard => { heard.outline += 'Z' })
  listen('fillText', (heard, [text]) => { heard.texts.push(text) })
  const Path = window.Path2D
  window.Path2D = class extends Path { constructor(outline) { super(outline); this.outline = outline } }
  for (const name of ['fill', 'stroke']) {
    listen(name, (heard, [path]) => {
      if (path === undefined || path.isHeard) return
      path.isHeard = true
      heard.outline += path.outline
    })
  }
}`

const heardSchema = z.object({ outline: z.string(), texts: z.array(z.string()) })

async function saved(page: Page, chart: number, format: string): Promise<Buffer> {
  const downloading = page.waitForEvent('download')
  await page
    .locator('.chart')
    .nth(chart)
    .getByRole('button', { name: new RegExp(`as ${format}$`) })
    .click()
  return readFileSync(await (await downloading).path())
}

const inSvg = (svg: string) => `(() => {
  const all = name => [...new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml').querySelectorAll(name)]
  return {
    // Corners in a row are strokes from one to the next.
    outline: all('path').map(path => path.getAttribute('d')).join('')
      .replace(/M([-\\d.,]+)Z/g, (_, corners) => 'M' + corners.match(/[-\\d.]+,[-\\d.]+/g).join('L') + 'Z'),
    texts: all('text').map(text => text.textContent),
  }
})()`

/** How many pixels of the canvas are another colour in the file. */
const differingPixels = (chart: number, png: Buffer) => `(async () => {
  const bytes = Uint8Array.from(atob('${png.toString('base64')}'), letter => letter.charCodeAt(0))
  const file = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
  const seen = document.querySelectorAll('.chart canvas')[${chart}]
  if (file.width !== seen.width || file.height !== seen.height) return -1
  const other = new OffscreenCanvas(file.width, file.height).getContext('2d')
  other.drawImage(file, 0, 0)
  const [one, two] = [seen.getContext('2d'), other].map(each => each.getImageData(0, 0, file.width, file.height).data)
  return one.reduce((sum, value, i) => sum + Number(value !== two[i]), 0)
})()`

const seriesSchema = z.object({
  series: z.array(z.object({ run: z.string(), x: z.array(z.number()), y: z.array(z.number()) })),
})

interface Opened {
  readonly page: Page
  /** Until every question is answered, and the page has drawn what was said. */
  readonly atRest: () => Promise<void>
}

/** The stream of changes never ends, so that the network is never idle: only questions count. */
function watchQuestions(page: Page): Opened['atRest'] {
  const open = new Set<Request>()
  const isQuestion = (request: Request): boolean => request.method() === 'POST'
  page.on('request', request => isQuestion(request) && open.add(request))
  page.on('requestfinished', request => open.delete(request))
  page.on('requestfailed', request => open.delete(request))
  return async () => {
    let quiet = 0
    while (quiet < QUIET_MS) {
      await page.waitForTimeout(FRAME_MS)
      quiet = open.size > 0 ? 0 : quiet + FRAME_MS
    }
  }
}

const QUIET_MS = 500
const FRAME_MS = 50

describe('a chart that is saved', () => {
  const dashboard = sharedDashboard('userrl-intentiongym', 'grpo-addition/sick-length-bonus')

  /** In a window of twice as many pixels, as files have them. */
  async function opened(context: { skip: (note: string) => never }, path: string): Promise<Opened> {
    const { browser, serving } = dashboard()
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const window = await browser.newContext({ deviceScaleFactor: 2, locale: 'en' })
    const page = await window.newPage()
    const atRest = watchQuestions(page)
    await page.addInitScript(LISTEN)
    await page.goto(serving.url + path)
    return { page, atRest }
  }

  const idOf = (called: string): string => {
    const runs = klensJson<readonly { id: string; name: string }[]>(dashboard().folder, ['runs'])
    return runs.find(({ name }) => name === called)?.id ?? ''
  }

  it.for([
    ['a comparison', (): string => '/compare?side=no-kl&side=kl&margin=5%25', 3, false],
    [
      'a window of a run, on a log scale',
      (): string => `/run/${idOf('sick-length-bonus/seed0')}?x=40:300&log=on`,
      4,
      true,
    ],
  ] as const)(
    'from %s has every line, sign, word and pixel that is seen',
    async ([, path, charts, isWhole], context) => {
      const { page, atRest } = await opened(context, path())
      for (let chart = 0; chart < charts; chart += 1) {
        await page.locator('.chart canvas').nth(chart).scrollIntoViewIfNeeded()
        await atRest()
        const svg = String(await saved(page, chart, 'SVG'))
        const heard = heardSchema.parse(
          await page.evaluate(`document.querySelectorAll('.chart canvas')[${chart}].heard`),
        )
        expect(heard.outline.length).toBeGreaterThan(100)
        const file = heardSchema.parse(await page.evaluate(inSvg(svg)))
        if (!isWhole) {
          // Its title and its legend stand beside the panel, and above the picture in the file.
          expect(file.outline.endsWith(heard.outline)).toBe(true)
          expect(file.texts.slice(file.texts.length - heard.texts.length)).toEqual(heard.texts)
          continue
        }
        expect(file).toEqual(heard)
        expect(await page.evaluate(differingPixels(chart, await saved(page, chart, 'PNG')))).toBe(0)
      }
      await page.context().close()
    },
  )

  it('as CSV has the values that the server has', async context => {
    const { page } = await opened(context, '/compare?side=no-kl&side=kl')
    const asked = { runs: ['no-kl', 'kl'].map(idOf), metric: ['val.score'] }
    const answered = await page.request.post(new URL('/api/series', page.url()).href, { data: asked })
    const { series } = seriesSchema.parse(await answered.json())
    await page.locator('.chart canvas').first().waitFor()
    const rows = String(await saved(page, 0, 'CSV'))
      .trim()
      .split('\r\n')
      .slice(1)
      .map(row => row.split(','))
    expect(rows.length).toBeGreaterThan(10)
    const sent = series.flatMap(({ x, y }) => x.map((step, i) => [step, y[i]]))
    expect(rows.map(([, , x, , value]) => [Number(x), Number(value)])).toEqual(sent)
    await page.context().close()
  })
})
