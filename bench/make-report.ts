import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DATA } from './generate.js'
import { randomNumbers } from './made-up-metrics.js'

/**
 * Experiment reports made up for measuring, Chinese and English in turn: headings, a curve of two runs with differences, a
 * table of scores, lists of steps, and sentences that claim things about them. About one figure in thirty is wrong.
 */
export function madeUpReport(megabytes: number): string {
  const path = join(DATA, `report-${megabytes}`, 'report.md')
  if (existsSync(path)) return path
  mkdirSync(join(DATA, `report-${megabytes}`), { recursive: true })
  const random = randomNumbers(megabytes)
  const parts: string[] = []
  let bytes = 0
  for (let chapter = 1; bytes < megabytes * 1e6; chapter += 1) {
    const part = chapter % 2 === 0 ? english(chapter, random) : chinese(chapter, random)
    parts.push(part)
    bytes += Buffer.byteLength(part)
  }
  writeFileSync(path, parts.join(''))
  return path
}

type Random = () => number

interface Point {
  readonly step: number
  readonly a: number
  readonly b: number
}

function curve(random: Random): readonly Point[] {
  const [start, gain] = [1 + random(), 0.05 * random()]
  return Array.from({ length: 9 }, (_, i) => ({
    step: 5 * (i + 1),
    a: start + gain * i + 0.2 * random(),
    b: start + gain * i + 0.2 * random(),
  }))
}

const ONE_IN = 30

function slip(random: Random): number {
  return random() < 1 / ONE_IN ? 0.1 : 0
}

function signed(value: number, digits: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(digits)}`
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |\n`).join('')
}

function curveTable(header: readonly string[], points: readonly Point[], random: Random): string {
  return table(
    header,
    points.map(({ step, a, b }) => {
      const difference = Number(b.toFixed(3)) - Number(a.toFixed(3)) + slip(random)
      return [String(step), a.toFixed(3), b.toFixed(3), signed(difference, 3)]
    }),
  )
}

function scoreTable(header: readonly string[], random: Random): string {
  const rows = [0.05, 0.1, 0.15, 0.2].map(beta => {
    const scores = [random(), random(), random()].map(score => 50 + Math.round(20 * score) / 2)
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length + slip(random)
    return [String(beta), ...scores.map(score => `${score.toFixed(1)}%`), `${mean.toFixed(2)}%`]
  })
  return table(header, rows)
}

function change(from: number, to: number, random: Random): string {
  return `${signed(100 * (Number(to.toFixed(3)) / Number(from.toFixed(3)) - 1 + slip(random)), 1)}%`
}

function english(chapter: number, random: Random): string {
  const points = curve(random)
  const [first, last] = [points[0], points[points.length - 1]]
  const best = points.reduce((a, b) => (b.a > a.a ? b : a))
  const steps = points
    .slice(1)
    .map(({ step, a }, i) => `- Step ${step}: ${a.toFixed(3)} (${change(points[i].a, a, random)})\n`)
  return `## ${chapter}. Effect of the KL penalty, run ${chapter}

The two runs share the data, the model and the learning rate. Training is complete: 45 steps of about 200 s each.

${curveTable(['step', 'without KL', 'with KL', 'diff'], points, random)}
- The best reward without KL is **${best.a.toFixed(3)}** (step ${best.step}); with KL it is comparable.
- Reward rose from ${first.a.toFixed(3)} to ${last.a.toFixed(3)} (${change(first.a, last.a, random)}), which suggests that the setting helps.
- With KL the curve is smoother and converges a little later.

### Each step

${steps.join('')}
### Accuracy (200 samples)

${scoreTable(['beta', '1-shot', '2-shot', '4-shot', 'mean'], random)}
All four settings lie within 12% of each other. See \`runs/kl-${chapter}/metrics.jsonl\` and [the log](logs/${chapter}.md).

`
}

function chinese(chapter: number, random: Random): string {
  const points = curve(random)
  const [first, last] = [points[0], points[points.length - 1]]
  const best = points.reduce((a, b) => (b.b > a.b ? b : a))
  const steps = points
    .slice(1)
    .map(({ step, b }, i) => `- Step ${step}：${b.toFixed(3)}（${change(points[i].b, b, random)}）\n`)
  return `## ${chapter}. KL 约束的影响，第 ${chapter} 组

两次训练使用相同的数据、模型和学习率。训练已完成，共 45 步，每步约 200 秒。

${curveTable(['步数', '无KL约束', '有KL约束', '差异'], points, random)}
- 有KL约束的最佳奖励为 **${best.b.toFixed(3)}**（Step ${best.step}），两者非常接近。
- 奖励从 ${first.b.toFixed(3)} 提升到 ${last.b.toFixed(3)}（${change(first.b, last.b, random)}），说明该设置有助于学习。
- 有KL约束时训练更稳定，收敛稍慢。

### 逐步变化

${steps.join('')}
### 准确率（200 个样本）

${scoreTable(['beta', '1-shot', '2-shot', '4-shot', '平均'], random)}
四种设置的差异在 12% 以内。日志见 \`runs/kl-${chapter}/metrics.jsonl\`。

`
}
