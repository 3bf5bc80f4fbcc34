import { z } from 'zod'
import {
  type UnknownName,
  type UnknownNames,
  unknownNames,
  unknownNamesSchema,
} from '../../core/analysis/unknown-names.js'
import { loadVocabulary } from '../../core/store/vocabulary.js'
import { editVocabulary } from '../../core/store/vocabulary-file.js'
import type { Workspace } from '../../core/store/workspace.js'
import { Problem } from '../../logs/model/problem.js'
import { CONFIG_KEYS } from '../../logs/model/vocabulary/config-keys.js'
import { ROWS } from '../../logs/model/vocabulary/metric-index.js'
import { closestWord } from '../../logs/model/vocabulary/suggest.js'
import type { VocabularyEdit } from '../../logs/model/vocabulary/user-edit.js'
import { encoded } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { sentences } from '../../text/sentences.js'
import { list, request } from './fields.js'
import { allRuns } from './goal.js'
import { resolveAll } from './names.js'
import { type Asking, question } from './question.js'

/** Which names of the logs have no meaning, and what may they mean? And a person's yes or no, kept in vocabulary.yaml. */

const say = sentences({
  'vocabulary.no-name': {
    en: 'no run of this workspace logs or sets "{name}"{hint}',
    zh: '此工作区中没有 run 记录或设置“{name}”{hint}',
  },
  'vocabulary.meant': { en: '; did you mean {meant}?', zh: '；是否指 {meant}？' },
  'vocabulary.no-proposal': {
    en: 'klens has no proposal for "{name}": give its meaning with --accept NAME=CANONICAL; docs/vocabulary.md lists the canonical names',
    zh: 'klens 对“{name}”没有建议：请用 --accept 名称=规范名 说明；规范名见 docs/vocabulary.md',
  },
  'vocabulary.choose': {
    en: '"{name}" may be {candidates}: choose one, --accept NAME=CANONICAL',
    zh: '“{name}”可能是 {candidates}：请用 --accept 名称=规范名 指明',
  },
  'vocabulary.no-canonical': {
    en: '"{canonical}" is not a canonical name{hint}; docs/vocabulary.md lists them, and a metric of your own is added to vocabulary.yaml by hand',
    zh: '“{canonical}”不是 klens 已知的规范名{hint}；规范名见 docs/vocabulary.md，自拟的指标请手动写入 vocabulary.yaml',
  },
  'vocabulary.no-yaml-name': {
    en: 'a name with * or of more than {most} characters cannot be added here; add it to vocabulary.yaml by hand',
    zh: '名称含 * 或超过 {most} 个字符，会匹配其他名称或无法匹配：请手动写入 vocabulary.yaml',
  },
})

export const vocabulary = question({
  /** Without any, all runs of the workspace. */
  request: request({ runs: list(z.string()).default([]) }),
  answer: encoded(unknownNamesSchema),
  async ask(workspace, { runs, lang }, asking) {
    for (const problem of (await loadVocabulary(workspace)).problems) asking.remark?.(problem)
    return encode(await namesIn(workspace, runs, asking), lang)
  },
})

export type VocabularyAnswer = z.infer<typeof vocabulary.answer>

async function namesIn(workspace: Workspace, runs: readonly string[], asking: Asking): Promise<UnknownNames> {
  return unknownNames(await resolveAll(workspace, runs.length > 0 ? runs : await allRuns(workspace), asking))
}

const editSchema = z.object({
  section: z.enum(['metrics', 'config', 'ignore']),
  name: z.string(),
  /** Null for a name that was rejected. */
  canonical: z.string().nullable(),
})

export const editVocabularyQuestion = question({
  request: request({
    /** Paths among them are imported first; a name is looked up in every run of the workspace. */
    runs: list(z.string()).default([]),
    /** `NAME=CANONICAL`, or a NAME whose proposal is meant. */
    accept: list(z.string().min(1)).default([]),
    reject: list(z.string().min(1)).default([]),
  }),
  answer: z.object({ edits: list(editSchema) }),
  async ask(workspace, { runs: given, accept, reject }, asking) {
    await resolveAll(workspace, given, asking)
    const runs = await resolveAll(workspace, await allRuns(workspace), asking)
    const found = unknownNames(runs)
    const metrics = new Set(runs.flatMap(({ manifest }) => [...manifest.metrics.keys()]))
    const settings = new Set(runs.flatMap(({ config }) => Object.keys(config)))
    const logged: LoggedNames = { found, metrics, settings }
    const edits = [...accept.map(text => accepted(text, logged)), ...reject.map(name => rejected(name, logged))]
    await editVocabulary(workspace, edits)
    return { edits: edits.map(edit => ({ canonical: null, ...edit })) }
  },
})

interface LoggedNames {
  readonly found: UnknownNames
  readonly metrics: ReadonlySet<string>
  readonly settings: ReadonlySet<string>
}

/** A name may hold `=` itself; a canonical name never does. */
function accepted(text: string, logged: LoggedNames): VocabularyEdit {
  const isWhole = logged.metrics.has(text) || logged.settings.has(text)
  const at = isWhole ? -1 : text.lastIndexOf('=')
  const name = at < 0 ? text : text.slice(0, at)
  const section = sectionOf(name, logged)
  if (at >= 0) return { section, name, canonical: knownCanonical(section, text.slice(at + 1)) }
  const names: readonly UnknownName[] = section === 'metrics' ? logged.found.metrics : logged.found.settings
  const proposal = names.find(each => each.name === name)?.proposal ?? null
  if (proposal === null) throw new Problem('not-enough', say('vocabulary.no-proposal', { name }))
  const [canonical, another] = proposal.candidates
  if (proposal.certainty === 'open' || canonical === undefined || another !== undefined) {
    throw new Problem('bad-request', say('vocabulary.choose', { name, candidates: proposal.candidates.join(', ') }))
  }
  return { section, name, canonical }
}

function rejected(name: string, logged: LoggedNames): VocabularyEdit {
  sectionOf(name, logged)
  return { section: 'ignore', name }
}

const LONGEST_NAME = 512

/** Where the name stands in the runs; a metric before a setting of the same name. */
function sectionOf(name: string, { metrics, settings }: LoggedNames): 'metrics' | 'config' {
  if (!metrics.has(name) && !settings.has(name)) {
    const meant = closestWord(name.slice(0, LONGEST_NAME), [...metrics, ...settings])
    const hint = meant === null ? '' : say('vocabulary.meant', { meant })
    throw new Problem('not-found', say('vocabulary.no-name', { name, hint }))
  }
  if (name.includes('*') || name.length > LONGEST_NAME) {
    throw new Problem('bad-request', say('vocabulary.no-yaml-name', { most: LONGEST_NAME }))
  }
  return metrics.has(name) ? 'metrics' : 'config'
}

function knownCanonical(section: 'metrics' | 'config', canonical: string): string {
  const known = section === 'metrics' ? [...ROWS.keys()] : CONFIG_KEYS.map(({ key }) => key)
  if (known.includes(section === 'metrics' ? canonical.replace(/^val\.(?!score|loss)/, '') : canonical))
    return canonical
  const meant = closestWord(canonical, known)
  const hint = meant === null ? '' : say('vocabulary.meant', { meant })
  throw new Problem('bad-request', say('vocabulary.no-canonical', { canonical, hint }))
}
