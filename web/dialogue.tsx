import { TURN_CREDITS, turnCredits } from '../src/logs/model/dialogue.js'
import { count, figure } from '../src/text/numbers.js'
import { Fold } from './fold.js'
import { Scroll } from './parts.js'
import { useSay } from './words.js'

/** A dialogue that was kept as text, turn by turn: what was asked, what came back, its reward, and what it found. */

interface Turn {
  readonly asked: string
  readonly heard: readonly string[]
  readonly reward: string | null
  readonly found: readonly string[]
}

export interface DialogueText {
  readonly turns: readonly Turn[]
  readonly ended: string | null
}

/**
 * Null for a text that is no dialogue. Written by `klens gym eval`: `1. asked`, `   → heard  (reward)`, `   + what it found`,
 * `— why it ended`.
 */
export function dialogueIn(text: string): DialogueText | null {
  if (!/^1\. /.test(text) || !/^ {3}→ /m.test(text)) return null
  const turns: { asked: string; heard: string[]; reward: string | null; found: string[] }[] = []
  let ended: string | null = null
  for (const line of text.split('\n')) {
    const asked = /^(\d+)\. (.*)$/.exec(line)
    const heard = /^ {3}→ (.*?)(?: {2}\((-?[\d.?e+-]+)\))?$/.exec(line)
    const found = /^ {3}\+ (.*)$/.exec(line)
    const last = turns[turns.length - 1]
    if (line.startsWith('— ')) ended = line.slice(2)
    else if (asked !== null && Number(asked[1]) === turns.length + 1)
      turns.push({ asked: asked[2], heard: [], reward: null, found: [] })
    else if (heard !== null && last !== undefined) {
      last.heard.push(heard[1])
      last.reward = heard[2] ?? last.reward
    } else if (found !== null && last !== undefined && last.reward !== null) last.found.push(found[1])
    else if (last !== undefined && last.heard.length > 0) last.heard.push(line.trim())
    else if (last !== undefined) last.asked += `\n${line.trim()}`
  }
  return turns.length === 0 ? null : { turns, ended }
}

/** `wanted`: what was to be found, where that is known, as the gym joins it. */
export function Dialogue({
  dialogue: { turns, ended },
  wanted,
}: {
  readonly dialogue: DialogueText
  readonly wanted: string | null
}) {
  const say = useSay()
  return (
    <>
      <ol className="dialogue">
        {turns.map((turn, i) => (
          <li key={i}>
            <p className="turn-asked">
              <small>{say('web.samples.turn', { n: i + 1 })}</small> {turn.asked}
            </p>
            {turn.heard.map((heard, k) => (
              <p key={k} className="turn-heard">
                {heard}
              </p>
            ))}
            {turn.found.map((found, k) => (
              <p key={k} className="turn-found">
                {say('web.samples.found', { what: found })}
              </p>
            ))}
            {turn.reward !== null && (
              <p className="turn-reward">
                {say('web.samples.reward', { reward: shownReward(turn.reward) })}
                {i > 0 && (
                  <span className="muted">{say('web.samples.so-far', { total: figure(totalUpTo(turns, i), 3) })}</span>
                )}
              </p>
            )}
          </li>
        ))}
        {ended !== null && <li className="muted">{say('web.samples.ended', { why: ended })}</li>}
      </ol>
      <Covered turns={turns} wanted={wanted} />
      <Credits turns={turns} />
    </>
  )
}

/** What was to be found, ticked in which turn; only where the dialogue says what it found. */
function Covered({ turns, wanted }: { readonly turns: readonly Turn[]; readonly wanted: string | null }) {
  const say = useSay()
  const foundIn = new Map(turns.flatMap(({ found }, i) => found.map(what => [what, i + 1] as const)))
  const all = (wanted ?? '').split('; ').filter(Boolean)
  // A score of a function, say, is no list of things; then nothing of it can be ticked.
  if (foundIn.size === 0 || ![...foundIn.keys()].every(what => all.includes(what))) return null
  return (
    <div className="covered">
      <p>{say('web.samples.covered', { n: count(foundIn.size), all: count(all.length) })}</p>
      <ul>
        {all.map(what => {
          const turn = foundIn.get(what)
          return (
            <li key={what} className={turn === undefined ? 'muted' : ''}>
              <span aria-hidden="true">{turn === undefined ? '○' : '●'}</span> {what}{' '}
              <small>
                {turn === undefined ? say('web.samples.uncovered', {}) : say('web.samples.turn', { n: turn })}
              </small>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** As klens's own training discounts, where nothing else is said. */
const DISCOUNT = 0.8

/** What a training would credit each turn with, by the ways there are; docs/gym.md has the formulae. */
function Credits({ turns }: { readonly turns: readonly Turn[] }) {
  const say = useSay()
  const rewards = turns.map(({ reward }) => Number(reward ?? Number.NaN))
  if (rewards.length < 2 || rewards.some(Number.isNaN)) return null
  const credits = TURN_CREDITS.map(kind => turnCredits(rewards, kind, DISCOUNT))
  return (
    <Fold id="credits" className="credits" summary={say('web.samples.credits', { discount: DISCOUNT })}>
      {() => (
        <Scroll label={say('web.samples.credits', { discount: DISCOUNT })}>
          <table className="numbers">
            <thead>
              <tr>
                <th>{say('web.samples.credit.turn', {})}</th>
                <th>{say('web.samples.credit.reward', {})}</th>
                {TURN_CREDITS.map(kind => (
                  <th key={kind}>{say(`web.samples.credit.${kind}`, {})}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rewards.map((reward, i) => (
                <tr key={i}>
                  <td>{i + 1}</td>
                  <td>{figure(reward, 3)}</td>
                  {credits.map((each, k) => (
                    <td key={TURN_CREDITS[k]}>{figure(each[i], 3)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Fold>
  )
}

/** Sums of tenths are written with all their digits; a `?` stays one. */
function shownReward(reward: string): string {
  return Number.isNaN(Number(reward)) ? reward : figure(Number(reward), 3)
}

function totalUpTo(turns: readonly Turn[], last: number): number {
  return turns.slice(0, last + 1).reduce((sum, { reward }) => sum + (Number(reward) || 0), 0)
}
