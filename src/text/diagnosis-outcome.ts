import type { Templates } from './language.js'

/** What the rules about outcomes and logs say: validation, length, environment, evaluations, series. */
export const diagnosisOutcomeTexts = {
  'evals-in-warmup': {
    en: 'all {n} evaluations (steps {first}–{last}) lie inside the learning-rate warm-up, which lasts until step {end}: they say nothing about the full rate',
    zh: '全部 {n} 次验证（step {first}–{last}）都在学习率 warmup 内（到 step {end} 结束），不能说明正常学习率下的效果',
  },
  'evals-in-warmup.rising': {
    en: 'all {n} evaluations (steps {first}–{last}) were made while the learning rate was still rising: they say nothing about the full rate',
    zh: '全部 {n} 次验证（step {first}–{last}）时学习率仍在上升，不能说明正常学习率下的效果',
  },
  'evals-in-warmup.remedy': {
    en: 'train and evaluate past the warm-up before comparing this run with another, or shorten the warm-up',
    zh: '先训练并验证到 warmup 之后，再与其他 run 比较；或缩短 warmup',
  },
  'evals-in-warmup.none': { en: 'no evaluation after the start', zh: '训练开始后没有验证' },

  'reward-hacking': {
    en: 'the training reward rose from {rewardStart} to {rewardEnd} while the task score {metric} fell from {start} to {end}: the reward pays for something else than the task',
    zh: '训练 reward 从 {rewardStart} 升到 {rewardEnd}，而任务得分 {metric} 从 {start} 降到 {end}：reward 奖励的不是任务本身（reward hacking）',
  },
  'reward-hacking.remedy': {
    en: 'read the highest-rewarded answers, remove or cap the term that they exploit (length and format are the usual ones), and resume from a checkpoint before this; choose checkpoints by the task score, never by this reward',
    zh: '查看 reward 最高的回答，去掉或限制被利用的奖励项（常见的是长度和格式），从此前的 checkpoint 恢复；按任务得分选 checkpoint，不要按该 reward 选',
  },
  'reward-hacking.parts': {
    en: 'the reward rises by one of its parts at the cost of another: {risen} went from {risenStart} to {risenEnd}, {fallen} from {start} to {end}',
    zh: 'reward 靠一项上升、另一项下降而提高：{risen} 从 {risenStart} 到 {risenEnd}，{fallen} 从 {start} 到 {end}',
  },
  'reward-hacking.parts.remedy': {
    en: 'lower the weight of {risen}, or pay it only for answers that also earn {fallen}; choose checkpoints by {fallen}, not by the sum',
    zh: '降低 {risen} 的权重，或只在回答同时得到 {fallen} 时才给；按 {fallen} 而不是总 reward 选 checkpoint',
  },
  'reward-hacking.same': {
    en: 'the reward is all that is logged of the task: there is no score of its own, no validation and no second part of the reward to hold it against',
    zh: '任务方面只记录了 reward 本身：没有独立的得分、没有验证，也没有第二个 reward 分项可以对照',
  },
  'reward-hacking.validation': {
    en: 'the training reward rose from {rewardStart} to {rewardEnd} while validation {metric} fell from {start} to {end}: the policy exploits the reward or overfits the training prompts',
    zh: '训练 reward 从 {rewardStart} 升到 {rewardEnd}，而验证 {metric} 从 {start} 降到 {end}：策略在利用 reward 的漏洞，或对训练 prompt 过拟合',
  },
  'reward-hacking.validation.remedy': {
    en: 'take the checkpoint near step {step}; compare answers to training and validation prompts: if both have the same odd habit it is the reward, else use more prompts or a larger KL coefficient',
    zh: '改用 step {step} 附近的 checkpoint；对比训练与验证 prompt 的回答：两边有同样的异常套路则是 reward 的问题，否则增加 prompt 或提高 KL 系数',
  },

  'validation-worsened': {
    en: '{metric} has fallen from {before} (steps {from}–{to}) to {after} at the end (−{change} %)',
    zh: '{metric} 从 {before}（step {from}–{to}）降到末段的 {after}（−{change}%）',
  },
  'validation-worsened.start': {
    en: '{metric} has fallen below where it began: from {before} at step {step} to {after} at the end (−{change} %)',
    zh: '{metric} 已低于起点：从 step {step} 的 {before} 降到末段的 {after}（−{change}%）',
  },
  'validation-worsened.start.remedy': {
    en: 'the model that went in was better than what came out: look at what changes around step {step} (learning rate, reward, entropy bonus, KL) before training on',
    zh: '训练后的模型不如训练前：先查明 step {step} 前后的变化（学习率、reward、熵正则、KL），再继续训练',
  },
  'validation-worsened.remedy': {
    en: 'do not ship the last checkpoint: take one from about step {step} and stop there next time; if training reward kept rising, look at its answers first',
    zh: '不要用最后的 checkpoint：改用 step {step} 附近的，下次在此停止；若训练 reward 仍在上升，先检查回答内容',
  },
  'validation-worsened.collapse': {
    en: 'it broke down: see validation-collapse',
    zh: '验证已崩塌：见 validation-collapse',
  },
  'validation-worsened.loss': {
    en: '{metric} has risen from {before} to {after} (+{change} %) while training went on',
    zh: '训练过程中 {metric} 从 {before} 升到 {after}（+{change}%）',
  },
  'validation-worsened.loss.remedy': {
    en: 'a validation loss need not follow the task: evaluate the task itself at a few checkpoints before choosing one',
    zh: '验证 loss 未必反映任务效果：先对几个 checkpoint 评测任务本身，再作选择',
  },

  'validation-collapse': {
    en: '{metric} collapsed at step {onset}: from {best} to {end} (−{change} %), and did not come back',
    zh: '{metric} 在 step {onset} 崩塌：从 {best} 降到 {end}（−{change}%），此后没有恢复',
  },
  'validation-collapse.undated': {
    en: '{metric} collapsed from {best} to {end} (−{change} %) and did not come back; {n} evaluations only tell that it was between step {before} and step {onset}',
    zh: '{metric} 从 {best} 崩塌到 {end}（−{change}%）且没有恢复；仅 {n} 次验证，只能确定发生在 step {before} 与 step {onset} 之间',
  },
  'validation-collapse.back': {
    en: '{metric} broke down from {best} to {end} (−{change} %) in steps {onset}–{last} and came back only in part or for a while',
    zh: '{metric} 在 step {onset}–{last} 从 {best} 崩塌到 {end}（−{change}%），之后只是部分或暂时恢复',
  },
  'validation-collapse.remedy': {
    en: 'go back to the checkpoint of step {before}; lower the learning rate or add a KL penalty before resuming, and stop on such a fall: {wasted} further steps were spent on it here',
    zh: '回到 step {before} 的 checkpoint；降低学习率或加 KL 约束后再继续，并在出现此类下跌时提前停止：这里又白跑了 {wasted} 步',
  },

  'length-collapse': {
    en: '{metric} fell from {before} to {after} tokens, more than halved within 20 steps from step {from}',
    zh: '{metric} 从 {before} 降到 {after} token：自 step {from} 起 20 步内减少一半以上',
  },
  'length-collapse.score': {
    en: '{metric} fell from {before} to {after} tokens, more than halved within 20 steps from step {from}, and the score went from {best} to {end} with it',
    zh: '{metric} 从 {before} 降到 {after} token（自 step {from} 起 20 步内减少一半以上），得分也从 {best} 降到 {end}',
  },
  'length-collapse.between': {
    en: '{metric} fell from {before} to {after} tokens between steps {from} and {to} of the log',
    zh: '{metric} 在日志的 step {from} 与 step {to} 之间从 {before} 降到 {after} token',
  },
  'length-collapse.between.score': {
    en: '{metric} fell from {before} to {after} tokens between steps {from} and {to} of the log, and the score went from {best} to {end} with it',
    zh: '{metric} 在日志的 step {from} 与 step {to} 之间从 {before} 降到 {after} token，得分也从 {best} 降到 {end}',
  },
  'length-collapse.remedy': {
    en: 'read answers from before and after step {from}; look for a length penalty that outweighs the task reward, an early end token or a parser that rewards empty answers',
    zh: '对比 step {from} 前后的回答；检查长度惩罚是否压过任务 reward、是否过早输出结束符、解析器是否给空回答加分',
  },

  'length-explosion': {
    en: '{metric} grew from {start} to {level} tokens while {score} fell from {scoreStart} to {scoreThen}: the length buys nothing',
    zh: '{metric} 从 {start} 增到 {level} token，而 {score} 从 {scoreStart} 降到 {scoreThen}：变长没有带来收益',
  },
  'length-explosion.truncated': {
    en: '{metric} grew from {start} to {level} tokens and {truncated} % of the answers are cut off at the limit',
    zh: '{metric} 从 {start} 增到 {level} token，{truncated}% 的回答在长度上限处被截断',
  },
  'length-explosion.remedy': {
    en: 'read the long answers: repetition or gibberish means too high a rate or entropy bonus; padding means that the reward pays for length. Penalise overlong answers only after that is fixed',
    zh: '查看这些长回答：重复或乱码说明学习率或熵正则过大；凑字数说明 reward 在奖励长度。修正后再考虑对超长回答加惩罚',
  },

  truncation: {
    en: '{share} % of the answers are cut off at the length limit since step {from}; above 10 % too much of the batch is graded unfinished',
    zh: '自 step {from} 起 {share}% 的回答被长度上限截断；超过 10% 时，过多样本在未写完的情况下被打分',
  },
  'truncation.over': {
    en: '{share} % of the answers were cut off at the length limit in steps {from}–{to}; it is over',
    zh: 'step {from}–{to} 有 {share}% 的回答被长度上限截断，之后恢复正常',
  },
  'truncation.remedy': {
    en: 'raise the limit on the response length if the answers are sound, or mask truncated answers in the loss; if they are padding, see to the reward first',
    zh: '若回答本身正常，提高回答长度上限，或在 loss 中屏蔽被截断的回答；若是凑字数，先修正 reward',
  },
  'truncation.remedy.limit': {
    en: 'raise the limit of {limit} tokens if the answers are sound, or mask truncated answers in the loss; if they are padding, see to the reward first',
    zh: '若回答本身正常，提高 {limit} token 的上限，或在 loss 中屏蔽被截断的回答；若是凑字数，先修正 reward',
  },

  'train-inference-mismatch': {
    en: 'trainer and sampler disagree on the same tokens: {list}; what is healthy stands in brackets',
    zh: '训练端与推理端对同样的 token 给出不同概率：{list}（括号内为正常范围）',
  },
  'train-inference-mismatch.remedy': {
    en: 'check in this order: dropout off in the policy, the same precision and weights in both engines (on other GPUs than Hopper vLLM with disable_cascade_attn=True), the same temperature; then use truncated importance sampling',
    zh: '依次检查：策略是否关闭 dropout；两端精度与权重是否一致（非 Hopper GPU 上 vLLM 设 disable_cascade_attn=True）；temperature 是否一致；最后再用截断的重要性采样',
  },

  'environment-outage': {
    en: '{metric} dropped from {level} to exactly 0 at step {first} from one step to the next, while the gradient lives on ({gradient}): the environment failed, not the policy',
    zh: '{metric} 在 step {first} 一步之内从 {level} 变为恰好 0，而梯度仍在（{gradient}）：是环境出了故障，不是策略',
  },
  'environment-outage.frozen': {
    en: '{metric} dropped from {level} to exactly 0 at step {first} from one step to the next, while the policy writes as before: the environment failed, and without rewards nothing is updated',
    zh: '{metric} 在 step {first} 一步之内从 {level} 变为恰好 0，而策略的输出与之前无异：是环境出了故障；没有 reward，也就没有更新',
  },
  'environment-outage.failures': {
    en: '{metric} jumped from {before} % to {level} % at step {first}: the environment or a tool failed, not the policy',
    zh: '{metric} 在 step {first} 从 {before}% 跳到 {level}%：是环境或工具出了故障，不是策略',
  },
  'environment-outage.remedy': {
    en: 'look at the logs of the judge, user simulator or tool server for timeouts and refused connections at that time; restart it, resume from step {before}, and make a failed call raise an error instead of giving reward 0',
    zh: '查看该时段裁判、用户模拟器或工具服务的日志（超时、连接被拒）；重启后从 step {before} 恢复，并让调用失败时报错，而不是给 0 分',
  },
  'environment-outage.recovered.remedy': {
    en: 'steps {first}–{last} trained on rewards that nobody gave: resume from step {before} or leave them out of every comparison, and make a failed call raise an error instead of giving reward 0',
    zh: 'step {first}–{last} 用的是无效 reward：从 step {before} 恢复，或在比较时排除这些 step；并让调用失败时报错，而不是给 0 分',
  },
  'environment-outage.blind': {
    en: 'rewards are exactly 0 from step {step} on, but no gradient, length or entropy is logged to tell an outage from a dead policy',
    zh: '自 step {step} 起 reward 恰为 0，但没有记录梯度、长度或熵，无法区分环境故障与策略失效',
  },

  'eval-noise': {
    en: 'all movement of {metric} (spread {spread}) is what evaluating on {n} prompts does by itself (error {error}): no evaluation is better than another',
    zh: '{metric} 的全部波动（标准差 {spread}）都可由仅 {n} 个评测样本的抽样误差（{error}）解释：各次验证无法分出高下',
  },
  'eval-noise.remedy': {
    en: 'do not choose a checkpoint by this curve; evaluate a few of them on about {many} prompts, or several answers per prompt',
    zh: '不要按这条曲线选 checkpoint；用约 {many} 个评测样本、或每个样本多次采样，重新评测其中几个',
  },
  'eval-noise.unknown': {
    en: 'neither per-prompt scores nor, for shares, the number of prompts is known for {needed} evaluations or more',
    zh: '没有逐样本得分，也不知道评测样本数（或得分不在 0~1 之间、验证少于 {needed} 次）',
  },

  'best-is-last': {
    en: 'the best of {n} evaluations of {metric} is the last one ({value} at step {step}): it may still be rising, so its peak is not known',
    zh: '{metric} 的 {n} 次验证中，最后一次最高（{value}，step {step}）：可能仍在上升，峰值未知',
  },
  'best-is-last.remedy': {
    en: 'train on until several evaluations no longer improve before naming a best checkpoint or a speed',
    zh: '继续训练到连续几次验证不再提高，再谈最佳 checkpoint 或收敛速度',
  },

  'learning-stalled': {
    en: 'learning has levelled off: over steps {from}–{to} the gain, noise included, is at most {list}',
    zh: '学习已停滞：step {from}–{to} 期间的提高（已计入噪声）最多为 {list}',
  },
  'learning-stalled.remedy': {
    en: 'stop here and keep an earlier checkpoint, or change something before spending more: harder prompts where the task is solved, a higher rate or less KL where the policy hardly moves, more signal where groups are tied',
    zh: '可以到此停止并采用更早的 checkpoint；若要继续，先做改变：任务已学会则换更难的 prompt，策略几乎不动则提高学习率或减小 KL，零方差组多则增加有效信号',
  },

  'evals-identical': {
    en: '{n} evaluations in a row are equal to the last digit ({list}): the same weights were evaluated, or the answers do not change',
    zh: '连续 {n} 次验证每一位都相同（{list}）：评测的是同一份权重，或策略的回答没有变化',
  },
  'evals-identical.scores': {
    en: '{n} evaluations in a row are equal on every single prompt ({list}): the same weights were evaluated, or the answers do not change',
    zh: '连续 {n} 次验证，每个样本的得分都相同（{list}）：评测的是同一份权重，或策略的回答没有变化',
  },
  'evals-identical.remedy': {
    en: 'compare the weights of two of these checkpoints: if they are equal, the evaluation loads the wrong one; if they differ, the update is too small to change an answer: look at learning rate and gradient',
    zh: '比较其中两个 checkpoint 的权重：若相同，说明评测加载错了；若不同，说明更新太小、改变不了回答，检查学习率与梯度',
  },

  'mean-impossible': {
    en: '{wrong} of {all} values of {metric} cannot be the mean of {n} yes-or-no scores, the first is {value} at step {step}: the number of prompts, the scoring or the value is not what it is said to be',
    zh: '{metric} 的 {all} 个值中有 {wrong} 个不可能是 {n} 个 0/1 得分的均值（首个为 step {step} 的 {value}）：样本数、计分方式或数值与所说不符',
  },
  'mean-impossible.remedy': {
    en: 'look up these evaluations in the log: some prompts failed or were scored otherwise, or the numbers were typed by hand',
    zh: '在日志中核对这几次验证：部分样本失败或计分方式不同，或数值为手工填写',
  },
  'mean-impossible.all.remedy': {
    en: 'check whether the evaluation really has {n} prompts and scores only 0 or 1; if not, correct data.val_size',
    zh: '确认验证集是否确为 {n} 个样本、得分是否只有 0/1；若不是，请更正 data.val_size',
  },
  'mean-impossible.unknown': {
    en: 'no plain mean of yes-or-no scores with a known number of prompts',
    zh: '没有已知样本数的 0/1 得分均值',
  },

  'series-constant': {
    en: '{n} {n|metric that must vary never does|metrics that must vary never do}: {list}',
    zh: '{n} 个本应变化的指标始终不变：{list}',
  },
  'series-constant.remedy': {
    en: 'find out whether nothing happens in training, the metric is a placeholder, or the log prints too few digits; until then draw no conclusion from it',
    zh: '确认是训练没有发生变化、该指标只是占位，还是日志打印位数不够；在此之前不要据此下结论',
  },

  'series-duplicated': {
    en: '{first} and {second} are equal at all {n} steps, but mean different things: one was logged in place of the other',
    zh: '{first} 与 {second} 在全部 {n} 个 step 上完全相等，但含义不同：其中一个记录错了',
  },
  'series-duplicated.remedy': {
    en: 'look at the line that logs them, or at the data set or reward function that each is computed from; count them as one measurement until then',
    zh: '检查记录这两项的代码，或各自使用的数据集、reward 函数；在此之前只当作一项测量',
  },

  'non-finite': {
    en: 'NaN or infinite, first at step {first}: {list}',
    zh: '出现 NaN 或无穷，最早在 step {first}：{list}',
  },
  'non-finite.remedy': {
    en: 'resume from the last checkpoint before step {first}; with low_var_kl clamp the log-ratio, look for empty answers or all-masked batches, and use bf16 rather than fp16',
    zh: '从 step {first} 之前最后的 checkpoint 恢复；low_var_kl 需截断 log-ratio，检查空回答或全被 mask 的 batch，用 bf16 代替 fp16',
  },
  'non-finite.other': {
    en: 'NaN or infinite from step {first} on, in metrics that do not enter the update: {list}. Usually an average over nothing',
    zh: '自 step {first} 起有不参与更新的指标出现 NaN 或无穷：{list}。通常是对空集求平均',
  },
  'non-finite.other.remedy': {
    en: 'harmless unless you read these metrics: their curves have gaps from step {first} on',
    zh: '若不使用这些指标则无妨：自 step {first} 起它们的曲线有缺失',
  },

  'logging-trap': {
    en: '{n} logged {n|metric|metrics} may not be what {n|its name says|their names say}, for {traps} known reasons: {list}',
    zh: '有 {n} 个指标记录的可能与名称不符（已知原因 {traps} 种）：{list}',
  },
  'logging-trap.remedy': {
    en: 'klens show {run} -m {metric} says what each one is; compare them only between runs of the same version',
    zh: '用 klens show {run} -m {metric} 查看各项的说明；只在相同版本的 run 之间比较',
  },

  'throughput-decay': {
    en: '{metric}: the same work takes {percent} % longer at the end than at the start, and the trend is steady',
    zh: '{metric}：同样的工作量，末段比开头多用 {percent}% 的时间，且持续变慢',
  },
  'throughput-decay.remedy': {
    en: 'look since step {from} at GPU memory and clocks, the KV cache and host memory, log and checkpoint writing, and other jobs on the node; restarting from a checkpoint tells a leak from a neighbour',
    zh: '自 step {from} 起检查：GPU 显存与频率、KV cache、主机内存、日志与 checkpoint 写入、同节点的其他任务；从 checkpoint 重启可区分泄漏与外部干扰',
  },
} as const satisfies Templates
