import type { Templates } from './language.js'

/** `klens data`. */
export const dataTexts = {
  'data.about': {
    en: 'make training data: embeddings, groups of scored choices',
    zh: '生成训练所需的数据：embedding 与带评分的选择组',
  },
  'data.embed.about': {
    en: 'an embedding for each text of a file of items, by an /embeddings endpoint',
    zh: '通过 /embeddings 接口为每条文本生成 embedding',
  },
  'data.generate.about': {
    en: 'propose choices for every query, score them with the task, and write a file that --task lever trains on',
    zh: '为每个查询提出候选选择并由任务评分，写成 --task lever 可训练的文件',
  },
  'data.argument.items': { en: 'items, one JSON object per line', zh: '每行一个 JSON 对象的样本文件' },
  'data.option.embeddings': { en: 'output file: .safetensors or .pt', zh: '输出文件：.safetensors 或 .pt' },
  'data.option.groups': { en: 'output file, such as rl_data.json', zh: '输出文件，如 rl_data.json' },
  'data.option.url': { en: 'the endpoint, up to /v1', zh: '接口地址，到 /v1 为止' },
  'data.option.model': { en: 'the model to query', zh: '模型名' },
  'data.option.key-env': { en: 'NAME of the environment variable with the API key', zh: '存放密钥的环境变量名' },
  'data.option.concurrency': { en: 'parallel requests (default 8)', zh: '并发请求数（默认 8）' },
  'data.option.policy': {
    en: 'a checkpoint that proposes the choices (default: by similarity)',
    zh: '用于提出选择的 checkpoint（默认按相似度）',
  },
  'data.embedded': {
    en: 'wrote {rows} embeddings of width {width} to {path}',
    zh: '已将 {rows} 个 {width} 维 embedding 写入 {path}',
  },
  'data.generated': {
    en: 'wrote {queries} quer{queries|y|ies} with {scored} scored choice{scored||s} to {path}',
    zh: '已将 {queries} 个查询、{scored} 个有评分的选择写入 {path}',
  },
  'data.left-out': {
    en: '{count} {count|query was|queries were} left out: all proposals were the same set of examples, so there is nothing to compare (get more with group.proposals.*)',
    zh: '略去 {count} 个查询：提出的选择都是同一组示例，无从比较（可增大 group.proposals.*）',
  },
  'data.missing': {
    en: '{missing} of {total} choice{total||s} could not be scored: they are marked as failed in the file, not as 0; run the same command with another output file to try those again',
    zh: '{total} 个选择中有 {missing} 个未能评分：文件中标记为失败而不是 0；换一个输出文件再次执行会重新请求这些',
  },
} as const satisfies Templates
