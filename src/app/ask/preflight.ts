import { homedir } from 'node:os'
import { z } from 'zod'
import { objectiveSchema } from '../../core/analysis/objective/card.js'
import type { Workspace } from '../../core/store/workspace.js'
import type { Amounts } from '../../lab/launch/amounts.js'
import { launchCost } from '../../lab/launch/cost.js'
import { parseOverride } from '../../lab/launch/hydra/override.js'
import { type Launch, type LaunchSetting, settingsByKey } from '../../lab/launch/launch.js'
import { launchObjective } from '../../lab/launch/launch-objective.js'
import { type LaunchFinding, type Preflight, preflightLaunch } from '../../lab/launch/preflight.js'
import { readLaunch } from '../../lab/launch/read-launch.js'
import type { SimulatorState } from '../../lab/launch/rule.js'
import { schemaName } from '../../lab/launch/schema/schema.js'
import type { JsonObject } from '../../logs/model/json.js'
import { sarifLog, sarifPlace } from '../../logs/model/sarif.js'
import { numberOf } from '../../logs/model/vocabulary/config-value.js'
import { encoded, sentence } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import type { Language } from '../../text/language.js'
import { render } from '../../text/sentences.js'
import { json, list, numberWithin, request } from './fields.js'
import { gymCheck } from './gym-check.js'
import { whereLaunched } from './machine.js'
import { type Asking, question } from './question.js'
import { version } from './version.js'

/**
 * Is this launch the experiment I mean, and can its plan answer the question? A script is read, never run. The only
 * thing that is called is a user simulator on this machine, to see whether it answers; another only when asked to.
 */

const known = z.number().nullable()

const effective = z.object({
  name: z.string(),
  framework: z.string(),
  flavour: z.string(),
  /** The release whose settings it was checked against; null where none is known. */
  schema: z.object({ name: z.string(), origin: z.enum(['installed', 'named', 'fitting']) }).nullable(),
  line: z.number(),
  otherTrainings: z.number(),
  model: z.string().nullable(),
  algorithm: z.string().nullable(),
  kl: z.object({
    where: z.enum(['loss', 'reward', 'both', 'none']).nullable(),
    coefficient: known,
    estimator: z.string().nullable(),
    adaptive: z.boolean(),
    reference: z.boolean().nullable(),
  }),
  entropy: known,
  clip: z.object({ low: known, high: known, inert: z.boolean().nullable() }),
  rate: z
    .object({
      peak: z.number(),
      schedule: z.string(),
      warmupSteps: known,
      /** The rate of the last update before each planned evaluation. */
      atEvaluations: list(z.object({ step: z.number(), rate: z.number(), factor: z.number() })),
    })
    .nullable(),
  promptsPerStep: known,
  groupSize: known,
  updatesPerStep: known,
  stepsPerEpoch: known,
  totalSteps: known,
  evaluation: z.object({ every: known, count: known, prompts: known, samples: known }),
  checkpoints: z.object({ every: known, saves: known, kept: known }),
  seed: known,
  /** `moved`: files that are not where the launch says, and were taken from beside it. */
  data: z.object({ train: known, validation: known, shared: known, moved: list(z.string()) }),
  turns: z.object({ limit: known, executed: known }),
  toolResponseLength: known,
  gpus: known,
  simulator: z
    .object({ url: z.string(), model: z.string().nullable(), state: z.enum(['reachable', 'unreachable', 'not-asked']) })
    .nullable(),
  /** By the step time of like runs in the workspace. */
  cost: z.object({ secondsPerStep: z.number(), hours: z.number(), gpuHours: known, runs: list(z.string()) }).nullable(),
})

const preflightSchema = z.object({
  effective,
  /** What the settings really do; null where no policy is trained, or by a loss that klens has not read. */
  objective: objectiveSchema.nullable(),
  /** The smallest difference that the plan can show; null where the validation data cannot be read. */
  detectable: z.object({
    metric: z.string(),
    difference: known,
    n: known,
    evals: known,
    betweenRuns: known,
    standardError: known,
    assumption: sentence.nullable(),
  }),
  findings: list(
    z.object({
      rule: z.string(),
      severity: z.enum(['error', 'warning', 'note']),
      key: z.string().nullable(),
      line: z.number(),
      message: sentence,
      remedy: sentence,
    }),
  ),
  passed: list(z.string()),
  notChecked: list(z.object({ rule: z.string(), reason: sentence })),
  /** The findings for code-review tools, where they were asked for so. */
  sarif: json.optional(),
})

