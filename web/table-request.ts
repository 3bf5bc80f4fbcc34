import type { Asked } from './api.js'

/** What the list of runs asks for, read off its address. */

export const STATUSES = ['running', 'finished', 'failed', 'killed', 'unknown'] as const

/** Rows are fetched so many at a time. */
export const BLOCK = 100

export function columnsIn(query: URLSearchParams): readonly string[] {
  return (query.get('columns') ?? '').split(',').filter(Boolean)
}

export function statusIn(query: URLSearchParams): (typeof STATUSES)[number] | undefined {
  return STATUSES.find(each => each === query.get('status'))
}

export function tableRequest(query: URLSearchParams): Asked {
  const [columns, status, group] = [columnsIn(query), statusIn(query), query.get('group') ?? '']
  return {
    search: query.get('q') ?? '',
    sort: query.get('sort') ?? '-started',
    where: query.getAll('where'),
    ...(columns.length > 0 && { columns: columns.join(',') }),
    ...(status !== undefined && { status }),
    ...(group !== '' && { group }),
  }
}

export function firstRows(request: Asked): Asked {
  return { ...request, from: 0, most: BLOCK }
}
