/**
 * Packs runs of the two labs for the tests: `node test/data/labs/pack.mjs ONE TWO`, the folders with all their runs.
 * Of every run its settings, evaluations, per-prompt scores and truth; of the first seed of each group and of all that
 * were made sick on purpose the whole training log. Columns instead of lines, because they compress twice as well.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

const here = dirname(fileURLToPath(import.meta.url))
const [one, two] = process.argv.slice(2)
pack(one, 'addition.json.br', ['val_exact'])
pack(two, 'sorting.json.br', ['val_short', 'val_medium', 'val_long'])

function pack(folder, name, sampleFiles) {
  const runs = readdirSync(folder)
    .filter(group => /^(?:kl|ent|cosine|sick|lr|other|few)-/.test(group))
    .sort()
    .flatMap(group =>
      readdirSync(join(folder, group))
        .sort()
        .map((seed, i) =>
          packed(join(folder, group, seed), { group, seed, whole: i === 0 || group.startsWith('sick-') }, sampleFiles),
        ),
    )
  const text = JSON.stringify(runs)
  const bytes = brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  })
  writeFileSync(join(here, name), bytes)
  console.log(name, runs.length, 'runs', text.length, '→', bytes.length)
}

function packed(folder, { group, seed, whole }, sampleFiles) {
  const read = file => readFileSync(join(folder, file), 'utf8').trim()
  const lines = read('metrics.jsonl')
    .split('\n')
    .map(line => JSON.parse(line))
  const isEvaluation = metric => metric.startsWith('val-')
  const metrics = {}
  for (const { step, data } of lines) {
    for (const [metric, value] of Object.entries(data)) {
      if (!whole && !isEvaluation(metric)) continue
      metrics[metric] ??= { steps: [], values: [] }
      metrics[metric].steps.push(step)
      metrics[metric].values.push(value)
    }
  }
  return {
    group,
    seed,
    whole,
    config: JSON.parse(read('config.json')),
    metrics: Object.fromEntries(
      Object.entries(metrics).map(([metric, { steps, values }]) => [metric, { steps: ranges(steps), values }]),
    ),
    samples: Object.fromEntries(sampleFiles.map(file => [file, scores(read(`${file}.csv`))])),
    truth: read('truth.csv'),
  }
}

/** `first:last:every`, or the steps themselves where they are not even. */
function ranges(steps) {
  const every = steps.length > 1 ? steps[1] - steps[0] : 1
  return steps.every((step, i) => step === steps[0] + i * every) ? `${steps[0]}:${steps.at(-1)}:${every}` : steps
}

/** Scores are quarters: one digit a prompt, one line a step. */
function scores(text) {
  const [header, ...rows] = text.split('\n')
  return {
    header,
    rows: rows.map(row => {
      const [step, ...values] = row.split(',').map(Number)
      if (values.some(value => !Number.isInteger(4 * value))) throw new Error(`not a quarter in ${row.slice(0, 80)}`)
      return `${step} ${values.map(value => 4 * value).join('')}`
    }),
  }
}
