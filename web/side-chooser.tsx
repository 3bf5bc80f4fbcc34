import { type FormEvent, useState } from 'react'
import { useNames } from './picked-runs.js'
import { useAsk } from './use-ask.js'
import { useSay } from './words.js'

/** The sides of a question: runs by name or id, replicates by a pattern, checkpoints by @step. */
interface Props {
  readonly sides: readonly string[]
  readonly most?: number
  readonly placeholder: string
  readonly isBaselineFirst?: boolean
  /** Not where the sides stand elsewhere on the page, to be taken away there. */
  readonly hasChips?: boolean
  readonly onSides: (sides: readonly string[]) => void
}

const MOST_SUGGESTED = 30

export function SideChooser({
  sides,
  most = 20,
  placeholder,
  isBaselineFirst = false,
  hasChips = true,
  onSides,
}: Props) {
  const say = useSay()
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const suggested = { search: text.replace(/[*@].*$/, ''), most: MOST_SUGGESTED }
  const { answer } = useAsk('run-table', isOpen ? suggested : null, { keeps: true })
  const names = useNames(sides)
  const groups = new Set((answer?.runs ?? []).flatMap(({ name }) => /^(.+)\/[^/]+$/.exec(name)?.[1] ?? []))
  const add = (event: FormEvent): void => {
    event.preventDefault()
    const side = text.trim()
    if (side === '' || sides.includes(side)) return
    onSides([...sides, side])
    setText('')
  }
  return (
    <div className="sides">
      {hasChips && sides.length > 0 && (
        <ul className="chips">
          {sides.map((side, i) => (
            <li key={side}>
              {names.get(side) ?? side}
              {isBaselineFirst && i === 0 && <small>{say('web.compare.baseline', {})}</small>}
              <button
                type="button"
                className="icon"
                aria-label={say('web.compare.remove', { side: names.get(side) ?? side })}
                onClick={() => onSides(sides.filter(each => each !== side))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {sides.length < most && (
        <form onSubmit={add}>
          <label className="field">
            <span>{say('web.compare.add', {})}</span>
            <input
              value={text}
              placeholder={placeholder}
              list="side-names"
              spellCheck={false}
              autoComplete="off"
              onFocus={() => setIsOpen(true)}
              onChange={event => setText(event.target.value)}
            />
          </label>
          <datalist id="side-names">
            {[...groups].map(group => (
              <option key={group} value={`${group}/*`} />
            ))}
            {(answer?.runs ?? []).map(({ id, name }) => (
              <option key={id} value={name} />
            ))}
          </datalist>
        </form>
      )}
    </div>
  )
}
