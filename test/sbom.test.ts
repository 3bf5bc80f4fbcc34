import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { z } from 'zod'

const billSchema = z.object({
  components: z.array(z.object({ purl: z.string(), hashes: z.array(z.object({ content: z.string() })).min(1) })),
})

function built(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../dist/${path}`, import.meta.url)), 'utf8')
}

it('names every package whose code is handed on, with the hash of the lock file', () => {
  const { components } = billSchema.parse(JSON.parse(built('sbom.json')))
  const texts = [built('licences.txt'), built('web/licences.txt')].join('\n')
  const bundled = [...texts.matchAll(/^((?:@[\w-]+\/)?[\w.-]+) (\d+\.\d+\.\d+\S*): \S.*$/gm)]
  expect(bundled.length).toBeGreaterThan(8)
  const expected = new Set(bundled.map(([, name, version]) => `pkg:npm/${name.replace('@', '%40')}@${version}`))
  const named = components.map(({ purl }) => purl)
  const [installed] = named.filter(purl => purl.includes('duckdb/node-bindings@'))
  expect(named).toEqual([...expected, installed].sort())
})