export const preflight = question({
  request: request({
    /** A file, and overrides behind it; or overrides alone. */
    launch: list(z.string()),
    verl: z.string().nullable().default(null),
    until: numberWithin({ above: 0 }),
    sd: numberWithin({ above: 0 }),
    callSimulator: z.boolean().default(false),
    /** Only files of this folder are opened and nothing is called: for an asker whose words were not checked. */
    within: z.string().nullable().default(null),
    sarif: z.boolean().default(false),
  }),
  answer: encoded(preflightSchema),
  async ask(workspace, { launch: words, verl, until, sd, callSimulator, within, sarif, lang }, { signal }: Asking) {
    const launch = await launchOf(words, within)
    const simulator = within === null ? await simulatorOf(workspace, launch, callSimulator, signal) : null
    const examined = await preflightLaunch(launch, {
      verl,
      ...whereLaunched(),
      until,
      sd,
      simulator,
      within,
    })
    const { subject, check } = examined
    const { detectable } = subject
    const answer: z.infer<typeof preflightSchema> = {
      effective: { ...effectiveOf(examined), cost: await launchCost(workspace, examined) },
      objective: await launchObjective(subject),
      detectable: {
        metric: metricOf(examined),
        difference: detectable?.difference ?? null,
        n: detectable?.n ?? null,
        evals: subject.amounts.evaluationSteps?.filter(step => step > 0).length ?? null,
        betweenRuns: detectable?.betweenRuns ?? null,
        standardError: detectable?.standardError ?? null,
        assumption: detectable?.assumption ?? null,
      },
      ...check,
      ...(sarif && { sarif: sarifOf(words[0] ?? '', check.findings, lang) }),
    }
    return encode(answer, lang)
  },
})

export type PreflightAnswer = z.infer<typeof preflight.answer>

function sarifOf(file: string, findings: readonly LaunchFinding[], language: Language): JsonObject {
  const rules = [...new Set(findings.map(({ rule }) => rule))]
  const results = findings.map(({ rule, severity, line, key, message, remedy }) => ({
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: severity,
    message: { text: `${render(message, language)} → ${render(remedy, language)}` },
    locations: [sarifPlace(file, { startLine: Math.max(1, line) })],
    partialFingerprints: { 'klensFinding/v1': `${rule}:${key ?? ''}` },
  }))
  return sarifLog(
    version(),
    rules.map(id => ({ id })),
    results,
  )
}

/** Words behind a file are what whoever starts the script would add, and come last. */
async function launchOf(words: readonly string[], within: string | null): Promise<Launch> {
  const variables = new Map([
    ['HOME', homedir()],
    ['PWD', process.cwd()],
  ])
  const [first = '', ...rest] = words
  const isWords = rest.length > 0 && parseOverride(first) !== null
  const launch = await readLaunch(isWords ? words.join('\n') : first, { variables, within })
  if (isWords) return launch
  const added = rest.flatMap((word): LaunchSetting[] => {
    const override = parseOverride(word)
    return override === null ? [] : [{ ...override, line: launch.program.line, from: 'command' }]
  })
  return { ...launch, settings: [...launch.settings, ...added] }
}

/** Beyond it a plan is a mistake, and a list of its evaluations helps nobody. */
const MOST_EVALUATIONS = 10_000

