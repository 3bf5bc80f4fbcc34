import type { Command } from 'commander'
import { type Block, pairs, paragraph, section } from '../../core/present/blocks.js'
import { countBySeverity, findingsBlock } from '../../core/present/diagnosis.js'
import { count, figure } from '../../text/numbers.js'
import { type PreflightAnswer, preflight } from '../ask/preflight.js'
import { type Context, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { severitiesFrom } from './print/severities.js'

interface Options {
  readonly json?: boolean
  readonly failOn: string
  readonly all?: boolean
}

type Effective = PreflightAnswer['effective']

export function preflightVerb(context: Context): Command {
  return verb('preflight', context.say('preflight.about', {}), context)
    .argument('<launch...>', context.say('preflight.launch', {}))
    .option('--verl <version|path>', context.say('preflight.option.verl', {}))
    .option('--until <step>', context.say('preflight.option.until', {}))
    .option('--sd <spread>', context.say('preflight.option.sd', {}))
    .option('--call-simulator', context.say('preflight.option.call-simulator', {}))
    .option('--fail-on <severity>', context.say('diagnose.option.fail-on', {}), 'never')
    .option('--all', context.say('diagnose.option.all', {}))
    .action(async (launch: string[], options: Options) => {
      const failOn = severitiesFrom(options.failOn)
      const { json: _json, failOn: _failOn, all: _all, ...asked } = options
      const answer = await interruptible(signal => context.ask(preflight, { launch, ...asked }, { signal }))
      if (options.json) context.printJson(answer)
      else context.present(preflightBlocks(context, answer, options.all === true))
      if (answer.findings.some(({ severity }) => failOn.has(severity))) process.exitCode = 1
    })
}

function preflightBlocks(context: Context, answer: PreflightAnswer, all: boolean): readonly Block[] {
  const { say, speaker } = context
  const { effective, findings, passed, notChecked } = answer
  const counts = { passed: passed.length, unchecked: notChecked.length }
  const conclusion =
    findings.length === 0
      ? say('preflight.clear', counts)
      : say('diagnose.summary', { ...countBySeverity(findings), ...counts })
  return [
    section(
      effective.name,
      paragraph(programText(context, effective)),
      ...(effective.otherTrainings === 0
        ? []
        : [paragraph(say('preflight.others', { n: effective.otherTrainings, line: effective.line }))]),
    ),
    // What stands behind a label may take several lines.
    pairs(rowsOf(context, answer).flatMap(([label, ...lines]) => lines.map((line, i) => [i === 0 ? label : '', line]))),
    ...(findings.length === 0 ? [] : [findingsBlock(findings, speaker, ({ line }) => say('preflight.line', { line }))]),
    ...(notChecked.length === 0
      ? []
      : [section(`${say('preflight.cannot', {})}:`, ...notChecked.map(({ reason }) => paragraph(reason)))]),
    paragraph(conclusion),
    ...(all ? [paragraph(say('diagnose.passed', { rules: passed.join(', ') || '–' }))] : []),
  ]
}

function programText(context: Context, { framework, flavour, schema }: Effective): string {
  const name = `${framework} ${flavour}`
  if (schema === null) return context.say('preflight.program.plain', { name })
  switch (schema.origin) {
    case 'named':
      return context.say('preflight.program', { name, schema: schema.name })
    case 'installed':
      return context.say('preflight.program.found', { name, schema: schema.name })
    case 'fitting':
      return context.say('preflight.program.fits', { name, schema: schema.name })
  }
}

function rowsOf(
  context: Context,
  { effective, detectable }: PreflightAnswer,
): readonly (readonly [string, ...string[]])[] {
  const { say } = context
  const unknown = say('preflight.unknown', {})
  const none = say('preflight.none', {})
  const whole = (value: number | null): string => (value === null ? '?' : count(value))
  const unless = (isUnknown: boolean, text: string): string => (isUnknown ? unknown : text)
  const { kl, clip, rate, evaluation, checkpoints, data, turns, simulator, cost } = effective
  const range = [clip.low, clip.high].map(each => (each === null ? '?' : figure(each)))
  return [
    [say('preflight.row.model', {}), effective.model ?? unknown],
    [say('preflight.row.algorithm', {}), effective.algorithm ?? effective.flavour],
    [say('preflight.row.kl', {}), klText(context, kl)],
    [say('preflight.row.entropy', {}), effective.entropy === null ? unknown : figure(effective.entropy)],
    [
      say('preflight.row.clip', {}),
      clip.inert === true
        ? say('preflight.clip.inert', { range: [...new Set(range)].join('/') })
        : say('preflight.clip.acts', {
            range: [...new Set(range)].join('/'),
            updates: whole(effective.updatesPerStep),
          }),
    ],
    [say('preflight.row.rate', {}), ...rateLines(context, rate)],
    [
      say('preflight.row.batch', {}),
      unless(
        effective.promptsPerStep === null && effective.groupSize === null,
        say('preflight.batch', { prompts: whole(effective.promptsPerStep), group: whole(effective.groupSize) }),
      ),
    ],
    [
      say('preflight.row.steps', {}),
      unless(
        effective.stepsPerEpoch === null && effective.totalSteps === null,
        say('preflight.steps', { perEpoch: whole(effective.stepsPerEpoch), total: whole(effective.totalSteps) }),
      ),
    ],
    [
      say('preflight.row.evaluation', {}),
      evaluation.every === 0
        ? none
        : say('preflight.evaluation', {
            every: whole(evaluation.every),
            count: whole(evaluation.count),
            n: whole(evaluation.prompts),
          }),
    ],
    [
      say('preflight.row.detectable', {}),
      ...(detectable.difference === null
        ? [unknown]
        : [
            say('preflight.detectable', {
              difference: figure(detectable.difference, 2),
              assumption: detectable.assumption ?? '',
            }),
            ...(detectable.betweenRuns === null
              ? []
              : [
                  say('preflight.detectable.runs', {
                    difference: figure(detectable.betweenRuns, 2),
                    count: whole(detectable.evals),
                  }),
                ]),
          ]),
    ],
    [say('preflight.row.checkpoints', {}), checkpointText(context, checkpoints, none, whole)],
    [say('preflight.row.seed', {}), effective.seed === null ? none : String(effective.seed)],
    [
      say('preflight.row.data', {}),
      unless(
        data.train === null && data.validation === null,
        say('preflight.data', {
          train: whole(data.train),
          validation: whole(data.validation),
          shared: whole(data.shared),
        }),
      ),
      ...data.moved.map(path => say('preflight.data.moved', { path })),
    ],
    ...(turns.limit === null || turns.executed === null
      ? []
      : [
          [
            say('preflight.row.turns', {}),
            turns.executed === turns.limit
              ? say('preflight.turns', { limit: turns.limit })
              : say('preflight.turns.executed', { limit: turns.limit, executed: turns.executed }),
          ] as const,
        ]),
    ...(simulator === null
      ? []
      : [
          [
            say('preflight.row.simulator', {}),
            say(`preflight.simulator.${simulator.state}`, { url: simulator.url }),
          ] as const,
        ]),
    ...(cost === null
      ? []
      : [
          [
            say('preflight.row.cost', {}),
            say('preflight.cost', {
              hours: figure(cost.hours, 2),
              gpuHours: cost.gpuHours === null ? unknown : figure(cost.gpuHours, 2),
              seconds: figure(cost.secondsPerStep),
              runs: cost.runs.slice(0, 3).join(', '),
            }),
          ] as const,
        ]),
  ]
}

function klText(context: Context, { where, coefficient, estimator }: Effective['kl']): string {
  const unknown = context.say('preflight.unknown', {})
  const said = { coefficient: coefficient === null ? unknown : figure(coefficient), estimator: estimator ?? unknown }
  switch (where) {
    case null:
      return unknown
    case 'none':
      return context.say('preflight.kl.none', {})
    case 'both':
      return context.say('preflight.kl.both', {})
    case 'loss':
      return context.say('preflight.kl.loss', said)
    case 'reward':
      return context.say('preflight.kl.reward', said)
  }
}

const SHOWN_RATES = 6

function rateLines(context: Context, rate: Effective['rate']): readonly string[] {
  if (rate === null) return [context.say('preflight.unknown', {})]
  const { peak, schedule, warmupSteps, atEvaluations } = rate
  const said = { peak: figure(peak), schedule }
  const first =
    warmupSteps === 0
      ? context.say('preflight.rate.plain', said)
      : context.say('preflight.rate.warmup', { ...said, warmup: warmupSteps ?? context.say('preflight.unknown', {}) })
  const isFlat = atEvaluations.every(({ factor }) => factor === 1)
  if (isFlat) return [first]
  const shown = atEvaluations.slice(0, SHOWN_RATES).concat(atEvaluations.slice(SHOWN_RATES).slice(-1))
  const texts = shown.map(({ step, rate: each }) => `${step}: ${figure(each)}`)
  if (atEvaluations.length > SHOWN_RATES + 1) texts.splice(-1, 0, '…')
  return [first, context.say('preflight.rate.at', { list: texts.join(', ') })]
}

function checkpointText(
  context: Context,
  { every, saves, kept }: Effective['checkpoints'],
  none: string,
  whole: (value: number | null) => string,
): string {
  if (every === 0) return none
  const said = { every: whole(every), saves: whole(saves) }
  return kept === null || kept === saves
    ? context.say('preflight.checkpoints.all', said)
    : context.say('preflight.checkpoints', { ...said, kept: whole(kept) })
}
