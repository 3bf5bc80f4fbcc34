import type { Command } from 'commander'
import { pointCount, stepRange } from '../store/catalogue.js'
import { follow } from '../store/follow.js'
import { type ImportResult, importLogs } from '../store/ingest.js'
import { type Manifest, shownName } from '../store/manifest.js'
import { openWorkspace } from '../store/workspace.js'
import { type Context, collect, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { progressBar } from './progress.js'
import { alignTable, count, displayWidth, pad, printable, shortStep } from './style.js'

interface Options {
  readonly json?: boolean
  readonly follow?: boolean
  readonly step?: string
  readonly metric?: readonly string[]
}

export function importVerb(context: Context): Command {
  return verb('import', context.say('import.about', {}), context)
    .argument('<path...>', context.say('import.paths', {}))
    .option('-f, --follow', context.say('import.option.follow', {}))
    .option('--step <column>', context.say('import.option.step', {}))
    .option('--metric <column>', context.say('import.option.metric', {}), collect)
    .action((paths: string[], options: Options) => runImport(context, paths, options))
}

async function runImport(context: Context, paths: readonly string[], options: Options): Promise<void> {
  const started = performance.now()
  const workspace = await openWorkspace()
  const hints = {
    ...(options.step !== undefined && { step: options.step }),
    ...(options.metric !== undefined && { metrics: options.metric }),
  }
  const bar = progressBar(context, options.json === true)
  const result = await interruptible(context, signal =>
    importLogs(workspace, paths, { hints, signal, onProgress: bar.update, keepsEarlier: options.follow === true }),
  ).finally(bar.done)
  const seconds = (performance.now() - started) / 1000

  if (options.json === true) context.printJson({ ...importJson(context, result), seconds })
  else printResult(context, result, { seconds, isFollowed: options.follow === true })
  if (options.follow !== true) {
    if (result.runs.length === 0) process.exitCode = 2
    return
  }
  await interruptible(context, signal =>
    follow(workspace, paths, {
      hints,
      signal,
      onStart: (runs, isAwaited) => context.remark(startRemark(context, runs, isAwaited ? paths : [])),
      onGrowth: growthPrinter(context, options.json === true),
      onRemark: ({ path, reason }) =>
        context.remark(context.say('import.remark', { path: printable(path, 120), reason: context.render(reason) })),
    }),
  )
}

function startRemark(context: Context, runs: number, awaited: readonly string[]): string {
  if (runs > 0) return context.say('import.following', { count: runs })
  if (awaited.length === 0) return context.say('import.nothing-to-follow', {})
  return context.say('import.awaiting', { paths: awaited.map(path => printable(path, 120)).join(', ') })
}

function importJson(context: Context, { runs, skipped }: ImportResult): object {
  return {
    runs: runs.map(manifest => ({
      id: manifest.id,
      name: shownName(manifest),
      source: manifest.source,
      status: manifest.status,
      points: pointCount(manifest),
      metrics: manifest.metrics.size,
      steps: stepRange(manifest),
      warnings: warningsOf(context, manifest),
    })),
    skipped: skipped.map(({ path, reason }) => ({ path, reason: context.render(reason) })),
  }
}

function printResult(
  context: Context,
  { runs, skipped }: ImportResult,
  { seconds, isFollowed }: { readonly seconds: number; readonly isFollowed: boolean },
): void {
  const { paint } = context
  const rows = runs.map(manifest => {
    const points = pointCount(manifest)
    const steps = stepRange(manifest)
    return [
      paint('dim', manifest.id),
      paint('bold', printable(shownName(manifest), 48)),
      manifest.source,
      context.say(`status.${manifest.status}`, {}),
      steps === null ? '' : context.say('import.steps', { first: shortStep(steps[0]), last: shortStep(steps[1]) }),
      context.say('import.run', {
        points: count(points),
        count: points,
        metrics: count(manifest.metrics.size),
        metricCount: manifest.metrics.size,
      }),
    ]
  })
  alignTable(rows).forEach((line, i) => {
    context.print(line)
    for (const warning of warningsOf(context, runs[i])) context.print(paint('yellow', `  ! ${printable(warning, 200)}`))
  })
  const points = runs.reduce((sum, manifest) => sum + pointCount(manifest), 0)
  const spent = seconds < 10 ? seconds.toFixed(1) : String(Math.round(seconds))
  if (runs.length > 0) {
    context.print('')
    context.print(context.say('import.total', { runs: runs.length, points: count(points), seconds: spent }))
  }
  printSkipped(context, skipped)
  if (runs.length > 0) context.print(paint('dim', context.say('import.next', { run: runs[0].id })))
  else if (!isFollowed) context.remark(context.say('cli.error', { message: context.say('import.nothing', {}) }))
}

const SKIPPED_SHOWN = 5

function printSkipped(context: Context, skipped: ImportResult['skipped']): void {
  if (skipped.length === 0) return
  context.print(context.say('import.skipped', { count: skipped.length }))
  for (const { path, reason } of skipped.slice(0, SKIPPED_SHOWN)) {
    context.print(`  ${printable(path, 120)}: ${printable(context.render(reason), 200)}`)
  }
  const more = skipped.length - SKIPPED_SHOWN
  if (more > 0) context.print(`  ${context.say('import.more', { count: more })}`)
}

function warningsOf(context: Context, manifest: Manifest): string[] {
  const warnings = manifest.files.flatMap(file => file.warnings.map(context.render))
  if (manifest.duplicateOf !== null) warnings.push(context.say('import.duplicate', { run: manifest.duplicateOf }))
  return warnings
}

/** One line for each change; columns stay where they are, unless a longer name comes. */
function growthPrinter(context: Context, json: boolean): (manifest: Manifest) => void {
  const widths = { name: 0, step: 6, points: 9 }
  return manifest => {
    const { id, status } = manifest
    const step = stepRange(manifest)?.[1] ?? null
    const points = pointCount(manifest)
    if (json) {
      context.printJson({ id, name: shownName(manifest), status, step, points })
      return
    }
    const cells = {
      name: printable(shownName(manifest), 48),
      step: step === null ? '–' : shortStep(step),
      points: count(points),
    }
    for (const column of ['name', 'step', 'points'] as const) {
      widths[column] = Math.max(widths[column], displayWidth(cells[column]))
    }
    const line = context.say('import.followed', {
      name: pad(cells.name, widths.name),
      step: pad(cells.step, widths.step, 'right'),
      points: pad(cells.points, widths.points, 'right'),
    })
    const hasStopped = status !== 'running' && status !== 'unknown'
    context.print(hasStopped ? `${line}  ${context.say(`status.${status}`, {})}` : line)
  }
}
