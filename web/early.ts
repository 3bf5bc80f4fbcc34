import { axisIn, seriesRequest } from './charts/lines.js'
import { comparedMetric, comparedSides, namedBefore, panelsFor } from './compare/asked.js'
import { overlayRequest } from './curves/asked.js'
import { fetchEarly, firstRows, languageHere, questionInit, tableRequest } from './first-questions.js'

/**
 * A script of its own, loaded before the page's: the pages that a reader waits for longest ask their first questions here,
 * so that the server answers them while the browser still reads half a megabyte of code.
 */

const { pathname, search, hash } = window.location

// A copy has no server to ask; and with a token to hand over, nothing is answered before it is.
if (globalThis.klensSite === undefined && hash === '') {
  fetchEarly('/api/session', {})
  const query = new URLSearchParams(search)
  if (pathname === '/runs') ask('run-table', firstRows(tableRequest(query)))
  else if (pathname === '/compare') askCurves(query)
  else if (pathname === '/curves') ask('overlay', overlayRequest(query))
}

function askCurves(query: URLSearchParams): void {
  const asked = comparedSides(query)
  if (asked.sides.length < 2) return
  ask('sides', asked)
  const named = namedBefore(asked.sides)
  if (named === undefined) return
  for (const metrics of panelsFor(comparedMetric(query))) ask('series', seriesRequest(named, metrics, axisIn(query)))
}

function ask(name: string, request: object): void {
  fetchEarly(`/api/${name}`, questionInit({ ...request, lang: languageHere() }))
}
