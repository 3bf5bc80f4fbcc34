import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { differenceChart } from '../../src/charts/difference.js'
import { intervalsChart } from '../../src/charts/intervals.js'
import { figure, fixed, signed } from '../../src/text/numbers.js'
import { metricLabel, settingLabel } from '../../src/text/vocabulary.js'
import type { Answers } from '../api.js'
import { ChartView } from '../charts/chart-view.js'
import { MetricPanels } from '../charts/metric-panels.js'
import { PanelControls, usePanelSettings } from '../charts/panel-controls.js'
import { change, hrefTo, usePlace } from '../location.js'
import { columnTitle, KNOWN_NAMES } from '../names.js'
import { asSentence, Field, Link, Loading, ProblemBox, Scroll, Section, shownFigure } from '../parts.js'
import { usePicked } from '../picked.js'
import { useLanguage } from '../preferences.js'
import { rememberComparison } from '../recent.js'
import { useSession } from '../session.js'
import { SideChooser } from '../side-chooser.js'
import { useAsk } from '../use-ask.js'
import { differenceText, intervalText, VerdictCard } from '../verdict.js'
import { useSay } from '../words.js'

/** Better, worse, about the same or undetermined: the verdict as a sentence first, then everything that it rests on. */

type Comparison = Answers['compare']
type OtherSide = Comparison['others'][number]

