import type { Chart as Definition } from '../charts/chart.js'
import type { Memory } from './memory.js'
import type { Recipe } from './recipe.js'

/**
 * A report before it is Markdown or HTML: blocks of words and figures. Text is always text here; only the two writers
 * know markup, so a run's name or a metric's can never become any.
 */
export type Block =
  | { readonly kind: 'heading'; readonly level: 2 | 3; readonly text: string }
  | { readonly kind: 'paragraph'; readonly parts: readonly Inline[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: 'table'; readonly header: readonly string[]; readonly rows: readonly (readonly Inline[])[] }
  | { readonly kind: 'chart'; readonly chart: Chart }
  | { readonly kind: 'command'; readonly text: string }

export type Inline = string | Strong | Code | Figure

export interface Strong {
  readonly strong: string
}

/** A name or a command, as typed. */
export interface Code {
  readonly code: string
}

/** A number with where it comes from: shown on hover, and in the appendix. */
export interface Figure {
  readonly figure: string
  readonly source: string
}

export interface Chart {
  /** For the file name and the ids inside: letters, digits and dashes. */
  readonly id: string
  readonly caption: string
  /** What it shows; the writers draw it, with colours of its own for a file or with the page's. */
  readonly definition: Definition
}

export interface Told {
  readonly language: 'en' | 'zh'
  readonly title: string
  readonly blocks: readonly Block[]
  /** What a later report of the same runs is compared with. */
  readonly memory: Memory
}

export interface Report extends Told {
  /** How it can be made again. */
  readonly recipe: Recipe
}

export function heading(text: string, level: 2 | 3 = 2): Block {
  return { kind: 'heading', level, text }
}

export function paragraph(...parts: readonly Inline[]): Block {
  return { kind: 'paragraph', parts }
}

export function list(items: readonly (readonly Inline[])[]): Block {
  return { kind: 'list', items }
}

export function table(header: readonly string[], rows: readonly (readonly Inline[])[]): Block {
  return { kind: 'table', header, rows }
}

export function chartBlock(chart: Chart): Block {
  return { kind: 'chart', chart }
}

export function strong(text: string): Strong {
  return { strong: text }
}

export function code(text: string): Code {
  return { code: text }
}

export function figure(text: string, source: string): Figure {
  return { figure: text, source }
}
