import type { ImportProgress } from '../store/ingest.js'
import type { Context } from './context.js'
import { count, displayWidth, printable } from './style.js'

/** One line on stderr that is painted over; in a pipe there is none. */
export interface ProgressBar {
  update(progress: ImportProgress): void
  done(): void
}

const PAINT_EVERY_MS = 100
/** Short work needs no bar: it would only flicker. */
const SILENT_MS = 400
const BAR_WIDTH = 20

export function progressBar(context: Context, quiet: boolean): ProgressBar {
  const stream = process.stderr
  if (quiet || stream.isTTY !== true) return { update: () => {}, done: () => {} }
  const started = performance.now()
  let painted = 0
  let shown = false
  return {
    update(progress) {
      const now = performance.now()
      if (now - started < SILENT_MS || now - painted < PAINT_EVERY_MS) return
      painted = now
      shown = true
      const line = progressLine(context, progress, (now - started) / 1000)
      stream.write(`\r\u001b[2K${cut(line, (stream.columns ?? 80) - 1)}`)
    },
    done() {
      if (shown) stream.write('\r\u001b[2K')
    },
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

function cut(line: string, columns: number): string {
  let kept = line
  while (displayWidth(kept) > columns) kept = kept.slice(0, -1)
  return kept
}
