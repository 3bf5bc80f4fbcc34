import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import type { AuditDocument, Cell, Statement } from '../document.js'
import { namedIn } from '../names.js'
import type { AuditRule, Fault } from '../rule.js'

/**
 * More steps than fit between the run's start and the report's date: steps × seconds per step. All ranges are read in
 * the report's favour: the fastest step, the earliest start, the last second of the day. Two clocks may differ by half a
 * day, so only what no time zone explains is an error.
 */
export const timeline: AuditRule = {
  id: 'timeline',
  kind: 'timeline',
  severity: 'error',
  example: {
    faulty:
      'Report date: 2025-03-02\n\n| | run |\n|---|---|\n| time per step | 200-210s |\n\n- Training completed 900 steps.\n- log: run-20250301_080000-abc',
    sound:
      'Report date: 2025-03-04\n\n| | run |\n|---|---|\n| time per step | 200-210s |\n\n- Training completed 900 steps.\n- log: run-20250301_080000-abc',
  },
  *check(document: AuditDocument) {
    yield* spans(document)
    const written = reportDate(document)
    const said = written === null ? null : completedSteps(document)
    if (written === null || said === null) return
    const subjects = subjectOf(document, said.steps)
    const seconds = secondsPerStep(document, subjects)
    const start = startOf(document, subjects)
    if (seconds === null || start === null) return
    const ends = start + said.steps * seconds.range.low * 1_000
    const over = ends - written
    if (over <= 0 || ends > LATEST) return
    yield {
      offset: said.offset,
      severity: over > LARGEST_ZONE ? 'error' : 'warning',
      message: message('audit.timeline', {
        steps: said.steps,
        seconds: seconds.ends === null ? String(seconds.value) : `${seconds.ends[0]}–${seconds.ends[1]}`,
        hours: ((said.steps * seconds.range.low) / 3_600).toFixed(1),
        start: stamp(start),
        end: stamp(ends),
        written: stamp(written - 1).slice(0, 10),
      }),
      found: String(said.steps),
      expected: `≤ ${Math.floor((written - start) / (seconds.range.low * 1_000))}`,
    }
  },
}

/** "Started at …, finished all 300 steps at …": both by one clock, so no time zone explains it. */
function* spans(document: AuditDocument): Generator<Fault> {
  let perStep: Quantity | null | undefined
  for (const { kind, text, dates, quantities, offsetOf } of document.statements) {
    if (kind === 'code' || dates.length !== 2 || !RUN_LOG.test(text) || !DONE.test(text)) continue
    const [start, end] = dates
    const steps = quantities.find(({ unit, ends, hedge }) => unit === 'step' && ends === null && hedge === null)
    if (steps === undefined) continue
    perStep = perStep === undefined ? secondsPerStep(document, null) : perStep
    const seconds = perStep
    if (seconds === null || [start, end].some(({ length }) => length > 60_000)) continue
    const needed = steps.value * seconds.range.low * 1_000
    const span = end.time + end.length - start.time
    if (span <= 0 || needed <= span) continue
    yield {
      offset: offsetOf(end.from),
      message: message('audit.timeline-span', {
        steps: steps.value,
        seconds: String(seconds.value),
        hours: (needed / 3_600_000).toFixed(1),
        start: stamp(start.time),
        end: stamp(end.time),
        span: (span / 3_600_000).toFixed(1),
      }),
      found: stamp(end.time),
      expected: `≥ ${stamp(start.time + needed)}`,
    }
  }
}

/** The last moment that a date can be (ECMAScript); a report with so many steps counts something else. */
const LATEST = 8.64e15
/** From UTC−12 to UTC+14. */
const LARGEST_ZONE = 26 * 3_600_000
const WRITTEN = /报告|生成时间|撰写|更新时间|分析时间|report|generated|written|updated/i
const RUN_LOG = /wandb|日志|开始|启动|run-|start|launched|(?<![a-z])logs?(?![a-z])/i
const STEP_TIME =
  /[每单]步(?:平均)?(?:时间|耗时|用时|约|需)|[每单]步平均|(?:time|seconds|s) ?(?:per|\/) ?step|step time/i
