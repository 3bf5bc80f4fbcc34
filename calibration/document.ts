import { readFileSync, writeFileSync } from 'node:fs'

/** Puts freshly measured tables into a page, between `<!-- table: NAME -->` and `<!-- end -->`; all else stays. */
export function fillTables(page: URL, tables: ReadonlyMap<string, string>): void {
  const text = readFileSync(page, 'utf8')
  const filled = text.replaceAll(/(<!-- table: ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g, (_, start, name, end) => {
    const table = tables.get(name)
    if (table === undefined) throw new Error(`${page.pathname} asks for a table "${name}" that nobody makes`)
    return `${start}${table}\n${end}`
  })
  writeFileSync(page, filled)
}
