import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Benchmark, Figures, Settings } from './benchmark.js'
import { type Finished, klens } from './child.js'
import { DATA } from './generate.js'
import { madeUpReport } from './make-report.js'
import { bestOf, type Spent } from './measure.js'

/**
 * `klens audit` on long reports, beside a linter of Markdown on the same file. The peer looks at the form and klens at the
 * figures, so only the time is compared: what people accept to wait for a linter. An empty report costs what starting costs.
 */
export const audit: Benchmark = {
  name: 'audit',
  about: 'klens audit of long reports, beside markdownlint-cli2; size in MB, at most 20: none, 0.05, 1 and 10',
  async run(settings) {
    const rows: Figures[] = []
    for (const megabytes of sizesOf(settings)) {
      const path = madeUpReport(megabytes)
      rows.push(await figures(`klens audit, ${megabytes} MB`, path, settings, () => audited(path)))
      if (megabytes >= 1 && megabytes <= LARGEST_FOR_PEER) {
        rows.push(await figures(`${PEER}, ${megabytes} MB`, path, settings, () => linted(path)))
      }
    }
    return { title: 'audit', rows }
  },
}

function sizesOf({ size, small }: Settings): readonly number[] {
  if (size !== undefined) return [size]
  return small ? [1] : [0, 0.05, 1, 10]
}

async function figures(
  what: string,
  path: string,
  { rounds }: Settings,
  run: () => Promise<Spent & { readonly peakBytes: number; readonly findings: number }>,
): Promise<Figures> {
  const { seconds, cpuSeconds, peakBytes, findings } = await bestOf(rounds, run)
  const megabytes = statSync(path).size / 1e6
  return { what, findings, seconds, 'CPU seconds': cpuSeconds, 'MB/s': megabytes / seconds, 'peak MB': peakBytes / 1e6 }
}

async function audited(path: string): Promise<Finished & { readonly findings: number }> {
  const finished = await klens(DATA, ['audit', path, '--json'])
  const findings = JSON.parse(finished.output).files[0].findings.length
  if (findings === 0 && statSync(path).size > 0) throw new Error('klens audit found nothing in a report with faults')
  return { ...finished, findings }
}

const PEER = 'markdownlint-cli2 0.18.1'
const PACKAGE = PEER.replace(' ', '@')
/** It needs gigabytes of memory for more. */
const LARGEST_FOR_PEER = 10

/** Installed once, beside the data. */
function peer(): string {
  const folder = join(DATA, 'markdownlint')
  const program = join(folder, 'node_modules', 'markdownlint-cli2', 'markdownlint-cli2-bin.mjs')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', PACKAGE], { cwd: folder })
  if (status !== 0) throw new Error(`npm install ${PACKAGE} failed: ${stderr.toString()}`)
  return program
}

async function linted(path: string): Promise<Spent & { readonly peakBytes: number; readonly findings: number }> {
  const program = peer()
  const witness = fileURLToPath(new URL('./witness.cjs', import.meta.url))
  const start = performance.now()
  const words = ['--max-old-space-size=8000', '--require', witness, program, path.slice(DATA.length + 1)]
  const child = spawn(process.execPath, words, { cwd: DATA, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  const [said, report] = await Promise.all([textOf(child.stdio[2]), textOf(child.stdio[3])])
  const seconds = (performance.now() - start) / 1000
  if (report === '') throw new Error(`${PEER} did not end by itself`)
  return { seconds, findings: said.split('\n').length - 1, ...JSON.parse(report) }
}

async function textOf(stream: unknown): Promise<string> {
  if (!(stream instanceof Readable)) return ''
  let text = ''
  for await (const piece of stream.setEncoding('utf8')) text += piece
  return text
}