function effectiveOf({ subject }: Preflight): Omit<PreflightAnswer['effective'], 'cost'> {
  const { launch, schema, kl, entropy, clip, rate, amounts, groupSize, data, seed, setting, config, simulator } =
    subject
  const limit = numberOf(turnsSetting(launch)?.value)
  const evaluations = amounts.evaluationSteps?.slice(0, MOST_EVALUATIONS) ?? []
  const factorAt = rate?.factorAt ?? null
  const text = (canonical: string): string | null => {
    const { value } = setting(canonical)
    return typeof value === 'string' ? value : null
  }
  return {
    name: launch.name,
    framework: launch.program.framework,
    flavour: launch.program.flavour,
    schema: schema && { name: schemaName(schema), origin: schema.origin },
    line: launch.program.line,
    otherTrainings: launch.others,
    model: text('model'),
    algorithm: text('algorithm'),
    kl,
    entropy,
    clip,
    rate: rate && {
      peak: rate.peak,
      schedule: rate.schedule,
      warmupSteps: rate.warmupSteps,
      atEvaluations:
        factorAt === null
          ? []
          : evaluations.map(step => {
              const factor = factorAt(Math.max(0, step - 1))
              return { step, rate: rate.peak * factor, factor }
            }),
    },
    promptsPerStep: amounts.promptsPerStep,
    groupSize,
    updatesPerStep: amounts.updatesPerStep,
    stepsPerEpoch: amounts.stepsPerEpoch,
    totalSteps: amounts.totalSteps,
    evaluation: {
      every: amounts.evaluateEvery,
      count: amounts.evaluationSteps?.length ?? null,
      prompts: subject.evaluationPrompts,
      samples: subject.evaluationSamples,
    },
    checkpoints: { every: amounts.saveEvery, saves: amounts.saves, kept: keptOf(subject.schema?.version, amounts) },
    seed,
    data: {
      train: data.train?.rows ?? null,
      validation: data.validation?.rows ?? null,
      shared: data.shared,
      moved: data.moved,
    },
    turns: { limit, executed: limit !== null && schema?.version === 'userrl' ? limit - 1 : limit },
    toolResponseLength: numberOf(config['actor_rollout_ref.rollout.multi_turn.max_tool_response_length']),
    gpus: amounts.gpus,
    simulator: simulator && { url: simulator.url, model: simulator.model, state: simulator.state },
  }
}

/** UserRL's trainer keeps the newest and the best, whatever is set. */
function keptOf(version: string | undefined, { keep, saves }: Amounts): number | null {
  const kept = version === 'userrl' ? 2 : keep
  return kept === null ? saves : Math.min(kept, saves ?? kept)
}

function turnsSetting(launch: Launch): LaunchSetting | undefined {
  return launch.settings.findLast(({ key }) => /\.multi_turn\.max_(?:assistant_)?turns$/.test(key))
}

function metricOf({ subject: { data, evaluationSamples, launch } }: Preflight): string {
  const source = data.validation?.source ?? null
  if (launch.program.framework !== 'verl' || source === null) return 'val.score'
  return `val-core/${source}/reward/mean@${evaluationSamples ?? 1}`
}

/**
 * The user simulator that a launch names: whether it answers, and whether it is fit to train on. One on this machine is
 * called, another only where that is allowed.
 */

const PATIENCE_MS = 2_000

export async function simulatorOf(
  workspace: Workspace,
  launch: Launch,
  mayCall: boolean,
  signal: AbortSignal | undefined,
): Promise<SimulatorState | null> {
  const address = launch.environment.get('OPENAI_BASE_URL')
  if (address === undefined || !URL.canParse(address.text) || !/^https?:/.test(address.text)) return null
  const url = address.text.replace(/\/$/, '')
  const named = settingsByKey(launch).get('actor_rollout_ref.rollout.multi_turn.model_name')?.value
  const model = typeof named === 'string' ? named : (launch.environment.get('MULTITURN_MODEL_NAME')?.text ?? null)
  const about = { url, model, line: address.line, serves: null, fitness: null }
  if (!isOnThisMachine(url) && !mayCall) return { ...about, state: 'not-asked' }
  const models = await modelsAt(url)
  if (models === null) return { ...about, state: 'unreachable' }
  const serves = model === null || models.length === 0 ? null : models.includes(model)
  const fitness = mayCall && model !== null ? await fitnessOf(workspace, `${url}#${model}`, signal) : null
  return { ...about, state: 'reachable', serves, fitness }
}

function isOnThisMachine(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
}

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) })

/** Null where nothing answers. What answers otherwise than with a list of models answers. */
async function modelsAt(url: string): Promise<readonly string[] | null> {
  try {
    const response = await fetch(`${url}/models`, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' })
    const parsed = modelList.safeParse(await response.json().catch(() => null))
    return parsed.success ? parsed.data.data.map(({ id }) => id) : []
  } catch {
    return null
  }
}

const QUESTIONS_TO_ASK = 20

async function fitnessOf(
  workspace: Workspace,
  simulator: string,
  signal: AbortSignal | undefined,
): Promise<SimulatorState['fitness']> {
  const asked = gymCheck.request.parse({ simulator, questions: QUESTIONS_TO_ASK })
  const { recall, falseAlarms, failures } = await gymCheck.ask(workspace, asked, signal === undefined ? {} : { signal })
  return { recall, falseAlarms, failures }
}
