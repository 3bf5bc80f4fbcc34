import { decimalsIn } from '../../src/core/present/comparison.js'
import { samplesSummary } from '../../src/core/present/samples.js'
import { count, fixed } from '../../src/text/numbers.js'
import type { Answers } from '../api.js'
import { Blocks, useSpeaker } from '../blocks.js'
import { Dialogue, dialogueIn } from '../dialogue.js'
import { Fold, useFold } from '../fold.js'
import { change, hrefTo, usePlace } from '../location.js'
import { Field, Link, Loading, ProblemBox, Section, shownFigure, Typed } from '../parts.js'
import { RolloutExplorer } from '../rollouts/explorer.js'
import { SideChooser } from '../side-chooser.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/** Two checkpoints on the same prompts, side by side: which flipped, and why answers fail. Dialogues turn by turn. */

type Samples = Answers['samples']

const TEXTS_SHOWN = 40

export function SamplesPage() {
  const say = useSay()
  const { query } = usePlace()
  const sides = query.getAll('side')
  const request = { sides, flips: true, failures: true, limit: TEXTS_SHOWN, prompts: true }
  const { answer, problem } = useAsk('samples', sides.length < 2 ? null : request, { keeps: false })
  return (
    <div className="page">
      <header className="page-head">
        <h1>{say('web.samples.title', {})}</h1>
      </header>
      {sides.length !== 1 && <p className="lead">{say('web.samples.about', {})}</p>}
      <SideChooser
        sides={sides}
        most={2}
        placeholder={say('web.samples.side', {})}
        onSides={next => change({ side: next })}
      />
      {sides.length === 0 && <RunsWithAnswers />}
      {sides.length === 1 && (
        <>
          <RolloutExplorer key={runNamed(sides[0])} side={sides[0]} />
          <WhyAnswersFail side={sides[0]} />
        </>
      )}
      {problem !== null && <ProblemBox problem={problem} />}
      {sides.length > 1 && answer === null && problem === null && <Loading rows={6} />}
      {answer !== null && <SampleFindings answer={answer} />}
    </div>
  )
}

function SampleFindings({ answer }: { readonly answer: Samples }) {
  const say = useSay()
  const speaker = useSpeaker()
  const { sides, flips, failures } = answer
  return (
    <>
      <Blocks blocks={samplesSummary(answer, speaker)} />
      {sides.length > 1 && (
        <Section title={say('web.compare.flips', {})}>
          {flips.length === 0 && <p className="muted">{say('web.samples.flips.none', {})}</p>}
          {flips.map(flip => (
            <Flip key={flip.id} flip={flip} answer={answer} />
          ))}
        </Section>
      )}
      {answer.prompts !== undefined && <Prompts answer={answer} prompts={answer.prompts} />}
      {failures.length > 0 && (
        <Section title={say('web.samples.failures', {})}>
          <Failures answer={answer} />
        </Section>
      )}
    </>
  )
}

function Failures({ answer }: { readonly answer: Samples }) {
  const say = useSay()
  const { failures, sides } = answer
  return (
    <>
      {failures.map(failure => (
        <Fold
          key={failure.class}
          id={`failure ${failure.class}`}
          className="failure"
          summary={
            <>
              <strong>{failure.class}</strong>
              {failure.counts.map((n, i) => (
                <span key={sides[i].label}>{say('web.samples.failed', { side: sides[i].label, n })}</span>
              ))}
              <span className="muted">{failure.how.map(({ reason }) => reason).join('; ')}</span>
            </>
          }
        >
          {() =>
            [...new Set(failure.examples.flat())].slice(0, 10).map(id => <Texts key={id} id={id} answer={answer} />)
          }
        </Fold>
      ))}
    </>
  )
}

/** Reads every text of the step, so it waits until it is asked for. */
function WhyAnswersFail({ side }: { readonly side: string }) {
  const say = useSay()
  const [isOpen] = useFold('failures')
  const request = { sides: [side], failures: true, limit: TEXTS_SHOWN }
  const { answer, problem } = useAsk('samples', isOpen ? request : null)
  return (
    <Fold id="failures" summary={say('web.samples.failures', {})}>
      {() => (
        <>
          {problem !== null && <ProblemBox problem={problem} />}
          {answer === null && problem === null && <Loading rows={4} />}
          {answer !== null && <Failures answer={answer} />}
        </>
      )}
    </Fold>
  )
}

