import { axisIn, seriesRequest } from './charts/series-request.js'
import { chartedRuns, comparedMetric, comparedSides, panelsFor } from './compare/asked.js'
import { fetchEarly, questionInit } from './early-answers.js'
import { languageHere } from './language-here.js'
import { firstRows, tableRequest } from './table-request.js'

/**
 * A script of its own, loaded before the page's: the pages that a reader waits for longest ask their first questions here,
 * so that the server answers them while the browser still reads half a megabyte of code.
 */

const { pathname, search, hash } = window.location

// A copy without a server asks nobody; and with a token to hand over, nothing is answered before it is.
if (globalThis.klensSite === undefined && hash === '') {
  void fetchEarly('/api/session', {})
  const query = new URLSearchParams(search)
  if (pathname === '/runs') void ask('run-table', firstRows(tableRequest(query)))
  else if (pathname === '/compare' && !query.has('hide')) void askCurves(query).catch(() => {})
}

async function askCurves(query: URLSearchParams): Promise<void> {
  const response = await ask('sides', comparedSides(query))
  if (!response.ok) return
  // The answer itself is left for the page.
  const runs = chartedRuns(await response.clone().json(), new Set()).map(({ id }) => id)
  for (const metrics of panelsFor(comparedMetric(query)))
    void ask('series', seriesRequest(runs, metrics, axisIn(query)))
}

function ask(name: string, request: object): Promise<Response> {
  return fetchEarly(`/api/${name}`, questionInit({ ...request, lang: languageHere() }))
}
