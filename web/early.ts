import type { Answers } from './api.js'
import { axisIn, inRows, seriesRequest } from './charts/lines.js'
import { comparedMetric, comparedSides, namedBefore, panelsFor } from './compare/asked.js'
import { firstPanels, overlayRequest, shownIds, viewLeft } from './curves/asked.js'
import { fetchEarly, firstRows, languageHere, questionInit, type Reply, tableRequest } from './first-questions.js'

/**
 * A script of its own, loaded before the page's: the pages that a reader waits for longest ask their first questions here,
 * so that the server answers them while the browser still reads half a megabyte of code.
 */

const { pathname, search, hash } = window.location
const ROWS_IN_SIGHT = 2

// A copy has no server to ask; and with a token to hand over, nothing is answered before it is.
if (globalThis.klensSite === undefined && hash === '') {
  const query = new URLSearchParams(search)
  globalThis.klensAsked = Promise.allSettled([fetchEarly('/api/session', {}), askFirst(query)])
}

function askFirst(query: URLSearchParams): Promise<unknown> | undefined {
  if (pathname === '/runs') return ask('run-table', firstRows(tableRequest(query)))
  if (pathname === '/compare') return askCurves(query)
  return pathname === '/curves' ? askOverlay(query) : undefined
}

function askCurves(query: URLSearchParams): Promise<unknown> | undefined {
  const asked = comparedSides(query)
  if (asked.sides.length < 2) return
  const sides = ask('sides', asked)
  const named = namedBefore(asked.sides)
  if (named === undefined) return sides
  for (const metrics of panelsFor(comparedMetric(query)).flatMap(inRows).slice(0, ROWS_IN_SIGHT))
    void ask('series', seriesRequest(named, metrics, axisIn(query)))
  return sides
}

/** The answer says which series the page will want; it is asked for them before the page can read it. */
async function askOverlay(query: URLSearchParams): Promise<void> {
  const { ok, body } = await ask('overlay', overlayRequest(query))
  if (!ok || query.has('m')) return
  const overlay = body as Answers['overlay']
  const runs = shownIds(overlay, query)
  const left = viewLeft(query, overlay.kept)
  const panels = runs.length === 0 || query.has('full') ? [] : firstPanels(overlay, left)
  for (const row of inRows(panels).slice(0, ROWS_IN_SIGHT)) {
    const metrics = row.map(({ metric }) => metric)
    void ask('series', seriesRequest(runs, metrics, axisIn(query, left)))
  }
}

function ask(name: string, request: object): Promise<Reply> {
  return fetchEarly(`/api/${name}`, questionInit({ ...request, lang: languageHere() }))
}
