/** The packages that some modules come from, and their licences: what is bundled is handed on, and so are they. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export function packagesOf(modules) {
  const folders = new Set(modules.flatMap(path => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))
  return [...folders].sort().map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { name, version, license, folder }
  })
}

export function licences(packages) {
  return packages
    .map(({ name, version, license = 'see below', folder }) => {
      const texts = readdirSync(folder, { withFileTypes: true })
        .filter(entry => entry.isFile() && /^(?:licen[cs]e|notice)/i.test(entry.name))
        .map(entry => readFileSync(join(folder, entry.name), 'utf8'))
      return [`${name} ${version}: ${license}\n`, ...texts].join('\n')
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}
