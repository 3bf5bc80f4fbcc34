import { basename } from 'node:path'
import type { RunComparison } from '../analysis/compare/answer.js'
import type { Verdict } from '../model/verdict.js'
import { stepRange } from '../store/catalogue.js'
import { shownName } from '../store/manifest.js'
import type { LoadedRun } from '../store/series.js'
import { clauses } from '../text/language.js'
import { shortHash } from '../text/short-hash.js'
import { type Block, code, heading, type Inline, list, paragraph, table } from './blocks.js'
import type { Voice } from './voice.js'

/** The appendix: where every number comes from, by which command, with which method and how often that is wrong. */
export interface Provenance {
  readonly version: string
  /** As it was typed, without paths that name a machine. */
  readonly command: string
}

export function evidenceBlocks(
  voice: Voice,
  runs: readonly LoadedRun[],
  verdicts: readonly Verdict[],
  provenance: Provenance,
): readonly Block[] {
  return [
    ...commandBlocks(voice, provenance),
    heading(voice.say('report.head.sources', {}), 3),
    sourcesTable(voice, runs),
    ...methodBlocks(voice, verdicts),
  ]
}

/** How the appendix begins. */
export function commandBlocks(voice: Voice, { version, command }: Provenance): readonly Block[] {
  return [
    heading(voice.say('report.head.evidence', {})),
    paragraph(voice.say('report.evidence.command', { version })),
    { kind: 'command', text: command },
  ]
}

function sourcesTable(voice: Voice, runs: readonly LoadedRun[]): Block {
  const header = (['run', 'tool', 'steps', 'files', 'hash'] as const).map(name =>
    voice.say(`report.column.${name}`, {}),
  )
  return table(
    header,
    runs.flatMap(({ manifest }) => {
      const steps = stepRange(manifest)
      const range = steps === null ? '–' : `${steps[0]}–${steps[1]}`
      const versions = Object.entries(manifest.about.versions ?? {}).map(([tool, version]) => `${tool} ${version}`)
      return manifest.files.map(({ path, headHash }, i) => [
        i === 0 ? shownName(manifest) : '',
        i === 0 ? [manifest.source, ...versions].join(', ') : '',
        i === 0 ? range : '',
        code(basename(path)),
        code(shortHash(headHash)),
      ])
    }),
  )
}

function methodBlocks(voice: Voice, verdicts: readonly Verdict[]): readonly Block[] {
  const used = new Map(verdicts.flatMap(({ method }) => (method === null ? [] : [[method.id, method]])))
  if (used.size === 0) return []
  return [
    heading(voice.say('report.head.methods', {}), 3),
    list(
      [...used.keys()].map(id => [
        voice.sentence(voice.say(`method.${id}`, {})),
        ' ',
        voice.sentence(voice.say(`method.${id}.rate`, {})),
      ]),
    ),
  ]
}

/** The questions that stay open, each with its reasons. */
export function openBlocks(
  voice: Voice,
  comparison: RunComparison,
  unchecked: readonly (readonly Inline[])[],
): readonly Block[] {
  const open = comparison.others.flatMap(({ verdicts, headline }) =>
    verdicts.filter(verdict => verdict.answer === 'undetermined' && verdict !== headline),
  )
  const items = open.map(({ question, other, reasons }) => [
    {
      strong:
        comparison.others.length > 1
          ? `${voice.say(`question.${question}`, {})}, ${other}`
          : voice.say(`question.${question}`, {}),
    },
    `${voice.say('report.colon', {})}${clauses(reasons.map(voice.render), voice.language)}`,
  ])
  if (items.length + unchecked.length === 0) return []
  return [heading(voice.say('report.head.open', {})), list([...items, ...unchecked])]
}
