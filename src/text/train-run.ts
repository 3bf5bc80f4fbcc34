import type { Templates } from './language.js'

/** What a training that is kept in the store has to say: about resuming, about what hinders it, about many at once. */
export const trainRunTexts = {
  'train.all-missing': {
    en: 'none of {count} {count|score|scores} could be obtained, so there is nothing to learn from and the training stopped; once that is fixed, the same command continues. The first reason:',
    zh: '{count} 个评分一个也没有得到，无从学习，训练已停止；排除原因后重新运行同一命令即可继续。第一个原因：',
  },
  'train.no-judgement': {
    en: 'the data does not say what is right or wrong, but reward.mode is {mode}; --set reward.mode=soft needs no labels',
    zh: '数据没有对错判断，而 reward.mode 为 {mode}；可用 --set reward.mode=soft',
  },
  'train.no-field': {
    en: 'the data has no {field}, which reward.mode {mode} needs; --set reward.mode=hard+soft needs only right-or-wrong and accuracy',
    zh: '数据中没有 {field}，而 reward.mode {mode} 需要它；可用 --set reward.mode=hard+soft，只需对错与准确率',
  },
  'train.nothing-to-freeze': {
    en: 'the policy has no part "{part}" to freeze; it has {parts}',
    zh: '策略中没有可冻结的“{part}”；可冻结的有 {parts}',
  },
  'train.not-ours': {
    en: '{run} was not trained by klens, so klens cannot continue it',
    zh: '{run} 不是由 klens 训练的，无法继续',
  },
  'train.busy': {
    en: 'run {run} is this training, and process {pid} on {host} is working on it; --fresh trains a second copy',
    zh: 'run {run} 就是同一训练，{host} 上的进程 {pid} 正在进行；加 --fresh 可另行训练一次',
  },
  'train.no-whole-checkpoint': {
    en: 'run {run} cannot continue: no checkpoint is intact ({files} damaged); --fresh trains again',
    zh: 'run {run} 无法继续：没有完整的 checkpoint（已损坏：{files}）；加 --fresh 可重新训练',
  },
  'train.nothing-kept': {
    en: 'run {run} was stopped before its first checkpoint and started from another one; give that with --from instead of --resume',
    zh: 'run {run} 在首个 checkpoint 之前就已停止，且当初从另一 checkpoint 开始；请改用 --from 指定它，而不是 --resume',
  },
  'train.already-finished': {
    en: 'run {run} is finished; to train it further, add --set epochs.grpo=N --allow-changes; klens train without --resume trains again',
    zh: 'run {run} 已完成；要继续训练，请加 --set epochs.grpo=N --allow-changes；不带 --resume 的 klens train 会重新训练',
  },
  'train.differs': {
    en: 'run {run} was trained with other settings: {list}; --allow-changes continues with the new ones and records them in the run',
    zh: 'run {run} 此前的训练有所不同：{list}；加 --allow-changes 按新配置继续，改动会记入该 run',
  },
  'train.cannot-change': {
    en: 'run {run} cannot continue with another {list}, because its stored state would not fit; start a new run from its weights with --from',
    zh: 'run {run} 不能更改 {list} 后继续，因为已保存的状态与之不符；请用 --from 从它的权重另开一个 run',
  },
  'train.from-shape': {
    en: 'the weights in {path} do not have the shape of the config; add {settings}',
    zh: '{path} 中权重的结构与配置不符；请加上 {settings}',
  },
  'train.changed': {
    en: 'continued with changes (epoch: setting): {changes}',
    zh: '继续训练时有改动（epoch: 配置项）：{changes}',
  },
  'train.damaged': {
    en: 'checkpoint {file} is damaged; continued after epoch {epoch} instead',
    zh: 'checkpoint {file} 已损坏，改从 epoch {epoch} 之后继续',
  },
  'train.worker-lost': {
    en: 'its process ended unexpectedly ({how}); the same command continues it',
    zh: '其进程意外结束（{how}）；再次运行同一命令即可继续',
  },
  'train.no-over': {
    en: '--over needs key=value,value, not "{given}"',
    zh: '--over 应写成 key=a,b，而不是“{given}”',
  },
  'train.no-placeholder': {
    en: '--name contains {placeholder}, which is not a setting of klens train',
    zh: '--name 中的 {placeholder} 不是 klens train 的配置项',
  },
  'train.same-names': {
    en: 'several trainings would be called {name}; add {placeholders} to --name',
    zh: '多个训练会同名 {name}；请在 --name 中使用 {placeholders}',
  },
  'train.grid': {
    en: '{trials} {trials|training|trainings}, {workers} at a time',
    zh: '{trials} 个训练，同时进行 {workers} 个',
  },
  'train.grid-skipped': {
    en: '{count} of them {count|is|are} finished already and {count|is|are} skipped; --fresh trains all again',
    zh: '其中 {count} 个此前已完成，跳过；加 --fresh 可全部重新训练',
  },
  'train.grid-progress': {
    en: '{done} of {trials} done; epoch {epochs} of {total}',
    zh: '已完成 {done}/{trials} 个；epoch {epochs}/{total}',
  },
  'train.trial-resumed': { en: 'resumed after epoch {epoch}', zh: '从 epoch {epoch} 之后继续' },
  'train.trial-failed': { en: 'failed: {reason}', zh: '失败：{reason}' },
  'train.trial-stopped': { en: 'stopped after epoch {epoch}', zh: '已在 epoch {epoch} 之后停止' },
  'train.grid-failed': {
    en: '{failed} of {trials} training{trials||s} failed; the same command tries them again',
    zh: '{trials} 个训练中有 {failed} 个失败；再次运行同一命令会重试',
  },
  'train.grid-stopped': {
    en: 'stopped; the same command continues each training where it stopped',
    zh: '已停止；再次运行同一命令，每个训练都会从停下的地方继续',
  },
  'train.grid-done': {
    en: 'done: use klens sweep, klens compare and klens diagnose with these names: {names}',
    zh: '完成：可用 klens sweep、klens compare、klens diagnose 按名称查看：{names}',
  },
} as const satisfies Templates
