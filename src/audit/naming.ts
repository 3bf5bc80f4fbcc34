import type { Statement } from './document.js'
import { type Grid, type Line, linesNamed, metricsNamed, type Named, thingsNamed } from './grid.js'
import { titlesAbove } from './table-view.js'

/** Reading who and what a sentence speaks of, in the words of one table. */

/** From the last stop or comma before a place to the next one; what a superlative or a comparison is said in. */
export function clauseAt(text: string, at: number): { readonly from: number; readonly to: number } {
  let from = 0
  for (const { index, 0: found } of text.matchAll(STOPS)) {
    if (index >= at) return { from, to: index }
    from = index + found.length
  }
  return { from, to: text.length }
}

const STOPS = /[,;。，；:：]\s?|\s(?:but|while|whereas|although)\s|但|而(?!且)/g

/** The one metric of a clause, else of the whole statement, else of what it stands under; null where it is unclear. */
export function oneMetric(statement: Statement, grid: Grid, clause: string): Line | null {
  for (const words of [clause, statement.text, ...statement.leads]) {
    const named = metricsNamed(words, grid)
    if (named.length === 1) return named[0]
    if (named.length > 1) return null
  }
  return null
}

/** The one thing of a clause, else of the whole statement. */
export function oneThing(
  statement: Statement,
  grid: Grid,
  clause: { readonly from: number; readonly to: number },
): Line | null {
  const named = thingsNamed(statement, grid)
  const inside = named.filter(({ from, to }) => from >= clause.from && to <= clause.to)
  const meant = inside.length > 0 ? inside : named
  return meant.length === 1 && isAlone(grid, meant[0].line) ? meant[0].line : null
}

/** Two rows of one name are two parts of one thing: neither is meant alone. */
export function isAlone(grid: Grid, line: Line): boolean {
  return grid.things.every(other => other === line || other.name !== line.name)
}

/**
 * "At lr 1e-6 …", "for beta = 0.1 …": a sentence, or what it stands under, that picks some of the rows by a value of
 * another column speaks of these only.
 */
export function isRestricted(statement: Statement, grid: Grid, metric: Line | null): boolean {
  const others = grid.metrics.filter(line => line !== metric)
  return [statement.text, ...statement.leads, ...titlesAbove(statement.section).slice(0, 1)].some(words =>
    linesNamed(words, others).some(({ to }) => /^\s?(?:[=:]|为|is|of)?\s?[\d.]/.test(words.slice(to, to + 8))),
  )
}

const SETTING =
  /学习率|系数|批大小|温度|(?<![a-z])(?:lr|beta|β|kl[ _]?(?:coef|beta)\w*|learning[ _]rate|coef\w*|batch|dropout|warm-?up|clip|temperature|rank|seeds?|params?|layers?)(?![a-z])|轮数|参数量|(?<![a-z])epochs?(?![a-z])/i

/** A column of what was set, not of what came of it. */
export function isSetting({ name }: Line): boolean {
  return SETTING.test(name)
}

export function isInside({ from, to }: Named, clause: { readonly from: number; readonly to: number }): boolean {
  return from >= clause.from && to <= clause.to
}
