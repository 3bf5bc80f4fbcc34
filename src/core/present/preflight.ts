import type { PreflightAnswer } from '../../app/ask/preflight.js'
import { count, figure } from '../../text/numbers.js'
import { message as words } from '../../text/say.js'
import { type Block, pairs, paragraph, section } from './blocks.js'
import { countBySeverity, findingsBlock } from './diagnosis.js'
import { objectiveBlocks, objectiveTitle } from './objective.js'
import { type Speaker, saying } from './speaker.js'

/** A launch before it is started: the experiment that it is, what its plan can show, and what is wrong with it. */

type Effective = PreflightAnswer['effective']

export function preflightBlocks(
  answer: PreflightAnswer,
  speaker: Speaker,
  { all = false }: { readonly all?: boolean } = {},
): readonly Block[] {
  const say = saying(speaker, words)
  const { effective, objective, findings, passed, notChecked } = answer
  const counts = { passed: passed.length, unchecked: notChecked.length }
  const conclusion =
    findings.length === 0
      ? say('preflight.clear', counts)
      : say('diagnose.summary', { ...countBySeverity(findings), ...counts })
  return [
    section(
      effective.name,
      paragraph(programText(effective, speaker)),
      ...(effective.otherTrainings === 0
        ? []
        : [paragraph(say('preflight.others', { n: effective.otherTrainings, line: effective.line }))]),
    ),
    // What stands behind a label may take several lines.
    pairs(rowsOf(answer, speaker).flatMap(([label, ...lines]) => lines.map((line, i) => [i === 0 ? label : '', line]))),
    ...(objective === null ? [] : [section(objectiveTitle(speaker), ...objectiveBlocks(objective, speaker))]),
    ...(findings.length === 0 ? [] : [findingsBlock(findings, speaker, ({ line }) => say('preflight.line', { line }))]),
    ...(notChecked.length === 0
      ? []
      : [section(`${say('preflight.cannot', {})}:`, ...notChecked.map(({ reason }) => paragraph(reason)))]),
    paragraph(conclusion),
    ...(all ? [paragraph(say('diagnose.passed', { rules: passed.join(', ') || '–' }))] : []),
  ]
}

function programText({ framework, flavour, schema }: Effective, speaker: Speaker): string {
  const say = saying(speaker, words)
  const name = `${framework} ${flavour}`
  if (schema === null) return say('preflight.program.plain', { name })
  switch (schema.origin) {
    case 'named':
      return say('preflight.program', { name, schema: schema.name })
    case 'installed':
      return say('preflight.program.found', { name, schema: schema.name })
    case 'fitting':
      return say('preflight.program.fits', { name, schema: schema.name })
  }
}

function rowsOf(
  { effective, detectable }: PreflightAnswer,
  speaker: Speaker,
): readonly (readonly [string, ...string[]])[] {
  const say = saying(speaker, words)
  const unknown = say('preflight.unknown', {})
  const none = say('preflight.none', {})
  const whole = (value: number | null): string => (value === null ? '?' : count(value))
  const unless = (isUnknown: boolean, text: string): string => (isUnknown ? unknown : text)
  const { kl, clip, rate, evaluation, checkpoints, data, turns, simulator, cost } = effective
  const range = [clip.low, clip.high].map(each => (each === null ? '?' : figure(each)))
  return [
    [say('preflight.row.model', {}), effective.model ?? unknown],
    [say('preflight.row.algorithm', {}), effective.algorithm ?? effective.flavour],
    [say('preflight.row.kl', {}), klText(kl, speaker)],
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
    [say('preflight.row.rate', {}), ...rateLines(rate, speaker)],
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
    [
      say('preflight.row.checkpoints', {}),
      // Without a list of its settings, whether all are kept by default is not known.
      unless(
        effective.schema === null && checkpoints.every === null,
        checkpointText(checkpoints, none, whole, speaker),
      ),
    ],
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

function klText({ where, coefficient, estimator }: Effective['kl'], speaker: Speaker): string {
  const say = saying(speaker, words)
  const unknown = say('preflight.unknown', {})
  const said = { coefficient: coefficient === null ? unknown : figure(coefficient), estimator: estimator ?? unknown }
  switch (where) {
    case null:
      return unknown
    case 'none':
      return say('preflight.kl.none', {})
    case 'both':
      return say('preflight.kl.both', {})
    case 'loss':
      return say('preflight.kl.loss', said)
    case 'reward':
      return say('preflight.kl.reward', said)
  }
}

const SHOWN_RATES = 6

function rateLines(rate: Effective['rate'], speaker: Speaker): readonly string[] {
  const say = saying(speaker, words)
  if (rate === null) return [say('preflight.unknown', {})]
  const { peak, schedule, warmupSteps, atEvaluations } = rate
  const said = { peak: figure(peak), schedule }
  const first =
    warmupSteps === 0
      ? say('preflight.rate.plain', said)
      : say('preflight.rate.warmup', { ...said, warmup: warmupSteps ?? say('preflight.unknown', {}) })
  const isFlat = atEvaluations.every(({ factor }) => factor === 1)
  if (isFlat) return [first]
  const shown = atEvaluations.slice(0, SHOWN_RATES).concat(atEvaluations.slice(SHOWN_RATES).slice(-1))
  const texts = shown.map(({ step, rate: each }) => `${step}: ${figure(each)}`)
  if (atEvaluations.length > SHOWN_RATES + 1) texts.splice(-1, 0, '…')
  return [first, say('preflight.rate.at', { list: texts.join(', ') })]
}

function checkpointText(
  { every, saves, kept }: Effective['checkpoints'],
  none: string,
  whole: (value: number | null) => string,
  speaker: Speaker,
): string {
  const say = saying(speaker, words)
  if (every === 0) return none
  const said = { every: whole(every), saves: whole(saves) }
  return kept === null || kept === saves
    ? say('preflight.checkpoints.all', said)
    : say('preflight.checkpoints', { ...said, kept: whole(kept) })
}
