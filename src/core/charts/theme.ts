import type { Answer } from '../../logs/model/verdict.js'

/**
 * One look for every chart. Sides differ by colour (Okabe and Ito's palette, 2008, made for colour-blind readers), by dash
 * and by symbol, so that any one of the three is enough, in print as well. Shapes name their colours; a writer looks them
 * up in one of two schemes, or leaves it to the page by CSS variables of the same names.
 */

interface Shade {
  readonly light: string
  readonly dark: string
}

const PALETTE = {
  paper: { light: '#FFFFFF', dark: '#16181C' },
  ink: { light: '#222222', dark: '#E8E8E8' },
  muted: { light: '#595959', dark: '#ABB0B7' },
  axis: { light: '#8C8C8C', dark: '#7D828A' },
  grid: { light: '#E6E6E6', dark: '#30343A' },
  shade: { light: '#B3B3B3', dark: '#6B7077' },
  error: { light: '#B83200', dark: '#FF8A57' },
  warning: { light: '#A86F00', dark: '#F2BC4B' },
  note: { light: '#666666', dark: '#9BA1A8' },
  blue: { light: '#0072B2', dark: '#58A9E0' },
  vermillion: { light: '#D55E00', dark: '#F2813A' },
  green: { light: '#009E73', dark: '#35C497' },
  purple: { light: '#CC79A7', dark: '#E5A3C8' },
  orange: { light: '#E69F00', dark: '#F0BC4A' },
  sky: { light: '#56B4E9', dark: '#93D3F7' },
  black: { light: '#000000', dark: '#FAFAFA' },
} as const satisfies { readonly [name: string]: Shade }

/** A colour that switches with the scheme, or one that stays. */
export type Colour = keyof typeof PALETTE | `#${string}`

export type SymbolName =
  | 'circle'
  | 'square'
  | 'diamond'
  | 'triangle'
  | 'triangle-down'
  | 'triangle-left'
  | 'triangle-right'

export interface MarkLook {
  readonly colour: Colour
  readonly dash: readonly number[]
  readonly symbol: SymbolName
  /** Hollow symbols hide what lies under them, rings do not. */
  readonly body: 'full' | 'hollow' | 'ring'
  /** Of the symbol, across, in pixels. */
  readonly size: number
}

function look(colour: Colour, dash: readonly number[], symbol: SymbolName, more: Partial<MarkLook> = {}): MarkLook {
  return { colour, dash, symbol, body: 'full', size: 7, ...more }
}

const SIDES: readonly MarkLook[] = [
  look('blue', [], 'circle'),
  look('vermillion', [9, 4], 'triangle'),
  look('green', [2, 3], 'square'),
  look('purple', [10, 3, 2, 3], 'diamond'),
  look('orange', [5, 3], 'circle', { body: 'hollow' }),
  look('sky', [12, 3, 2, 3, 2, 3], 'square', { body: 'hollow' }),
  look('black', [1, 2], 'triangle', { body: 'hollow' }),
]

const VERDICT = { size: 13 }

/** What is drawn beside sides, by what it means. Verdicts are told apart without colour: up, down, full, hollow. */
const ROLES = {
  zero: look('ink', [], 'circle'),
  margin: look('ink', [6, 4], 'square'),
  within: look('shade', [4, 3], 'square'),
  difference: look('blue', [], 'circle'),
  estimate: look('vermillion', [], 'diamond', { size: 13 }),
  alike: look('blue', [], 'circle', { size: 8 }),
  rest: look('axis', [], 'circle', { size: 8, body: 'hollow' }),
  best: look('ink', [], 'circle', { size: 17, body: 'ring' }),
  better: look('blue', [], 'triangle', VERDICT),
  higher: look('blue', [], 'triangle', VERDICT),
  worse: look('vermillion', [], 'triangle-down', VERDICT),
  lower: look('vermillion', [], 'triangle-down', VERDICT),
  same: look('green', [], 'square', VERDICT),
  'different-but-small': look('green', [], 'square', VERDICT),
  undetermined: look('ink', [], 'circle', { size: 12, body: 'hollow' }),
} as const satisfies { readonly [role: string]: MarkLook } & { readonly [answer in Answer]: MarkLook }

/** The index of a side, or what a mark means. */
export type Style = number | keyof typeof ROLES

/** From the eighth side on colours come back with the dash and the symbol of another: forty-nine looks differ. */
export function lookOf(style: Style): MarkLook {
  if (typeof style !== 'number') return ROLES[style]
  const { colour } = SIDES[style % SIDES.length]
  return { ...SIDES[(style + Math.floor(style / SIDES.length)) % SIDES.length], colour }
}

/**
 * Cells of a heat map, light to dark: even steps of lightness, so that a grey print keeps the order. They carry their own
 * ink and stay as they are on a dark page.
 */
export const HEAT = [
  { fill: '#F3F7FB', ink: '#1B1B1B' },
  { fill: '#DCE9F4', ink: '#1B1B1B' },
  { fill: '#BFD8EA', ink: '#1B1B1B' },
  { fill: '#97C0DE', ink: '#1B1B1B' },
  { fill: '#689FC9', ink: '#1B1B1B' },
  { fill: '#3D76A8', ink: '#FEFEFE' },
  { fill: '#1D4E7E', ink: '#FEFEFE' },
] as const satisfies readonly { readonly fill: Colour; readonly ink: Colour }[]

/**
 * The system's own sans by name, Chinese in whichever of the common faces is there. Not `system-ui`: on a Chinese Windows
 * that is a Chinese face, which then draws Latin letters and figures too.
 */
export const FONT =
  "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif"

export interface Type {
  /** In pixels. */
  readonly size: number
  readonly bold?: boolean
  readonly colour: Colour
}

export const TYPE = {
  title: { size: 16, bold: true, colour: 'ink' },
  strong: { size: 13, bold: true, colour: 'ink' },
  label: { size: 13, colour: 'ink' },
  name: { size: 13, colour: 'muted' },
  small: { size: 12, colour: 'ink' },
  note: { size: 12, colour: 'muted' },
} as const satisfies { readonly [use: string]: Type }

/** `page` leaves the choice to a page that has `chartStyleSheet`. */
export type Scheme = 'light' | 'dark' | 'page'

export function paint(colour: Colour, scheme: Scheme): string {
  if (!isNamed(colour)) return colour
  const shade = PALETTE[colour]
  return scheme === 'page' ? `var(--klens-chart-${colour}, ${shade.light})` : shade[scheme]
}

function isNamed(colour: Colour): colour is keyof typeof PALETTE {
  return Object.hasOwn(PALETTE, colour)
}

/** The variables that shapes in the scheme `page` refer to, for a page that switches schemes by itself. */
function schemeVariables(scheme: keyof Shade): string {
  return Object.entries(PALETTE)
    .map(([name, shade]) => `--klens-chart-${name}:${shade[scheme]}`)
    .join(';')
}

/** For a page that holds charts: light, dark where the reader prefers that, light again on paper. */
export function chartStyleSheet(): string {
  return [
    `:root{${schemeVariables('light')}}`,
    `@media screen and (prefers-color-scheme:dark){:root{${schemeVariables('dark')}}}`,
    'svg.klens-chart{max-width:100%;height:auto}',
  ].join('\n')
}
