import type { ImportProgress } from '../../ask/import.js'
import type { Context } from '../context.js'
import { statusLine } from './status-line.js'
import { count, printable } from './style.js'

/** How far an import is, painted over on stderr; in a pipe there is none. */
export interface ProgressBar {
  update(progress: ImportProgress): void
  done(): void
}

const BAR_WIDTH = 20

export function progressBar(context: Context, quiet: boolean): ProgressBar {
  const line = statusLine(quiet)
  return {
    update: progress => line.paint(seconds => progressLine(context, progress, seconds)),
    done: line.clear,
  }
}

function progressLine(context: Context, progress: ImportProgress, seconds: number): string {
  const { bytes, totalBytes, points, nth, runs, run } = progress
  const share = totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes)
  const filled = Math.round(share * BAR_WIDTH)
  return context.say('import.progress', {
    bar: '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled),
    percent: String(Math.floor(share * 100)),
    nth,
    runs,
    rate: (bytes / 1e6 / seconds).toFixed(0),
    points: count(points),
    eta: share > 0 ? String(Math.ceil((seconds * (1 - share)) / share)) : '?',
    name: printable(run, 30),
  })
}
