import type { Language } from '../../src/text/language.js'
import { settingLabel } from '../../src/text/vocabulary.js'
import type { Answers } from '../api.js'
import type { ChartedRun } from '../charts/metric-chart.js'
import { shownFigure } from '../parts.js'
import { inTickedOrder } from './asked.js'

/** The runs of an overlay as lines: each with a look of its own, or all of a group with that of the group. */

type Drawn = Answers['overlay']['drawn']

export function chartedRuns(
  drawn: Drawn,
  pick: string,
  group: string | null,
  words: { readonly language: Language; readonly without: string },
): readonly ChartedRun[] {
  if (group !== null) return inGroups(drawn, group, words)
  return inTickedOrder(drawn, pick).map(({ id, name }, look) => ({ id, name, look }))
}

function inGroups(
  drawn: Drawn,
  group: string,
  { language, without }: { readonly language: Language; readonly without: string },
): readonly ChartedRun[] {
  const values = [...new Map(drawn.map(({ value }) => [JSON.stringify(value), value])).values()].toSorted(inOrderOf)
  const looks = new Map(values.map((value, look) => [JSON.stringify(value), look]))
  return drawn.map(({ id, name, value }) => ({
    id,
    name,
    look: looks.get(JSON.stringify(value)) ?? 0,
    side: `${settingLabel(group, language)} = ${value === null ? without : shownFigure(value)}`,
  }))
}

function inOrderOf(a: Drawn[number]['value'], b: Drawn[number]['value']): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return Number(a === null) - Number(b === null) || String(a).localeCompare(String(b))
}
