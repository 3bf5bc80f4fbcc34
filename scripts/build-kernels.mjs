/**
 * Compiles the AssemblyScript of src to dist (another folder may be given): the trainer's kernels to train/kernels/kernels.wasm, the
 * scanner of logs to logs/scanner.wasm, unless these are newer than their sources. AssemblyScript is an ordinary npm
 * package: building needs no compiler on the machine.
 */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(import.meta.url)
const root = dirname(dirname(script))
const dist = resolve(process.argv[2] ?? join(root, 'dist'))

await build(join(root, 'src', 'lab', 'train', 'kernels', 'assembly'), join(dist, 'train', 'kernels', 'kernels.wasm'))
await build(join(root, 'src', 'logs', 'sources', 'binary', 'assembly'), join(dist, 'logs', 'scanner.wasm'))

async function build(sources, target) {
  const newest = Math.max(...[script, ...readdirSync(sources).map(name => join(sources, name))].map(changed))
  if (!existsSync(target) || changed(target) < newest) await compile(sources, target)
}

function changed(path) {
  return statSync(path).mtimeMs
}

async function compile(sources, target) {
  const { default: asc } = await import('assemblyscript/asc')
  mkdirSync(dirname(target), { recursive: true })
  const fromRoot = path => relative(root, path).replaceAll(sep, '/')
  const { error, stderr } = await asc.main([
    ...[fromRoot(join(sources, 'index.ts')), '--baseDir', root, '--outFile', fromRoot(target)],
    ...['--runtime', 'stub', '--importMemory', '--enable', 'simd'],
    ...['--optimizeLevel', '3', '--converge', '--noAssert'],
  ])
  if (error === null) return
  console.error(stderr.toString())
  process.exit(1)
}
