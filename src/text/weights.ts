import type { Templates } from './language.js'

/** What klens says about weights: what a file holds, how two differ, and why one cannot be read. */
export const weightsTexts = {
  'weights.about': {
    en: 'what a weights file contains, where two differ; convert',
    zh: '查看权重文件的内容，比较两份权重，转换格式',
  },
  'weights.show.about': {
    en: 'tensors, parameters, metadata, and a hash of the content',
    zh: '列出张量、参数量、文件自带的信息，以及内容哈希',
  },
  'weights.diff.about': {
    en: 'how many parameters differ, by how much, and in which tensors',
    zh: '有多少参数不同、相差多少、在哪些张量中',
  },
  'weights.convert.about': {
    en: 'write the same weights as .safetensors, .pt (training checkpoint) or .ckpt (for the original’s inference scripts)',
    zh: '把同一份权重写成 .safetensors、.pt（训练 checkpoint）或 .ckpt（供原项目推理脚本使用）',
  },
  'weights.argument.file': {
    en: 'a .safetensors, .pt, .pth, .ckpt or .npy file, or a folder: sharded safetensors, FSDP ranks of verl, a LoRA adapter',
    zh: '.safetensors、.pt、.pth、.ckpt 或 .npy 文件，或文件夹：分片 safetensors、verl 的 FSDP rank 文件、LoRA adapter',
  },
  'weights.argument.output': { en: 'the new file; its extension sets the format', zh: '新文件，格式由扩展名决定' },

  'weights.format.safetensors': { en: 'safetensors', zh: 'safetensors' },
  'weights.format.npy': { en: 'NumPy array', zh: 'NumPy 数组' },
  'weights.format.npz': { en: 'NumPy archive', zh: 'NumPy 压缩包' },
  'weights.format.pytorch': { en: 'PyTorch', zh: 'PyTorch' },
  'weights.format.pytorch-legacy': { en: 'PyTorch (format before 1.6)', zh: 'PyTorch（1.6 以前的格式）' },
  'weights.layout.v3': { en: 'training checkpoint', zh: '训练 checkpoint' },
  'weights.layout.v2': { en: 'v2 format, for the original’s inference scripts', zh: 'v2 格式，供原项目推理脚本使用' },
  'weights.layout.lightning': { en: 'PyTorch Lightning checkpoint', zh: 'PyTorch Lightning checkpoint' },
  'weights.layout.state-dict': { en: 'named tensors', zh: '具名张量' },
  'weights.layout.tensor': { en: 'one tensor', zh: '单个张量' },
  'weights.layout.sharded': { en: 'one model in several files', zh: '一个模型，分为多个文件' },
  'weights.layout.fsdp': { en: 'FSDP ranks, merged', zh: 'FSDP 各 rank，已拼接' },
  'weights.layout.adapter': { en: 'LoRA adapter', zh: 'LoRA adapter' },
  'weights.files': { en: '{count} file{count||s}: {names}', zh: '{count} 个文件：{names}' },
  'weights.base': { en: 'belongs to {base}', zh: '对应的基座模型：{base}' },
  'weights.no-base': {
    en: 'there is no adapter_config.json to name the base model',
    zh: '没有 adapter_config.json 说明它属于哪个基座模型',
  },
  'weights.part-of': { en: '{part} of {whole}', zh: '{whole} 中的 {part}' },
  'weights.diff.other-base': {
    en: 'the two adapters have different base models ({first}, {second}): their difference does not come from training alone',
    zh: '两个 adapter 属于不同的基座模型（{first}，{second}）：它们之间的差异不只来自训练',
  },
  'weights.size': {
    en: '{tensors} {tensors|tensor|tensors}, {parameters} parameter{parameters||s}, {bytes} bytes',
    zh: '{tensors} 个张量，{parameters} 个参数，{bytes} 字节',
  },
  'weights.state-size': {
    en: 'besides the model: {tensors} {tensors|tensor|tensors} of state with {numbers} numbers',
    zh: '模型之外：{tensors} 个状态张量，共 {numbers} 个数',
  },
  'weights.hash': { en: 'content {hash}', zh: '内容 {hash}' },
  'weights.carries': { en: 'Metadata', zh: '文件自带的信息' },
  'weights.more-lines': { en: '… {count} more; --json shows all', zh: '……另有 {count} 项，用 --json 查看全部' },
  'weights.says-nothing': {
    en: 'not recorded: {missing}',
    zh: '文件未说明：{missing}',
  },
  'weights.lineage.config': { en: 'its config', zh: '配置' },
  'weights.lineage.seed': { en: 'its seed', zh: '随机种子' },
  'weights.lineage.parent': { en: 'which checkpoint it started from', zh: '从哪个 checkpoint 开始' },
  'weights.lineage.data': { en: 'which data it was trained on', zh: '训练所用的数据' },
  'weights.not-run': {
    en: 'loading this file in Python would call {names}; klens called nothing',
    zh: '在 Python 中加载该文件会调用 {names}；klens 未执行任何代码',
  },
  'weights.tensors': { en: 'Tensors', zh: '张量' },
  'weights.column.tensor': { en: 'tensor', zh: '张量' },
  'weights.column.shape': { en: 'shape', zh: '形状' },
  'weights.column.type': { en: 'type', zh: '类型' },
  'weights.column.parameters': { en: 'parameters', zh: '参数量' },
  'weights.column.differ': { en: 'differ', zh: '不同' },
  'weights.column.mean': { en: 'mean |diff|', zh: '平均差' },
  'weights.column.maximum': { en: 'max |diff|', zh: '最大差' },
  'weights.column.relative': { en: 'relative', zh: '相对差' },

  'weights.diff.identical': {
    en: 'IDENTICAL  all {parameters} parameter{parameters||s} of the {tensors} {tensors|tensor|tensors} are equal',
    zh: '完全相同  {tensors} 个张量的全部 {parameters} 个参数都相等',
  },
  'weights.diff.nothing-shared': {
    en: 'NOTHING TO COMPARE  the two files share no tensor name and shape',
    zh: '无从比较  两个文件没有名称与形状都相同的张量',
  },
  'weights.diff.shared-equal': {
    en: 'all shared parameters ({parameters}) are equal; but not all are shared',
    zh: '两者共有的 {parameters} 个参数全部相等，但并非所有参数都共有',
  },
  'weights.diff.share': {
    en: '{share} % of the parameters differ: {differing} of {parameters}',
    zh: '{share}% 的参数不同：{parameters} 个中有 {differing} 个',
  },
  'weights.diff.sizes': {
    en: 'mean difference {mean}, largest {maximum}; relative norm of the difference {relative} %',
    zh: '平均差 {mean}，最大差 {maximum}；整体上相差第一份权重大小的 {relative}%',
  },
  'weights.diff.frozen': {
    en: 'Tensors either differ or are bit-identical: {touched} of {parameters} parameter{parameters||s} ({share} %) are in the {differing} {differing|tensor|tensors} that differ, and the other {equal} {equal|was|were} not touched, as if frozen. Then {share} % is the share that was trained, not a measure of how far apart the two are.',
    zh: '张量要么整体不同，要么逐位相同：发生变化的 {differing} 个张量含 {parameters} 个参数中的 {touched} 个（{share}%），其余 {equal} 个张量未被改动，与冻结时一致。若确实冻结，{share}% 就是参与训练的参数占比，并不表示两份权重相差多远。',
  },
  'weights.diff.only-first': { en: 'only in {path}: {names}', zh: '仅在 {path} 中：{names}' },
  'weights.diff.other-shape': {
    en: 'not compared, because the shapes differ: {name} is {first} and {second}',
    zh: '形状不同，未作比较：{name} 为 {first} 与 {second}',
  },
  'weights.converted': {
    en: '{path} written: {tensors} {tensors|tensor|tensors}, {layout}',
    zh: '已写入 {path}：{tensors} 个张量，{layout}',
  },
  'weights.left-out': {
    en: '{count} state {count|tensor|tensors} besides the model {count|is|are} not in it, because that layout has no place for them ({names})',
    zh: '该格式不含模型以外的状态，有 {count} 个张量未写入（{names}）',
  },

  'weights.no-file': { en: '{path} does not exist', zh: '{path} 不存在' },
  'weights.no-regular-file': {
    en: '{path} is not a file; name one weights file',
    zh: '{path} 不是文件，请指定一个权重文件',
  },
  'weights.unknown-format': {
    en: '{path} is not a weights file that klens knows (safetensors, PyTorch .pt/.ckpt, .npy)',
    zh: '{path} 不是 klens 认识的权重文件（safetensors、PyTorch .pt/.ckpt、.npy）',
  },
  'weights.misshapen': {
    en: '{path} contains no complete selector: {tensor} is missing or is not {shape}; use another checkpoint',
    zh: '{path} 中的选择策略不完整：{tensor} 缺失或形状不是 {shape}；请换一个 checkpoint',
  },
  'weights.damaged': {
    en: '{path} was damaged after it was written: its weights do not match its own hash; use another checkpoint',
    zh: '{path} 写入后已损坏：其中的权重与自身记录不符；请换一个 checkpoint',
  },
  'weights.cut-short': {
    en: '{path} is truncated: it should continue to byte {needed}; copy it again, or use the checkpoint before it',
    zh: '{path} 不完整：应至少有 {needed} 字节；请重新复制，或改用前一个 checkpoint',
  },
  'weights.zip-cut-short': {
    en: '{path} is truncated or not a complete zip: its table of contents is missing; copy it again, or use the checkpoint before it',
    zh: '{path} 不完整或不是完整的 zip：缺少目录；请重新复制，或改用前一个 checkpoint',
  },
  'weights.huge-header': {
    en: '{path} claims a header of {bytes} bytes, more than any real file has; it is damaged or something else',
    zh: '{path} 声称文件头有 {bytes} 字节，正常文件不会如此；文件已损坏或并非权重文件',
  },
  'weights.bad-header': { en: '{path} is damaged: its header cannot be read', zh: '{path} 已损坏：文件头无法解析' },
  'weights.bad-entry': {
    en: '{path} is damaged: the header entry of the tensor "{tensor}" is inconsistent',
    zh: '{path} 已损坏：文件头对张量“{tensor}”的描述自相矛盾',
  },
  'weights.unknown-dtype': {
    en: '{path}: the tensor "{tensor}" has the type {dtype}, which klens does not read',
    zh: '{path}：张量“{tensor}”的类型是 {dtype}，klens 不支持',
  },
  'weights.beyond-file': {
    en: '{path} is truncated or damaged: the tensor "{tensor}" lies beyond the end of the file',
    zh: '{path} 不完整或已损坏：张量“{tensor}”超出了文件中实有的字节',
  },
  'weights.overlap': {
    en: '{path} is damaged: the tensor "{tensor}" shares bytes with another',
    zh: '{path} 已损坏：张量“{tensor}”与另一张量的字节重叠',
  },
  'weights.hole': {
    en: '{path} is damaged: {bytes} bytes in it belong to no tensor',
    zh: '{path} 已损坏：有 {bytes} 字节不属于任何张量',
  },
  'weights.twice': {
    en: '{path}: two tensors have the name "{tensor}"',
    zh: '{path}：有两个张量同名“{tensor}”',
  },
  'weights.bad-zip': {
    en: '{path} is damaged: its zip table of contents does not fit the file',
    zh: '{path} 已损坏：zip 目录与文件不符',
  },
  'weights.bad-checksum': {
    en: '{path} is damaged: bytes in it do not match their checksum; copy it again, or use the checkpoint before it',
    zh: '{path} 已损坏：部分字节与校验和不符；请重新复制，或改用前一个 checkpoint',
  },
  'weights.unknown-packing': {
    en: '{path}: the part "{entry}" is encrypted or packed in a way that klens does not read',
    zh: '{path}：“{entry}”已加密或采用了 klens 不支持的压缩方式',
  },
  'weights.too-large-packed': {
    en: '{path}: the part "{entry}" is compressed and claims more than 256 MiB; PyTorch never compresses, so this is refused',
    zh: '{path}：“{entry}”经过压缩且声称超过 256 MiB；PyTorch 从不压缩，故拒绝读取',
  },
  'weights.no-pickle': {
    en: '{path} is a zip but not a PyTorch file: it has no data.pkl',
    zh: '{path} 是 zip，但不是 PyTorch 文件：其中没有 data.pkl',
  },
  'weights.bad-pickle': {
    en: '{path} is damaged: the pickle in it cannot be read',
    zh: '{path} 已损坏：其中的 pickle 无法解析',
  },
  'weights.bare-pickle': {
    en: '{path} is a bare Python pickle, not a PyTorch file; save it with torch.save',
    zh: '{path} 是普通的 Python pickle，不是 PyTorch 文件；请用 torch.save 保存',
  },
  'weights.overfull': {
    en: '{path} is built to exhaust its reader, or contains far more than weights (too many, too deeply nested or too often repeated values); it is refused',
    zh: '{path} 的内容会耗尽读取程序的资源，或远不止权重（值过多、嵌套过深或重复过多），拒绝读取',
  },
  'weights.big-endian': {
    en: '{path} was written on a big-endian machine, which klens does not read',
    zh: '{path} 由大端机器写入，klens 不支持',
  },
  'weights.unknown-storage': {
    en: '{path} contains tensors of the type {storage}, which klens does not read',
    zh: '{path} 含有 {storage} 类型的张量，klens 不支持',
  },
  'weights.too-large-to-order': {
    en: '{path}: the tensor "{tensor}" is stored transposed and larger than 1 GiB; save it with .contiguous()',
    zh: '{path}：张量“{tensor}”以转置方式存储且超过 1 GiB；请先用 .contiguous() 再保存',
  },
  'weights.unknown-target': {
    en: 'the extension of {path} must be .safetensors, .pt or .ckpt',
    zh: '无法从扩展名判断 {path} 的格式；应为 .safetensors、.pt 或 .ckpt',
  },
  'weights.no-checkpoint': {
    en: '{path} is one unnamed tensor, not a checkpoint; convert it to .safetensors or .pt',
    zh: '{path} 只是一个没有名称的张量，不是 checkpoint；可转换为 .safetensors 或 .pt',
  },
  'weights.exists': {
    en: '{path} exists; klens never overwrites weights: remove it, or name another file',
    zh: '{path} 已存在；klens 不会覆盖权重文件，请先删除或换一个文件名',
  },
  'weights.no-folder': { en: 'the folder {path} does not exist', zh: '文件夹 {path} 不存在' },
  'weights.too-many-layers': {
    en: '{path} has more than one attention layer ("{tensor}"), and the v2 format has room for one; the original’s converter would silently drop the others',
    zh: '{path} 有多个注意力层（“{tensor}”），而 v2 格式只能容纳一层；原项目的转换脚本会直接丢弃其余层而不作提示',
  },
  'weights.too-large-for-pt': {
    en: '{path} would be larger than 4 GiB; write it as .safetensors',
    zh: '{path} 将超过 4 GiB；请写成 .safetensors',
  },
} as const satisfies Templates
