/**
 * What a page asks first is asked by a small script of its own, while the large one is still being read, and lies here until
 * the page comes for it. Each answer is given once; a question that was foreseen wrongly is asked by the page as ever.
 */

declare global {
  // Set by the small script, read by the large one.
  var klensEarly: Map<string, Promise<Response>> | undefined
}

export function questionInit(request: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) }
}

export function fetchEarly(url: string, init: RequestInit): void {
  globalThis.klensEarly ??= new Map()
  const response = fetch(url, init)
  // Whoever comes for it hears of it.
  response.catch(() => {})
  globalThis.klensEarly.set(keyOf(url, init), response)
}

/** What was refused, or never came, is asked again: since then the reader may have shown a token. */
export async function fetchOnce(url: string, init: RequestInit): Promise<Response> {
  const key = keyOf(url, init)
  const early = globalThis.klensEarly?.get(key)
  globalThis.klensEarly?.delete(key)
  const response = await early?.catch(() => undefined)
  return response?.ok === true ? response : fetch(url, init)
}

function keyOf(url: string, { method = 'GET', body }: RequestInit): string {
  return `${method} ${url} ${typeof body === 'string' ? body : ''}`
}
