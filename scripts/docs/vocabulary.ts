import { CONFIG_KEYS } from '../../src/logs/model/vocabulary/config-keys.js'
import { type Aliases, FRAMEWORK_NAMES, type Framework } from '../../src/logs/model/vocabulary/framework.js'
import { METRICS } from '../../src/logs/model/vocabulary/metrics.js'
import { metricLabel, settingLabel } from '../../src/text/vocabulary.js'
import { embedded, type Page, table } from './page.js'

/** The two tables of docs/vocabulary.md: what each framework calls a metric or a setting. */
export const vocabularyPage: Page = {
  path: 'docs/vocabulary.md',
  write: current => embedded(embedded(current, 'metrics', metrics()), 'settings', settings()),
}

const COLUMNS: readonly (Framework | 'any')[] = ['verl', 'trl', 'trl-ppo', 'openrlhf', 'hf', 'lever-plus', 'any']
const TITLES = COLUMNS.map(column => (column === 'any' ? 'anybody' : FRAMEWORK_NAMES[column]))

function metrics(): string {
  return table(
    ['canonical', 'meaning', 'unit', 'better', ...TITLES],
    METRICS.map(row => [
      `\`${row.canonical}\``,
      metricLabel(row.canonical, 'en'),
      row.unit ?? '',
      row.goal === null ? '' : row.goal === 'max' ? 'higher' : 'lower',
      ...names(row),
    ]),
  )
}

function settings(): string {
  return table(
    ['canonical', 'meaning', ...TITLES],
    CONFIG_KEYS.map(row => [`\`${row.key}\``, settingLabel(row.key, 'en'), ...names(row)]),
  )
}

function names(row: Aliases): string[] {
  return COLUMNS.map(column => (row[column] ?? []).map(name => `\`${name}\``).join(', '))
}
