import type { ImportProgress } from '../../ask/import.js'
import type { Context } from '../context.js'
import { count, displayWidth, printable } from './style.js'

/** One line on stderr that is painted over; in a pipe there is none. */
export interface StatusLine {
  paint(line: (seconds: number) => string): void
  /** Makes room for a line that stays. */
  clear(): void
}

const PAINT_EVERY_MS = 100
/** Short work needs no such line: it would only flicker. */
const SILENT_MS = 400

export function statusLine(quiet: boolean): StatusLine {
  const stream = process.stderr
  if (quiet || stream.isTTY !== true) return { paint: () => {}, clear: () => {} }
  const started = performance.now()
  let painted = 0
  let shown = false
  return {
    paint(line) {
      const now = performance.now()
      if (now - started < SILENT_MS || now - painted < PAINT_EVERY_MS) return
      painted = now
      shown = true
      stream.write(`\r\u001b[2K${cut(line((now - started) / 1000), columnsOf(stream) - 1)}`)
    },
    clear() {
      if (shown) stream.write('\r\u001b[2K')
      shown = false
    },
  }
}

/** A terminal without a size says 0. */
function columnsOf({ columns }: NodeJS.WriteStream): number {
  return columns > 0 ? columns : 80
}

function cut(line: string, columns: number): string {
  let kept = line
  while (displayWidth(kept) > columns) kept = kept.slice(0, -1)
  return kept
}

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
