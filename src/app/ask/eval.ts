import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Workspace } from '../../core/store/workspace.js'
import { canonicalJson, flatConfig } from '../../lab/train/config/hash.js'
import { readTrainConfig } from '../../lab/train/config/read.js'
import type { TrainConfig } from '../../lab/train/config/selector-settings.js'
import { agreementsAmong, choiceSpread, type Evaluated, evaluateCheckpoint } from '../../lab/train/evaluate.js'
import { type LoadedCheckpoint, loadCheckpoint } from '../../lab/train/load-checkpoint.js'
import { openTask } from '../../lab/train/open-task.js'
import { scoreOf, type Task, type Baseline as TaskBaseline } from '../../lab/train/tasks/task.js'
import { Problem } from '../../logs/model/problem.js'
import { encoded, sentence } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { message } from '../../text/say.js'
import { evaluationFindings } from './evaluation-findings.js'
import { distinctMessages, figure, list, numberWithin, otherwise, refuse, request } from './fields.js'
import { checkpointNames, keepEvaluations, writeChoices } from './keep-evaluations.js'
import { checkpointPath } from './named-checkpoint.js'
import { type Asking, question } from './question.js'

/** How good are these checkpoints on a task, and do they choose alike? The scores are kept with the run that made them. */

const MOST_SHOTS = 100

const evalRequest = request({
  checkpoints: list(z.string()),
  task: z.string().optional(),
  /** Path of a config file. */
  config: z.string().optional(),
  set: list(z.string()).default([]),
  shots: z
    .string()
    .default('1,2,3,4')
    .transform((text, context): readonly number[] => {
      const shots = text.split(',').map(Number)
      const sensible = shots.every(count => Number.isInteger(count) && count > 0 && count < MOST_SHOTS)
      return sensible ? [...new Set(shots)] : refuse(context, text, 'eval.bad-shots')
    }),
  samples: numberWithin({ above: 0, whole: true }),
  split: z.enum(['train', 'val', 'test'], otherwise('eval.bad-split')).nullable().default(null),
  /** Also what no examples, random ones and the nearest score, which may have to be paid for. */
  baselines: z.boolean().default(false),
  /** Where to write all choices. */
  choices: z.string().optional(),
  /** `original`: leave at random what the original's inference would not load. Such scores are not kept. */
  load: z.enum(['whole', 'original'], otherwise('eval.bad-load')).default('whole'),
})

const evaluation = z.object({
  checkpoint: z.string(),
  /** Short, for a table. */
  name: z.string(),
  epoch: z.number().nullable(),
  task: z.string(),
  shots: z.number(),
  split: z.enum(['train', 'val', 'test']),
  /** Queries that were asked; of these, how many choices have a score and how many have none. */
  asked: z.number(),
  n: z.number(),
  missing: z.number(),
  /** What was chosen over all queries together. */
  spread: z.object({
    distinct: z.number(),
    examples: z.number(),
    entropy: z.number(),
    pool: z.object({ least: z.number(), most: z.number() }),
  }),
  /** `eval.score` is the one of the other two that the task counts. */
  metrics: z.object({ 'eval.score': figure, 'eval.score.hard': figure, 'eval.score.soft': figure }),
})

export type EvaluationAnswer = z.infer<typeof evaluation>

const evalSchema = z.object({
  /** Null where the checkpoints belong to several. */
  run: z.string().nullable(),
  checkpoints: list(z.string()),
  evaluations: list(evaluation),
  agreements: list(
    z.object({
      first: z.string(),
      second: z.string(),
      sameWeights: z.boolean(),
      shots: z.number(),
      n: z.number(),
      share: z.number(),
      overlap: z.number(),
      /** The share of queries with the same example at each place. */
      positions: list(z.number()),
    }),
  ),
  baselines: list(
    z.object({
      name: z.enum(['zero-shot', 'random', 'nearest', 'best', 'logged']),
      task: z.string(),
      shots: z.number(),
      score: figure,
      n: z.number(),
      missing: z.number(),
    }),
  ),
  /** What makes the scores say nothing. */
  findings: list(z.object({ rule: z.string(), severity: z.enum(['error', 'warning']), message: sentence })),
  /** Why choices have no score. */
  reasons: list(sentence),
  volatile: z.object({ runs: list(z.string()) }),
})

