import { type FormEvent, useState } from 'react'
import { askServer } from './api.js'
import { Markdown } from './markdown.js'
import { useLanguage } from './preferences.js'
import { useSession } from './session.js'
import { siteIndex } from './site.js'
import { useAsk } from './use-ask.js'
import { useSay } from './words.js'

/** The note on a run, or on a comparison: read by all, written with the write token. It is Markdown, the harmless part of it. */
export function Note({ sides, known }: { readonly sides: readonly string[]; readonly known?: string }) {
  const say = useSay()
  const { right } = useSession()
  const { language: lang } = useLanguage()
  const { answer } = useAsk('notes', siteIndex === null ? { sides } : null, { touching: sides, keeps: false })
  const [saved, setSaved] = useState<{ readonly key: string; readonly note: string } | null>(null)
  const [draft, setDraft] = useState<string | null>(null)
  const [problem, setProblem] = useState('')
  const key = sides.join('\n')
  const note = (saved?.key === key ? saved.note : answer?.[0]?.note) ?? known ?? ''
  const save = async (text: string): Promise<void> => {
    const written = await askServer('set-note', { sides, text, lang })
    setSaved({ key, note: written[0]?.note ?? '' })
    setDraft(null)
    setProblem('')
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save(draft ?? '').catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)))
  }
  if (draft !== null) {
    return (
      <form className="note" onSubmit={submit}>
        <label className="field">
          <span>{say('web.note.title', {})}</span>
          <textarea rows={4} value={draft} onChange={event => setDraft(event.target.value)} />
        </label>
        <p className="hint">{say('web.note.hint', {})}</p>
        {problem !== '' && <p role="alert">{problem}</p>}
        <div className="controls">
          <button type="submit" className="primary">
            {say('web.note.save', {})}
          </button>
          <button type="button" onClick={() => setDraft(null)}>
            {say('web.runs.cancel', {})}
          </button>
        </div>
      </form>
    )
  }
  const isWritable = right === 'write' && siteIndex === null
  if (note === '' && !isWritable) return null
  return (
    <div className="note">
      {note !== '' && (
        <div className="note-text">
          <Markdown text={note} />
        </div>
      )}
      {isWritable && (
        <button type="button" onClick={() => setDraft(note)}>
          {say(note === '' ? 'web.note.add' : 'web.note.edit', {})}
        </button>
      )}
    </div>
  )
}
