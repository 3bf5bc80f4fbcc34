import { useMemo, useState } from 'react'
import type { Chart } from '../../src/core/charts/chart.js'
import { groupBy } from '../../src/logs/model/util/group-by.js'
import { figure } from '../../src/text/numbers.js'
import type { Answers } from '../api.js'
import { ChartView } from '../charts/chart-view.js'
import { Fold } from '../fold.js'
import { Choice, Loading, ProblemBox, Section } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { siteIndex } from '../site.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/** What the log holds beside metrics: how busy the machine was, pictures, histograms. Read when it is opened, from the log. */

type Media = Answers['media']

const SOURCES = ['wandb', 'tensorboard']

export function MediaSection({ run, source }: { readonly run: string; readonly source: string }) {
  const say = useSay()
  if (siteIndex !== null || !SOURCES.includes(source)) return null
  return (
    <Section title={say('web.media', {})}>
      <Fold id="media" summary={say('web.media.open', {})}>
        {() => <LoggedMedia run={run} />}
      </Fold>
    </Section>
  )
}

function LoggedMedia({ run }: { readonly run: string }) {
  const say = useSay()
  const { answer, problem } = useAsk('media', { run }, { keeps: true })
  if (problem !== null) return <ProblemBox problem={problem} />
  if (answer === null) return <Loading rows={4} />
  const { system, images, histograms } = answer
  if (system.length + images.length + histograms.length === 0)
    return <p className="hint">{say('web.media.none', {})}</p>
  return (
    <>
      <SystemPanels system={system} />
      <div className="media">
        {histograms.map(each => (
          <Stepped key={each.name} name={each.name} steps={each.steps}>
            {step => <Bars name={each.name} {...step} />}
          </Stepped>
        ))}
        {images.map(each => (
          <Stepped key={each.name} name={each.name} steps={each.steps}>
            {({ file, place }) => <Picture run={run} file={file} place={place} name={each.name} />}
          </Stepped>
        ))}
      </div>
    </>
  )
}

/** `gpu.0.memory` and `gpu.1.memory` are two lines of one panel. */
const DEVICE = /^(.*?)\.(\d+)\.(.*)$/

function SystemPanels({ system }: Pick<Media, 'system'>) {
  const { language } = useLanguage()
  const say = useSay()
  const charts = useMemo(() => {
    const unchanging = ({ values }: Media['system'][number]): boolean => values.every(value => value === values[0])
    const moving = system.filter(series => !unchanging(series))
    const groups = groupBy(moving, ({ name }) => name.replace(DEVICE, '$1.$3'))
    return [...groups].map(
      ([title, lines]): Chart => ({
        language,
        title,
        description: title,
        notes: [],
        findings: [],
        panels: [
          {
            x: { kind: 'progress', unit: 'seconds' },
            y: { kind: 'value' },
            marks: lines.map(({ name, seconds, values }, style) => ({
              kind: 'curve',
              name: DEVICE.exec(name)?.[2] ?? name,
              style,
              line: { x: seconds, y: values },
            })),
          },
        ],
      }),
    )
  }, [system, language])
  if (charts.length === 0) return null
  return (
    <>
      <h3>{say('web.media.system', {})}</h3>
      <div className="panel-grid">
        {charts.map(chart => (
          <section key={chart.title} className="panel" aria-label={chart.title}>
            <ChartView chart={chart} height={110} />
          </section>
        ))}
      </div>
    </>
  )
}

/** One of what was logged under a name at several steps; the last at first. */
function Stepped<Step extends { readonly step: number }>({
  name,
  steps,
  children,
}: {
  readonly name: string
  readonly steps: readonly Step[]
  readonly children: (step: Step) => React.ReactNode
}) {
  const say = useSay()
  const [at, setAt] = useState(steps.length - 1)
  const chosen = steps[Math.min(at, steps.length - 1)]
  return (
    <figure className="logged">
      <figcaption>
        <strong title={name}>{name}</strong>
        <Choice
          label={say('web.media.step', {})}
          value={String(at)}
          choices={steps.map(({ step }, i) => [String(i), figure(step, 6)] as const)}
          onValue={value => setAt(Number(value))}
        />
      </figcaption>
      {children(chosen)}
    </figure>
  )
}

const WIDTH = 240
const HEIGHT = 90

/** As wide as their bins, as high as what is in them. */
function Bars({ name, edges, counts }: Media['histograms'][number]['steps'][number] & { readonly name: string }) {
  const [low, high, most] = [edges[0], edges[edges.length - 1], Math.max(...counts)]
  const at = (edge: number): number => (high === low ? 0 : (WIDTH * (edge - low)) / (high - low))
  return (
    <>
      <svg className="bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={name}>
        {counts.map((count, i) => {
          const height = most > 0 ? (HEIGHT * count) / most : 0
          const width = Math.max(0.5, at(edges[i + 1]) - at(edges[i]))
          return <rect key={edges[i]} x={at(edges[i])} y={HEIGHT - height} width={width} height={height} />
        })}
      </svg>
      <p className="bars-ends">
        <span>{figure(low, 4)}</span>
        <span>{figure(high, 4)}</span>
      </p>
    </>
  )
}

function Picture({
  run,
  file,
  place,
  name,
}: {
  readonly run: string
  readonly file: number
  readonly place: string
  readonly name: string
}) {
  const { answer, problem } = useAsk('media-image', { run, file, place }, { keeps: true })
  if (problem !== null) return <p className="hint">{problem.message}</p>
  return answer === null ? <Loading /> : <img src={`data:${answer.type};base64,${answer.data}`} alt={name} />
}
