import { basename } from 'node:path'
import type { RunComparison } from '../../analysis/compare/answer.js'
import type { Verdict } from '../../model/verdict.js'
import { stepRange } from '../../store/catalogue.js'
import { shownName } from '../../store/manifest.js'
import type { LoadedRun } from '../../store/series.js'
import { clauses } from '../../text/language.js'
import { message as words } from '../../text/say.js'
import { shortHash } from '../../text/short-hash.js'
import { type Block, code, heading, type Inline, list, paragraph, table } from '../blocks.js'
import type { Speaker } from '../speaker.js'

/** The appendix: where every number comes from, by which command, with which method and how often that is wrong. */
export interface Provenance {
  readonly version: string
  /** As it was typed, without paths that name a machine. */
  readonly command: string
}

export function evidenceBlocks(
  speaker: Speaker,
  runs: readonly LoadedRun[],
  verdicts: readonly Verdict[],
  provenance: Provenance,
): readonly Block[] {
  return [
    ...commandBlocks(speaker, provenance),
    heading(speaker.say(words('report.head.sources', {})), 3),
    sourcesTable(speaker, runs),
    ...methodBlocks(speaker, verdicts),
  ]
}

/** How the appendix begins. */
export function commandBlocks(speaker: Speaker, { version, command }: Provenance): readonly Block[] {
  return [
    heading(speaker.say(words('report.head.evidence', {}))),
    paragraph(speaker.say(words('report.evidence.command', { version }))),
    { kind: 'command', text: command },
  ]
}

function sourcesTable(speaker: Speaker, runs: readonly LoadedRun[]): Block {
  const header = (['run', 'tool', 'steps', 'files', 'hash'] as const).map(name =>
    speaker.say(words(`report.column.${name}`, {})),
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

function methodBlocks(speaker: Speaker, verdicts: readonly Verdict[]): readonly Block[] {
  const used = new Map(verdicts.flatMap(({ method }) => (method === null ? [] : [[method.id, method]])))
  if (used.size === 0) return []
  return [
    heading(speaker.say(words('report.head.methods', {})), 3),
    list(
      [...used.keys()].map(id => [
        speaker.sentence(speaker.say(words(`method.${id}`, {}))),
        ' ',
        speaker.sentence(speaker.say(words(`method.${id}.rate`, {}))),
      ]),
    ),
  ]
}

/** The questions that stay open, each with its reasons. */
export function openBlocks(
  speaker: Speaker,
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
          ? `${speaker.say(words(`question.${question}`, {}))}, ${other}`
          : speaker.say(words(`question.${question}`, {})),
    },
    `${speaker.say(words('report.colon', {}))}${clauses(reasons.map(speaker.say), speaker.language)}`,
  ])
  if (items.length + unchecked.length === 0) return []
  return [heading(speaker.say(words('report.head.open', {}))), list([...items, ...unchecked])]
}
