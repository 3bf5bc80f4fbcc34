import { useDeferredValue, useEffect, useState } from 'react'
import { scoreOverSteps } from '../../src/core/present/rollouts.js'
import { count, figure } from '../../src/text/numbers.js'
import type { Answers } from '../api.js'
import { ChartView } from '../charts/chart-view.js'
import { Fold } from '../fold.js'
import { change, usePlace } from '../location.js'
import { Choice, Field, Loading, ProblemBox, Section } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'
import { RolloutCard, TOKEN_COLOURS, type TokenColour } from './texts.js'

/** The answers of one run, step by step: how their scores are spread, and those that are looked for. The address holds the view. */

type Found = Answers['rollouts']

const PAGE = 20
const ORDERS = ['highest', 'lowest', 'longest', 'shortest', 'repeated', 'prompt'] as const

/** What narrows the list down. */
const NO_FILTER = { scores: null, ended: null, prompt: null, repeated: null, q: null, n: null }

export function RolloutExplorer({ side }: { readonly side: string }) {
  const { query } = usePlace()
  const most = Number(query.get('n') ?? PAGE)
  const text = (name: string): string | null => query.get(name)
  const request = {
    run: side,
    most: Math.min(1000, most),
    ...(text('metric') && { metric: text('metric') }),
    ...(query.has('condition') && { condition: query.getAll('condition') }),
    ...(text('scores') && { scores: text('scores') }),
    ...(text('q') && { search: text('q') }),
    ...(text('ended') && { ended: text('ended') }),
    ...(text('prompt') && { prompt: text('prompt') }),
    ...(query.has('repeated') && { repeated: true }),
    ...(ORDERS.some(order => order === text('order')) && { order: text('order') }),
    ...(query.has('all') && { allSteps: true }),
  }
  const { answer, problem, isAsking } = useAsk('rollouts', request, { touching: [runOf(side)], keeps: true })
  if (problem !== null) return <ProblemBox problem={problem} />
  if (answer === null) return <Loading rows={10} />
  return (
    <div className="rollouts" aria-busy={isAsking}>
      <StepControls answer={answer} />
      <div className="rollout-spread">
        <Histogram answer={answer} />
        <Marks answer={answer} />
      </div>
      <OverTraining answer={answer} />
      <FoundAnswers answer={answer} most={most} />
    </div>
  )
}

function runOf(side: string): string {
  return side.replace(/@\d+(?:\.\d+)?$/, '')
}

function goTo(answer: Found, step: number | null): void {
  change({
    side: step === null ? answer.run : `${answer.run}@${step}`,
    all: step === null ? 'yes' : null,
    n: null,
    prompt: null,
  })
}

function StepControls({ answer }: { readonly answer: Found }) {
  const say = useSay()
  const { query } = usePlace()
  const [search, setSearch] = useState(query.get('q') ?? '')
  const deferred = useDeferredValue(search)
  useEffect(() => change({ q: deferred, n: null }, { replace: true }), [deferred])
  const { step, steps, metric, alternatives, conditions, condition, goal } = answer
  const at = steps.findIndex(each => each.step === step)
  const [before, after] = [steps[at - 1], at < 0 ? undefined : steps[at + 1]]
  return (
    <div className="controls">
      <span className="step-choice">
        <Choice
          label={say('web.rollouts.step', {})}
          value={step === null ? '' : String(step)}
          choices={[
            ...steps.map(each => [String(each.step), figure(each.step, 15)] as const),
            ...(steps.length > 1 ? [['', say('web.rollouts.steps.all', {})] as const] : []),
          ]}
          onValue={value => goTo(answer, value === '' ? null : Number(value))}
        />
        {steps.length > 1 && (
          <>
            <button
              type="button"
              aria-label={say('web.rollouts.earlier', {})}
              disabled={before === undefined}
              onClick={() => before !== undefined && goTo(answer, before.step)}
            >
              ←
            </button>
            <button
              type="button"
              aria-label={say('web.rollouts.later', {})}
              disabled={after === undefined}
              onClick={() => after !== undefined && goTo(answer, after.step)}
            >
              →
            </button>
          </>
        )}
      </span>
      <Field label={say('web.rollouts.search', {})} value={search} onValue={setSearch} isSearch width={240} />
      <Choice
        label={say('web.rollouts.order', {})}
        value={ORDERS.find(each => each === query.get('order')) ?? (goal === 'max' ? 'highest' : 'lowest')}
        choices={ORDERS.map(order => [order, say(`web.rollouts.order.${order}`, {})] as const)}
        onValue={order => change({ order, n: null })}
      />
      {alternatives.length > 0 && (
        <Choice
          label={say('web.rollouts.score', {})}
          value={metric}
          choices={[metric, ...alternatives].map(each => [each, each] as const)}
          onValue={value => change({ ...NO_FILTER, metric: value })}
        />
      )}
      {conditions.length > 1 && (
        <Choice
          label={say('web.rollouts.condition', {})}
          value={conditionText(condition)}
          choices={conditions.map(each => [conditionText(each), conditionText(each)] as const)}
          onValue={value => change({ ...NO_FILTER, condition: value.split(' ').filter(Boolean) })}
        />
      )}
    </div>
  )
}

