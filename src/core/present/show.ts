import type { SeriesAnswer, ShowAnswer } from '../../app/ask/show.js'
import type { Json } from '../../logs/model/json.js'
import { count, signedFigure } from '../../text/numbers.js'
import { message as words } from '../../text/say.js'
import { metricLabel, settingLabel } from '../../text/vocabulary.js'
import { curvesChart } from '../charts/curves.js'
import { type Block, heading, paragraph, section, table, toned } from './blocks.js'
import { taskBlocks } from './evaluation-comparison.js'
import { meaningBlocks } from './meaning.js'
import { objectiveBlocks, objectiveTitle } from './objective.js'
import { type Speaker, saying } from './speaker.js'
import { shortNumber, shortStep } from './terminal-text.js'

/** One run: its settings as they act, curves, metrics, and whether the log is complete. */

interface ShowOptions {
  /** The whole config as logged and the meaning of every metric, too. */
  readonly all?: boolean
  /** Whether some metrics were asked for, and settings were not. */
  readonly isOfMetrics?: boolean
}

export function showBlocks(answer: ShowAnswer, speaker: Speaker, options: ShowOptions = {}): readonly Block[] {
  return [
    headBlock(answer, speaker),
    ...(options.isOfMetrics === true ? [] : settingBlocks(answer, speaker, options.all ?? false)),
    ...(options.isOfMetrics === true ? [] : objectiveSection(answer, speaker)),
    ...meaningSection(answer, speaker, options),
    ...curveBlocks(answer, speaker),
    ...metricBlocks(answer, speaker),
    ...taskBlocks(answer.tasks, speaker),
    ...noteBlocks(answer, speaker),
    ...(answer.tasks.length > 0 ? [] : [integrityBlock(answer, speaker)]),
  ]
}

function headBlock({ run, tasks }: ShowAnswer, speaker: Speaker): Block {
  const say = saying(speaker, words)
  const { id, name, source, steps, metrics, points, evaluations, samples, duplicateOf } = run
  const status = say(`status.${run.status}`, {})
  const size =
    steps === null
      ? say('show.no-steps', {})
      : say('show.size', { first: shortStep(steps[0]), last: shortStep(steps[1]), metrics, points: count(points) })
  return section(
    `${name}   ${say('show.head', { id, source, status })}`,
    ...(tasks.length > 0 ? [] : [paragraph(size)]),
    ...(evaluations + samples === 0
      ? []
      : [paragraph(say('show.evaluations', { count: evaluations, samples: count(samples) }))]),
    ...(duplicateOf === null ? [] : [paragraph(toned(say('import.duplicate', { run: duplicateOf }), 'warning'))]),
    ...filesRead(run.files, speaker).map(line => paragraph(toned(`${say('show.files', {})} ${line}`, 'quiet'))),
  )
}

/** A folder of thousands of completions, one file a step, is one line. */
const MOST_FILES_OF_A_FOLDER = 3

