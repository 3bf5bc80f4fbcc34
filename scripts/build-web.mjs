/**
 * Bundles web/ into dist/web: the page, its script and a small one that is loaded before, one style sheet, names by their content. Skipped when nothing that goes
 * into it is newer than what is there, because `npm run build` comes through here often.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { licences, packagesOf } from './licences.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const out = join(dist, 'web')
const page = join(out, 'index.html')
const sources = [
  'web',
  'src/core/charts',
  'src/core/present',
  'src/text',
  'src/logs/model',
  'scripts/build-web.mjs',
  'package-lock.json',
]

if (!isFresh()) {
  const { build } = await import('vite')
  // Classic scripts: a copy that is opened from disk may load no module.
  const bundled = async ({ rolldownOptions, ...options }, plugins = []) =>
    build({
      configFile: false,
      root: join(root, 'web'),
      base: '/',
      logLevel: 'warn',
      oxc: { jsx: { runtime: 'automatic' } },
      plugins,
      build: {
        outDir: out,
        target: 'es2023',
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 900,
        cssCodeSplit: false,
        ...options,
        rolldownOptions: {
          ...rolldownOptions,
          // Of a module that gives the page one constant, its tables stay out: no module here acts by being loaded.
          treeshake: { moduleSideEffects: false },
          output: { format: 'iife', ...rolldownOptions?.output },
        },
      },
    })
  const early = await bundled({
    emptyOutDir: true,
    rolldownOptions: { input: join(root, 'web/early.ts'), output: { entryFileNames: 'assets/[name]-[hash].js' } },
  })
  const page = await bundled({ emptyOutDir: false }, [loadedFirst(early.output[0].fileName)])
  // Packed here as small as it gets, so that no server's first reader waits for it.
  for (const { fileName } of [...early.output, ...page.output].filter(({ fileName }) =>
    /\.(?:js|css)$/.test(fileName),
  )) {
    const file = join(out, fileName)
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)))
  }
  const modules = [...early.output, ...page.output].flatMap(({ moduleIds = [] }) => moduleIds)
  const packages = packagesOf(modules)
  writeFileSync(join(out, 'licences.txt'), licences(packages))
  // For the bill of materials, which bundle.mjs writes.
  const named = packages.map(({ name, version, license }) => ({ name, version, license }))
  writeFileSync(join(dist, 'web-packages.json'), JSON.stringify(named))
}

/** Before anything else that the page loads, so that what it asks is answered meanwhile. */
function loadedFirst(file) {
  return {
    name: 'loaded-first',
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: `/${file}` }, injectTo: 'head-prepend' }],
  }
}

function isFresh() {
  if (![page, join(dist, 'web-packages.json')].every(path => existsSync(path))) return false
  return Math.max(...sources.map(each => newest(join(root, each)))) < statSync(page).mtimeMs
}

function newest(path) {
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  return Math.max(0, ...readdirSync(path).map(name => newest(join(path, name))))
}
