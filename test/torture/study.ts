import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { StudyRunAnswer, StudyStatusAnswer } from '../../src/logs/model/study/answers.js'
import { ended, klens, klensJson, startKlens } from '../cli.js'
import { demand } from '../fuzz/check.js'
import type { Random } from '../fuzz/random.js'
import { expectSoundStore } from './truth.js'

/**
 * A study during which klens, a trial or all of it at once is killed, again and again. Run once more to its end, every
 * trial has one run with every figure once, the very figures of a study to which nothing happens; and no program was
 * run to its end twice.
 */
export async function killedStudy(folder: string, random: Random): Promise<void> {
  const file = put(folder, BUILTIN)
  const expected = undisturbed(BUILTIN, folder)
  const words = ['study', 'run', file]
  for (let blow = random.below(3); blow >= 0; blow -= 1) await struckStudy(folder, words, random, 6000)
  expectWhole(folder, words, expected)
  await expectSoundStore(folder)
}

/** The same with programs of the user's, which outlive klens. */
export async function killedPrograms(folder: string, random: Random): Promise<void> {
  const file = put(folder, PROGRAMS)
  const expected = undisturbed(PROGRAMS, folder)
  const { programs } = klensJson<StudyRunAnswer>(folder, ['study', 'run', file, '--dry-run'])
  const words = ['study', 'run', file, '--trust', programs?.hash ?? '']
  let struck = 0
  for (let blow = 1 + random.below(4); blow >= 0; blow -= 1) {
    struck += await struckStudy(folder, words, random, 2500)
  }
  expectWhole(folder, words, expected)
  const ends = readFileSync(join(folder, 'ended'), 'utf8').trim().split('\n')
  demand(isDeepStrictEqual([...new Set(ends)].sort(), ['a 1', 'a 2', 'b 1', 'b 2']), 'every program has ended', ends)
  // One that is killed between its last line and its exit has not ended, as far as anybody can know, and runs again.
  demand(ends.length - 4 <= struck, 'no program that was left alone has come to its end twice', ends)
  await expectSoundStore(folder)
}

const FILE = 'tiny.yaml'

interface Study {
  readonly file: string
  readonly program: string | null
}

const BUILTIN: Study = {
  file: `question: does it matter?
base: {policy.hidden: 16, data.width: 16, data.candidates: 16, epochs: {rce: 1, grpo: 3}}
arms: {a: {}, b: {kl.loss.coef: 0}}
seeds: 2
workers: 2
`,
  program: null,
}

/** Goes on at its newest checkpoint, and notes when it has come to its end. */
const PROGRAMS: Study = {
  file: `question: does it matter?
arms: {a: {add: 0.2}, b: {add: 0.1}}
seeds: 2
workers: 2
engine:
  command: [sh, train.sh, "{folder}", "{arm}", "{seed}", "{add}"]
  metrics: metrics.jsonl
  checkpoints: kept/*.txt
  resume: ["{checkpoint}"]
  stop: {seconds: 2}
`,
  program: `folder=$1; arm=$2; seed=$3; add=$4; step=0
if [ -n "$5" ]; then step=$(cut -d ' ' -f 1 "$5"); fi
mkdir -p "$folder/kept"
while [ "$step" -lt 8 ]; do
  step=$((step + 1))
  grep -q "\\"step\\":$step," "$folder/metrics.jsonl" 2>/dev/null ||
    echo "{\\"step\\":$step,\\"val.score\\":$add$step$seed}" >> "$folder/metrics.jsonl"
  echo "$step $arm $seed" > "$folder/kept/new" && mv "$folder/kept/new" "$folder/kept/$step.txt"
  sleep 0.1
done
echo "$arm $seed" >> ended
`,
}

function put(folder: string, { file, program }: Study): string {
  writeFileSync(join(folder, FILE), file)
  if (program !== null) writeFileSync(join(folder, 'train.sh'), program)
  return FILE
}

type Figures = readonly (readonly [trial: string, n: number, value: unknown])[]

const known = new Map<Study, Figures>()

/** What it comes to where nothing happens: made once for all trials of the campaign. */
function undisturbed(study: Study, beside: string): Figures {
  const before = known.get(study)
  if (before !== undefined) return before
  const folder = join(beside, 'undisturbed')
  mkdirSync(folder)
  const file = put(folder, study)
  const { programs } = klensJson<StudyRunAnswer>(folder, ['study', 'run', file, '--dry-run'])
  const trust = programs === null ? [] : ['--trust', programs.hash]
  demand(klens(folder, ['study', 'run', file, ...trust]).code === 0, 'a study to which nothing happens ends well')
  const figures = figuresOf(folder, file)
  known.set(study, figures)
  return figures
}

function expectWhole(folder: string, words: readonly string[], expected: Figures): void {
  const { code, error } = klens(folder, words)
  demand(code === 0, 'run again, a study comes to its end', error)
  const figures = figuresOf(folder, FILE)
  demand(isDeepStrictEqual(figures, expected), 'every figure is there once', figures)
  const runs = readdirSync(join(folder, '.klens', 'runs'))
  demand(runs.length === expected.length, 'every trial has one run', runs)
}

function figuresOf(folder: string, file: string): Figures {
  const { cells } = klensJson<StudyStatusAnswer>(folder, ['study', 'status', file])
  for (const { trial, state, runs } of cells) demand(state === 'done' && runs.length === 1, `${trial} is done`, state)
  return cells.map(({ trial, n, value }) => [trial, n, value])
}

/** Begins it, and at any moment of its life kills klens, one of those that it has started, or all of them. Returns how many of these. */
async function struckStudy(
  folder: string,
  words: readonly string[],
  random: Random,
  withinMs: number,
): Promise<number> {
  const child = startKlens(folder, words)
  child.stdout?.resume()
  child.stderr?.resume()
  const { pid } = child
  demand(pid !== undefined, 'klens can be started')
  const whom = random.pick(['klens', 'trial', 'all'] as const)
  const deadline = performance.now() + random.below(withinMs)
  while (performance.now() < deadline && child.exitCode === null) await pause(20)
  const others = descendantsOf(pid)
  const victims = whom === 'klens' ? [] : whom === 'all' ? others : others.slice(-1)
  for (const victim of victims) kill(victim)
  if (whom !== 'trial') kill(pid)
  await ended(child)
  return victims.length
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}

/** Of a process, in the order of their numbers. */
function descendantsOf(pid: number): readonly number[] {
  const parents = new Map(
    readdirSync('/proc')
      .map(Number)
      .filter(Number.isInteger)
      .map(each => [each, parentOf(each)]),
  )
  const isBelow = (each: number | undefined): boolean =>
    each !== undefined && each > 1 && (each === pid || isBelow(parents.get(each)))
  return [...parents.keys()].filter(each => each !== pid && isBelow(each)).sort((a, b) => a - b)
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}
