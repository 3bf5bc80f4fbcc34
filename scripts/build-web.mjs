/**
 * Bundles web/ into dist/web: the page, one script, one style sheet, names by their content. Skipped when nothing that goes
 * into it is newer than what is there, because `npm run build` comes through here often.
 */
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { licences } from './licences.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const out = join(root, 'dist', 'web')
const sources = ['web', 'src/charts', 'src/text', 'src/model', 'scripts/build-web.mjs', 'package-lock.json']

if (!isFresh()) {
  const { build } = await import('vite')
  const { output } = await build({
    configFile: false,
    root: join(root, 'web'),
    base: '/',
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic' } },
    build: {
      outDir: out,
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 900,
      // One classic script: a copy that is opened from disk may load no module.
      cssCodeSplit: false,
      rolldownOptions: { output: { format: 'iife' } },
    },
  })
  writeFileSync(join(out, 'licences.txt'), licences(output.flatMap(({ moduleIds = [] }) => moduleIds)))
}

function isFresh() {
  const page = join(out, 'index.html')
  return existsSync(page) && Math.max(...sources.map(each => newest(join(root, each)))) < statSync(page).mtimeMs
}

function newest(path) {
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  return Math.max(0, ...readdirSync(path).map(name => newest(join(path, name))))
}
