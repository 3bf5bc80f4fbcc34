import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { isConfigFile } from '../../src/logs/sources/config/config-file.js'
import { sources } from '../../src/logs/sources/registry.js'
import { sourceFile } from '../support/reading.js'
import { isText } from './mutate.js'
import { type Sealed, sealedRecordLog, sealedTensorboard } from './sealed.js'

/** The files that are damaged: every fixture and example, under the format that klens takes it for. */

export interface Seed {
  /** As much of the path as a reader may look at. */
  readonly name: string
  readonly bytes: Buffer
  /** For formats with checksums: the records behind them. */
  readonly sealed?: Sealed
}

/** npm and vitest both run in the folder of the package, the compiled fuzzer included. */
const ROOT = process.cwd()
/** Small files are damaged at telling places more often than large ones, and many more of them are tried in a second. */
const LARGEST_TEXT = 8_000
/** Examples are many of a kind: runs that differ in their numbers only. */
const MOST_OF_ONE_NAME = 2

/** Seeds by the id of the source that reads them; configs under `config`. */
export async function corpus(): Promise<ReadonlyMap<string, readonly Seed[]>> {
  const seeds = new Map<string, Seed[]>()
  const add = (format: string, seed: Seed): void => {
    const known = seeds.get(format) ?? []
    const alike = known.filter(({ name }) => basename(name) === basename(seed.name))
    if (alike.length < MOST_OF_ONE_NAME) seeds.set(format, [...known, seed])
  }
  for (const path of [...files('src/logs/sources/fixtures'), ...files('examples')]) {
    const name = join(basename(dirname(path)), basename(path))
    const whole = readFileSync(path)
    const bytes = isText(whole) ? whole.subarray(0, LARGEST_TEXT) : whole
    if (isConfigFile(path)) {
      add('config', { name, bytes })
      continue
    }
    const file = await sourceFile(path)
    const source = sources.find(candidate => candidate.recognise(file))
    if (source === undefined) continue
    const open = SEALED[source.id]
    add(source.id, open === undefined ? { name, bytes } : { name, bytes, sealed: await open(path) })
  }
  for (const [format, name, text] of SMALL) add(format, { name, bytes: Buffer.from(text) })
  return seeds
}

const SEALED: { readonly [source: string]: (path: string) => Promise<Sealed> } = {
  swanlab: sealedRecordLog,
  wandb: sealedRecordLog,
  tensorboard: sealedTensorboard,
}

function files(folder: string): string[] {
  const path = resolve(ROOT, folder)
  if (!existsSync(path)) return []
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !/\.klens|\.py$/.test(relative(ROOT, join(entry.parentPath, entry.name))))
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

/** Shapes that no fixture has. */
const SMALL: readonly (readonly [format: string, name: string, text: string])[] = [
  ['json', 'a/columns.json', '{"step":[1,2,3],"loss":[0.5,0.4,null],"note":"x"}'],
  ['json', 'a/rows.json', '[{"step":1,"loss":0.5,"t":"2026-11-15T04:30:00Z"},{"step":2,"loss":"NaN"}]'],
  ['jsonl', 'a/nested.jsonl', '{"step":1,"train":{"loss":0.5},"run":"a"}\n{"step":2,"train":{"loss":0.4},"run":"b"}\n'],
  ['csv', 'a/semicolon.csv', 'step;"the loss";time\n1;0,5;2026-11-15 04:30:00\n2;"0,4";\n'],
  ['csv', 'a/runs.tsv', 'run\tstep\treward\nkl-0\t1\t0.5\nkl-1\t1\t~0.4\nkl-1\t2\tN/A\n'],
  [
    'samples',
    'a/long.csv',
    `step,sample,score\n${Array.from({ length: 60 }, (_, i) => `${i % 3},q${i},${i % 2}`).join('\n')}\n`,
  ],
  ['config', 'a/config.yaml', 'a: &x {b: [1, 2.5, .inf], c: null}\nd: *x\n<<: {e: 1}\nf.g: "1e-6"\n'],
  ['config', '.hydra/overrides.yaml', '- trainer.total_epochs=3\n- +x.y=[1,2]\n- ~z\n'],
  ['config', 'a/config.json', '{"kl_beta":0.1,"model":{"name":"x","layers":[1,2]},"nan":NaN,"_wandb":{"value":1}}'],
]