export function ComparePage() {
  const say = useSay()
  const { query } = usePlace()
  const { workspace } = useSession()
  const sides = query.getAll('side')
  const [metric, margin, window] = ['metric', 'margin', 'window'].map(name => query.get(name))
  const request = {
    sides,
    ...(metric && { metric }),
    ...(margin && { margin }),
    ...(window && { window }),
  }
  const { answer, problem, isAsking } = useAsk('compare', sides.length > 1 ? request : null, {
    touching: 'all',
    keeps: true,
  })
  const isJudged = answer !== null
  const key = sides.join('\n')
  useEffect(() => {
    if (isJudged && key !== '') rememberComparison(workspace, { sides: key.split('\n'), metric, margin })
  }, [isJudged, key, metric, margin, workspace])
  return (
    <div className="page" aria-busy={isAsking}>
      <header className="page-head">
        <h1>{say('web.compare.title', {})}</h1>
      </header>
      <SideChooser
        sides={sides}
        placeholder={say('web.compare.side', {})}
        isBaselineFirst
        onSides={next => change({ side: next })}
      />
      <div className="controls">
        <Typed
          name="metric"
          label={say('web.compare.metric', {})}
          placeholder="val.score"
          width={220}
          list="known-names"
        />
        <Typed
          name="margin"
          label={say('web.compare.margin', {})}
          placeholder={say('web.compare.margin.hint', {})}
          width={110}
        />
        <Typed
          name="window"
          label={say('web.compare.window', {})}
          placeholder={say('web.compare.window.hint', {})}
          width={110}
        />
        <datalist id="known-names">
          {KNOWN_NAMES.map(name => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      {sides.length < 2 && <p className="empty">{say('web.compare.needs-two', {})}</p>}
      {problem !== null && <ProblemBox problem={problem} />}
      {sides.length > 1 && answer === null && problem === null && (
        <div className="verdict-room">
          <Loading rows={8} />
        </div>
      )}
      {sides.length > 1 && answer !== null && problem === null && <Judged answer={answer} />}
      {sides.length > 1 && (
        <Curves sides={sides} metric={metric ?? 'val.score'} answer={problem === null ? answer : null} />
      )}
      {sides.length > 1 && answer !== null && problem === null && <Grounds answer={answer} />}
    </div>
  )
}

/** A field that stands in the address once its reader pauses. */
function Typed({
  name,
  ...field
}: {
  readonly name: string
  readonly label: string
  readonly placeholder: string
  readonly width: number
  readonly list?: string
}) {
  const { query } = usePlace()
  const given = query.get(name) ?? ''
  const [text, setText] = useState(given)
  const deferred = useDeferredValue(text)
  useEffect(() => setText(given), [given])
  useEffect(() => {
    const timer = globalThis.setTimeout(() => change({ [name]: deferred.trim() }, { replace: true }), 350)
    return () => globalThis.clearTimeout(timer)
  }, [deferred, name])
  return <Field {...field} value={text} onValue={setText} />
}

function Judged({ answer }: { readonly answer: Comparison }) {
  const { language } = useLanguage()
  return (
    <>
      {answer.warnings.map(warning => (
        <p key={warning} className="warning-line">
          {asSentence(warning, language)}
        </p>
      ))}
      {answer.others.map((other, i) => (
        <div key={other.label} className="judged">
          <VerdictCard verdict={answer.verdicts[other.headline]} margin={answer.margin} />
          <Settling answer={answer} other={other} />
          <Differing answer={answer} at={i} />
        </div>
      ))}
    </>
  )
}

/** What the verdict rests on, below the curves. */
function Grounds({ answer }: { readonly answer: Comparison }) {
  const say = useSay()
  return (
    <>
      {answer.others.map(other => (
        <Questions key={other.label} answer={answer} other={other} />
      ))}
      <Flips answer={answer} />
      <Section title={say('web.compare.table', {})}>
        <StepTable answer={answer} />
      </Section>
    </>
  )
}

function Settling({ answer, other }: { readonly answer: Comparison; readonly other: OtherSide }) {
  const say = useSay()
  const { language } = useLanguage()
  const { toSettle, answer: said } = answer.verdicts[other.headline]
  if (said !== 'undetermined') return null
  const { evals, prompts, seeds, note } = toSettle
  const rows = [
    ...other.unused.map(evidence => [say('compare.settle.free', {}), evidence]),
    ...(evals === undefined ? [] : [[say('compare.settle.evals', {}), say('compare.settle.more-evals', { evals })]]),
    ...(prompts === undefined
      ? []
      : [[say('compare.settle.prompts', {}), say('compare.settle.more-prompts', { prompts })]]),
    ...(seeds === undefined ? [] : [[say('compare.settle.seeds', {}), say('compare.settle.more-seeds', { seeds })]]),
    ...(note === undefined ? [] : [[say('compare.settle.seeds', {}), note]]),
  ]
  return (
    <Section title={say('compare.head.settle', {})}>
      <dl className="pairs">
        {rows.map(([title, text]) => (
          <div key={text}>
            <dt>{title}</dt>
            <dd>{asSentence(text, language)}</dd>
          </div>
        ))}
        {other.choose !== null && (
          <div>
            <dt>{say('compare.head.choose', {})}</dt>
            <dd>{other.choose.sentence}</dd>
          </div>
        )}
      </dl>
    </Section>
  )
}

function Differing({ answer, at }: { readonly answer: Comparison; readonly at: number }) {
  const say = useSay()
  const { language } = useLanguage()
  const { confounds } = answer.others[at]
  const { knobs, smallestFix, separating } = answer.attribution[at]
  const baseline = answer.sides[0].label
  const title =
    confounds.length === 0
      ? say('compare.no-differences', {})
      : knobs.length === 0
        ? say('compare.only-other-keys', {})
        : say(knobs.length > 1 ? 'compare.cannot-credit' : 'compare.differences', { count: knobs.length })
  // `kl.loss.on` beside `kl.loss.coef` says nothing that "off" in its place does not.
  const shown = confounds.filter(
    ({ key }) => !(key.endsWith('.on') && confounds.some(other => other.key === key.replace(/\.on$/, '.coef'))),
  )
  const labelOf = (knob: string): string => settingLabel(shown.find(each => each.knob === knob)?.key ?? knob, language)
  return (
    <Section title={title}>
      {shown.length > 0 && (
        <table className="fixed">
          <thead>
            <tr>
              <th>{say('web.run.setting', {})}</th>
              {answer.sides.slice(0, 1).map(({ label }) => (
                <th key={label}>{label}</th>
              ))}
              <th>{answer.others[at].label}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ key, values }) => (
              <tr key={key}>
                <td title={key}>{settingLabel(key, language)}</td>
                {values.map((value, i) => (
                  <td key={i} className="value">
                    {key.endsWith('.coef') && (value === null || value === 0)
                      ? say('compare.off', {})
                      : shownFigure(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {separating.map(({ knob, run }) => (
        <p key={knob}>{say('compare.separating', { run, baseline, setting: labelOf(knob) })}</p>
      ))}
      {smallestFix !== null && <p>{say('compare.smallest-fix', { baseline, setting: labelOf(smallestFix) })}</p>}
    </Section>
  )
}

/** Beside the metric in question, what people look at to understand it. */
const BESIDE = ['score.mean', 'kl.ref', 'entropy', 'len.response', 'grad.norm', 'clip.frac', 'loss.policy']

/** They do not wait for the verdict: which runs are meant is known long before. */
function Curves({
  sides,
  metric,
  answer,
}: {
  readonly sides: readonly string[]
  readonly metric: string
  readonly answer: Comparison | null
}) {
  const say = useSay()
  const { language } = useLanguage()
  const settings = usePanelSettings({ isJudged: true })
  const { hidden } = usePicked()
  const { answer: meant } = useAsk('sides', { sides }, { touching: 'all', keeps: true })
  const runs = (meant?.sides ?? []).flatMap(({ label, runs: members }, look) =>
    members
      .filter(({ id }) => !hidden.has(id))
      .map(({ id, name }) => ({ id, look, side: label, name: members.length === 1 ? label : name })),
  )
  const title = columnTitle(metric, language)
  return (
    <Section title={say('web.compare.curves', {})} aside={<PanelControls settings={settings} canSmooth={false} />}>
      <MetricPanels title={title} runs={runs} metrics={[metric]} settings={settings} />
      {answer !== null && <Difference answer={answer} name={title} />}
      <MetricPanels
        title={say('web.compare.summary', {})}
        runs={runs}
        metrics={BESIDE.filter(each => each !== metric)}
        titleOf={each => metricLabel(each, language)}
        settings={settings}
      />
    </Section>
  )
}

const SAME_UNIT = new Set<string>(['checkpoint', 'level', 'final'])

/** Of two sides the difference step by step; of more, each with its interval. */
function Difference({ answer, name }: { readonly answer: Comparison; readonly name: string }) {
  const { language } = useLanguage()
  const say = useSay()
  const chart = useMemo(() => {
    const metric = { name, goal: answer.goal }
    if (answer.others.length > 1) {
      const rows = answer.others.flatMap(({ label, verdicts }) =>
        verdicts
          .map(at => answer.verdicts[at])
          .filter(
            ({ question, interval, metric: of }) =>
              SAME_UNIT.has(question) && interval !== null && of === answer.verdicts[0].metric,
          )
          .map(verdict => ({
            label: `${say(`question.${verdict.question === 'trend' ? 'level' : verdict.question}`, {})}, ${label}`,
            answer: verdict.answer,
            margin: verdict.margin,
            estimate: verdict.estimate === null ? null : Number(verdict.estimate),
            interval: intervalOf(verdict),
          })),
      )
      return rows.length === 0 ? null : intervalsChart({ language, metric, rows })
    }
    const rows = answer.table.rows.filter(({ diff }) => diff !== null)
    const [other] = answer.others
    const { baseline, margin, estimate, question, ...verdict } = answer.verdicts[other.headline]
    const isOfCheckpoints = question === 'checkpoint'
    if (rows.length < 2) return null
    return differenceChart({
      language,
      metric,
      baseline,
      other: other.label,
      steps: rows.map(({ step }) => step),
      differences: rows.map(({ diff }) => Number(diff)),
      estimate: isOfCheckpoints || estimate === null ? null : Number(estimate),
      interval: isOfCheckpoints ? null : intervalOf(verdict),
      ...(other.window !== null && { window: other.window }),
      margin,
    })
  }, [answer, name, language, say])
  return chart === null ? null : <ChartView chart={chart} />
}

function intervalOf({ interval }: Pick<Comparison['verdicts'][number], 'interval'>): readonly [number, number] | null {
  return interval === null ? null : [Number(interval[0]), Number(interval[1])]
}

function Questions({ answer, other }: { readonly answer: Comparison; readonly other: OtherSide }) {
  const say = useSay()
  const { language } = useLanguage()
  const headline = answer.verdicts[other.headline]
  const verdicts = [
    ...other.verdicts
      .filter(at => at !== other.headline)
      .map(at => answer.verdicts[at])
      .filter(({ question }) => question !== 'cost'),
    ...other.costs.map(at => answer.costs[at]).filter(({ estimate }) => estimate !== null),
  ]
  const title =
    answer.others.length === 1
      ? say('web.compare.other-questions', {})
      : `${say('web.compare.other-questions', {})}: ${other.label}`
  return (
    <Section title={title}>
      <table className="stack">
        <tbody>
          {verdicts.map(verdict => (
            <tr key={`${verdict.question} ${verdict.metric}`}>
              <td>
                {verdict.question === 'cost'
                  ? metricLabel(verdict.metric, language)
                  : say(`question.${verdict.question === 'trend' ? 'level' : verdict.question}`, {})}
                {verdict.metric !== headline.metric && verdict.question !== 'cost' && <code>{verdict.metric}</code>}
              </td>
              <td>
                <span className={`answer ${verdict.answer}`}>{say(`answer.${verdict.answer}`, {})}</span>
              </td>
              <td className="number">
                {verdict.question === 'stability' || verdict.question === 'speed' ? '' : differenceText(verdict)}
              </td>
              <td>{verdict.question === 'stability' ? '' : intervalText(say, verdict)}</td>
              <td className="muted">{verdict.reasons.join('; ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {other.sets.length > 1 && (
        <>
          <h3>{say('web.compare.sets', {})}</h3>
          <ul className="sets">
            {other.sets.map(({ metric, answer: said }) => (
              <li key={metric}>
                <code>{metric}</code> <span className={`answer ${said}`}>{say(`answer.${said}`, {})}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}

/** Only where both sides are one checkpoint each and kept their answers prompt by prompt. */
function Flips({ answer }: { readonly answer: Comparison }) {
  const say = useSay()
  const { query } = usePlace()
  const sides = query.getAll('side')
  const isPair = sides.length === 2 && answer.verdicts[answer.others[0].headline].question === 'checkpoint'
  const { answer: samples } = useAsk('samples', isPair ? { sides } : null)
  if (samples === null || samples.flips.length === 0) return null
  const gained = samples.flips.filter(flip => flip.gained).length
  return (
    <Section
      title={say('web.compare.flips', {})}
      aside={<Link href={hrefTo(['samples'], { side: sides })}>{say('web.compare.flips.all', {})}</Link>}
    >
      <p>{say('web.compare.flips.counts', { gained, lost: samples.flips.length - gained, n: samples.n })}</p>
    </Section>
  )
}

const FIRST_ROWS = 12

function StepTable({ answer: { table, sides, summary } }: { readonly answer: Comparison }) {
  const say = useSay()
  const { language } = useLanguage()
  const [isAll, setIsAll] = useState(false)
  const shown = isAll ? table.rows : table.rows.slice(0, FIRST_ROWS)
  const decimals = Math.min(6, Math.max(0, ...shown.flatMap(({ values }) => values.map(decimalsOf))))
  return (
    <>
      <Scroll label={say('web.compare.table', {})}>
        <table className="numbers">
          <thead>
            <tr>
              <th>{say('web.compare.step', {})}</th>
              {sides.map(({ label }) => (
                <th key={label}>{label}</th>
              ))}
              <th>{say('web.compare.diff', {})}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ step, values, diff }) => (
              <tr key={step}>
                <td>{step}</td>
                {values.map((value, i) => (
                  <td key={i}>{value === null ? '–' : fixed(Number(value), decimals)}</td>
                ))}
                <td>{diff === null ? '–' : signed(Number(diff), decimals)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {table.rows.length > FIRST_ROWS && (
        <button type="button" onClick={() => setIsAll(all => !all)}>
          {isAll ? say('web.run.fewer-panels', {}) : say('web.run.more-panels', { n: table.rows.length - FIRST_ROWS })}
        </button>
      )}
      <details>
        <summary>{say('web.compare.summary', {})}</summary>
        <Scroll label={say('web.compare.summary', {})}>
          <table className="numbers">
            <thead>
              <tr>
                <th>{say('web.compare.metric', {})}</th>
                {sides.map(({ label }) => (
                  <th key={label}>
                    {label}: {say('compare.column.first', {})} → {say('compare.column.last', {})}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {summary.map(({ metric, values }) => (
                <tr key={metric}>
                  <td title={metric}>{columnTitle(metric, language)}</td>
                  {values.map(({ first, last }, i) => (
                    <td key={i}>
                      {shownFigure(first)} → {shownFigure(last)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </details>
    </>
  )
}

function decimalsOf(value: number | string | null): number {
  return value === null ? 0 : (figure(Number(value), 4).split('.')[1] ?? '').replace(/e.*/, '').length
}
