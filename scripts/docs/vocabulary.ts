import { CONFIG_KEYS } from '../../src/logs/model/vocabulary/config-keys.js'
import { METRICS } from '../../src/logs/model/vocabulary/metrics.js'
import { metricLabel, settingLabel } from '../../src/text/vocabulary.js'
import { embedded, type Page, table } from './page.js'

/** The two tables of docs/vocabulary.md: the canonical names, with the names that belong to no framework. */
export const vocabularyPage: Page = {
  path: 'docs/vocabulary.md',
  write: current => embedded(embedded(current, 'metrics', metrics()), 'settings', settings()),
}

function metrics(): string {
  return table(
    ['canonical', 'meaning', 'unit', 'better', 'names that anybody uses'],
    METRICS.map(row => [
      `\`${row.canonical}\``,
      metricLabel(row.canonical, 'en'),
      row.unit ?? '',
      row.goal === null ? '' : row.goal === 'max' ? 'higher' : 'lower',
      names(row.any),
    ]),
  )
}

function settings(): string {
  return table(
    ['canonical', 'meaning', 'names that anybody uses'],
    CONFIG_KEYS.map(row => [`\`${row.key}\``, settingLabel(row.key, 'en'), names(row.any)]),
  )
}

function names(list: readonly string[] = []): string {
  return list.map(name => `\`${name}\``).join(', ')
}
