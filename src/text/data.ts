import type { Templates } from './language.js'

/** `klens data`. */
export const dataTexts = {
  'data.about': {
    en: 'make training data: items, embeddings, beams, groups of scored choices',
    zh: '生成训练所需的数据：样本、embedding、beam 与带评分的选择组',
  },
  'data.embed.about': {
    en: 'an embedding for each item (its text, its image or both), by an /embeddings endpoint or from a file',
    zh: '为每个样本（文本、图片或两者）生成 embedding，来自 /embeddings 接口或已有文件',
  },
  'data.generate.about': {
    en: 'propose choices for every query, score them with the task, and write a file that --task lever trains on',
    zh: '为每个查询提出候选选择并由任务评分，写成 --task lever 可训练的文件',
  },
  'data.vqa.about': {
    en: 'items from the two files of the VQA challenge (VQA, OK-VQA): questions and annotations',
    zh: '由 VQA challenge 的两个文件（VQA、OK-VQA 的问题与标注）生成样本',
  },
  'data.beams.about': {
    en: 'beam search for examples that make the right answer likelier (InfoScore), by prompt log-probabilities',
    zh: '用 prompt 对数概率做 beam search，找出使正确答案更可能的示例（InfoScore）',
  },
  'data.argument.questions': { en: 'the questions file', zh: '问题文件' },
  'data.option.annotations': { en: 'the annotations file, with the answers', zh: '标注文件（含答案）' },
  'data.option.coco': {
    en: 'the folder of images (COCO_train2014_….jpg); without it, items are text',
    zh: '图片文件夹（COCO_train2014_….jpg）；不给则只有文本',
  },
  'data.option.split': { en: 'train, val or test, for all items', zh: '所有样本的划分：train、val 或 test' },
  'data.option.items': { en: 'output file, such as okvqa.jsonl', zh: '输出文件，如 okvqa.jsonl' },
  'data.option.part': {
    en: 'what is embedded: text (default), image, image+text',
    zh: '对什么求 embedding：text（默认）、image、image+text',
  },
  'data.option.form': {
    en: 'how images are sent: messages (vLLM, default) or objects (SGLang, Jina)',
    zh: '图片的发送方式：messages（vLLM，默认）或 objects（SGLang、Jina）',
  },
  'data.option.images': {
    en: 'folder of the images (default: that of the items)',
    zh: '图片文件夹（默认与样本文件同处）',
  },
  'data.option.vectors': {
    en: 'take the rows from this file, by id: .npz, .safetensors or .pt',
    zh: '按 id 从该文件取行：.npz、.safetensors 或 .pt',
  },
  'data.option.beams': { en: 'output file, such as beams.json', zh: '输出文件，如 beams.json' },
  'data.option.api': {
    en: 'who gives prompt log-probabilities: chat (vLLM, default) or completions (echo)',
    zh: '由哪个接口给出 prompt 对数概率：chat（vLLM，默认）或 completions（echo）',
  },
  'data.option.samples': { en: 'only the first N training queries', zh: '只用前 N 个训练查询' },
  'data.bad-split': { en: '--split is train, val or test', zh: '--split 应为 train、val 或 test' },
  'data.bad-part': { en: '--part is text, image or image+text', zh: '--part 应为 text、image 或 image+text' },
  'data.bad-form': { en: '--form is messages or objects', zh: '--form 应为 messages 或 objects' },
  'data.bad-api': { en: '--api is chat or completions', zh: '--api 应为 chat 或 completions' },
  'data.items': { en: 'wrote {items} item{items||s} to {path}', zh: '已将 {items} 个样本写入 {path}' },
  'data.unanswered': { en: '{count} question{count||s} without answers left out', zh: '略去 {count} 个没有答案的问题' },
  'data.imageless': { en: '{count} question{count||s} without an image left out', zh: '略去 {count} 个没有图片的问题' },
  'data.beams': {
    en: 'wrote beams of {queries} quer{queries|y|ies}, from {scored} scored choice{scored||s}, to {path}',
    zh: '已将 {queries} 个查询的 beam 写入 {path}，共评分 {scored} 个选择',
  },
  'data.beams-left-out': {
    en: '{count} {count|query was|queries were} left out: fewer than two of their choices could be scored',
    zh: '略去 {count} 个查询：能评分的选择不足两个',
  },
  'data.beams-missing': {
    en: '{missing} of {total} choice{total||s} could not be scored and are in no beam; run the same command with another output file to try those again',
    zh: '{total} 个选择中有 {missing} 个未能评分，不在任何 beam 中；换一个输出文件再次执行会重新请求这些',
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
