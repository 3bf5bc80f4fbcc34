// Reproduces docs/identical-results.md: node examples/identical-results/run.mjs [FOLDER]
// 65 small trainings (two to five minutes), then what half-loaded and whole checkpoints choose, and what KL_BETA does.
// Prints the figures as JSON; figures.json is what it printed.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = path => fileURLToPath(new URL(path, import.meta.url))
const folder = process.argv[2] === undefined ? mkdtempSync(join(tmpdir(), 'identical-')) : resolve(process.argv[2])
const CLIPS = ['start', 'inner']
const BETAS = [0, 0.12, 0.18, 1]
const SEEDS = '1,2,3,4,5,6,7,8'

function klens(...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [here('../../bin/klens.js'), ...words, '--json'], {
    cwd: folder,
    env: { ...process.env, KLENS_HOME: join(folder, '.klens') },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  // 1: findings, which are the point here.
  if (status > 1) throw new Error(stderr)
  return stdout.trim().split('\n').map(line => JSON.parse(line))
}

const last = lines => lines[lines.length - 1]
const checkpoint = (run, epoch) => join(folder, '.klens', 'runs', run, 'checkpoints', `epoch${epoch}.safetensors`)
const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length
const rounded = (value, digits = 4) => Number(Number(value).toFixed(digits))

const start = checkpoint(last(klens('train', here('warm-up.yaml'), '--name', 'warm-up')).run, 3)
const trained = klens(
  'train', here('post-train.yaml'), '--from', start, '--seed', SEEDS,
  '--over', `clip.old=${CLIPS}`, '--over', `kl.loss.coef=${BETAS}`, '--name', '{clip.old}-{kl.loss.coef}/seed{seed}',
)
const runs = new Map(last(trained).runs.map(({ trial, run }) => [trial, run]))
const runOf = (clip, beta, seed = 1) => runs.get(`${clip}-${beta}/seed${seed}`)
const ends = trained.filter(({ epoch, metrics }) => epoch === 6 && metrics !== undefined)
const endOf = (clip, beta) => ends.filter(({ trial }) => trial.startsWith(`${clip}-${beta}/`))

/** The same weights under the names that the original's converter gives them. */
function asConverted(path, name) {
  const bytes = readFileSync(path)
  const end = 8 + Number(bytes.readBigUInt64LE())
  const header = JSON.parse(bytes.subarray(8, end).toString())
  const renamed = Object.entries(header).filter(([key]) => !key.startsWith('state:') && key !== '__metadata__').map(([key, value]) => [
    `lever_lm.pointer_selector.${key.replace('cross_attn_layers.0.', 'cross_attn.').replace('attn_norms.0.', 'attn_norm.')}`,
    value,
  ])
  // The optimiser's numbers stay behind the weights, under any name.
  const others = Object.entries(header).filter(([key]) => key.startsWith('state:'))
  const text = JSON.stringify(Object.fromEntries([...renamed, ...others]))
  const padded = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8))
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(BigInt(padded.length))
  const target = join(folder, name)
  writeFileSync(target, Buffer.concat([size, padded, bytes.subarray(end)]))
  return target
}

const pairs = [0.12, 0.18].map(beta => checkpoint(runOf('start', beta), 6))
const converted = pairs.map((path, i) => asConverted(path, `kl-${[0.12, 0.18][i]}_v2format.safetensors`))
const chosen = (files, ...more) => {
  const { agreements, evaluations, findings } = last(klens('eval', ...files, '--config', here('post-train.yaml'), ...more))
  return {
    queries: evaluations[0].asked,
    same: agreements.map(({ shots, share }) => ({ shots, percent: rounded(100 * share, 1) })),
    scores: evaluations.map(({ checkpoint: file, shots, metrics }) => {
      return { beta: [0.12, 0.18][files.indexOf(file)], shots, score: rounded(metrics['eval.score']) }
    }),
    findings: findings.map(({ rule }) => rule),
  }
}

const diff = last(klens('weights', 'diff', ...pairs))
const figures = {
  weights: { differing: `${rounded(100 * diff.total.share, 2)} %`, tensors: [...diff.entirely, ...diff.partly] },
  halfLoaded: chosen(converted, '--load', 'original'),
  whole: chosen(pairs),
  ends: CLIPS.flatMap(clip => BETAS.map(beta => {
    const metrics = endOf(clip, beta).map(({ metrics }) => metrics)
    const of = name => metrics.map(each => Number(each[name]))
    return {
      clip,
      beta,
      seeds: metrics.length,
      kl: rounded(mean(of('kl.ref.exact'))),
      clipped: rounded(mean(of('clip.frac')), 3),
      ratio: rounded(mean(of('ratio.mean')), 3),
      score: rounded(mean(of('val.score')), 3),
    }
  })),
  verdicts: CLIPS.flatMap(clip => BETAS.slice(1).flatMap(beta =>
    [['val.score', 'max'], ['kl.ref.exact', 'min']].map(([metric, goal]) => {
      const compared = last(klens('compare', `${clip}-0/*`, `${clip}-${beta}/*`, '--metric', metric, '--goal', goal))
      const { scope, answer, estimate, interval } = compared.verdicts[compared.headline?.verdict ?? 0]
      return { clip, beta, against: 0, metric, scope, answer, estimate: rounded(estimate), interval: interval?.map(value => rounded(value)) ?? null }
    }),
  )),
}
console.log(JSON.stringify(figures, null, 1))
