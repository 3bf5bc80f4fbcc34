import { forecastTables } from './lab-forecast.js'
import { settingTables } from './lab-settings.js'
import { labTables } from './labs.js'
import type { Results } from './results.js'
import { table } from './table.js'
import { courseTables } from './tables-course.js'
import { loopTables } from './tables-loops.js'
import { objectiveTables } from './tables-objective.js'
import { promptTables } from './tables-prompts.js'
import { runTables } from './tables-runs.js'
import { stopTables } from './tables-stop.js'
import { studyTables } from './tables-study.js'
import { targetRows } from './targets.js'

/** The tables of docs/statistics.md and docs/objective.md, by the name in their marker. All rates are in per cent. */
export function tablesOf(results: Results): ReadonlyMap<string, string> {
  return new Map([
    ['targets', table(['promise', 'worst case', 'measured, %', ''], targetRows(results))],
    ...runTables(results),
    ...promptTables(results),
    ...courseTables(results),
    ...stopTables(results),
    ...studyTables(results),
    ...loopTables(results),
    ...labTables(),
    ...settingTables(),
    ...objectiveTables(results),
    ...forecastTables(),
  ])
}
