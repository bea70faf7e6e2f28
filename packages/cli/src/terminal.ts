import { plainStyle, type Style } from './format-context.ts'

const terminalCodes = {
  strong: [1],
  weak: [2],
  critical: [31, 1],
  serious: [31],
  moderate: [33],
  minor: [36],
  'needs review': [35],
} as const satisfies Record<Exclude<Parameters<Style>[0], 'link'>, readonly number[]>

const toColor = (codes: readonly number[], text: string): string => `\u001b[${codes.join(';')}m${text}\u001b[0m`

/** Only what terminals accept in a link, so that a URL cannot end it. */
const toLink = (url: string): string => {
  const target = url.replaceAll(/[^\u0021-\u007e]/g, (character) => encodeURIComponent(character.toWellFormed()))
  return `\u001b]8;;${target}\u001b\\${url}\u001b]8;;\u001b\\`
}

const styleForTerminal: Style = (emphasis, text) => (emphasis === 'link' ? toLink(text) : toColor(terminalCodes[emphasis], text))

/** Returns the style for a stream: none in a pipe, with `NO_COLOR`, and on a terminal that can do nothing. */
export function selectStyle({ isTTY }: { isTTY?: boolean }, { NO_COLOR, TERM }: NodeJS.ProcessEnv): Style {
  return isTTY === true && !NO_COLOR && TERM !== 'dumb' ? styleForTerminal : plainStyle
}
