import { type FormEvent, useState } from 'react'
import { change, usePlace } from './location.js'
import { KNOWN_NAMES } from './names.js'
import { Field } from './parts.js'
import { useSay } from './words.js'

/** Conditions on settings that choose runs, as `klens runs --where` takes them; they stand in the address. */

export function FilterAdder() {
  const say = useSay()
  const { query } = usePlace()
  return (
    <NameAdder
      label={say('web.runs.where', {})}
      onAdd={text => change({ where: [...query.getAll('where'), text] })}
      isFilter
    />
  )
}

export function FilterChips() {
  const say = useSay()
  const { query } = usePlace()
  const where = query.getAll('where')
  if (where.length === 0) return null
  return (
    <ul className="chips">
      {where.map(filter => (
        <li key={filter}>
          {filter}
          <button
            type="button"
            className="icon"
            aria-label={say('web.runs.filter.remove', { filter })}
            onClick={() => change({ where: where.filter(each => each !== filter) })}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  )
}

/** What can be named in fields of this page. */
export function KnownNames() {
  return (
    <datalist id="known-names">
      {KNOWN_NAMES.map(name => (
        <option key={name} value={name} />
      ))}
    </datalist>
  )
}

/** A name of a metric or a setting, or with `isFilter` a condition on one. */
export function NameAdder({
  label,
  onAdd,
  isFilter = false,
}: {
  readonly label: string
  readonly onAdd: (text: string) => void
  readonly isFilter?: boolean
}) {
  const [text, setText] = useState('')
  const add = (event: FormEvent): void => {
    event.preventDefault()
    const given = text.trim()
    if (given === '' || (isFilter && !/[=<>]/.test(given))) return
    onAdd(given)
    setText('')
  }
  return (
    <form onSubmit={add}>
      <Field
        label={label}
        value={text}
        onValue={setText}
        placeholder={isFilter ? 'kl.loss.coef>=0.1' : 'entropy'}
        list="known-names"
        width={180}
      />
    </form>
  )
}
