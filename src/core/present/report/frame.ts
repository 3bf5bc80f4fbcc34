import { basename } from 'node:path'
import type { Verdict } from '../../../logs/model/verdict.js'
import type { Language } from '../../../text/language.js'
import { labelFor, message as words } from '../../../text/say.js'
import { shortHash } from '../../../text/short-hash.js'
import { stepRange } from '../../store/catalogue.js'
import { shownName } from '../../store/manifest.js'
import type { LoadedRun } from '../../store/series.js'
import { type Block, code, heading, list, paragraph, strong, table } from '../blocks.js'
import { methodTextsOf } from '../explanation.js'
import type { Speaker } from '../speaker.js'
import type { Memory, Recipe } from './memory.js'

/** What every report has, whatever it is about. */
export interface Frame {
  readonly provenance: Provenance
  /** Null: the report has one of its own. */
  readonly title: string | null
  readonly date: string | null
  /** What an older report at the same place concluded. */
  readonly before: Memory | null
  /** What people wrote about these runs, or about the comparison. */
  readonly notes?: readonly { readonly about: string; readonly text: string }[]
}

/** What a report says, and what a later one of the same runs is compared with. */
export interface ReportContent {
  readonly language: Language
  readonly title: string
  readonly blocks: readonly Block[]
  readonly memory: Memory
}

export interface Report extends ReportContent {
  /** How it can be made again. */
  readonly recipe: Recipe
}

interface Content {
  /** For a report that was given no other. */
  readonly title: string
  readonly blocks: readonly Block[]
  readonly memory: Memory
}

export function framed(
  speaker: Speaker,
  { title, date, notes = [] }: Pick<Frame, 'title' | 'date' | 'notes'>,
  content: Content,
): ReportContent {
  return {
    language: speaker.language,
    title: title ?? content.title,
    memory: content.memory,
    blocks: [
      ...(date === null ? [] : [paragraph(speaker.say(words('report.date', { date })))]),
      ...content.blocks,
      ...noteBlocks(speaker, notes),
    ],
  }
}

function noteBlocks(speaker: Speaker, notes: NonNullable<Frame['notes']>): readonly Block[] {
  if (notes.length === 0) return []
  const paragraphs = notes.flatMap(({ about, text }) => [
    paragraph(strong(about)),
    ...text.split(/\n\s*\n/).map(each => paragraph(each)),
  ])
  return [heading(speaker.say(words('report.notes', {}))), ...paragraphs]
}

/** What changed since an older report of the same runs, so that a sentence that was true then does not live on. */
export function changedBlocks(speaker: Speaker, before: Memory | null, now: Memory): readonly Block[] {
  if (before === null || !before.runs.every(run => now.runs.includes(run)) || before.metric !== now.metric) return []
  // A report of another version of klens may name an answer that this one has no word for.
  const label = (kind: 'question' | 'answer', name: string): string =>
    labelFor(`${kind}.${name}`, speaker.language) ?? name
  const items = [
    ...(now.evaluations === before.evaluations
      ? []
      : [
          speaker.say(
            words('report.changed.evaluations', {
              more: now.evaluations - before.evaluations,
              before: before.evaluations,
              now: now.evaluations,
            }),
          ),
        ]),
    ...now.verdicts.flatMap(verdict => {
      const old = before.verdicts.find(
        ({ question, other }) => question === verdict.question && other === verdict.other,
      )
      if (old === undefined || old.answer === verdict.answer) return []
      return [
        speaker.say(
          words('report.changed.verdict', {
            question: label('question', verdict.question),
            other: verdict.other,
            before: label('answer', old.answer),
            now: label('answer', verdict.answer),
          }),
        ),
      ]
    }),
    ...now.findings
      .filter(f => !before.findings.includes(f))
      .map(finding => speaker.say(words('report.changed.finding', { finding }))),
    ...before.findings
      .filter(f => !now.findings.includes(f))
      .map(finding => speaker.say(words('report.changed.gone', { finding }))),
  ]
  return items.length === 0
    ? []
    : [heading(speaker.say(words('report.head.changed', {}))), list(items.map(item => [item]))]
}

/** The appendix: where every number comes from, by which command, with which method and how often that is wrong. */
export interface Provenance {
  readonly version: string
  /** As it was typed, without paths that name a machine. */
  readonly command: string
}

type Judged = Pick<Verdict, 'method'>

export function evidenceBlocks(
  speaker: Speaker,
  runs: readonly LoadedRun[],
  verdicts: readonly Judged[],
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

function methodBlocks(speaker: Speaker, verdicts: readonly Judged[]): readonly Block[] {
  const used = new Set(verdicts.flatMap(({ method }) => (method === null ? [] : [method.id])))
  if (used.size === 0) return []
  return [
    heading(speaker.say(words('report.head.methods', {})), 3),
    list([...used].map(id => [methodTextsOf(id, speaker).map(speaker.sentence).join(' ')])),
  ]
}
