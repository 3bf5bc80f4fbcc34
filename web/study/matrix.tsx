import { cellFacts } from '../../src/core/charts/heatmap.js'
import { HEAT } from '../../src/core/charts/theme.js'
import { stateText } from '../../src/core/present/study/words.js'
import { figure, fixed } from '../../src/text/numbers.js'
import type { Answers } from '../api.js'
import { useSpeaker } from '../blocks.js'
import { hrefTo } from '../location.js'
import { Link, Scroll } from '../parts.js'
import { useSay } from '../words.js'

/** Arms down, seeds across: a figure on a shade where a trial is done, else a sign and a word for how it stands. */

export type StudyCell = Answers['study']['cells'][number]

/** Told apart by shape as well as by colour. */
const SIGNS: { readonly [state in StudyCell['state']]: string } = {
  done: '●',
  running: '◐',
  pending: '○',
  failed: '✕',
  missing: '∅',
  suspicious: '▲',
  dropped: '–',
}

export function StateSign({ state }: { readonly state: StudyCell['state'] }) {
  return (
    <span className={`cell-sign ${state}`} aria-hidden="true">
      {SIGNS[state]}
    </span>
  )
}

export function Matrix({ cells, label }: { readonly cells: readonly StudyCell[]; readonly label: string }) {
  const say = useSay()
  const arms = [...new Set(cells.map(({ arm }) => arm))]
  const columns = [...new Map(cells.map(cell => [columnOf(cell), cell])).values()]
  const shades = shadesOf(cells)
  const at = new Map(cells.map(cell => [`${cell.arm}\n${columnOf(cell)}`, cell]))
  return (
    <Scroll label={label}>
      <table className="matrix">
        <thead>
          <tr>
            <th scope="col">{say('web.study.arm', {})}</th>
            {columns.map(column => (
              <th key={columnOf(column)} scope="col">
                {say('web.study.seed', { seed: column.seed })}
                {column.step !== null && <small>{say('web.study.step', { step: column.step })}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {arms.map(arm => (
            <tr key={arm}>
              <th scope="row">{arm}</th>
              {columns.map(column => {
                const cell = at.get(`${arm}\n${columnOf(column)}`)
                return (
                  <td key={columnOf(column)}>
                    {cell === undefined ? null : <Cell cell={cell} shade={shades(cell)} />}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

interface Shade {
  readonly fill: string
  readonly ink: string
  readonly text: string
}

function Cell({ cell, shade }: { readonly cell: StudyCell; readonly shade: Shade | null }) {
  const { state, why, trial, run } = cell
  const word = stateText(state, useSpeaker())
  const title = [trial, word, progressText(cell) ?? '', ...why].filter(Boolean).join('\n')
  const inside = (
    <span
      className={`cell ${state}`}
      title={title}
      style={shade === null ? undefined : { background: shade.fill, color: shade.ink }}
    >
      {state !== 'done' && <StateSign state={state} />}
      {shade === null ? (progressText(cell) ?? word) : shade.text}
      {state === 'suspicious' && <span className="visually-hidden">{word}</span>}
    </span>
  )
  return run === null ? inside : <Link href={hrefTo(['run', run])}>{inside}</Link>
}

/** Evaluations made of those planned. */
function progressText({ progress }: StudyCell): string | null {
  if (progress === null || progress.planned === null) return null
  return `${progress.done} / ${progress.planned}`
}

/** The same shades, and as many decimals, as in the charts of reports. */
function shadesOf(cells: readonly StudyCell[]): (cell: StudyCell) => Shade | null {
  const { low, high, decimals } = cellFacts([cells.map(cell => ({ value: finiteValue(cell) }))])
  return cell => {
    const value = finiteValue(cell)
    if (cell.value === null) return null
    if (value === null) return { fill: 'transparent', ink: 'inherit', text: String(cell.value) }
    const share = high > low ? (value - low) / (high - low) : 0.5
    const { fill, ink } = HEAT[Math.min(HEAT.length - 1, Math.floor(share * HEAT.length))]
    return { fill, ink, text: Math.abs(value) < 1e6 ? fixed(value, decimals) : figure(value, 4) }
  }
}

function finiteValue({ value }: StudyCell): number | null {
  return typeof value === 'number' ? value : null
}

function columnOf({ seed, step }: StudyCell): string {
  return `${seed}@${step}`
}
