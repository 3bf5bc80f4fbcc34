import type { Templates } from './language.js'

/** What the tasks of the trainer have to say: about their data, and about rewards that could not be had. */
export const taskTexts = {
  'task.file-unreadable': {
    en: '{file} cannot be read: {detail}',
    zh: '无法读取 {file}：{detail}',
  },
  'task.file-too-large': {
    en: '{file} has {megabytes} MB; a file of a task can have at most {most} MB. Split it: data.val takes a second file',
    zh: '{file} 有 {megabytes} MB，超出单个任务文件的上限 {most} MB；请拆分，data.val 可指定第二个文件',
  },
  'task.not-json': {
    en: '{file} is not valid JSON; it may be truncated: copy it again',
    zh: '{file} 不是有效的 JSON，可能不完整；请重新复制',
  },
  'task.nothing-to-train': {
    en: '{file}: of {count} usable {count|query|queries} none is left to train on; lower data.val_share and data.test_share',
    zh: '{file}：可用的 query 有 {count} 个，划分后没有留给训练的；请调低 data.val_share 与 data.test_share',
  },
  'task.other-shots': {
    en: 'task {task}: the logged choices have {logged} example{logged||s} each, but policy.shots is {shots}; set policy.shots={logged}',
    zh: '任务 {task}：日志中的选择各含 {logged} 个示例，而 policy.shots 为 {shots}；请设 policy.shots={logged}',
  },
  'task.pool-too-small': {
    en: 'task {task}, record {record}: a pool of {size} {size|candidate|candidates} cannot give {shots} {shots|example|examples}; use fewer shots or larger pools',
    zh: '任务 {task} 的记录 {record}：候选池只有 {size} 个候选，选不出 {shots} 个示例；请减少 shot 数或扩大候选池',
  },
  'embeddings.not-one-matrix': {
    en: '{file}: one matrix of embeddings is needed, floats with a row for each item; {count} {count|was|were} found',
    zh: '{file}：需要且只需要一个 embedding 矩阵（浮点数，每行一个条目），实有 {count} 个',
  },
  'embeddings.not-finite': {
    en: '{file}: row {row}, column {column} is not a finite number',
    zh: '{file}：第 {row} 行第 {column} 列不是有限的数值',
  },
  'embeddings.widths-differ': {
    en: '{file} has embeddings {width} wide, {other} {otherWidth}; queries and candidates must come from the same encoder',
    zh: '{file} 的 embedding 维度是 {width}，{other} 是 {otherWidth}；query 与候选必须来自同一个编码器',
  },
  'digits.pool-too-large': {
    en: 'task digits has {most} candidates; a pool cannot hold {size}',
    zh: '任务 digits 只有 {most} 个候选，候选池放不下 {size} 个',
  },
  'lever.not-logged': {
    en: 'this choice was not scored in the log',
    zh: '日志里没有这一选择的评分',
  },
  'lever.scoring-failed': {
    en: 'the log says that scoring failed',
    zh: '日志标明评分失败',
  },
  'lever.fallback-score': {
    en: 'scored by the fallback metric, not by the official one',
    zh: '由备用指标（fallback）而非官方指标评分',
  },
  'lever.no-score': {
    en: 'the log has no score for this choice',
    zh: '日志里没有记录这一选择的分数',
  },
  'lever.not-groups': {
    en: '{file} contains no groups; expected an object of query ids with pointer_candidates, or id_list and score_list',
    zh: '{file} 里没有分组数据；应为以 query id 为键、含 pointer_candidates（或 id_list 与 score_list）的对象',
  },
  'lever.repeated-id': {
    en: '{file}: query {record} appears twice; remove one of the two',
    zh: '{file}：query {record} 出现了两次，无法判断以哪个为准；请删去其一',
  },
  'lever.in-both-files': {
    en: '{file}: query {record} is also in {other}; training data cannot be used for validation',
    zh: '{file}：query {record} 也在 {other} 中；训练过的样本不能用于验证',
  },
  'lever.nothing-scored': {
    en: '{file}: no group has two scored choices, so there is nothing to learn from',
    zh: '{file}：没有任何一组含有两个以上的有效评分，无从学习',
  },
  'lever.bad-record': {
    en: '{file}, record {record}: {field} is missing or malformed (found {found})',
    zh: '{file} 的记录 {record}：字段 {field} 缺失或格式不对（实为 {found}）',
  },
  'lever.lengths-differ': {
    en: '{file}, record {record}: {choices} {choices|choice|choices} but {rewards} {rewards|reward|rewards}',
    zh: '{file} 的记录 {record}：有 {choices} 个选择，却有 {rewards} 个奖励',
  },
  'lever.reward-not-finite': {
    en: '{file}, record {record}, choice {position}: {field} is {value}, not a finite number',
    zh: '{file} 的记录 {record}，第 {position} 个选择：{field} 是 {value}，不是有限的数值',
  },
  'lever.group-of-one': {
    en: '{file}, record {record}: a group of {size} cannot be compared; at least two choices are needed',
    zh: '{file} 的记录 {record}：组内只有 {size} 个选择，无从比较；至少需要两个',
  },
  'lever.pool-too-small': {
    en: '{file}, record {record}: a pool of {size} {size|candidate|candidates} cannot give {shots} {shots|example|examples}',
    zh: '{file} 的记录 {record}：候选池只有 {size} 个候选，选不出 {shots} 个示例',
  },
  'lever.pool-repeats': {
    en: '{file}, record {record}: candidate {id} is in the pool twice',
    zh: '{file} 的记录 {record}：候选 {id} 在候选池里出现了两次',
  },
  'lever.shots-differ': {
    en: '{file}, record {record}, choice {position}: {found} {found|example|examples} where the file began with {shots}',
    zh: '{file} 的记录 {record}，第 {position} 个选择：有 {found} 个示例，而文件开头是 {shots} 个',
  },
  'lever.pointer-outside': {
    en: '{file}, record {record}, choice {position}: pointer {pointer} is not in the pool of {size}',
    zh: '{file} 的记录 {record}，第 {position} 个选择：指针 {pointer} 不在大小为 {size} 的候选池内',
  },
  'lever.pointer-repeats': {
    en: '{file}, record {record}, choice {position}: candidate {id} is picked twice',
    zh: '{file} 的记录 {record}，第 {position} 个选择：候选 {id} 被选了两次',
  },
  'lever.pointer-contradicts': {
    en: '{file}, record {record}, choice {position}: pointer {pointer} is candidate {inPool} of the pool, but pointer_global says {global}',
    zh: '{file} 的记录 {record}，第 {position} 个选择：指针 {pointer} 在候选池里是 {inPool}，pointer_global 却是 {global}',
  },
  'lever.row-outside': {
    en: '{file}, record {record}: item {id} has no embedding; {embeddings} has {rows} row{rows||s}',
    zh: '{file} 的记录 {record}：条目 {id} 没有 embedding；{embeddings} 只有 {rows} 行',
  },
  'lever.beam-of-other-query': {
    en: '{file}, record {record}, choice {position}: the beam ends with query {found}',
    zh: '{file} 的记录 {record}，第 {position} 个选择：beam 末尾的 query 是 {found}',
  },
  'lever.fix-failed': {
    en: '{file}: {count} {count|record|records} marked _fix_failed {count|was|were} left out (first: {record})',
    zh: '{file}：有 {count} 条记录标有 _fix_failed，已略过（首个：{record}）',
  },
  'lever.too-few-scored': {
    en: '{file}: {count} {count|record has|records have} fewer than two scored choices and {count|was|were} left out (first: {record})',
    zh: '{file}：有 {count} 条记录的有效评分不足两个，已略过（首个：{record}）',
  },
  'lever.missing-scores': {
    en: '{file}: {count} {count|choice|choices} of {total} without a usable score; kept as missing, not as 0',
    zh: '{file}：{total} 个选择中有 {count} 个没有可用的分数，按缺失处理，不计为 0',
  },
  'lever.all-equal': {
    en: '{file}: in {count} of {total} group{total||s} all rewards are equal (first: {record}); such zero-variance groups give no gradient and are skipped',
    zh: '{file}：{total} 组中有 {count} 组奖励全相同（首个：{record}）；这类零方差组没有梯度信号，训练时跳过',
  },
  'lever.self-in-pool': {
    en: '{file}: {count} {count|query has itself|queries have themselves} in the pool (first: {record}); this leaks the answer',
    zh: '{file}：有 {count} 个 query 出现在自己的候选池里（首个：{record}），作为示例会泄露答案',
  },
  'llm.bad-item': {
    en: '{file}, line {line}: {field} is missing or malformed; an item has id, text, answers and perhaps image and split',
    zh: '{file} 第 {line} 行：{field} 缺失或格式不对；每个条目应有 id、text、answers，可选 image 与 split',
  },
  'llm.repeated-item': {
    en: '{file}, line {line}: item {id} was already given',
    zh: '{file} 第 {line} 行：条目 {id} 重复',
  },
  'llm.image-type': {
    en: '{file}, line {line}: images of type {image} cannot be sent; use png, jpeg, webp or gif',
    zh: '{file} 第 {line} 行：无法发送 {image} 这种类型的图片；请用 png、jpeg、webp 或 gif',
  },
  'llm.no-items': {
    en: '{file} contains no items',
    zh: '{file} 里没有任何条目',
  },
  'llm.rows-differ': {
    en: '{file} has {items} item{items||s}, but {embeddings} has {rows} row{rows||s}; one row for each item, in the same order, is needed',
    zh: '{file} 有 {items} 个条目，{embeddings} 却有 {rows} 行；两者必须逐条对应、顺序一致',
  },
  'llm.too-few-examples': {
    en: '{file} has {examples} {examples|example|examples} for query {record}; a pool of {size} cannot be filled',
    zh: '{file} 中可供 query {record} 使用的示例只有 {examples} 个，凑不满大小为 {size} 的候选池',
  },
  'llm.no-key': {
    en: 'llm.key_env names the environment variable {variable}, which is not set; set it, or omit llm.key_env for an endpoint without key',
    zh: 'llm.key_env 指定了环境变量 {variable}，但它没有值；请先设置，接口无需密钥时可省略 llm.key_env',
  },
  'llm.bad-key': {
    en: 'the environment variable {variable} contains characters that no key has, such as a line break or a space; set it again',
    zh: '环境变量 {variable} 含有密钥中不会出现的字符（如换行或空格），请重新设置',
  },
} as const satisfies Templates
