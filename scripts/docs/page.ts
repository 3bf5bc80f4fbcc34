/** A page under docs/ that is made of what the code knows, and the few forms of Markdown that such pages need. */
export interface Page {
  /** From the root of the repository. */
  readonly path: string
  /** The whole page; `current` is what it holds today, for pages of which only a part is made. */
  readonly write: (current: string) => string | Promise<string>
}

export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [titles, titles.map(() => '---'), ...rows].map(cells => `| ${cells.map(cell).join(' | ')} |`).join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

/** Replaces what stands between `<!-- name -->` and `<!-- end of name -->`. */
export function embedded(current: string, name: string, part: string): string {
  const [start, end] = [`<!-- ${name}: made by npm run docs -->\n`, `\n<!-- end of ${name} -->`]
  const from = current.indexOf(start)
  const to = current.indexOf(end, from)
  if (from < 0 || to < 0) throw new Error(`no place for "${name}": ${start.trim()} … ${end.trim()}`)
  return current.slice(0, from) + start + part + current.slice(to)
}
