import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { CommonComponents } from '@clearway/contract/monitor/component/schema.ts'
import { type AdvancedSettings, settingsOf } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { isTraversal, parse as parseCss } from 'css-what'
import xpath from 'xpath'

declare module 'xpath' {
  /** Its types leave this one out. Throws for what is no XPath. */
  export function parse(expression: string): unknown
}

const pathMark = 'xpath='

/** Whether a browser could read it: XPath 1.0 with the mark `xpath=` or from `//` on, else CSS. Never runs anything. */
export function isSelector(text: string): boolean {
  const path = text.startsWith(pathMark) ? text.slice(pathMark.length) : /^\(*\/\//.test(text) ? text : null
  try {
    if (path === null) {
      const selectors = parseCss(text)
      return selectors.length > 0 && selectors.every(([first]) => first !== undefined && !isTraversal(first))
    }
    xpath.parse(path)
    return true
  } catch {
    return false
  }
}

const wrong = (path: string, selectors: readonly string[]): FieldError[] =>
  selectors.flatMap((value, index): FieldError[] =>
    isSelector(value) ? [] : [{ path: `${path}.${index}`, code: 'wrong-format', params: { value } }],
  )

/** The selectors in settings that no browser could read. `prefix` is the path of the settings, with its dot. */
export const selectorErrors = (
  prefix: string,
  {
    commonComponents,
    advanced,
  }: { commonComponents: CommonComponents | null; advanced: AdvancedSettings | null },
): FieldError[] =>
  [
    ...(commonComponents?.components ?? []).flatMap(({ selectors }, index) =>
      wrong(`${prefix}commonComponents.components.${index}.selectors`, selectors),
    ),
    ...settingsOf('selectors').flatMap((name) => wrong(`${prefix}advanced.${name}`, advanced?.[name] ?? [])),
  ].slice(0, 100)