function filesRead(files: ShowAnswer['run']['files'], speaker: Speaker): readonly string[] {
  const folders = new Set(files.map(({ path }) => folderOf(path)))
  return [...folders].flatMap(folder => {
    const inside = files.filter(({ path }) => folderOf(path) === folder).map(({ path }) => path)
    const isMany = inside.length > MOST_FILES_OF_A_FOLDER + 1
    const shown = isMany ? inside.slice(0, MOST_FILES_OF_A_FOLDER) : inside
    const left = inside.length - shown.length
    return left === 0 ? shown : [...shown, speaker.say(words('show.more-files', { count: left, folder }))]
  })
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** What takes effect, and what was configured where that differs. */
function settingBlocks({ settings, run: { config } }: ShowAnswer, speaker: Speaker, all: boolean): readonly Block[] {
  const say = saying(speaker, words)
  const keys = Object.keys(config)
  const named = new Set(settings.map(({ rawKey }) => rawKey))
  const more = keys.filter(key => !named.has(key)).length
  const effective = table(
    [],
    settings.flatMap(setting => {
      const { key, rawKey, effective: value } = setting
      const reason = reasonText(setting, speaker)
      const row = [settingLabel(key, speaker.language), valueText(value), toned(rawKey ?? '', 'quiet')]
      return reason === null ? [row] : [row, [toned(`    ${reason}`, 'warning')]]
    }),
  )
  const asLogged = table(
    [],
    keys.sort().map(key => [key, valueText(config[key])]),
  )
  return [
    ...(settings.length === 0 ? [] : [section(say('show.settings', {}), effective)]),
    ...(all && keys.length > 0 ? [section(say('show.config', {}), asLogged)] : []),
    ...(all || more === 0 ? [] : [paragraph(toned(say('show.more-settings', { count: more }), 'quiet'))]),
  ]
}

function reasonText({ configured, effective, reason }: ShowAnswer['settings'][number], { say }: Speaker) {
  if (reason === null) return null
  if (configured === null || JSON.stringify(configured) === JSON.stringify(effective)) return reason
  return say(words('show.replaced-by-effect', { configured: valueText(configured), reason }))
}

function valueText(value: Json): string {
  if (value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function objectiveSection({ objective }: ShowAnswer, speaker: Speaker): readonly Block[] {
  return objective === null ? [] : [section(objectiveTitle(speaker), ...objectiveBlocks(objective, speaker))]
}

function curveBlocks({ series }: ShowAnswer, speaker: Speaker): readonly Block[] {
  const charts = series.flatMap((each, i) => curveBlock(each, i, speaker))
  return charts.length === 0 ? [] : [heading(speaker.say(words('show.curves', {}))), ...charts]
}

/** A range is drawn from its lowest value to its highest. */
function curveBlock(series: SeriesAnswer, nth: number, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const { metric, canonical, unit, goal, ranges } = series
  const points =
    ranges === undefined
      ? series.points
      : ranges.flatMap(({ from, to, low, high }) => [[from, low] as const, [to, high] as const])
  if (points.length === 0) return []
  const n = ranges?.reduce((sum, range) => sum + range.points, 0) ?? points.length
  const about = [
    say('show.points', { n }),
    ...(unit === null ? [] : [unit]),
    ...(goal === null ? [] : [say(goal === 'max' ? 'show.higher' : 'show.lower', {})]),
  ]
  const label = canonical === null ? [] : [metricLabel(canonical, speaker.language), canonical]
  const line = { steps: points.map(([step]) => step), values: points.map(([, value]) => Number(value)) }
  return [
    {
      kind: 'chart',
      id: `curve-${nth + 1}`,
      caption: `${[...label, metric].join('  ')}   ${about.join(' · ')}`,
      definition: curvesChart({
        language: speaker.language,
        metric: { name: metric, goal },
        sides: [{ label: metric, line }],
      }),
    },
  ]
}

function meaningSection({ metrics }: ShowAnswer, speaker: Speaker, { all = false, isOfMetrics = false }: ShowOptions) {
  const blocks = meaningBlocks(metrics, speaker, { all: all || isOfMetrics })
  return blocks.length === 0 ? [] : [section(speaker.say(words('show.meaning', {})), ...blocks)]
}

const COLUMNS = ['metric', 'canonical', 'n', 'first', 'last', 'change', 'min', 'max', 'mean'] as const

function metricBlocks({ run, metrics }: ShowAnswer, speaker: Speaker): readonly Block[] {
  if (metrics.length === 0) return []
  const say = saying(speaker, words)
  const rows = metrics.map(({ metric, canonical }) => {
    const { n, mean, ...values } = run.summary[metric]
    const start = [metric, canonical ?? '', count(n)]
    if (n === 0) return [...start, '', '', '', '', '', '']
    const [first, last] = [Number(values.first), Number(values.last)]
    return [
      ...start,
      shortNumber(first),
      shortNumber(last),
      signedFigure(last - first),
      `${figureText(values.min)} @ ${stepText(values.minStep)}`,
      `${figureText(values.max)} @ ${stepText(values.maxStep)}`,
      figureText(mean),
    ]
  })
  const header = COLUMNS.map(column => say(`show.column.${column}`, {}))
  return [section(say('show.metrics', {}), table(header, rows))]
}

type SummaryFigure = ShowAnswer['run']['summary'][string]['mean']

function figureText(value: SummaryFigure): string {
  return shortNumber(Number(value ?? Number.NaN))
}

function stepText(step: SummaryFigure): string {
  return shortStep(Number(step ?? Number.NaN))
}

/** What the framework's logs are known to mislead about. */
function noteBlocks({ notes }: ShowAnswer, { say }: Speaker): readonly Block[] {
  if (notes.length === 0) return []
  const about = notes.map(({ note, metrics }) => section(metrics.join(', '), paragraph(note)))
  return [section(say(words('show.notes', {})), ...about)]
}

function integrityBlock({ integrity }: ShowAnswer, { say }: Speaker): Block {
  const lines =
    integrity.length === 0
      ? [paragraph(say(words('integrity.whole', {})))]
      : integrity.map(remark => paragraph(toned('!', 'warning'), ` ${remark}`))
  return section(say(words('show.integrity', {})), ...lines)
}
