import { useDeferredValue, useEffect, useState } from 'react'
import { change, usePlace } from './location.js'
import { Field } from './parts.js'

/** A field that stands in the address once its reader pauses. */
export function TypedField({
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
