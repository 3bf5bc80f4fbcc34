import { figure } from '../src/text/numbers.js'
import { useSay } from './words.js'

/** A dialogue that was kept as text, turn by turn: what was asked, what came back, and the reward of each turn. */

interface Turn {
  readonly asked: string
  readonly heard: readonly string[]
  readonly reward: string | null
}

export interface DialogueText {
  readonly turns: readonly Turn[]
  readonly ended: string | null
}

/** Null for a text that is no dialogue. Written by `klens gym eval`: `1. asked`, `   → heard  (reward)`, `— why it ended`. */
export function dialogueIn(text: string): DialogueText | null {
  if (!/^1\. /.test(text) || !/^ {3}→ /m.test(text)) return null
  const turns: { asked: string; heard: string[]; reward: string | null }[] = []
  let ended: string | null = null
  for (const line of text.split('\n')) {
    const asked = /^(\d+)\. (.*)$/.exec(line)
    const heard = /^ {3}→ (.*?)(?: {2}\((-?[\d.?e+-]+)\))?$/.exec(line)
    const last = turns[turns.length - 1]
    if (line.startsWith('— ')) ended = line.slice(2)
    else if (asked !== null && Number(asked[1]) === turns.length + 1)
      turns.push({ asked: asked[2], heard: [], reward: null })
    else if (heard !== null && last !== undefined) {
      last.heard.push(heard[1])
      last.reward = heard[2] ?? last.reward
    } else if (last !== undefined && last.heard.length > 0) last.heard.push(line.trim())
    else if (last !== undefined) last.asked += `\n${line.trim()}`
  }
  return turns.length === 0 ? null : { turns, ended }
}

export function Dialogue({ dialogue: { turns, ended } }: { readonly dialogue: DialogueText }) {
  const say = useSay()
  return (
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
          {turn.reward !== null && (
            <p className="turn-reward">
              {say('web.samples.reward', { reward: turn.reward })}
              {i > 0 && (
                <span className="muted">{say('web.samples.so-far', { total: figure(totalUpTo(turns, i), 3) })}</span>
              )}
            </p>
          )}
        </li>
      ))}
      {ended !== null && <li className="muted">{say('web.samples.ended', { why: ended })}</li>}
    </ol>
  )
}

function totalUpTo(turns: readonly Turn[], last: number): number {
  return turns.slice(0, last + 1).reduce((sum, { reward }) => sum + (Number(reward) || 0), 0)
}