export const evaluate = question({
  request: evalRequest,
  answer: encoded(evalSchema),
  /** Tells each score as it comes. */
  async ask(workspace, asked, asking: Asking<EvaluationAnswer>) {
    const { signal, onProgress, remark } = asking
    const open = taskOpener(workspace, remark)
    const all: Evaluated[] = []
    const runs: string[] = []
    const paths = asked.checkpoints.map(name => checkpointPath(workspace, name, asking))
    const checkpoints = [...new Set(await Promise.all(paths))]
    const names = checkpointNames(checkpoints)
    const nameOf = (path: string): string => names.get(path) ?? path
    const baselines: Baseline[] = []
    const tasks = new Set<Task>()
    for (const path of checkpoints) {
      signal?.throwIfAborted()
      const loaded = await loadCheckpoint(path)
      if (loaded === null) throw new Problem('unreadable', message('eval.no-selector', { path }))
      const config = await configFor(path, loaded, asked)
      const { shots, split, samples, load } = asked
      const task = await open(config)
      const evaluated = await evaluateCheckpoint(path, loaded, { task, config, shots, split, samples, load })
      for (const one of evaluated) onProgress?.(encode(evaluationAnswer(one, nameOf(path)), asked.lang))
      runs.push(await keepEvaluations(workspace, nameOf(path), evaluated, remark))
      all.push(...evaluated)
      if (asked.baselines && !tasks.has(task)) {
        for (const one of evaluated) {
          const wanted = { shots: one.shots, split: one.split, seed: 1, samples }
          for (const baseline of await task.baselines(wanted)) baselines.push(baselineAnswer(task, baseline))
        }
      }
      tasks.add(task)
    }
    if (asked.choices !== undefined) await writeChoices(asked.choices, all, nameOf)
    const agreements = agreementsAmong(all)
    const [run = null, ...others] = new Set(runs)
    const reasons = all.flatMap(({ validation }) => (validation.reason === null ? [] : [validation.reason]))
    const answer: z.infer<typeof evalSchema> = {
      run: others.length === 0 ? run : null,
      checkpoints,
      evaluations: all.map(one => evaluationAnswer(one, nameOf(one.checkpoint))),
      agreements,
      baselines: baselines.filter((one, i) => one.name !== 'zero-shot' || i === baselines.findIndex(isZeroShot)),
      findings: await evaluationFindings(all, agreements, nameOf),
      reasons: distinctMessages(reasons),
      volatile: { runs },
    }
    return encode(answer, asked.lang)
  },
})

export type EvalAnswer = z.infer<typeof evaluate.answer>

type Baseline = z.infer<typeof evalSchema>['baselines'][number]

/** The same at every number of shots: said once. */
const isZeroShot = ({ name }: Baseline): boolean => name === 'zero-shot'

function baselineAnswer(task: Task, { name, shots, hard, soft, scored: n, missing }: TaskBaseline): Baseline {
  const score = scoreOf(task, { hard, soft })
  return { name, task: task.name, shots: name === 'zero-shot' ? 0 : shots, score, n, missing }
}

function evaluationAnswer(
  { checkpoint, loaded, task, split, shots, validation }: Evaluated,
  name: string,
): EvaluationAnswer {
  const { ids, asked, missing, metrics } = validation
  const { queries: _, ...spread } = choiceSpread(asked)
  return {
    checkpoint,
    name,
    epoch: loaded.epoch,
    task: task.name,
    shots,
    split,
    asked: asked.length,
    n: ids.length,
    missing,
    spread,
    metrics: {
      'eval.score': metrics['val.score'],
      'eval.score.hard': metrics['val.score.hard'],
      'eval.score.soft': metrics['val.score.soft'],
    },
  }
}

/** What the checkpoint says, then the config file, then `task` and `set`. The shape is that of the weights. */
async function configFor(
  path: string,
  { settings: told, shape }: LoadedCheckpoint,
  { task, config: configPath, set }: z.output<typeof evalRequest>,
): Promise<TrainConfig> {
  const namesTask = task !== undefined || configPath !== undefined || set.some(word => /^\s*task\s*=/.test(word))
  if (told === null && !namesTask) throw new Problem('bad-request', message('eval.no-task', { path }))
  const file = configPath === undefined ? null : await readConfigFile(configPath)
  const { form, hidden, layers } = shape
  const weights = { 'policy.form': form, 'policy.hidden': hidden, 'policy.layers': layers }
  const read = readTrainConfig({
    base: { ...(told !== null && flatConfig(told)), ...weights },
    ...(file !== null && { file }),
    sets: [...(task === undefined ? [] : [`task=${task}`]), ...set],
  })
  if (read.kind === 'config') return { ...read.config, policy: { ...read.config.policy, form, hidden, layers } }
  throw new Problem('bad-request', message('train.problems', { problems: read.problems }))
}

/** A config from a file and settings alone. */
export async function configFrom({
  config: path,
  task,
  set,
}: {
  config?: string
  task?: string
  set: readonly string[]
}) {
  const file = path === undefined ? null : await readConfigFile(path)
  const sets = [...(task === undefined ? [] : [`task=${task}`]), ...set]
  const read = readTrainConfig({ ...(file !== null && { file }), sets })
  if (read.kind === 'config') return read.config
  throw new Problem('bad-request', message('train.problems', { problems: read.problems }))
}

export async function readConfigFile(path: string): Promise<{ readonly name: string; readonly text: string }> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) throw new Problem('not-found', message('train.no-config', { path }))
  return { name: path, text }
}

/** Checkpoints of one training share their task: it is read once. */
export function taskOpener(workspace: Workspace, remark: Asking['remark']): (config: TrainConfig) => Promise<Task> {
  const opened = new Map<string, Promise<Task>>()
  return async config => {
    const { task, data, llm } = config
    const key = canonicalJson({ task, data, llm })
    const known = opened.get(key)
    if (known !== undefined) return known
    const opening = openTask(config, workspace, process.env)
    opened.set(key, opening)
    for (const said of (await opening).remarks) remark?.(said)
    return opening
  }
}
