import type { Templates } from './language.js'

/** What the rules about the policy's update say: KL, losses, entropy, groups, gradients, rates. */
export const diagnosisPolicyTexts = {
  'kl-start-nonzero': {
    en: 'KL to the reference is already {kl} at step {step}, before any update; it must start at 0',
    zh: 'step {step} 尚未更新时，与参考策略的 KL 已是 {kl}；它本应从 0 开始',
  },
  'kl-start-nonzero.ratio': {
    en: 'before the first update of step {step} the mean ratio is {ratio} instead of 1: the same tokens get other probabilities when they are computed twice',
    zh: 'step {step} 首次更新之前平均 ratio 已是 {ratio} 而不是 1：同一批 token 两次计算的概率不同',
  },
  'kl-start-nonzero.unsure': {
    en: 'KL to the reference is already {kl} at step {step}; that is right only if the step holds several updates',
    zh: 'step {step} 时与参考策略的 KL 已是 {kl}；只有当一个 step 内含多次更新时才正常',
  },
  'kl-start-nonzero.lever-plus': {
    en: 'KL is {kl} in the first epoch: Lever-Plus freezes its reference before RCE and without dropout, so it does not measure what GRPO did',
    zh: '第 1 个 epoch 的 KL 就是 {kl}：Lever-Plus 的参考策略取自 RCE 之前且不带 dropout，因此它反映的不是 GRPO 的作用',
  },
  'kl-start-nonzero.late': {
    en: 'the log starts at step {step}, after the first update',
    zh: '日志从 step {step} 开始，已在首次更新之后',
  },
  'kl-start-nonzero.several': {
    en: 'a step holds {updates} updates, so its KL is measured after the first of them',
    zh: '每个 step 含 {updates} 次更新，记录的 KL 已在首次更新之后',
  },
  'kl-start-nonzero.remedy': {
    en: 'switch dropout off in the policy (TRL: disable_dropout=True), load policy and reference from the same checkpoint, and run one step: KL must be 0 and the ratio 1',
    zh: '关闭策略的 dropout（TRL：disable_dropout=True），让策略与参考策略加载同一个 checkpoint，再跑 1 个 step：KL 应为 0，ratio 应为 1',
  },
  'kl-start-nonzero.lever-plus.remedy': {
    en: 'compare KL between epochs, not with 0; to measure GRPO alone, take the reference after RCE and with the dropout off',
    zh: '只比较各 epoch 之间的 KL，不要与 0 比；若只想度量 GRPO，请在 RCE 之后、关闭 dropout 时取参考策略',
  },

  'kl-inert': {
    en: 'the KL term is {share} % of the policy loss: the policy trains as if it had no reference',
    zh: 'KL 项只有策略 loss 的 {share}%：训练相当于没有参考策略',
  },
  'kl-inert.in-reward': {
    en: 'the KL is taken from the reward, not added to the loss',
    zh: 'KL 计入 reward，而不是 loss',
  },
  'kl-inert.remedy': {
    en: 'if the KL is meant to hold the policy, raise its coefficient tenfold; else switch it off and save the reference pass',
    zh: '若要用 KL 约束策略，把系数提高到 10 倍；否则关掉它，省去参考策略的前向计算',
  },

  'kl-runaway': {
    en: 'KL to the reference is above {far} since step {step}, {kl} at the median: the policy has left the reference for good',
    zh: '从 step {step} 起与参考策略的 KL 超过 {far}，中位数 {kl}：策略已脱离参考策略且没有回来',
  },
  'kl-runaway.back': {
    en: 'KL to the reference was above {far} in steps {from}–{to}, up to {highest}; it came back at step {back} and is {after} since',
    zh: 'step {from}–{to} 期间与参考策略的 KL 超过 {far}，最高 {highest}；step {back} 起回落，此后为 {after}',
  },
  'kl-runaway.back.remedy': {
    en: 'it recovered by itself: find out what happened at step {from} (learning rate, a resumed optimiser, empty or endless answers), and leave these steps out of every comparison',
    zh: '已自行恢复：查明 step {from} 发生了什么（学习率、恢复训练的优化器状态、空回答或超长回答），比较时排除这些 step',
  },
  'kl-runaway.pace': {
    en: 'KL rose from {usual} to {kl} since step {step}, more than ten times what it used to be',
    zh: '从 step {step} 起 KL 由 {usual} 升到 {kl}，超过以往的 10 倍',
  },
  'kl-runaway.sign': {
    en: 'the KL coefficient is {coefficient}, so distance from the reference is rewarded; KL went from {start} to {end}',
    zh: 'KL 系数是 {coefficient}，等于奖励策略远离参考策略；KL 从 {start} 变为 {end}',
  },
  'kl-runaway.remedy': {
    en: 'go back to a checkpoint from before it; lower the learning rate or the entropy bonus, or raise the KL coefficient, and check that the reward does not pay for leaving the task',
    zh: '退回到此前的 checkpoint；降低学习率或熵正则系数，或提高 KL 系数，并检查 reward 是否在鼓励偏离任务',
  },
  'kl-runaway.start.remedy': {
    en: 'the first updates already threw the policy away: start again with a learning rate ten times lower and gradients clipped, and check that the reward does not pay for leaving the task',
    zh: '最初几次更新就把策略推远了：把学习率降到十分之一、开启梯度裁剪后重新训练，并检查 reward 是否在鼓励偏离任务',
  },
  'kl-runaway.sign.remedy': {
    en: 'make the coefficient positive and start again: no checkpoint of this run was trained as intended',
    zh: '把系数改为正数后重新训练：该 run 的任何 checkpoint 都不是按预期训练的',
  },

  'kl-coefficient-mismatch': {
    en: 'the KL coefficient in the log is {acting}, in the config {configured}',
    zh: '日志中的 KL 系数是 {acting}，配置中是 {configured}',
  },
  'kl-coefficient-mismatch.controller': {
    en: 'the controller moved the KL coefficient to {acting}; the configured {configured} is only where it started',
    zh: '控制器已把 KL 系数调到 {acting}；配置的 {configured} 只是起点',
  },
  'kl-coefficient-mismatch.weighted': {
    en: 'weighted KL over KL gives a coefficient of {low} to {high}; the config says {configured}',
    zh: '由加权 KL 与 KL 之比算得系数为 {low} ~ {high}，配置中是 {configured}',
  },
  'kl-coefficient-mismatch.implied': {
    en: 'total loss minus policy loss over KL gives a coefficient of {low} to {high}; the config says {configured}',
    zh: '由（总 loss − 策略 loss）/ KL 算得系数为 {low} ~ {high}，配置中是 {configured}',
  },
  'kl-coefficient-mismatch.remedy': {
    en: 'report the coefficient that acted; look for an override on the command line, and for a controller (Lever-Plus: disable_adaptive_kl)',
    zh: '报告中请写实际生效的系数；检查命令行覆盖，以及是否开着控制器（Lever-Plus：disable_adaptive_kl）',
  },

  'kl-switched-off': {
    en: '{keys} has no effect: the KL penalty is switched off and the run trains without one',
    zh: '{keys} 不起作用：KL 惩罚处于关闭状态，该 run 没有 KL 约束',
  },
  'kl-switched-off.elsewhere': {
    en: '{keys} has no effect: the KL acts by the other way only',
    zh: '{keys} 不起作用：KL 只通过另一条路径生效',
  },
  'kl-switched-off.unknown': {
    en: 'no config tells whether a KL penalty is on',
    zh: '配置没有说明是否启用 KL 惩罚',
  },
  'kl-switched-off.remedy': {
    en: 'set {flag} if you want the penalty; else remove the key, so that nobody reports it as active',
    zh: '需要 KL 惩罚就设置 {flag}；不需要就删掉该配置，以免被当成已生效',
  },
  'kl-switched-off.elsewhere.remedy': {
    en: 'remove the key, or set {flag} if you want both penalties',
    zh: '删掉该配置；若确实要两处都惩罚，再设置 {flag}',
  },

  'kl-controller-saturated': {
    en: 'the KL controller stands at its limit, coefficient {coefficient}, since step {step}: it no longer steers',
    zh: '从 step {step} 起 KL 控制器停在边界，系数 {coefficient}：已不再起调节作用',
  },
  'kl-controller-saturated.remedy': {
    en: 'fix the coefficient (Lever-Plus: disable_adaptive_kl), or choose a target that the KL of this task can reach',
    zh: '固定系数（Lever-Plus：disable_adaptive_kl），或换一个该任务的 KL 能达到的目标值',
  },

  'kl-ratio-impossible': {
    en: 'at step {step} a mean ratio of {ratio} needs a KL of at least {least}, but the log says {kl}',
    zh: 'step {step} 的平均 ratio 为 {ratio}，KL 至少应为 {least}，日志却是 {kl}',
  },
  'kl-ratio-impossible.pinned': {
    en: 'the mean ratio is exactly 1 on {points} steps running while the KL is {kl}: the ratio is not measured',
    zh: '连续 {points} 个 step 平均 ratio 恰为 1，而 KL 为 {kl}：ratio 并非实测值',
  },
  'kl-ratio-impossible.negative': {
    en: 'KL is {kl} on {points} {points|step|steps}, but this estimator is never negative',
    zh: '有 {points} 个 step 的 KL 为负（最低 {kl}），而该估计量不可能为负',
  },
  'kl-ratio-impossible.remedy': {
    en: 'check against which policy each of the two is computed, and that both use the same mask and the same batch',
    zh: '检查两者各自相对哪个策略计算，以及是否使用相同的 mask 和同一批数据',
  },
  'kl-ratio-impossible.negative.remedy': {
    en: 'check which estimator is really in use, the mask, and the precision of the log-probabilities; do not use these KL values',
    zh: '检查实际使用的估计量、mask 以及对数概率的精度；这些 KL 值不可采用',
  },

  'loss-identity.sum': {
    en: '{one} + {other} is {expected} at step {step}, but {total} says {logged} ({rows} {rows|row|rows} like this)',
    zh: 'step {step} 的 {one} + {other} 应为 {expected}，{total} 却是 {logged}（此类行共 {rows} 行）',
  },
  'loss-identity.penalty': {
    en: 'the losses of step {step} imply a KL coefficient of {implied}, but {configured} is configured and {good} other {good|row gives|rows give} it exactly',
    zh: 'step {step} 的 loss 推出 KL 系数 {implied}，而配置为 {configured}，其他 {good} 行与配置完全一致',
  },
  'loss-identity.reward': {
    en: '{optimised} differs from {score} by {gap} although no KL is in the reward: something else is added to what the task says',
    zh: '{optimised} 与 {score} 相差 {gap}，但 reward 中并没有 KL：训练的 reward 在任务得分之外还加了别的东西',
  },
  'loss-identity.advantage': {
    en: 'advantages reach {most}; normalised within groups of {n} they cannot exceed {bound}',
    zh: '优势达到 {most}；在 {n} 个一组内归一化后不可能超过 {bound}',
  },
  'loss-identity.none': {
    en: 'the log holds no set of numbers that must add up',
    zh: '日志中没有可以相互核对的一组数',
  },
  'loss-identity.remedy': {
    en: 'do not use this row; read the number again from the log it was copied from',
    zh: '不要采用这一行；请从原始日志重新核对',
  },
  'loss-identity.reward.remedy': {
    en: 'find the shaping term in the reward function and log it by itself, so that the score can be read alone',
    zh: '找出 reward 函数里的附加项并单独记录，才能看清任务得分',
  },
  'loss-identity.advantage.remedy': {
    en: 'check that all answers to one prompt share one group id, and that advantages are divided by their deviation',
    zh: '检查同一 prompt 的回答是否共用一个组 id，以及优势是否除以组内标准差',
  },

  'entropy-collapse': {
    en: 'entropy fell from {highest} to {entropy} and is at the floor since step {step}: all answers to a prompt are the same',
    zh: '熵从 {highest} 降到 {entropy}，自 step {step} 起已触底：同一 prompt 的回答全都一样',
  },
  'entropy-collapse.soon': {
    en: 'entropy is {entropy} and falling; at this pace it reaches the floor at step {reached} of {planned}, and the score is not rising',
    zh: '熵为 {entropy} 且持续下降；照此速度将在 step {reached}（共 {planned}）触底，而得分没有上升',
  },
  'entropy-collapse.never': {
    en: 'entropy is {entropy} since step {step} and never exceeded {highest}: it is not computed, or the policy began deterministic',
    zh: '自 step {step} 起熵为 {entropy}，从未超过 {highest}：要么没有计算，要么策略一开始就是确定性的',
  },
  'entropy-collapse.remedy': {
    en: 'go back to a checkpoint with higher entropy; raise the upper clip (0.28) or add a small entropy bonus, and lower the learning rate',
    zh: '退回到熵较高的 checkpoint；放宽裁剪上界（0.28）或加少量熵正则，并降低学习率',
  },
  'entropy-collapse.never.remedy': {
    en: 'check that entropy is computed (verl: calculate_entropy=True) and that the sampling temperature is not 0',
    zh: '确认熵已计算（verl：calculate_entropy=True），且采样温度不为 0',
  },

  'entropy-explosion': {
    en: 'entropy rose from {start} to {entropy}, above {limit} since step {step}: the policy dissolves into noise',
    zh: '熵从 {start} 升到 {entropy}，自 step {step} 起超过 {limit}：策略正在变成噪声',
  },
  'entropy-explosion.remedy': {
    en: 'lower the entropy bonus tenfold or switch it off, and continue from a checkpoint before the rise',
    zh: '把熵正则系数降到十分之一或关掉，从上升之前的 checkpoint 继续',
  },

  'groups-degenerate': {
    en: '{share} % of the groups have equal rewards and teach nothing',
    zh: '{share}% 的组是零方差组（组内奖励全相同），没有梯度信号',
  },
  'groups-degenerate.solved': {
    en: '{share} % of the groups have equal rewards because nearly every answer is right: these prompts are learned',
    zh: '{share}% 的组是零方差组，因为几乎每个回答都对：这批 prompt 已经学会',
  },
  'groups-degenerate.many': {
    en: '{share} % of the groups have equal rewards up to the end: less than half of each batch teaches anything',
    zh: '直到末尾有 {share}% 的组是零方差组：每批只有不到一半有梯度信号',
  },
  'groups-degenerate.many-expected': {
    en: '{share} % of the groups have equal rewards up to the end and teach nothing; right-or-wrong answers to equally hard prompts, {n} each, would tie in {expected} % at this score of {score}',
    zh: '直到末尾有 {share}% 的组是零方差组，没有梯度信号；若各 prompt 难度相同、每个 {n} 个回答且只分对错，得分 {score} 时应为 {expected}%',
  },
  'groups-degenerate.not-told': {
    en: 'the log does not tell which groups have equal rewards',
    zh: '日志没有说明哪些组的奖励全相同',
  },
  'groups-degenerate.remedy': {
    en: 'check first that the reward function tells answers apart at all; then take prompts that are sometimes right, sample more answers for each, or filter tied groups (verl: algorithm.filter_groups)',
    zh: '先确认 reward 函数能区分回答好坏；再换成有时对有时错的 prompt、增加每个 prompt 的采样数，或过滤零方差组（verl：algorithm.filter_groups）',
  },
  'groups-degenerate.solved.remedy': {
    en: 'stop here, or go on with harder prompts',
    zh: '可以到此为止，或换更难的 prompt 继续',
  },

  'advantage-constant': {
    en: '{metrics} is the same at every step: it does not depend on the policy and shows no progress',
    zh: '{metrics} 在每个 step 都相同：它与策略无关，不反映进展',
  },
  'advantage-constant.data': {
    en: '{metrics} is a constant of the fixed training data: it does not depend on the policy, and a step in it is the curriculum',
    zh: '{metrics} 是固定训练数据的常数：与策略无关，其中的跳变来自课程切换',
  },
  'advantage-constant.pairs': {
    en: '{metrics} is the same at every step: with two answers to a prompt it can only be 0.707',
    zh: '{metrics} 在每个 step 都相同：每个 prompt 只有 2 个回答时它只能是 0.707',
  },
  'advantage-constant.remedy': {
    en: 'leave it out of comparisons and reports; log the share of groups with unequal rewards instead',
    zh: '对比和报告中不要使用它；改为记录组内奖励不全相同的比例',
  },

  'run-dead': {
    en: 'gradient and loss are 0 on {share} % of the steps from {from} to {to}: nothing is learned any more',
    zh: '从 step {from} 到 step {to}，{share}% 的 step 梯度和 loss 均为 0：梯度归零，已停止更新',
  },
  'run-dead.start': {
    en: 'gradient and loss are 0 on {share} % of the steps from the first, {from}, to {to}: the policy is not updated',
    zh: '从最初的 step {from} 到 step {to}，{share}% 的 step 梯度和 loss 均为 0：策略没有更新',
  },
  'run-dead.remedy': {
    en: 'stop the run; take the best checkpoint before step {from}, and look at entropy, rewards and learning rate just before it',
    zh: '停止该 run；取 step {from} 之前最好的 checkpoint，并查看此前的熵、reward 和学习率',
  },
  'run-dead.start.remedy': {
    en: 'stop the run; check from step {from} that rewards differ within a group, that the sampler has the trained weights, and that parameters are not frozen',
    zh: '停止该 run；从 step {from} 起检查：组内 reward 是否有差异、采样端是否加载了训练权重、参数是否被冻结',
  },

  'reward-absorbing': {
    en: 'every answer gets the reward {reward} since step {from}: there is nothing to climb',
    zh: '自 step {from} 起所有回答的 reward 都是 {reward}：没有可以提升的方向',
  },
  'reward-absorbing.deviation': {
    en: 'the rewards of a batch do not differ since step {from}: there is nothing to climb',
    zh: '自 step {from} 起同一批的 reward 没有差异：没有可以提升的方向',
  },
  'reward-absorbing.solved': {
    en: 'every answer gets the best reward, {reward}, since step {from}: these prompts are learned',
    zh: '自 step {from} 起所有回答都得到最高 reward {reward}：这批 prompt 已经学会',
  },
  'reward-absorbing.not-told': {
    en: 'the log does not tell how far the rewards of a batch lie apart',
    zh: '日志没有说明同一批 reward 的差异',
  },
  'reward-absorbing.remedy': {
    en: 'stop; read ten answers and their rewards, repair the reward function or the environment, and go back to a checkpoint from before it',
    zh: '停止训练；查看 10 个回答及其 reward，修复 reward 函数或环境，再退回到此前的 checkpoint',
  },
  'reward-absorbing.solved.remedy': {
    en: 'stop here, or go on with harder prompts',
    zh: '可以到此为止，或换更难的 prompt 继续',
  },

  'grad-spike': {
    en: '{spikes} gradient norms are more than {times} times their neighbours; the largest is {norm} at step {step} (usually {usual})',
    zh: '有 {spikes} 个 step 的梯度范数超过邻近值的 {times} 倍；最大 {norm}（step {step}），平时约 {usual}',
  },
  'grad-spike.few': {
    en: '{spikes} isolated gradient {spikes|norm is|norms are} more than {times} times {spikes|its|their} neighbours: {norm} at step {step} (usually {usual})',
    zh: '有 {spikes} 个孤立的梯度尖峰超过邻近值的 {times} 倍：step {step} 为 {norm}，平时约 {usual}',
  },
  'grad-spike.remedy': {
    en: 'see that gradients are clipped (grad_clip or max_grad_norm 1.0); lower the learning rate; with KL in the loss, clamp its log-ratio or use k2, since k3 grows like exp',
    zh: '确认开启了梯度裁剪（grad_clip 或 max_grad_norm 为 1.0）；降低学习率；若 loss 中有 KL，请截断 log-ratio 或改用 k2，因为 k3 按指数增长',
  },
  'grad-spike.few.remedy': {
    en: 'nothing, if gradients are clipped; look at the answers of step {step} if the score changed there',
    zh: '若已开启梯度裁剪则无需处理；如果得分在 step {step} 处有变化，请查看该 step 的回答',
  },

  'grad-vanishing': {
    en: 'the gradient norm is {share} % of what it was at the start, since step {step}',
    zh: '自 step {step} 起梯度范数只有开始时的 {share}%',
  },
  'grad-vanishing.dead': {
    en: 'the gradient is exactly 0: see run-dead',
    zh: '梯度恰为 0：见 run-dead',
  },
  'grad-vanishing.remedy': {
    en: 'look at the share of groups with equal rewards and at the entropy: when both say that all answers are the same, stop and go back to a checkpoint from before it',
    zh: '查看零方差组比例和熵：若两者都表明回答全都一样，请停止训练并退回到此前的 checkpoint',
  },

  'clip-fraction': {
    en: '{share} % of the tokens are clipped: their gradient is thrown away',
    zh: '{share}% 的 token 被裁剪，其梯度被丢弃',
  },
  'clip-fraction.sequence': {
    en: 'this loss clips whole answers or caps weights, where large fractions are normal',
    zh: '该 loss 按整条回答裁剪或截断权重，比例高是正常的',
  },
  'clip-fraction.remedy': {
    en: 'check first that the ratio is 1 before the first update (dropout off, same precision for old and new log-probabilities); then lower the learning rate or make fewer updates per batch',
    zh: '先确认首次更新前 ratio 为 1（关闭 dropout，新旧对数概率精度一致）；再降低学习率或减少每批数据的更新次数',
  },

  'lr-prints-zero': {
    en: 'the log shows a learning rate of 0 because it is printed with few decimals; {configured} is configured',
    zh: '日志中学习率显示为 0 只是因为小数位太少；配置值是 {configured}',
  },
  'lr-prints-zero.unknown': {
    en: 'the log shows a learning rate of 0 with few decimals, and no config tells the rate: it cannot be told from a real 0',
    zh: '日志小数位很少，学习率显示为 0，又没有配置说明：无法判断是否真的为 0',
  },
  'lr-prints-zero.always': {
    en: 'the learning rate is 0 from step {from} to step {to}: nothing can be learned',
    zh: '从 step {from} 到 step {to} 学习率为 0：不可能学到任何东西',
  },
  'lr-prints-zero.idle': {
    en: 'the learning rate is 0 from step {from} to step {to}: the schedule is shorter than the training, or the warm-up does not move',
    zh: '从 step {from} 到 step {to} 学习率为 0：调度步数少于训练步数，或 warmup 没有推进',
  },
  'lr-prints-zero.remedy': {
    en: 'draw no conclusion about warm-up from it; take the rate from TensorBoard, wandb or verl’s file logger, which keep all digits',
    zh: '不要据此判断 warmup；请从 TensorBoard、wandb 或 verl 的文件日志读取学习率，它们保留全部小数位',
  },
  'lr-prints-zero.always.remedy': {
    en: 'check the rate in the config, the scheduler and whether the optimiser got the parameters; then start again',
    zh: '检查配置中的学习率、调度器以及优化器是否拿到了参数，然后重新开始',
  },
  'lr-prints-zero.idle.remedy': {
    en: 'set the total steps of the schedule to the steps you train, or stop where it ends',
    zh: '把调度的总步数设为实际训练步数，或在调度结束时停止',
  },

  'lr-negligible': {
    en: 'the learning rate is {rate}; RL is usually run at 1e-7 to 1e-4, and at this rate nothing moves',
    zh: '学习率是 {rate}；RL 通常为 1e-7 ~ 1e-4，这样的学习率不会有任何变化',
  },
  'lr-negligible.still': {
    en: 'the learning rate is {rate} and the policy has not moved; RL is usually run at 1e-7 to 1e-4',
    zh: '学习率是 {rate}，策略没有任何变化；RL 通常为 1e-7 ~ 1e-4',
  },
  'lr-negligible.remedy': {
    en: 'start again at about 1e-6 for a language model, 1e-5 with LoRA, 1e-4 for a small model; conclude nothing from this run',
    zh: '重新开始：语言模型约 1e-6，LoRA 约 1e-5，小模型约 1e-4；不要从该 run 得出任何结论',
  },
} as const satisfies Templates