function conditionText(condition: Found['condition']): string {
  const { aggregate: _, ...asked } = condition
  return Object.entries(asked)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ')
}

/** A click on a bar shows its answers, another one takes that back. */
function Histogram({ answer: { bins, total } }: { readonly answer: Found }) {
  const say = useSay()
  const { query } = usePlace()
  const most = Math.max(...bins.map(({ n }) => n))
  const rangeOf = ({ low, high }: Found['bins'][number]): string =>
    low === high ? figure(low, 3) : `${figure(low, 3)} … ${figure(high, 3)}`
  return (
    <Section title={say('web.rollouts.histogram', { n: count(total) })}>
      <div className="histogram">
        {bins.map(bin => {
          const asked = `${bin.low}:${bin.high}`
          const isChosen = query.get('scores') === asked
          const label = say('web.rollouts.bin', { range: rangeOf(bin), n: bin.n })
          return (
            <button
              key={asked}
              type="button"
              aria-pressed={isChosen}
              aria-label={label}
              title={label}
              disabled={bin.n === 0}
              onClick={() => change({ scores: isChosen ? null : asked, prompt: null, n: null })}
            >
              <i style={{ height: `${bin.n === 0 ? 0 : Math.max(2, (100 * bin.n) / most)}%` }} />
            </button>
          )
        })}
      </div>
      <p className="histogram-ends">
        <span>{bins.length > 0 && figure(bins[0].low, 3)}</span>
        <span>{bins.length > 1 && figure(bins[bins.length - 1].high, 3)}</span>
      </p>
    </Section>
  )
}

/** Why answers ended, and which are repeated: each filters the list. */
function Marks({ answer: { ends, texts } }: { readonly answer: Found }) {
  const say = useSay()
  const { query } = usePlace()
  const ended = query.get('ended')
  const isRepeated = query.has('repeated')
  if (ends.length === 0 && (texts === null || texts.repeated === 0)) return null
  return (
    <Section title={say('web.rollouts.ends', {})}>
      <div className="rollout-marks">
        {ends.map(({ why, n }) => (
          <button
            key={why}
            type="button"
            aria-pressed={ended === why}
            onClick={() => change({ ended: ended === why ? null : why, prompt: null, n: null })}
          >
            {why} <span className="count">{count(n)}</span>
          </button>
        ))}
        {texts !== null && texts.repeated > 0 && (
          <button
            type="button"
            aria-pressed={isRepeated}
            onClick={() =>
              change({
                repeated: isRepeated ? null : 'yes',
                order: isRepeated ? null : 'repeated',
                prompt: null,
                n: null,
              })
            }
          >
            {say('web.rollouts.repeated', { n: count(texts.repeated) })}
          </button>
        )}
      </div>
    </Section>
  )
}

