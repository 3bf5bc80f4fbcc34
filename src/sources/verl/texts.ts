import { sentences } from '../../text/sentences.js'

/** What the readers of verl's logs have to say. */
export const say = sentences({
  'verl.bad-values': {
    en: '{count} {count|value|values} in step lines could not be read as {count|a number|numbers} (first: "{field}" at step {step}); left out',
    zh: 'step 行中有 {count} 个值不是可读的数字（首个：step {step} 的“{field}”），已略过',
  },
  'verl.config-unreadable': {
    en: 'The config printed at line {line} could not be read, so the settings of this run are unknown; put a config.yaml beside the log (verl keeps one in outputs/<date>/<time>/.hydra/)',
    zh: '第 {line} 行起打印的配置无法解析，该 run 的配置未知；可把 config.yaml 放到日志旁边（verl 在 outputs/<日期>/<时间>/.hydra/ 下留有一份）',
  },
  'verl.several-experiments': {
    en: 'This log holds more than one experiment ("{first}", then "{second}" from line {line}); they were read as one run with restarts. Split the file to tell them apart',
    zh: '该日志包含不止一个实验（先是“{first}”，第 {line} 行起是“{second}”），已按同一个 run 的多次重启读取；如需区分，请拆分文件',
  },
  'verl.null-values': {
    en: '{count} {count|value is|values are} null (first: {metric} at step {step}): the file logger writes NaN and infinities so, and which of them it was is lost; left out',
    zh: '有 {count} 个值为 null（首个：step {step} 的 {metric}）：verl 的 file logger 会把 NaN 和无穷大写成 null，原值已无从得知，已略过',
  },
})
