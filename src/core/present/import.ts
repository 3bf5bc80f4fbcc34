import type { ImportAnswer } from '../../app/ask/import.js'
import { count } from '../../text/numbers.js'
import { message as words } from '../../text/say.js'
import { type Block, paragraph, section, strong, table, toned } from './blocks.js'
import { type Speaker, saying } from './speaker.js'
import { shortStep } from './terminal-text.js'

/** What an import read: the runs, each with what is odd about it, and what was passed over. */
export function importBlocks({ runs, skipped, seconds }: ImportAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const rows = runs.flatMap(({ id, name, source, status, steps, points, metrics, warnings }) => [
    [
      toned(id, 'quiet'),
      strong(name),
      source,
      say(`status.${status}`, {}),
      steps === null ? '' : say('import.steps', { first: shortStep(steps[0]), last: shortStep(steps[1]) }),
      say('import.run', { points: count(points), count: points, metrics: count(metrics), metricCount: metrics }),
    ],
    ...warnings.map(warning => [toned(`  ! ${warning}`, 'warning')]),
  ])
  const points = count(runs.reduce((sum, run) => sum + run.points, 0))
  const spent = seconds < 10 ? seconds.toFixed(1) : String(Math.round(seconds))
  return [
    ...(runs.length === 0
      ? []
      : [table([], rows), paragraph(say('import.total', { runs: runs.length, points, seconds: spent }))]),
    ...skippedBlocks(skipped, speaker),
    ...(runs.length === 0 ? [] : [paragraph(toned(say('import.next', { run: runs[0].id }), 'quiet'))]),
  ]
}

const SKIPPED_SHOWN = 5

function skippedBlocks(skipped: ImportAnswer['skipped'], speaker: Speaker): readonly Block[] {
  if (skipped.length === 0) return []
  const say = saying(speaker, words)
  const more = skipped.length - SKIPPED_SHOWN
  return [
    section(
      say('import.skipped', { count: skipped.length }),
      ...skipped.slice(0, SKIPPED_SHOWN).map(({ path, reason }) => paragraph(`${path}: ${reason}`)),
      ...(more > 0 ? [paragraph(say('import.more', { count: more }))] : []),
    ),
  ]
}
