import type { Severity } from '../model/finding.js'

/**
 * Every rule: what kind of fault it names, how grave it is unless the case says otherwise, and an example that is found
 * beside one that is not. The docs, `--rules` and the tests are made of this table.
 */
interface KnownRule {
  readonly kind: string
  readonly severity: Severity
  readonly example?: { readonly faulty: string; readonly sound: string; readonly beside?: string }
}

// biome-ignore format: a table is read by its lines
export const KNOWN_RULES = {
  'all-contradicted': { kind: 'contradiction', severity: 'error', example: { faulty: '| Run | Seeds | Score |\n|---|---|---|\n| a | 3 | 61.2 |\n| b | 3 | 62.8 |\n| c | 5 | 60.4 |\n\nAll runs have Seeds = 3.', sound: '| Run | Seeds | Score |\n|---|---|---|\n| a | 3 | 61.2 |\n| b | 3 | 62.8 |\n| c | 3 | 60.4 |\n\nAll runs have Seeds = 3.' } },
  'arrow-contradicted': { kind: 'contradiction', severity: 'warning', example: { faulty: '| 题 | 前 | 后 | 差异 |\n|---|---|---|---|\n| 甲 | 50.1% | 52.0% | +1.9% ⬆️ |\n| 乙 | 48.0% | 47.0% | -1.0% ⬆️ |\n| 丙 | 47.0% | 46.2% | -0.8% ⬇️ |\n| 丁 | 40.0% | 41.2% | +1.2% ⬆️ |', sound: '| 题 | 前 | 后 | 差异 |\n|---|---|---|---|\n| 甲 | 50.1% | 52.0% | +1.9% ⬆️ |\n| 乙 | 48.0% | 47.0% | -1.0% ⬇️ |\n| 丙 | 47.0% | 46.2% | -0.8% ⬇️ |\n| 丁 | 40.0% | 41.2% | +1.2% ⬆️ |' } },
  'beyond-last-step': { kind: 'contradiction', severity: 'error', example: { faulty: '## Run A\n\n- Final checkpoint: `out/a/checkpoint-340`\n- total_steps: 68', sound: '## Run A\n\n- Final checkpoint: `out/a/checkpoint-340`\n- total_steps: 340' } },
  'bold-not-best': { kind: 'contradiction', severity: 'warning', example: { faulty: '| Set | A | B | C |\n|---|---|---|---|\n| w | 50.1 | **52.3** | 49.8 |\n| x | **61.4** | 60.2 | 59.9 |\n| y | 40.2 | 41.0 | **43.3** |\n| z | 55.0 | **54.1** | 53.2 |', sound: '| Set | A | B | C |\n|---|---|---|---|\n| w | 50.1 | **52.3** | 49.8 |\n| x | **61.4** | 60.2 | 59.9 |\n| y | 40.2 | 41.0 | **43.3** |\n| z | **55.0** | 54.1 | 53.2 |' } },
  'bound-exceeded': { kind: 'contradiction', severity: 'warning', example: { faulty: '| Task | Pass |\n|---|---|\n| a | 71.0% |\n| b | 64.0% |\n| c | 69.5% |\n\nAll tasks pass above 65%: Pass is high.', sound: '| Task | Pass |\n|---|---|\n| a | 71.0% |\n| b | 64.0% |\n| c | 69.5% |\n\nAll tasks pass above 60%: Pass is high.' } },
  'cause-untested': { kind: 'untested', severity: 'note', example: { faulty: '学习率过大导致性能下降。', sound: '学习率过大可能导致性能下降。' } },
  'chosen-on-test': { kind: 'selection', severity: 'note', example: { faulty: '| Epoch | Accuracy |\n|---|---|\n| 1 | 61.2 |\n| 2 | 62.8 |\n| 3 | 62.1 |\n\nThe best checkpoint is epoch 2 with 62.8.', sound: '| Epoch | Accuracy |\n|---|---|\n| 1 | 61.2 |\n| 2 | 62.8 |\n| 3 | 62.1 |\n\nThe best checkpoint, selected on the validation set, is epoch 2 with 62.8.' } },
  'compared-with-pending': { kind: 'stale', severity: 'error', example: { faulty: '| beta | A | B | vs 0.15 |\n|---|---|---|---|\n| 0.12 | 51.2% | 50.3% | -0.4% |\n| 0.15 | ? | ? | ? |', sound: '| beta | A | B | vs 0.15 |\n|---|---|---|---|\n| 0.12 | 51.2% | 50.3% | ? |\n| 0.15 | ? | ? | ? |' } },
  'complete-but-partial': { kind: 'window', severity: 'warning', example: { faulty: '已训练 500 步。\n\n完整训练曲线如下：\n\n| Step | Reward |\n|---|---|\n| 10 | 0.31 |\n| 20 | 0.35 |\n| 30 | 0.33 |\n| 40 | 0.38 |', sound: '已训练 40 步。\n\n完整训练曲线如下：\n\n| Step | Reward |\n|---|---|\n| 10 | 0.31 |\n| 20 | 0.35 |\n| 30 | 0.33 |\n| 40 | 0.38 |' } },
  'confound': { kind: 'confound', severity: 'note', example: { faulty: '| 配置项 | 甲 | 乙 |\n|---|---|---|\n| 学习率 | 1e-6 | 5e-6 |\n| KL 系数 | 0.1 | 0.2 |', sound: '| 配置项 | 甲 | 乙 |\n|---|---|---|\n| 学习率 | 1e-6 | 1e-6 |\n| KL 系数 | 0.1 | 0.2 |' } },
  'convergence-untested': { kind: 'untested', severity: 'note', example: { faulty: '模型已收敛。', sound: '最后五次评估的变化都小于 0.01。' } },
  'count-mismatch': { kind: 'arithmetic', severity: 'error', example: { faulty: '| 任务 | 前 | 后 | 差异 |\n|---|---|---|---|\n| 甲 | 10 | 12 | +2 |\n| 乙 | 10 | 9 | -1 |\n| 丙 | 10 | 8 | -2 |\n\n- 提升的任务数：2/3', sound: '| 任务 | 前 | 后 | 差异 |\n|---|---|---|---|\n| 甲 | 10 | 12 | +2 |\n| 乙 | 10 | 9 | -1 |\n| 丙 | 10 | 8 | -2 |\n\n- 提升的任务数：1/3' } },
  'cross-estimate': { kind: 'cross-report', severity: 'error', example: { faulty: '| Step | A |\n|---|---|\n| 5 | 1.812 |\n| 10 | 1.934 |\n| 15 | 1.755 |\n| 20 | 1.5 (estimated) |', sound: '| Step | A |\n|---|---|\n| 5 | 1.812 |\n| 10 | 1.934 |\n| 15 | 1.755 |\n| 20 | 1.9 (estimated) |', beside: '| Step | run A |\n|---|---|\n| 5 | 1.812 |\n| 10 | 1.934 |\n| 15 | 1.755 |\n| 20 | 1.909 |' } },
  'cross-value': { kind: 'cross-report', severity: 'error', example: { faulty: '| Step | A |\n|---|---|\n| 5 | 1.812 |\n| 10 | 1.934 |\n| 15 | 1.755 |\n| 20 | 1.990 |', sound: '| Step | A |\n|---|---|\n| 5 | 1.812 |\n| 10 | 1.934 |\n| 15 | 1.755 |\n| 20 | 1.909 |', beside: '| Step | run A |\n|---|---|\n| 5 | 1.812 |\n| 10 | 1.934 |\n| 15 | 1.755 |\n| 20 | 1.909 |' } },
  'data-invented': { kind: 'data', severity: 'error' },
  'data-value': { kind: 'data', severity: 'error' },
  'data-verdict': { kind: 'data', severity: 'warning' },
  'difference-column': { kind: 'arithmetic', severity: 'error', example: { faulty: '| task | before | after | change |\n|---|---|---|---|\n| a | 10.0 | 12.5 | +2.5 |\n| b | 20.0 | 21.0 | +1.0 |\n| c | 30.0 | 34.0 | +5.0 |', sound: '| task | before | after | change |\n|---|---|---|---|\n| a | 10.0 | 12.5 | +2.5 |\n| b | 20.0 | 21.0 | +1.0 |\n| c | 30.0 | 34.0 | +4.0 |' } },
  'difference-row': { kind: 'arithmetic', severity: 'error', example: { faulty: '| 条件 | 正确率 | 通过数 |\n|---|---|---|\n| 旧 | 41.0% | 41 |\n| 新 | 52.0% | 52 |\n| 提升 | +13.0% | +11 |', sound: '| 条件 | 正确率 | 通过数 |\n|---|---|---|\n| 旧 | 41.0% | 41 |\n| 新 | 52.0% | 52 |\n| 提升 | +11.0% | +11 |' } },
  'effective-coefficient': { kind: 'contradiction', severity: 'error', example: { faulty: '## Setup\n\n- KL_BETA: 0.1\n\n## Epoch 3\n\n- Train Loss: 0.01040\n- PPO Loss: 0.01000\n- KL: 0.40000\n- Beta: 0.0010', sound: '## Setup\n\n- KL_BETA: 0.1\n\n## Epoch 3\n\n- Train Loss: 0.05000\n- PPO Loss: 0.01000\n- KL: 0.40000\n- Beta: 0.1' } },
  'extremum-contradicted': { kind: 'contradiction', severity: 'error', example: { faulty: '| Step | Reward |\n|---|---|\n| 10 | 1.520 |\n| 20 | 1.910 |\n| 30 | 1.740 |\n\nThe highest Reward is 1.740.', sound: '| Step | Reward |\n|---|---|\n| 10 | 1.520 |\n| 20 | 1.910 |\n| 30 | 1.740 |\n\nThe highest Reward is 1.910.' } },
  'few-samples': { kind: 'resolution', severity: 'note', example: { faulty: 'Pass rate: 90% (9/10).', sound: 'Pass rate: 90% (900/1000).' } },
  'final-is-best': { kind: 'contradiction', severity: 'error', example: { faulty: '| Step | Reward |\n|---|---|\n| 100 | 4.12 |\n| 200 | 6.93 |\n| 300 | 7.31 |\n| 400 | 6.58 |\n\nFinal reward: 7.31.', sound: '| Step | Reward |\n|---|---|\n| 100 | 4.12 |\n| 200 | 6.93 |\n| 300 | 7.31 |\n| 400 | 6.58 |\n\nFinal reward: 6.58.' } },
  'identical-rows': { kind: 'copied', severity: 'warning', example: { faulty: '| Shot | base | alpha run | beta run |\n|---|---|---|---|\n| 1 | 48.12% | 51.33% | 51.33% |\n| 2 | 47.05% | 50.27% | 50.27% |\n| 3 | 46.91% | 49.84% | 49.84% |', sound: '| Shot | base | alpha run | beta run |\n|---|---|---|---|\n| 1 | 48.12% | 51.33% | 51.02% |\n| 2 | 47.05% | 50.27% | 50.27% |\n| 3 | 46.91% | 49.84% | 49.61% |' } },
  'impossible-score': { kind: 'impossible', severity: 'error', example: { faulty: '得分：1.4 / 1.0', sound: '得分：0.4 / 1.0' } },
  'kl-negative': { kind: 'trivial', severity: 'warning', example: { faulty: 'The monitor stopped at a KL divergence (-3.2).', sound: 'The monitor stopped at a KL divergence (3.2).' } },
  'linear-fill': { kind: 'invented', severity: 'warning', example: { faulty: '| Step | old | new |\n|---|---|---|\n| 5 | 1.80 | 1.71 |\n| 10 | 1.85 (estimated) | 1.93 |\n| 15 | 1.90 (estimated) | 1.66 |\n| 20 | 1.95 (estimated) | 1.81 |\n| 25 | 2.00 (estimated) | 1.92 |', sound: '| Step | old | new |\n|---|---|---|\n| 5 | 1.80 | 1.71 |\n| 10 | 1.87 | 1.93 |\n| 15 | 1.79 | 1.66 |\n| 20 | 1.99 | 1.81 |\n| 25 | 1.95 | 1.92 |' } },
  'loss-identity': { kind: 'arithmetic', severity: 'error', example: { faulty: '| beta | KL | Train Loss | PPO Loss |\n|---|---|---|---|\n| 0.10 | 0.0500 | 0.0150 | 0.0100 |\n| 0.20 | 0.0400 | 0.0180 | 0.0100 |\n| 0.30 | 0.0300 | 0.0150 | 0.0100 |', sound: '| beta | KL | Train Loss | PPO Loss |\n|---|---|---|---|\n| 0.10 | 0.0500 | 0.0150 | 0.0100 |\n| 0.20 | 0.0400 | 0.0180 | 0.0100 |\n| 0.30 | 0.0300 | 0.0190 | 0.0100 |' } },
  'loss-sign': { kind: 'trivial', severity: 'warning', example: { faulty: 'PPO Loss 为正值，更合理。', sound: 'PPO Loss 为 0.00005。' } },
  'mean-impossible': { kind: 'impossible', severity: 'error', example: { faulty: 'Entropy: 0.412 (mean, range 0.412-1.307)', sound: 'Entropy: 0.812 (mean, range 0.412-1.307)' } },
  'named-comparison': { kind: 'contradiction', severity: 'warning', example: { faulty: '| Shot | v1 结果 | v2 结果 | v3 结果 |\n|---|---|---|---|\n| 1 | 50.2% | 49.1% | 51.0% |\n| 2 | 48.3% | 47.7% | 48.9% |\n| 3 | 47.5% | 46.0% | 47.1% |\n\nv3 在 Shot≥2 时优于 v1。', sound: '| Shot | v1 结果 | v2 结果 | v3 结果 |\n|---|---|---|---|\n| 1 | 50.2% | 49.1% | 51.0% |\n| 2 | 48.3% | 47.7% | 48.9% |\n| 3 | 46.5% | 46.0% | 47.1% |\n\nv3 在 Shot≥2 时优于 v1。' } },
  'named-difference': { kind: 'arithmetic', severity: 'warning', example: { faulty: '| Shot | v1 结果 | v2 结果 | v3 结果 |\n|---|---|---|---|\n| 1 | 50.2% | 49.1% | 51.0% |\n| 2 | 48.3% | 47.7% | 48.9% |\n\nv3 在 Shot 1 时高于 v1（+1.8%）。', sound: '| Shot | v1 结果 | v2 结果 | v3 结果 |\n|---|---|---|---|\n| 1 | 50.2% | 49.1% | 51.0% |\n| 2 | 48.3% | 47.7% | 48.9% |\n\nv3 在 Shot 1 时高于 v1（+0.8%）。' } },
  'named-extremum': { kind: 'contradiction', severity: 'error', example: { faulty: '| Epoch | Val Loss |\n|---|---|\n| 1 | 4.310 |\n| 2 | 4.120 |\n| 3 | 4.250 |\n\nVal Loss 最低：4.120（Epoch 3）。', sound: '| Epoch | Val Loss |\n|---|---|\n| 1 | 4.310 |\n| 2 | 4.120 |\n| 3 | 4.250 |\n\nVal Loss 最低：4.120（Epoch 2）。' } },
  'named-value': { kind: 'contradiction', severity: 'warning', example: { faulty: '| Step | Val Reward |\n|---|---|\n| 10 | 1.520 |\n| 20 | 1.910 |\n\n- Step 20: Val Reward = 1.520', sound: '| Step | Val Reward |\n|---|---|\n| 10 | 1.520 |\n| 20 | 1.910 |\n\n- Step 20: Val Reward = 1.910' } },
  'not-monotone': { kind: 'contradiction', severity: 'warning', example: { faulty: '| Epoch | Val Loss |\n|---|---|\n| 1 | 4.31 |\n| 2 | 4.12 |\n| 3 | 4.25 |\n| 4 | 4.01 |\n\nVal Loss decreases monotonically.', sound: '| Epoch | Val Loss |\n|---|---|\n| 1 | 4.31 |\n| 2 | 4.25 |\n| 3 | 4.12 |\n| 4 | 4.01 |\n\nVal Loss decreases monotonically.' } },
  'one-run': { kind: 'untested', severity: 'note', example: { faulty: '| Run | Score |\n|---|---|\n| a | 61.2 |\n| b | 62.8 |\n\nRun b is better than run a.', sound: '| Run | Score |\n|---|---|\n| a | 61.2 |\n| b | 62.8 |\n\nRun b is better than run a in each of five seeds.' } },
  'order-contradicted': { kind: 'contradiction', severity: 'error', example: { faulty: 'Ranking: alpha (61.2) > beta (63.0) > gamma (58.4).', sound: 'Ranking: beta (63.0) > alpha (61.2) > gamma (58.4).' } },
  'overfitting-untested': { kind: 'untested', severity: 'note', example: { faulty: '模型严重过拟合。', sound: '训练准确率 91%，验证准确率 62%。' } },
  'own-extremum': { kind: 'arithmetic', severity: 'error', example: { faulty: '| task | A | B |\n|---|---|---|\n| x | 10.0 | 20.0 |\n| y | 20.0 | 40.0 |\n| max | 20.0 | 35.0 |', sound: '| task | A | B |\n|---|---|---|\n| x | 10.0 | 20.0 |\n| y | 20.0 | 40.0 |\n| max | 20.0 | 40.0 |' } },
  'pending-but-filled': { kind: 'stale', severity: 'warning', example: { faulty: '## Scores (pending)\n\n| run | a | b |\n|---|---|---|\n| x | 51.2 | 50.3 |\n| y | 52.0 | 49.1 |\n| z | 50.7 | 48.8 |', sound: '## Scores (pending)\n\n| run | a | b |\n|---|---|---|\n| x | 51.2 | 50.3 |\n| y | ? | ? |\n| z | ? | ? |' } },
  'percent-base': { kind: 'arithmetic', severity: 'warning', example: { faulty: '显存从 80.0 降至 60.0，下降 33.3%。', sound: '显存从 80.0 降至 60.0，下降 25.0%。' } },
  'percent-change': { kind: 'arithmetic', severity: 'error', example: { faulty: 'Accuracy rose from 40.0% to 50.0% (+15%).', sound: 'Accuracy rose from 40.0% to 50.0% (+25%).' } },
  'progress-contradicted': { kind: 'stale', severity: 'error', example: { faulty: '已完成 300 步。\n\n## 下一步\n\n继续训练到 100 步再评估。', sound: '已完成 300 步。\n\n## 下一步\n\n继续训练到 500 步再评估。' } },
  'range-contradicted': { kind: 'contradiction', severity: 'warning', example: { faulty: '| Run | KL |\n|---|---|\n| a | 1.14 |\n| b | 3.80 |\n| c | 9.37 |\n\nKL ranges from 1.14 to 7.93 over the runs.', sound: '| Run | KL |\n|---|---|\n| a | 1.14 |\n| b | 3.80 |\n| c | 9.37 |\n\nKL ranges from 1.14 to 9.37 over the runs.' } },
  'ready-untested': { kind: 'untested', severity: 'warning', example: { faulty: 'The model is production-ready.', sound: 'The model passed 40 of 50 held-out tasks in one run.' } },
  'same-untested': { kind: 'untested', severity: 'note', example: { faulty: '两个版本的效果相当。', sound: '两个版本相差 0.3 分，区间 −1.2 到 1.8。' } },
  'sampling-error': { kind: 'resolution', severity: 'warning', example: { faulty: 'On 200 questions the new prompt is better (+0.5%).', sound: 'On 200 questions the new prompt is better (+14.5%).' } },
  'sign-contradicted': { kind: 'contradiction', severity: 'error', example: { faulty: '每步时间从 180s 增至 140s。', sound: '每步时间从 180s 降至 140s。' } },
  'significance-untested': { kind: 'untested', severity: 'warning', example: { faulty: 'The new reward is significantly better than the old one.', sound: 'The new reward scores 0.4 points more than the old one.' } },
  'speed-contradicted': { kind: 'contradiction', severity: 'error', example: { faulty: '| Step | A reward | B reward |\n|---|---|---|\n| 5 | 1.10 | 1.52 |\n| 10 | 1.21 | 1.31 |\n| 15 | 1.42 | 1.40 |\n| 20 | 1.33 | 1.44 |\n| 25 | 1.30 | 1.61 |\n\nA reaches its best 10 steps earlier.', sound: '| Step | A reward | B reward |\n|---|---|---|\n| 5 | 1.10 | 1.02 |\n| 10 | 1.21 | 1.11 |\n| 15 | 1.42 | 1.20 |\n| 20 | 1.33 | 1.24 |\n| 25 | 1.30 | 1.61 |\n\nAt step 15 A has 1.42 and B 1.20.' } },
  'speed-untested': { kind: 'untested', severity: 'note', example: { faulty: 'Run A converges 20 steps earlier.', sound: 'Run A reached 0.40 at step 40 and run B at step 60.' } },
  'spread-exceeded': { kind: 'contradiction', severity: 'error', example: { faulty: '| Run | Length |\n|---|---|\n| a | 512 |\n| b | 540 |\n| c | 601 |\n\nAll Length values differ by less than 5%.', sound: '| Run | Length |\n|---|---|\n| a | 512 |\n| b | 516 |\n| c | 521 |\n\nAll Length values differ by less than 5%.' } },
  'stability-untested': { kind: 'untested', severity: 'note', example: { faulty: '训练过程更稳定。', sound: '五个 run 的标准差从 0.31 变为 0.12。' } },
  'stale-best': { kind: 'stale', severity: 'error', example: { faulty: '| Step | A reward | B reward |\n|---|---|---|\n| 5 | 1.103 | 1.024 |\n| 10 | 1.215 | 1.117 |\n| 15 | 1.422 | 1.206 |\n| 20 | 1.338 | 1.611 |\n\nBest 1.338 vs 1.611.', sound: '| Step | A reward | B reward |\n|---|---|---|\n| 5 | 1.103 | 1.024 |\n| 10 | 1.215 | 1.117 |\n| 15 | 1.422 | 1.206 |\n| 20 | 1.338 | 1.611 |\n\nBest 1.422 vs 1.611.' } },
  'stated-difference': { kind: 'arithmetic', severity: 'error', example: { faulty: '奖励 0.520 → 0.610（Δ +0.080）。', sound: '奖励 0.520 → 0.610（Δ +0.090）。' } },
  'step-span': { kind: 'timeline', severity: 'warning', example: { faulty: '| Step | Reward |\n|---|---|\n| 10 | 1.520 |\n| 40 | 0.310 |\n| 50 | 0.295 |\n\n从 1.520 降至 0.310 仅用 20 步。', sound: '| Step | Reward |\n|---|---|\n| 10 | 1.520 |\n| 40 | 0.310 |\n| 50 | 0.295 |\n\n从 1.520 降至 0.310 仅用 30 步。' } },
  'swing-omits-change': { kind: 'contradiction', severity: 'error', example: { faulty: '| Step | Reward |\n|---|---|\n| 5 | 2.00 |\n| 10 | 2.20 |\n| 15 | 1.65 |\n| 20 | 1.70 |\n\n最大波动 ±10.0%。', sound: '| Step | Reward |\n|---|---|\n| 5 | 2.00 |\n| 10 | 2.20 |\n| 15 | 1.65 |\n| 20 | 1.70 |\n\n最大波动 ±25.0%。' } },
  'timeline': { kind: 'timeline', severity: 'error', example: { faulty: 'Second run (10:15-10:47): runtime 52 minutes.', sound: 'Second run (10:15-10:47): runtime 32 minutes.' } },
  'trend-contradicted': { kind: 'contradiction', severity: 'warning', example: { faulty: '| 指标 | 第 1 轮 | 第 2 轮 | 第 3 轮 | 说明 |\n|---|---|---|---|---|\n| KL 值 | 0.031 | 0.042 | 0.055 | 逐渐减小 |\n| 熵 | 0.9 | 0.8 | 0.7 | 逐渐减小 |', sound: '| 指标 | 第 1 轮 | 第 2 轮 | 第 3 轮 | 说明 |\n|---|---|---|---|---|\n| KL 值 | 0.055 | 0.042 | 0.031 | 逐渐减小 |\n| 熵 | 0.9 | 0.8 | 0.7 | 逐渐减小 |' } },
  'winner-contradicted': { kind: 'contradiction', severity: 'error', example: { faulty: '| 指标 | 甲组 | 乙组 | 结论 |\n|---|---|---|---|\n| Val Loss | 3.21 | 3.40 | 乙组更好 |\n| 准确率 | 50.1% | 49.0% | 甲组更好 |', sound: '| 指标 | 甲组 | 乙组 | 结论 |\n|---|---|---|---|\n| Val Loss | 3.21 | 3.40 | 甲组更好 |\n| 准确率 | 50.1% | 49.0% | 甲组更好 |' } },
  'within-spread': { kind: 'resolution', severity: 'note', example: { faulty: '| Score | old | new | change |\n|---|---|---|---|\n| total | 71.2 ± 8.1 | 72.4 ± 7.9 | +1.2 |', sound: '| Score | old | new | change |\n|---|---|---|---|\n| total | 71.2 ± 0.4 | 72.4 ± 0.3 | +1.2 |' } },
  'wrong-equation': { kind: 'arithmetic', severity: 'error', example: { faulty: '有效批大小：4 × 8 = 36', sound: '有效批大小：4 × 8 = 32' } },
  'wrong-mean': { kind: 'arithmetic', severity: 'error', example: { faulty: '| task | A | B |\n|---|---|---|\n| x | 10.0 | 20.0 |\n| y | 20.0 | 40.0 |\n| mean | 15.0 | 35.0 |', sound: '| task | A | B |\n|---|---|---|\n| x | 10.0 | 20.0 |\n| y | 20.0 | 40.0 |\n| mean | 15.0 | 30.0 |' } },
  'wrong-multiple': { kind: 'arithmetic', severity: 'error', example: { faulty: 'Throughput: 1200 vs 300 tokens = 6x faster.', sound: 'Throughput: 1200 vs 300 tokens = 4x faster.' } },
  'wrong-share': { kind: 'arithmetic', severity: 'error', example: { faulty: '12/80 tasks solved (25.0%).', sound: '12/80 tasks solved (15.0%).' } },
  'wrong-sum': { kind: 'arithmetic', severity: 'error', example: { faulty: '- Run: 61.00%\n- Jump: 30.50%\n- Idle: 8.50%\n- Total: 90.00%', sound: '- Run: 61.00%\n- Jump: 30.50%\n- Idle: 8.50%\n- Total: 100.00%' } },
} as const satisfies Record<string, KnownRule>

export type RuleId = keyof typeof KNOWN_RULES

/** What kind of fault it is: scripts group by it. */
export type FaultKind = (typeof KNOWN_RULES)[RuleId]['kind']

/** A rule that has an example, as `--rules`, the docs and the tests know it. */
export interface RuleCard extends Required<KnownRule> {
  readonly id: string
  readonly kind: FaultKind
}
