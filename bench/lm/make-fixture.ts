import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { ROOT } from '../generate.js'
import { exportQuestions, writeExport } from './export.js'
import { learnedModel } from './learned-model.js'

/**
 * Makes src/lab/train/lm/fixtures/checkpoint anew: a small model that klens trained and wrote, and what Hugging Face's library
 * answers with it. `node dist-bench/bench/lm/make-fixture.js PYTHON`, a Python that has torch and transformers.
 */
const folder = join(ROOT, 'src', 'lab', 'train', 'lm', 'fixtures', 'checkpoint')
const small = {
  ...{ width: 32, layers: 2, heads: 4, keyHeads: 2, headWidth: 8, inner: 48 },
  ...{ positions: 256, ropeTheta: 5_000, epsilon: 1e-6 },
}
const learned = learnedModel(small, 420, 110)
console.error(`loss ${learned.loss.toFixed(3)}, ${learned.model.parameters.count} parameters`)
rmSync(folder, { recursive: true, force: true })
await writeExport(folder, learned, exportQuestions(100))
const python = argv[2] ?? 'python3'
const answers = execFileSync(python, [join(ROOT, 'bench', 'lm', 'checkpoint.py'), folder], { encoding: 'utf8' })
writeFileSync(join(folder, 'answers.json'), answers)
