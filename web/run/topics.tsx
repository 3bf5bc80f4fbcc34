import { useMemo } from 'react'
import type { ChartFinding } from '../../src/core/charts/chart.js'
import type { Answers } from '../api.js'
import { FullPanel } from '../charts/full-panel.js'
import type { ChartedRun, PanelSettings } from '../charts/metric-chart.js'
import { MetricPanels } from '../charts/metric-panels.js'
import type { Finding } from '../findings.js'
import { useFold } from '../fold.js'
import { change } from '../location.js'
import { rankOf, TOPICS, type Topic, topicOf, topicOfRule } from '../metric-topics.js'
import { metricTitles } from '../names.js'
import { useLanguage } from '../preferences.js'
import { useSay } from '../words.js'

/** The curves of a run, a section for each topic; what a reader looks for first stands first. */

type Shown = Answers['show']

const FIRST_PANELS = 6

interface Props {
  readonly shown: Shown
  readonly runs: readonly ChartedRun[]
  readonly findings: readonly Finding[]
  readonly settings: PanelSettings
}

export function Topics({ shown, runs, findings, settings }: Props) {
  const byTopic = useMemo(() => {
    const curves = shown.metrics.filter(({ metric }) => (shown.run.summary[metric]?.n ?? 2) > 1)
    return TOPICS.map(topic => ({
      topic,
      metrics: curves.filter(({ canonical, metric }) => topicOf(canonical ?? metric) === topic),
    })).filter(({ metrics }) => metrics.length > 0)
  }, [shown])
  return byTopic.map(({ topic, metrics }) => (
    <TopicSection
      key={topic}
      topic={topic}
      metrics={metrics}
      runs={runs}
      settings={settings}
      findings={findingsOf(topic, findings)}
    />
  ))
}

function findingsOf(topic: Topic, findings: readonly Finding[]): readonly ChartFinding[] {
  return findings
    .filter(({ rule }) => topicOfRule(rule) === topic)
    .map(({ steps: [from, to], rule, severity, metrics: about }): ChartFinding => {
      const cited = about.length === 0 ? {} : { metrics: about }
      return { from, to, label: rule, severity, ...cited }
    })
}

/** One of the curves over the whole window, with the findings of its topic. */
export function FullCurve({ metric, shown, findings, ...rest }: Props & { readonly metric: string }) {
  const { language } = useLanguage()
  const topic = topicOf(shown.metrics.find(each => each.metric === metric)?.canonical ?? metric)
  const title = metricTitles(shown.metrics, language).get(metric) ?? metric
  return <FullPanel metric={metric} title={title} findings={findingsOf(topic, findings)} {...rest} />
}

function TopicSection({
  topic,
  metrics,
  runs,
  findings,
  settings,
}: {
  readonly topic: Topic
  readonly metrics: Shown['metrics']
  readonly runs: readonly ChartedRun[]
  readonly findings: readonly ChartFinding[]
  readonly settings: PanelSettings
}) {
  const say = useSay()
  const { language } = useLanguage()
  const [isAll, setIsAll] = useFold(topic)
  const ordered = metrics.toSorted((a, b) => rankOf(a.canonical) - rankOf(b.canonical))
  const names = ordered.map(({ metric }) => metric)
  const titles = metricTitles(ordered, language)
  const more = names.length - FIRST_PANELS
  const title = say(`web.topic.${topic}`, {})
  const [only] = titles.values()
  return (
    <div className="topic">
      <MetricPanels
        title={names.length === 1 && only?.toLowerCase() !== title.toLowerCase() ? `${title}: ${only}` : title}
        runs={runs}
        metrics={isAll ? names : names.slice(0, FIRST_PANELS)}
        titleOf={name => titles.get(name) ?? name}
        findings={findings}
        settings={settings}
        onFull={metric => change({ full: metric })}
      />
      {more > 0 && (
        <button type="button" onClick={() => setIsAll(!isAll)}>
          {isAll ? say('web.run.fewer-panels', {}) : say('web.run.more-panels', { n: more })}
        </button>
      )}
    </div>
  )
}
