import type { Message } from '../../../logs/model/run.js'
import { sentences } from '../../../text/sentences.js'
import { hashOf, type PlannedCondition, type ProgramCondition, refuseMembers } from '../evaluations/plan-evaluations.js'
import { problems, type ReadStudy } from '../file/read.js'
import type { EvaluationFile } from '../file/sections.js'
import { blanksOf } from '../services/spec.js'
import type { CommandArm } from '../trial.js'
import { ALWAYS, resolveService, startingFolder, templateReader } from './resolve.js'
import { keysOf, type Template } from './template.js'

const say = sentences({
  'study.evaluation.no-command': {
    en: 'the evaluation "{evaluation}" needs a command that writes scores and says where (scores: scores.jsonl): klens cannot play these checkpoints itself',
    zh: '评估“{evaluation}”需要一个写出分数的 command，并用 scores: scores.jsonl 说明写在哪里：klens 无法自行运行这些检查点',
  },
  'study.evaluation.own-only': {
    en: '"{key}" is for trials that klens trains itself; tell the command',
    zh: '“{key}”只用于 klens 自己训练的试验；请写进 command',
  },
  'study.evaluation.no-checkpoint': {
    en: 'nothing in the evaluation "{evaluation}" names {blank}, so that all checkpoints would get the same scores',
    zh: '评估“{evaluation}”中没有 {blank}，所有检查点会得到相同的分数',
  },
  'study.evaluation.no-checkpoints': {
    en: 'the engine says not where its checkpoints land (checkpoints: …), so that there is nothing to evaluate',
    zh: 'engine 没有说明检查点的位置（checkpoints: …），没有可评估的内容',
  },
})

/** By arm: the same for all of them, since the words are filled when a checkpoint is there. */
export async function planProgramEvaluations(
  study: ReadStudy,
  arms: readonly CommandArm[],
  isToRun: boolean,
): Promise<ReadonlyMap<string, readonly PlannedCondition[]>> {
  const wrong: Message[] = []
  const settings = [...new Set(arms.flatMap(({ program }) => Object.keys(program.settings)))]
  const conditions: PlannedCondition[] = []
  for (const [name, written] of Object.entries(study.file.evaluations)) {
    conditions.push(await planOne(study, name, written, { settings, isToRun, wrong }))
  }
  if (conditions.length > 0 && arms.some(({ program }) => program.engine.checkpoints === null)) {
    wrong.push(study.problemAt(['engine'], say('study.evaluation.no-checkpoints', {})))
  }
  if (wrong.length > 0) throw problems(wrong)
  return new Map(arms.map(arm => [arm.name, conditions]))
}

async function planOne(
  study: ReadStudy,
  evaluation: string,
  written: EvaluationFile,
  { settings, isToRun, wrong }: { readonly settings: readonly string[]; isToRun: boolean; wrong: Message[] },
): Promise<PlannedCondition> {
  const path = ['evaluations', evaluation]
  refuseMembers(
    study,
    evaluation,
    written,
    ['samples', 'split', 'shots', 'set', 'data', 'temperature', 'repeats'],
    key => say('study.evaluation.own-only', { key }),
  )
  const { command, scores, checkpoints, before, services, environment = {}, folder = '.' } = written
  if (command === undefined || scores === undefined) {
    throw problems([study.problemAt(path, say('study.evaluation.no-command', { evaluation }))])
  }
  const complain = (inner: readonly PropertyKey[], problem: Message) =>
    wrong.push(study.problemAt([...path, ...inner], problem))
  const read = templateReader(complain)
  const shared = Object.keys(study.file.services).flatMap(blanksOf)
  const keys = [...ALWAYS.filter(key => key !== 'overrides'), 'checkpoint', 'step', ...settings, ...shared]
  const withOwn = [...keys, ...Object.keys(services).flatMap(blanksOf)]
  const asks: ProgramCondition = {
    kind: 'program',
    before: before.map((words, i) => words.map((word, j) => read(word, ['before', i, j], keys))),
    services: await Promise.all(
      Object.entries(services).map(([name, each]) =>
        resolveService(study, name, each, { path: [...path, 'services', name], keys, isToRun, wrong }),
      ),
    ),
    words: command.map((word, i) => read(word, ['command', i], withOwn)),
    environment: new Map(
      Object.entries(environment).map(([name, word]) => [name, read(word, ['environment', name], withOwn)]),
    ),
    folder: await startingFolder(study, folder, isToRun, complain),
    scores,
  }
  if (!templatesOf(asks).flatMap(keysOf).includes('checkpoint')) {
    complain([], say('study.evaluation.no-checkpoint', { evaluation, blank: '{checkpoint}' }))
  }
  // Which checkpoints are evaluated decides no score.
  const { checkpoints: _, ...deciding } = written
  const { services: beside } = study.file
  return {
    evaluation,
    hash: hashOf(JSON.parse(JSON.stringify({ kind: 'program', ...deciding, beside }))),
    ...{ checkpoints, samples: null },
    condition: { dataset: evaluation },
    asks,
  }
}

/** Of all that it starts. */
export function templatesOf({ before, services, words, environment }: ProgramCondition): readonly Template[] {
  return [
    ...before.flat(),
    ...services.flatMap(each => [...each.words, ...each.environment.values()]),
    ...words,
    ...environment.values(),
  ]
}
