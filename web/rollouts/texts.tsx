import { type CSSProperties, useState } from 'react'
import { rolloutFacts } from '../../src/core/present/rollouts.js'
import { figure } from '../../src/text/numbers.js'
import type { Answers } from '../api.js'
import { useSpeaker } from '../blocks.js'
import { Dialogue, dialogueIn } from '../dialogue.js'
import { ProblemBox } from '../parts.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/** One answer: its score, what is known of it, its text. Texts are data of others: they are shown, and never read as markup. */

export type Rollout = Answers['rollouts']['rollouts'][number]
type Tokens = NonNullable<Rollout['tokens']>

export const TOKEN_COLOURS = ['none', 'logprob', 'kl'] as const
export type TokenColour = (typeof TOKEN_COLOURS)[number]

interface Props {
  readonly rollout: Rollout
  readonly colour: TokenColour
  /** What asks for the whole text. */
  readonly asked: { readonly run: string; readonly metric: string }
  /** Absent in the group itself, which shows the prompt once. */
  readonly onGroup?: () => void
}

/** So much of a text stands in a list. */
const BEGINNING = 700

export function RolloutCard({ rollout, colour, asked, onGroup }: Props) {
  const say = useSay()
  const speaker = useSpeaker()
  const [isOpen, setIsOpen] = useState(false)
  const { prompt, repeat, score, group, input, isCut } = rollout
  const whole = useAsk(
    'rollouts',
    isOpen && isCut ? { ...asked, run: `${asked.run}@${rollout.step}`, prompt, most: 1000, whole: true } : null,
  )
  const shown = whole.answer?.rollouts.find(each => each.repeat === repeat) ?? rollout
  const isLong = isCut || (input?.length ?? 0) > BEGINNING || (rollout.output?.length ?? 0) > BEGINNING
  return (
    <article className="rollout" aria-label={`${prompt} ${repeat + 1}`}>
      <header>
        <strong className="number">{figure(score, 4)}</strong>
        <code>{prompt}</code>
        <span className="muted">{rolloutFacts(rollout, speaker).join(' · ')}</span>
        {onGroup !== undefined && group > 1 && (
          <button type="button" onClick={onGroup}>
            {say('web.rollouts.group', { n: group })}
          </button>
        )}
      </header>
      {onGroup !== undefined && shown.input !== null && <Prompt text={shown.input} isOpen={isOpen} />}
      <AnswerText rollout={shown} colour={colour} most={isOpen ? Number.POSITIVE_INFINITY : BEGINNING} />
      {whole.problem !== null && <ProblemBox problem={whole.problem} />}
      {isLong && (
        <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {say(isOpen ? 'web.rollouts.less' : 'web.rollouts.more', {})}
        </button>
      )}
    </article>
  )
}

/** The end of a prompt: the question stands behind the instructions. */
function Prompt({ text, isOpen }: { readonly text: string; readonly isOpen: boolean }) {
  const shown = isOpen || text.length <= BEGINNING ? text : `…${text.slice(-BEGINNING / 2)}`
  return <pre className="rollout-prompt">{shown}</pre>
}

function AnswerText({
  rollout: { output, choice, expected, tokens },
  colour,
  most,
}: {
  readonly rollout: Rollout
  readonly colour: TokenColour
  readonly most: number
}) {
  const say = useSay()
  if (tokens !== null && colour !== 'none') return <TokenText tokens={tokens} colour={colour} />
  const text = output ?? choice
  if (text === null) return <p className="muted">{say('web.samples.no-text', {})}</p>
  const shown = text.length > most ? `${text.slice(0, most)}…` : text
  const dialogue = dialogueIn(shown)
  return (
    <>
      {dialogue === null ? <pre>{shown}</pre> : <Dialogue dialogue={dialogue} wanted={expected} />}
      {expected !== null && dialogue === null && (
        <p className="muted rollout-expected">
          {say('web.samples.expected', {})}: {expected}
        </p>
      )}
    </>
  )
}

/** A token of probability e⁻⁵, or a KL of 1 at one token, is as dark as it gets. */
const FULL = { logprob: 5, kl: 1 } as const
const MOST_NAMED = 5

/** The extremes are named as well: colour alone tells nothing to those who do not see it. */
function TokenText({ tokens, colour }: { readonly tokens: Tokens; readonly colour: 'logprob' | 'kl' }) {
  const say = useSay()
  const size = ({ logProb, kl }: Tokens[number]): number | null =>
    colour === 'logprob' ? (logProb === null ? null : -logProb) : kl
  const told = ({ logProb, kl }: Tokens[number]): string =>
    [...(logProb === null ? [] : [`ln p ${figure(logProb, 3)}`]), ...(kl === null ? [] : [`KL ${figure(kl, 3)}`])].join(
      ', ',
    )
  const strongest = tokens.filter(token => (size(token) ?? 0) > 0).toSorted((a, b) => (size(b) ?? 0) - (size(a) ?? 0))
  const named = strongest.slice(0, MOST_NAMED).map(token => `“${token.text.trim()}” (${told(token)})`)
  return (
    <>
      <pre className="tokens">
        {tokens.map((token, i) => {
          const value = size(token)
          const heat: CSSProperties & { readonly '--heat': number } = {
            '--heat': Math.min(1, (value ?? 0) / FULL[colour]),
          }
          return (
            <span key={i} {...(value === null ? { className: 'heard' } : { style: heat })} title={told(token)}>
              {token.text}
            </span>
          )
        })}
      </pre>
      <p className="hint">{say(`web.rollouts.colour.${colour}.legend`, { tokens: named.join(', ') || '–' })}</p>
    </>
  )
}
