import { type FormEvent, useState } from 'react'
import { askServer } from './api.js'
import { Field } from './parts.js'
import { clearPicked } from './picked.js'
import { useNames } from './picked-runs.js'
import { useLanguage } from './preferences.js'
import { useSession } from './session.js'
import { useSay } from './words.js'

type Action = 'rename' | 'tag' | 'remove'

/** What a person does to runs: rename one, tag all, remove all after a second word. Needs the write token. */
export function RunActions({ ids }: { readonly ids: readonly string[] }) {
  const say = useSay()
  const { right } = useSession()
  const [action, setAction] = useState<Action | null>(null)
  if (right !== 'write' || ids.length === 0) return null
  const actions: readonly Action[] = ids.length === 1 ? ['rename', 'tag', 'remove'] : ['tag', 'remove']
  return (
    <div className="run-actions">
      {ids.length > 1 && <span>{say('web.runs.picked', { n: ids.length })}</span>}
      {action === null || !actions.includes(action) ? (
        actions.map(each => (
          <button key={each} type="button" onClick={() => setAction(each)}>
            {say(`web.runs.${each}`, {})}
          </button>
        ))
      ) : (
        <ActionForm key={action} action={action} ids={ids} onDone={() => setAction(null)} />
      )}
    </div>
  )
}

function ActionForm({
  action,
  ids,
  onDone,
}: {
  readonly action: Action
  readonly ids: readonly string[]
  readonly onDone: () => void
}) {
  const say = useSay()
  const { language: lang } = useLanguage()
  const names = useNames(ids)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const act = async (): Promise<void> => {
    if (action === 'rename') await askServer('rename', { run: ids[0], name: text, lang })
    else if (action === 'remove') await askServer('remove', { runs: ids, lang })
    else for (const run of ids) await askServer('tag', { run, tag: text.split(/[\s,]+/).filter(Boolean), lang })
    if (action === 'remove') clearPicked()
    onDone()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    act().catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)))
  }
  return (
    <form onSubmit={submit}>
      {action === 'remove' ? (
        <span>{say('web.runs.remove.sure', { n: ids.length })}</span>
      ) : (
        <Field
          label={say(action === 'rename' ? 'web.runs.new-name' : 'web.runs.tag', {})}
          placeholder={action === 'rename' ? (names.get(ids[0]) ?? '') : say('web.runs.tag.hint', {})}
          value={text}
          onValue={setText}
          width={240}
        />
      )}
      <button type="submit" className={action === 'remove' ? 'danger' : 'primary'}>
        {say(`web.runs.${action}`, {})}
      </button>
      <button type="button" onClick={onDone}>
        {say('web.runs.cancel', {})}
      </button>
      {problem !== '' && <span role="alert">{problem}</span>}
    </form>
  )
}
