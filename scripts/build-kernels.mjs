/**
 * Compiles src/lab/train/kernels/assembly to dist/train/kernels/kernels.wasm (another folder than dist may be given), unless
 * that is newer than its sources. AssemblyScript is an ordinary npm package: building needs no compiler on the machine.
 */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(import.meta.url)
const root = dirname(dirname(script))
const sources = join(root, 'src', 'lab', 'train', 'kernels', 'assembly')
const folder = join(resolve(process.argv[2] ?? join(root, 'dist')), 'train', 'kernels')
const target = join(folder, 'kernels.wasm')

const newest = Math.max(...[script, ...readdirSync(sources).map(name => join(sources, name))].map(changed))
if (!existsSync(target) || changed(target) < newest) await compile()

function changed(path) {
  return statSync(path).mtimeMs
}

async function compile() {
  const { default: asc } = await import('assemblyscript/asc')
  mkdirSync(folder, { recursive: true })
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