/** Folded, so that the answers stand in sight; a click on a point goes to its step. */
function OverTraining({ answer }: { readonly answer: Found }) {
  const say = useSay()
  const { language } = useLanguage()
  const { steps, pass } = answer
  if (steps.length < 2) return null
  const ends = (values: readonly number[]): string =>
    `${figure(values[0], 3)} → ${figure(values[values.length - 1], 3)}`
  const facts = [
    `${say('web.rollouts.mean', {})} ${ends(steps.map(({ mean }) => mean))}`,
    ...(pass === null
      ? []
      : [
          `pass@1 ${ends(pass.steps.map(({ one }) => one))}`,
          `pass@${pass.k} ${ends(pass.steps.map(({ many }) => many))}`,
        ]),
  ]
  return (
    <Fold
      id="over-training"
      summary={
        <>
          {say('web.rollouts.over', {})} <span className="muted">{facts.join(' · ')}</span>
        </>
      }
    >
      {() => (
        <div className="rollout-charts">
          {scoreOverSteps(answer, language).map(chart => (
            <ChartView
              key={chart.title}
              chart={chart}
              onPick={({ reading: { x } }) => goTo(answer, nearest(answer, Number(x)))}
            />
          ))}
        </div>
      )}
    </Fold>
  )
}

function nearest({ steps }: Found, x: number): number {
  return steps.reduce((best, { step }) => (Math.abs(step - x) < Math.abs(best - x) ? step : best), steps[0].step)
}

function FoundAnswers({ answer, most }: { readonly answer: Found; readonly most: number }) {
  const say = useSay()
  const { query } = usePlace()
  const { rollouts, found, total, metric, run } = answer
  const prompt = query.get('prompt')
  const isNarrowed = Object.keys(NO_FILTER).some(name => name !== 'n' && query.has(name))
  const hasTokens = rollouts.some(({ tokens }) => tokens !== null)
  const wanted = TOKEN_COLOURS.find(each => each === query.get('tokens'))
  const colour: TokenColour = wanted ?? 'none'
  const more = Math.min(PAGE, found - rollouts.length)
  const asked = { run, metric, ...(query.has('condition') && { condition: query.getAll('condition') }) }
  const [first] = rollouts
  return (
    <Section
      title={
        prompt === null
          ? say('web.rollouts.found', { found: count(found), total: count(total) })
          : say('web.rollouts.group.title', { n: count(found), prompt })
      }
      aside={
        <div className="controls">
          {hasTokens && (
            <Choice
              label={say('web.rollouts.colour', {})}
              value={colour}
              choices={TOKEN_COLOURS.map(each => [each, say(`web.rollouts.colour.${each}`, {})] as const)}
              onValue={value => change({ tokens: value === 'none' ? null : value }, { replace: true })}
            />
          )}
          {isNarrowed && (
            <button type="button" onClick={() => change(NO_FILTER)}>
              {say('web.rollouts.clear', {})}
            </button>
          )}
        </div>
      }
    >
      {first === undefined && <p className="muted">{say('web.rollouts.none', {})}</p>}
      {prompt !== null && first?.input != null && <pre className="rollout-prompt">{first.input}</pre>}
      <div className={prompt === null ? '' : 'side-by-side'}>
        {rollouts.map(rollout => (
          <RolloutCard
            key={`${rollout.step} ${rollout.prompt} ${rollout.repeat}`}
            rollout={rollout}
            colour={colour}
            asked={asked}
            {...(prompt === null && {
              onGroup: () =>
                change({ ...NO_FILTER, prompt: rollout.prompt, side: `${run}@${rollout.step}`, all: null }),
            })}
          />
        ))}
      </div>
      {more > 0 && rollouts.length < 1000 && (
        <button type="button" onClick={() => change({ n: String(most + PAGE) }, { replace: true })}>
          {say('web.rollouts.more-answers', { n: more })}
        </button>
      )}
    </Section>
  )
}