const DONE = /已训练|完成|(?<![a-z])(?:completed?|finished|trained for)(?![a-z])/i

/** The end of the latest day on which the report says it was written. */
function reportDate({ statements }: AuditDocument): number | null {
  const days = statements
    .flatMap(({ text, dates }) => (dates.length > 0 && WRITTEN.test(text) ? dates : []))
    .filter(({ length }) => length > 60_000)
  return days.length === 0
    ? null
    : days.reduce((latest, { time, length }) => Math.max(latest, time + length), Number.NEGATIVE_INFINITY)
}

function completedSteps({ statements }: AuditDocument): { readonly steps: number; readonly offset: number } | null {
  for (const { text, quantities, offsetOf, claims, kind } of statements) {
    if (kind === 'code' || quantities.length === 0 || !DONE.test(text)) continue
    if (claims.some(({ kind, hedged }) => kind === 'pending' || hedged)) continue
    const steps = quantities.find(({ unit, ends, hedge }) => unit === 'step' && ends === null && hedge === null)
    if (steps !== undefined) return { steps: steps.value, offset: offsetOf(steps.from) }
  }
  return null
}

interface Subject {
  readonly name: string
  readonly other: string
  readonly column: number
}

/** Which of two columns trained so many steps. */
function subjectOf({ tables }: AuditDocument, steps: number): Subject | null {
  for (const { header, rows } of tables) {
    if (header.length < 3) continue
    for (const row of rows) {
      const columns = [1, 2].filter(column =>
        row[column].quantities.some(({ unit, value }) => unit === 'step' && value === steps),
      )
      if (columns.length !== 1) continue
      const [column] = columns
      return { name: header[column].text, other: header[column === 1 ? 2 : 1].text, column }
    }
  }
  return null
}

function secondsPerStep({ tables, statements }: AuditDocument, subject: Subject | null): Quantity | null {
  const rows = tables.flatMap(({ rows }) => rows).filter(([label]) => STEP_TIME.test(label.text))
  const cells = rows.flatMap(row =>
    subject === null || row[subject.column] === undefined ? row : [row[subject.column]],
  )
  const said = statements.filter(({ text, kind }) => kind !== 'cell' && STEP_TIME.test(text))
  const times = [...cells.flatMap(inSeconds), ...(cells.length === 0 ? said.flatMap(saidSeconds) : [])]
  return times.toSorted((a, b) => a.range.low - b.range.low)[0] ?? null
}

/** The first time behind the words: what follows may be parts of it. */
function saidSeconds(statement: Statement): readonly Quantity[] {
  const at = STEP_TIME.exec(statement.text)?.index ?? 0
  const times = inSeconds(statement)
  return [times.find(({ from }) => from >= at) ?? times[0]].filter(time => time !== undefined)
}

function inSeconds({ quantities }: Cell | Statement): readonly Quantity[] {
  return quantities.filter(({ unit, signed, value }) => unit === 's' && !signed && value > 0)
}

/** The stamp that is labelled with the subject's name; without a label the earliest. */
function startOf({ statements }: AuditDocument, subject: Subject | null): number | null {
  const stamps = statements.flatMap(({ text, dates }) =>
    dates.length > 0 && RUN_LOG.test(text)
      ? dates.filter(({ length }) => length <= 60_000).map(date => ({ date, text }))
      : [],
  )
  const named = stamps.filter(({ date, text }) => {
    const label = /^[\w-]{0,40}\s?\(([^)]{1,30})\)/.exec(text.slice(date.to))?.[1]
    return subject !== null && label !== undefined && namedIn(label, [subject.name, subject.other]) === 0
  })
  const times = (named.length > 0 ? named : stamps).map(({ date }) => date.time)
  return times.length === 0 ? null : times.reduce((earliest, time) => Math.min(earliest, time))
}

function stamp(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ')
}
