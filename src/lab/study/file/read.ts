import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { unreadable } from '../../../core/store/disk-problem.js'
import { Problem } from '../../../logs/model/problem.js'
import type { Message } from '../../../logs/model/run.js'
import { isTangled } from '../../../logs/model/util/yaml.js'
import { closestWord } from '../../../logs/model/vocabulary/suggest.js'
import { sentences } from '../../../text/sentences.js'
import { shown } from '../../train/config/problems.js'
import { ENGINE_MEMBERS } from '../program/schema.js'
import { studyStopRules } from '../stop-rules.js'
import { issueMessage } from './issue.js'
import { type StudyFile, studySchema } from './schema.js'

/** A study file as a person wrote it: all that is wrong with it is told at once, each with its line and column. */

const say = sentences({
  'study.file.none': { en: 'there is no file {path}', zh: '没有文件 {path}' },
  'study.file.problems': { en: 'the study file is invalid: {problems}', zh: '此研究无法运行：{problems}' },
  'study.file.at': { en: '{file}:{line}:{column}: {problem}', zh: '{file}:{line}:{column}：{problem}' },
  'study.file.not-yaml': { en: 'this is not YAML: {detail}', zh: '不是合法的 YAML：{detail}' },
  'study.file.tangled': { en: 'too much nesting or too many aliases', zh: '嵌套过深或别名过多' },
  'study.file.not-a-map': { en: 'a study file consists of lines "key: value"', zh: '研究文件由“key: value”行组成' },
  'study.file.unknown': { en: 'a study has no "{key}"', zh: '研究文件没有“{key}”这一项' },
  'study.file.unknown-suggest': {
    en: 'a study has no "{key}"; did you mean "{suggestion}"?',
    zh: '研究文件没有“{key}”；是否想写“{suggestion}”？',
  },
  'study.file.wrong': { en: '"{key}" cannot be {given}', zh: '“{key}”不能是 {given}' },
  'study.file.stop-builtin': {
    en: 'stop rules are for trials that a command trains; klens trains its own trials to the end',
    zh: '停止规则用于由命令训练的试验；klens 自己训练的试验总是训练到结束',
  },
})

interface ConfigFile {
  readonly name: string
  readonly text: string
}

export interface ReadStudy {
  /** The path as it was given. */
  readonly path: string
  readonly text: string
  readonly name: string
  readonly file: StudyFile
  /** The config file that its trials start from; null where it has settings of its own. */
  readonly base: ConfigFile | null
  /** A problem of what stands at a path of the file. */
  readonly problemAt: (path: readonly PropertyKey[], problem: Message) => Message
}

export async function openStudy(path: string): Promise<ReadStudy> {
  const study = readStudy(path, await textOf(path))
  const { base } = study.file
  if (typeof base !== 'string') return study
  const name = resolve(dirname(path), base)
  return { ...study, base: { name, text: await textOf(name) } }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
      throw new Problem('not-found', say('study.file.none', { path }))
    }
    throw unreadable(path, error)
  }
}

export function readStudy(path: string, text: string): ReadStudy {
  const lines = new LineCounter()
  const at = (offset: number, problem: Message): Message => {
    const { line, col } = lines.linePos(offset)
    return say('study.file.at', { file: path, line: String(line), column: String(col), problem })
  }
  if (isTangled(text)) throw problems([at(0, say('study.file.tangled', {}))])
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' })
  if (document.errors.length > 0) {
    throw problems(
      document.errors.map(({ pos, message }) => at(pos[0], say('study.file.not-yaml', { detail: message }))),
    )
  }
  const problemAt = (keys: readonly PropertyKey[], problem: Message): Message => at(offsetOf(document, keys), problem)
  const value: unknown = document.toJS({ maxAliasCount: 100 })
  const parsed = studySchema.safeParse(value, { reportInput: true })
  if (!parsed.success) {
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (!isMap) throw problems([at(0, say('study.file.not-a-map', {}))])
    throw problems(
      parsed.error.issues.flatMap(issue => issueProblems(issue).map(([keys, said]) => problemAt(keys, said))),
    )
  }
  const file = parsed.data
  refuseStops(file, problem => problems([problemAt(['stop'], problem)]))
  return { path, text, name: file.name ?? nameOf(path), file, base: null, problemAt }
}

function refuseStops({ stop, engine }: StudyFile, refusal: (problem: Message) => Problem): void {
  try {
    const rules = studyStopRules(stop)
    if (rules.length > 0 && engine === 'builtin') throw refusal(say('study.file.stop-builtin', {}))
  } catch (error) {
    throw error instanceof Problem && error.sentence.key.startsWith('stop.') ? refusal(error.sentence) : error
  }
}

export function problems(list: readonly Message[]): Problem {
  return new Problem('bad-request', say('study.file.problems', { problems: list }))
}

/** What has no name is called like its file. */
function nameOf(path: string): string {
  const name = basename(path)
    .replace(/\.ya?ml$/i, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
  return name === '' ? 'study' : name
}

/** Where the innermost thing on the path begins that the file has. */
function offsetOf(document: ReturnType<typeof parseDocument>, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true)
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) {
      return Number(node.range[0])
    }
  }
  return 0
}

type Located = readonly [path: readonly PropertyKey[], problem: Message]

function issueProblems(issue: z.core.$ZodIssue): readonly Located[] {
  const { path } = issue
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => [[...path, key], unknownMember(key, path)] as const)
  }
  if (issue.code === 'invalid_union') {
    // Of several shapes, the one that fits from outside is the one that was meant.
    const meant = issue.errors.find(branch => branch.length > 0 && branch.every(each => each.path.length > 0))
    if (meant !== undefined) return meant.flatMap(each => issueProblems({ ...each, path: [...path, ...each.path] }))
  }
  const key = path.join('.')
  const given = shown(issue.input)
  return [[path, issueMessage(issue.message, { key, given }) ?? say('study.file.wrong', { key, given })]]
}

const SECTIONS: { readonly [section: string]: readonly string[] } = {
  '': Object.keys(studySchema.shape),
  budget: ['trials', 'hours'],
  drop: ['at', 'fresh'],
  search: ['knobs', 'points', 'seeds'],
  settle: ['arms', 'by', 'most', 'prompts'],
  'settle.prompts': ['split', 'first', 'most'],
  engine: ENGINE_MEMBERS,
  'engine.stop': ['signal', 'seconds'],
}

function unknownMember(key: string, path: readonly PropertyKey[]): Message {
  const suggestion = closestWord(key, SECTIONS[path.join('.')] ?? [])
  const whole = [...path, key].join('.')
  return suggestion === null
    ? say('study.file.unknown', { key: whole })
    : say('study.file.unknown-suggest', { key: whole, suggestion })
}