/** Something to click: the runs that have answers, newest first. */
function RunsWithAnswers() {
  const say = useSay()
  const { answer } = useAsk(
    'run-table',
    { where: ['samples>0'], sort: '-logged', most: MOST_RUNS },
    { touching: 'all' },
  )
  if (answer === null) return <Loading rows={6} />
  if (answer.runs.length === 0) {
    return (
      <>
        <p>{say('web.rollouts.pick.none', {})}</p>
        <p>
          <Typed>klens gym eval scripted:asker</Typed>
        </p>
      </>
    )
  }
  return (
    <Section title={say('web.rollouts.pick', {})}>
      <p className="hint">{say('web.rollouts.pick.about', {})}</p>
      <ul className="to-click">
        {answer.runs.map(({ id, name, samples }) => (
          <li key={id}>
            <Link href={hrefTo(['samples'], { side: id })}>{name}</Link>{' '}
            <span className="muted">{say('web.rollouts.answers', { n: count(samples) })}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const MOST_RUNS = 20

function runNamed(side: string): string {
  return side.replace(/@\d+(?:\.\d+)?$/, '')
}

/** More than is read at once; the field above finds any of the others. */
const PROMPTS_SHOWN = 60

/** Every prompt with what each side scored; one is open, and stands in the address. */
function Prompts({ answer, prompts }: { readonly answer: Samples; readonly prompts: NonNullable<Samples['prompts']> }) {
  const say = useSay()
  const { query } = usePlace()
  const filter = query.get('q') ?? ''
  const open = query.get('prompt')
  const fitting = prompts.filter(({ id }) => id.toLowerCase().includes(filter.toLowerCase()))
  const shown = fitting.slice(0, PROMPTS_SHOWN)
  const decimals = decimalsIn(shown.flatMap(({ scores }) => scores))
  return (
    <Section
      title={say('web.samples.prompts', { n: count(prompts.length) })}
      aside={
        <Field
          label={say('web.samples.find', {})}
          value={filter}
          isSearch
          width={180}
          onValue={value => change({ q: value }, { replace: true })}
        />
      }
    >
      <p className="prompt-sides" aria-hidden="true">
        {answer.sides.map(({ label }) => (
          <span key={label} title={label}>
            {label}
          </span>
        ))}
      </p>
      <ul className="prompts">
        {shown.map(({ id, scores }) => (
          <li key={id}>
            <button
              type="button"
              aria-expanded={id === open}
              onClick={() => change({ prompt: id === open ? null : id })}
            >
              <code>{id}</code>
              {scores.map((score, i) => (
                <span key={answer.sides[i].label} className="number" title={answer.sides[i].label}>
                  <span className="visually-hidden">{answer.sides[i].label}</span>{' '}
                  {typeof score === 'number' ? fixed(score, decimals) : shownFigure(score)}
                </span>
              ))}
            </button>
            {id === open && <OpenPrompt id={id} answer={answer} />}
          </li>
        ))}
      </ul>
      {fitting.length > shown.length && (
        <p className="hint">{say('web.samples.more-prompts', { n: count(fitting.length - shown.length) })}</p>
      )}
    </Section>
  )
}

/** Its texts are asked for when it is opened, unless they came with the flips and failures. */
function OpenPrompt({ id, answer }: { readonly id: string; readonly answer: Samples }) {
  const { query } = usePlace()
  const isThere = answer.texts.every(side => side[id] !== undefined)
  const asked = { sides: query.getAll('side'), ids: [id] }
  const { answer: own, problem } = useAsk('samples', isThere ? null : asked)
  if (problem !== null) return <ProblemBox problem={problem} />
  if (!isThere && own === null) return <Loading rows={4} />
  return <Texts id={id} answer={own ?? answer} />
}

function Flip({ flip, answer }: { readonly flip: Samples['flips'][number]; readonly answer: Samples }) {
  const say = useSay()
  return (
    <Fold
      id={`flip ${flip.id}`}
      className="flip"
      summary={
        <>
          <span className={flip.gained ? 'gained' : 'lost'}>
            {flip.gained ? '▲' : '▼'} {say(flip.gained ? 'web.samples.gained' : 'web.samples.lost', {})}
          </span>
          <code>{flip.id}</code>
          <span>
            {shownFigure(flip.scores[0])} → {shownFigure(flip.scores[1])}
          </span>
          <span className="muted">{flip.class}</span>
        </>
      }
    >
      {() => <Texts id={flip.id} answer={answer} />}
    </Fold>
  )
}

function Texts({ id, answer: { sides, texts } }: { readonly id: string; readonly answer: Samples }) {
  const say = useSay()
  const shown = texts.map(side => side[id])
  const input = shown.find(text => text?.input != null)?.input ?? null
  const expected = shown.find(text => text?.expected != null)?.expected ?? null
  return (
    <div className="texts">
      {input !== null && <Text title={say('web.samples.input', {})} text={input} />}
      {expected !== null && <Text title={say('web.samples.expected', {})} text={expected} />}
      <div className="side-by-side">
        {sides.map(({ label }, i) => {
          const output = shown[i]?.output ?? null
          const dialogue = output === null ? null : dialogueIn(output)
          return (
            <div key={label}>
              <h3>{label}</h3>
              {dialogue === null ? (
                <pre>{output ?? say('web.samples.no-text', {})}</pre>
              ) : (
                <Dialogue dialogue={dialogue} wanted={expected} />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function Text({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div>
      <h3>{title}</h3>
      <pre>{text}</pre>
    </div>
  )
}
