import { type Document, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import { isTangled } from '../util/yaml.js'

/**
 * What klens writes into the user's vocabulary.yaml: a name under its meaning, or among those that need none. The rest of
 * the file, with its comments, stays as the user wrote it; the YAML library quotes whatever stands in a name.
 */
export type VocabularyEdit =
  | { readonly section: 'metrics' | 'config'; readonly canonical: string; readonly name: string }
  | { readonly section: 'ignore'; readonly name: string }

/** The new text; null where the old one is no vocabulary that can be added to without harm. */
export function editUserVocabulary(text: string, edits: readonly VocabularyEdit[]): string | null {
  if (isTangled(text)) return null
  const document: Document = parseDocument(text, { logLevel: 'silent' })
  if (document.errors.length > 0) return null
  document.contents ??= document.createNode({})
  if (!isMap(document.contents)) return null
  for (const edit of edits) {
    withdraw(document, edit.name)
    const path = edit.section === 'ignore' ? ['ignore'] : [edit.section, edit.canonical]
    if (!add(document, path, edit.name)) return null
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: /\[ \S/.test(text) })
}

/** A name has one meaning, so its last one goes: accepting what was rejected, or the reverse, leaves no trace. */
function withdraw(document: Document, name: string): void {
  for (const section of ['metrics', 'config']) {
    const entries = document.get(section)
    if (!isMap(entries)) continue
    for (const { key } of [...entries.items]) {
      const path = [section, isScalar(key) ? key.value : key]
      const inner = document.getIn(path, true)
      remove(document, isMap(inner) ? [...path, 'names'] : path, name)
    }
  }
  remove(document, ['ignore'], name)
}

function remove(document: Document, path: readonly unknown[], name: string): void {
  const names = document.getIn(path, true)
  if (isScalar(names) && names.value === name) document.deleteIn(path)
  if (!isSeq(names)) return
  const at = names.items.findIndex(item => isScalar(item) && item.value === name)
  if (at < 0) return
  names.delete(at)
  if (names.items.length === 0) document.deleteIn(path)
}

function add(document: Document, path: readonly string[], name: string): boolean {
  const [section, canonical] = path
  const entries = document.get(section, true)
  // `metrics:` with nothing behind it.
  if (isScalar(entries) && entries.value === null) document.delete(section)
  else if (canonical !== undefined && entries !== undefined && !isMap(entries)) return false
  const named = document.getIn(path, true)
  const whole = isMap(named) ? [...path, 'names'] : path
  const names = document.getIn(whole, true)
  if (isAlias(names)) return false
  if (isSeq(names)) names.add(document.createNode(name))
  else {
    const before = isScalar(names) && names.value !== null ? [names.value] : []
    document.setIn(whole, document.createNode([...before, name], { flow: true }))
  }
  return true
}
