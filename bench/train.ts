import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median } from '../src/stats/descriptive.js'
import { type Benchmark, type Figures, sizeOf, type Table } from './benchmark.js'
import { ROOT } from './generate.js'
import { load } from './machine.js'
import { type Contestant, startContestant } from './train/contestant.js'
import { writeTrainData } from './train/data.js'
import { installTorch } from './train/torch.js'
import { checkAgreement, type Speed, type Team, takeTurns } from './train/turns.js'

/**
 * klens's trainer beside two peers in torch, on the same data and from the same first parameters: one computes as the
 * original does, the other with klens's own algebra, with torch's AdamW as it comes and fused. They take turns, at batch size one and with equal beams.
 */
export const train: Benchmark = {
  name: 'train',
  about: 'the trainer beside torch, queries a second; needs python3 and its package index; size in queries, 60',
  async run(settings) {
    const folder = join(tmpdir(), `klens-bench-train-${process.pid}`)
    const contest: Contest = {
      folder,
      python: await installTorch(),
      queryCount: sizeOf(settings, 60),
      rounds: Math.max(FEWEST_ROUNDS, settings.rounds),
    }
    writeTrainData(folder, contest.queryCount)
    try {
      return [
        await held(contest, { title: 'one thread each, no dropout', threads: 1, dropout: [0, 0] }),
        await held(contest, {
          title: 'two threads in torch, two klens trainings at once',
          threads: 2,
          dropout: [0, 0],
        }),
        await held(contest, { title: 'one thread each, dropout .5 / .1', threads: 1, dropout: [0.5, 0.1] }),
      ]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

const FEWEST_ROUNDS = 3
/** Each turn lasts at least so long; the first pass over the queries is not counted. */
const SECONDS = 1.5
const PASSES = 2

interface Contest {
  readonly folder: string
  readonly python: string
  readonly queryCount: number
  readonly rounds: number
}

interface Conditions {
  readonly title: string
  readonly threads: 1 | 2
  readonly dropout: readonly [hidden: number, attention: number]
}

interface Row {
  readonly what: string
  readonly phase: 'rce' | 'grpo'
  readonly frozen: boolean
  readonly beams: number
  /** What the original itself did on a Xeon of 2.8 GHz, one thread, dropout 0. */
  readonly figures: readonly [slowest: number, fastest: number]
  readonly targets: { readonly original: number; readonly sameAlgebra: number }
}

const ROWS: readonly Row[] = [
  row('GRPO, frozen, top-5', 'grpo', true, 5, [77, 124], 15, 4),
  row('GRPO, frozen, 16 beams', 'grpo', true, 16, [34, 48], 30, 4),
  row('GRPO, all, top-5', 'grpo', false, 5, [49, 70], 3, 1.2),
  row('GRPO, all, 16 beams', 'grpo', false, 16, [21, 31], 6, 1.2),
  row('RCE, 16 beams', 'rce', false, 16, [21, 30], 8, 1.2),
]

function row(
  what: string,
  phase: Row['phase'],
  frozen: boolean,
  beams: number,
  figures: Row['figures'],
  original: number,
  sameAlgebra: number,
): Row {
  return { what, phase, frozen, beams, figures, targets: { original, sameAlgebra } }
}

const OURS = 'klens'
const ORIGINAL = "original's way"
const SAME_ALGEBRA = 'same algebra'
const FUSED = 'and fused AdamW'

async function held(contest: Contest, conditions: Conditions): Promise<Table> {
  const loadBefore = load()
  const teams = await startTeams(contest, conditions)
  const rows: Figures[] = []
  try {
    for (const each of ROWS) {
      const { what, phase, frozen, beams } = each
      const request = { phase, frozen, beams, dropout: conditions.dropout, seconds: SECONDS, epochs: PASSES }
      const speeds = await takeTurns(teams, request, contest)
      if (conditions.dropout[0] === 0) checkAgreement(what, speeds)
      rows.push(figuresOf(each, speeds, conditions))
      console.error(`  ${Object.values(rows[rows.length - 1]).join(' | ')}`)
    }
  } finally {
    for (const { members } of teams) for (const member of members) member.stop()
  }
  const versions = teams.map(({ members }) => members[0].version).slice(0, 2)
  const loads = `load ${loadBefore.toFixed(1)} before, ${load().toFixed(1)} after`
  return {
    title: `train, ${conditions.title}; queries/s, ${contest.rounds} rounds (${versions.join(', ')}; ${loads})`,
    rows,
  }
}

async function startTeams({ folder, python }: Contest, { threads }: Conditions): Promise<readonly Team[]> {
  const worker = fileURLToPath(new URL('./train/worker.js', import.meta.url))
  const klens = (): Promise<Contestant> => startContestant(OURS, process.execPath, [worker, folder])
  const peer = (name: string, model: string): Promise<Contestant> =>
    startContestant(name, python, [join(ROOT, 'bench', 'peers', 'peer.py'), model, folder, String(threads)], {
      OMP_NUM_THREADS: String(threads),
    })
  return [
    { name: OURS, members: await Promise.all(Array.from({ length: threads }, klens)) },
    { name: ORIGINAL, members: [await peer(ORIGINAL, 'original')] },
    { name: SAME_ALGEBRA, members: [await peer(SAME_ALGEBRA, 'shared')] },
    { name: FUSED, members: [await peer(FUSED, 'shared-fused')] },
  ]
}

function figuresOf(
  { what, figures, targets }: Row,
  speeds: ReadonlyMap<string, Speed>,
  conditions: Conditions,
): Figures {
  const [ours, original, sameAlgebra, fused] = [OURS, ORIGINAL, SAME_ALGEBRA, FUSED].map(name => speedOf(speeds, name))
  const isTheTask = conditions.threads === 1 && conditions.dropout[0] === 0
  return {
    what,
    [OURS]: spread(ours.perSecond),
    [ORIGINAL]: spread(original.perSecond),
    [SAME_ALGEBRA]: spread(sameAlgebra.perSecond),
    [FUSED]: spread(fused.perSecond),
    [`× ${ORIGINAL}`]: ratio(ours.perSecond, original.perSecond),
    ...(isTheTask && {
      'by CPU time': ratio(ours.perCpuSecond, original.perCpuSecond),
      target: `≥ ${targets.original}`,
    }),
    [`× ${SAME_ALGEBRA}`]: ratio(ours.perSecond, sameAlgebra.perSecond),
    ...(isTheTask && {
      'by CPU time ': ratio(ours.perCpuSecond, sameAlgebra.perCpuSecond),
      'target ': `≥ ${targets.sameAlgebra}`,
      [`× ${FUSED}`]: ratio(ours.perSecond, fused.perSecond),
      "original's own": bar(median(original.perSecond), figures),
    }),
  }
}

function speedOf(speeds: ReadonlyMap<string, Speed>, name: string): Speed {
  const speed = speeds.get(name)
  if (speed === undefined) throw new Error(`${name} did not take part`)
  return speed
}

/** A peer slower than the original itself would prove nothing. */
function bar(perSecond: number, [slowest, fastest]: Row['figures']): string {
  const met = perSecond >= fastest ? 'above' : perSecond >= slowest ? 'met' : 'NOT MET'
  return `${slowest}–${fastest}, ${met}`
}

function ratio(ours: readonly number[], theirs: readonly number[]): string {
  return spread(ours.map((each, round) => each / theirs[round]))
}

/** Median, and in brackets the slowest and the fastest round. */
function spread(values: readonly number[]): string {
  return `${short(median(values))} (${short(Math.min(...values))}–${short(Math.max(...values))})`
}

function short(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(value >= 10 ? 3 : 2)
}
