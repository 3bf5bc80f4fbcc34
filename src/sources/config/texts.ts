import { sentences } from '../../text/sentences.js'

/** What is said about config files beside a log. */
export const say = sentences({
  'config.not-yaml': {
    en: 'config {file} is not valid YAML (line {line}) and was not read',
    zh: '配置 {file} 不是合法的 YAML（第 {line} 行），未读取',
  },
  'config.not-json': {
    en: 'config {file} is not valid JSON and was not read',
    zh: '配置 {file} 不是合法的 JSON，未读取',
  },
  'config.not-settings': {
    en: '{file} holds no settings that klens can read; they were left out',
    zh: '{file} 中没有 klens 能读出的配置，未读取',
  },
  'config.not-a-map': {
    en: 'config {file} holds no keys with values and was not read',
    zh: '配置 {file} 里没有键值对，未读取',
  },
  'config.too-large': {
    en: 'config {file} has {size} MiB and was not read (limit {limit} MiB)',
    zh: '配置 {file} 有 {size} MiB，超过 {limit} MiB 的上限，未读取',
  },
  'config.tangled': {
    en: 'config {file} has more nesting or more aliases than a config can have and was not read',
    zh: '配置 {file} 的嵌套或别名多得不像配置文件，未读取',
  },
  'config.too-deep': {
    en: 'config {file} is nested deeper than 64 levels; what lies deeper was left out',
    zh: '配置 {file} 的嵌套超过 64 层，更深的内容已略过',
  },
})
