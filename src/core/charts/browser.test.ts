import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

const ENTRIES = ['layout', 'svg', 'readings', 'curves', 'difference', 'heatmap', 'intervals', 'ranking', 'scatter']

it('goes into a browser: no module of Node, not every sentence of klens, and little code', async () => {
  const files = ENTRIES.map(name => fileURLToPath(new URL(`./${name}.ts`, import.meta.url)))
  const bundle = await rolldown({
    input: 'charts',
    platform: 'browser',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    plugins: [
      {
        name: 'charts',
        resolveId: id => (id === 'charts' ? id : null),
        load: id => (id === 'charts' ? files.map(file => `export * from ${JSON.stringify(file)}`).join('\n') : null),
      },
    ],
  })
  const [{ code, imports, moduleIds }] = (await bundle.generate({ minify: true })).output
  await bundle.close()
  expect(imports).toEqual([])
  expect(
    moduleIds.filter(id => /src\/(?!core\/charts\/|text\/(?:language|sentences|numbers)\.ts|logs\/model\/)/.test(id)),
  ).toEqual([])
  expect(code.length).toBeLessThan(60_000)
})
